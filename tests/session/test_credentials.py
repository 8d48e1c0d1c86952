"""Credentials are read where they are said to be, and no error shows one."""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from rea_capture.contracts.runtime.errors import BrowserOperationError
from rea_capture.contracts.runtime.settings import Credential
from rea_capture.session.credentials import (
    MAX_CREDENTIAL_FILE_BYTES,
    MAX_CREDENTIAL_JSON_BYTES,
    resolve_credential,
    variables_of,
)

SECRET = "correct horse battery staple 0451"


def credential(**fields: str) -> Credential:
    made: Credential = TypeAdapter(Credential).validate_python(fields)
    return made


def refusal(folder: Path, environ: dict[str, str] | None = None, **fields: str) -> BrowserOperationError:
    with pytest.raises(BrowserOperationError) as caught:
        resolve_credential(credential(**fields), environ or {}, folder, name="password")
    return caught.value


def everything_behind(error: BaseException) -> Iterator[str]:
    """All that a reporter of errors could show of ``error``, of what it came from, and of what they hold."""
    seen: list[BaseException] = [error]
    while seen:
        each = seen.pop()
        yield repr(each) + str(each) + repr(vars(each)) + repr(getattr(each, "doc", ""))
        yield repr(getattr(each, "object", ""))
        seen += [one for one in (each.__cause__, each.__context__) if one is not None]
    yield "".join(traceback.format_exception(error))


def test_a_literal_is_itself(tmp_path: Path) -> None:
    assert resolve_credential(credential(source="literal", value=" a "), {}, tmp_path) == " a "


def test_a_variable_is_taken_from_the_environment_that_is_given(tmp_path: Path) -> None:
    wanted = credential(source="environment", variable="SHOP_PASSWORD")
    assert resolve_credential(wanted, {"SHOP_PASSWORD": SECRET}, tmp_path) == SECRET


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("one\n", "one"),
        ("one\r\n", "one"),
        ("one", "one"),
        ("one\n\n", "one\n"),
        (" a \n", " a "),
        ("a\r", "a\r"),
    ],
)
def test_a_file_is_its_text_without_its_final_line_end(tmp_path: Path, text: str, value: str) -> None:
    (tmp_path / "password").write_bytes(text.encode())
    assert resolve_credential(credential(source="file", path="password"), {}, tmp_path) == value


def test_a_path_starts_at_the_folder_unless_it_is_absolute(tmp_path: Path) -> None:
    (tmp_path / "password").write_text(SECRET)
    absolute = credential(source="file", path=str(tmp_path / "password"))
    assert resolve_credential(absolute, {}, tmp_path / "elsewhere") == SECRET


def test_a_json_file_gives_the_string_at_its_top_level_entry(tmp_path: Path) -> None:
    (tmp_path / "accounts.json").write_text('{"user": "ada", "password": "p\\u00e4ss"}')
    wanted = credential(source="jsonFile", path="accounts.json", entry="password")
    assert resolve_credential(wanted, {}, tmp_path) == "päss"


def test_a_missing_variable_is_named_and_nothing_was_attempted(tmp_path: Path) -> None:
    details = refusal(tmp_path, source="environment", variable="SHOP_PASSWORD").details
    assert details.code == "credential_unavailable"
    assert details.mutation_state == "not_attempted"
    assert details.phase == "resolve"
    assert "SHOP_PASSWORD is not set" in details.message
    assert "'password'" in details.message


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (f'{{"password": "{SECRET}", "password": "{SECRET}"}}', "strict JSON"),
        (f'{{"password": "{SECRET}"', "strict JSON"),
        (f'{{"password": NaN, "other": "{SECRET}"}}', "strict JSON"),
        (f'["{SECRET}"]', "no JSON object"),
        (f'{{"other": "{SECRET}"}}', "no entry 'password'"),
        (f'{{"password": ["{SECRET}"]}}', "no string"),
        (f'{{"password": {{"value": "{SECRET}"}}}}', "no string"),
        ('{"password": ""}', "is empty"),
    ],
)
def test_a_bad_json_file_is_refused_and_nothing_of_it_is_shown(
    tmp_path: Path, content: str, said: str
) -> None:
    (tmp_path / "accounts.json").write_text(content)
    error = refusal(tmp_path, source="jsonFile", path="accounts.json", entry="password")
    assert said in error.details.message
    assert not [shown for shown in everything_behind(error) if SECRET in shown]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (SECRET.encode() + b"\xff", "not UTF-8"),
        (SECRET.encode() * 2_000, f"more than {MAX_CREDENTIAL_FILE_BYTES:,} bytes"),
        (SECRET.encode() * 200, "characters"),
        (b"\n", "is empty"),
    ],
)
def test_a_bad_file_is_refused_and_nothing_of_it_is_shown(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "password").write_bytes(content)
    error = refusal(tmp_path, source="file", path="password")
    assert said in error.details.message
    assert not [shown for shown in everything_behind(error) if SECRET in shown]


def test_bytes_of_a_variable_that_are_no_text_are_refused_without_being_shown(tmp_path: Path) -> None:
    error = refusal(tmp_path, {"V": f"{SECRET}\udcff"}, source="environment", variable="V")
    assert "not UTF-8" in error.details.message
    assert not [shown for shown in everything_behind(error) if SECRET in shown]


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/tty", "."])
def test_what_is_no_regular_file_is_not_read(tmp_path: Path, path: str) -> None:
    message = refusal(tmp_path, source="file", path=path).details.message
    assert "no regular file" in message or "cannot be read" in message


def test_a_fifo_without_a_writer_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "no regular file" in refusal(tmp_path, source="file", path="pipe").details.message


@pytest.mark.parametrize("path", ["absent", "a\0b"])
def test_what_cannot_be_read_is_said_with_its_path(tmp_path: Path, path: str) -> None:
    message = refusal(tmp_path, source="file", path=path).details.message
    assert "cannot be read" in message
    assert str(tmp_path) in message


def test_a_json_file_is_bounded_too(tmp_path: Path) -> None:
    (tmp_path / "large.json").write_bytes(b" " * (MAX_CREDENTIAL_JSON_BYTES + 1))
    message = refusal(tmp_path, source="jsonFile", path="large.json", entry="a").details.message
    assert f"more than {MAX_CREDENTIAL_JSON_BYTES:,} bytes" in message


def test_the_variables_of_credentials_are_those_of_the_environment_alone() -> None:
    held = {
        "user": credential(source="literal", value="ada"),
        "password": credential(source="environment", variable="SHOP_PASSWORD"),
    }
    assert variables_of(held) == {"SHOP_PASSWORD"}
