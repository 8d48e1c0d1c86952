"""Write the comparison goldens: ``python -m tests.golden.regenerate``.

Each case has its two captures (canonical JSON, as a ``normalized_result``), its rules where it has any,
and the expected comparison, indented so that it can be read as a diff.

Below: ``cases``, ``compare``. Above: a person who has read what changed.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import orjson

from rea_capture.canonical import record_bytes
from rea_capture.compare import compare_captures
from rea_capture.compare.explain import changed_parts, explained
from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.normalization import Normalization
from rea_capture.contracts.reading import adapter
from tests.golden.cases import CASES, Case

COMPARISON_FOLDER: Final = Path(__file__).parents[2] / "golden" / "wire-2" / "comparison"

_READABLE: Final = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE


def input_files(case: Case) -> dict[str, bytes]:
    """File name to content of the inputs of ``case``."""
    files = {"before.json": record_bytes(case.before), "after.json": record_bytes(case.after)}
    if case.normalization.rules:
        files["rules.json"] = orjson.dumps(case.normalization.model_dump(mode="json"), option=_READABLE)
    return files


def expected_file(inputs: Mapping[str, bytes]) -> bytes:
    """``expected.json`` for inputs as they are on disk: parsed again, so that reading is tested too."""
    rules = inputs.get("rules.json", b"{}")
    normalization = adapter(Normalization).validate_json(rules)
    before, after = _capture(inputs["before.json"]), _capture(inputs["after.json"])
    result = compare_captures(before, after, normalization)
    result = explained(result, changed_parts(before, result), changed_parts(after, result))
    return orjson.dumps(orjson.loads(record_bytes(result)), option=_READABLE)


def _capture(data: bytes) -> CaptureResult:
    capture = adapter(CaptureResult).validate_json(data)
    assert isinstance(capture, CaptureResult)
    return capture


def regenerate(folder: Path = COMPARISON_FOLDER) -> None:
    """Replace everything in ``folder`` by the goldens of ``CASES``."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, build in CASES.items():
        inputs = input_files(build())
        target = folder / name
        target.mkdir(parents=True)
        for file_name, data in {**inputs, "expected.json": expected_file(inputs)}.items():
            (target / file_name).write_bytes(data)


if __name__ == "__main__":
    regenerate()
