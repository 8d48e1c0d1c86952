"""The vectors that RFC 8785 publishes, byte for byte."""

from __future__ import annotations

import json
import math
import struct
from pathlib import Path

import pytest

from rea_capture.canonical import canonical_bytes, sha256_hex, value_sha256
from rea_capture.errors import InputError

VECTORS = Path(__file__).parents[2] / "golden" / "rfc8785"
NUMBERS = json.loads((VECTORS / "numbers.json").read_bytes())


def test_every_input_has_an_output_and_every_output_an_input() -> None:
    inputs = {path.name for path in (VECTORS / "input").iterdir()}
    assert len(inputs) == 6
    assert inputs == {path.name for path in (VECTORS / "output").iterdir()}


@pytest.mark.parametrize("name", ["arrays", "french", "structures", "unicode", "values", "weird"])
def test_an_input_file_becomes_its_output_file(name: str) -> None:
    value = json.loads((VECTORS / "input" / f"{name}.json").read_bytes())
    expected = (VECTORS / "output" / f"{name}.json").read_bytes()
    assert canonical_bytes(value) == expected
    assert value_sha256(value) == sha256_hex(expected)


@pytest.mark.parametrize(("bits", "text"), [(bits, text) for bits, text in NUMBERS if text is not None])
def test_a_double_is_written_as_appendix_b_says(bits: str, text: str) -> None:
    (number,) = struct.unpack(">d", bytes.fromhex(bits))
    assert canonical_bytes(number) == text.encode()


@pytest.mark.parametrize("bits", [bits for bits, text in NUMBERS if text is None])
def test_what_is_no_number_has_no_canonical_form(bits: str) -> None:
    (number,) = struct.unpack(">d", bytes.fromhex(bits))
    assert not math.isfinite(number)
    with pytest.raises(InputError):
        canonical_bytes(number)


@pytest.mark.parametrize("number", [2**53, -(2**53), 10**30])
def test_an_integer_beyond_the_safe_range_has_no_canonical_form(number: int) -> None:
    with pytest.raises(InputError):
        canonical_bytes([number])


@pytest.mark.parametrize("number", [2**53 - 1, -(2**53 - 1)])
def test_the_largest_safe_integers_have_one(number: int) -> None:
    assert canonical_bytes([number]) == f"[{number}]".encode()


@pytest.mark.parametrize("value", ["\ud800", {"key": "\udfff"}, {"\ud800": 1}, {1: 2}, b"bytes", {1, 2}])
def test_what_json_cannot_hold_is_refused(value: object) -> None:
    with pytest.raises(InputError):
        canonical_bytes(value)  # type: ignore[arg-type]  # that is the point


def test_keys_are_sorted_by_utf_16_code_units_and_not_by_code_points() -> None:
    above_the_basic_plane, end_of_the_basic_plane = "\U0001f600", "\ufb33"
    assert canonical_bytes({end_of_the_basic_plane: 1, above_the_basic_plane: 2}) == (
        f'{{"{above_the_basic_plane}":2,"{end_of_the_basic_plane}":1}}'.encode()
    )


def test_sha256_is_that_of_fips_180_4() -> None:
    assert sha256_hex(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_a_value_too_deep_to_write_is_refused_and_not_a_crash() -> None:
    value: list[object] = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(InputError):
        canonical_bytes(value)  # type: ignore[arg-type]  # lists of lists are JSON
