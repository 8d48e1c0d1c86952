"""The kept comparison cases: nothing differs from what was reviewed, and nothing lies there unused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import rfc8785

from tests.compare import reference
from tests.golden.cases import CASES
from tests.golden.regenerate import COMPARISON_FOLDER, expected_file, input_files, regenerate


def _files(name: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (COMPARISON_FOLDER / name).iterdir()}


def test_every_golden_folder_has_a_case_and_every_case_a_folder() -> None:
    assert {path.name for path in COMPARISON_FOLDER.iterdir()} == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_the_inputs_are_those_of_the_case(name: str) -> None:
    kept = _files(name)
    kept.pop("expected.json")
    assert kept == input_files(CASES[name]())


@pytest.mark.parametrize("name", CASES)
def test_the_comparison_of_the_inputs_is_the_expected_one(name: str) -> None:
    kept = _files(name)
    assert expected_file(kept).decode() == kept["expected.json"].decode()


@pytest.mark.parametrize("name", CASES)
def test_the_inputs_are_canonical(name: str) -> None:
    for file_name in ("before.json", "after.json"):
        data = (COMPARISON_FOLDER / name / file_name).read_bytes()
        assert rfc8785.dumps(json.loads(data)) == data


@pytest.mark.parametrize("name", CASES)
def test_the_expected_digests_are_those_a_reader_recomputes(name: str) -> None:
    kept = _files(name)
    before, after, expected = (json.loads(kept[f"{part}.json"]) for part in ("before", "after", "expected"))
    rules = json.loads(kept.get("rules.json", b'{"rules":[]}'))["rules"]
    for step in expected["steps"]:
        for row in step["artifact_diffs"]:
            for side, capture in (("before", before), ("after", after)):
                index = step[f"{side}_step_index"]
                recomputed = (
                    reference.events_digest(capture, index, rules)
                    if row["artifact"] == "events"
                    else reference.artifact_digest(capture["steps"][index], row["artifact"], rules)
                )
                assert row[f"{side}_sha256"] == recomputed


def test_regenerating_writes_exactly_what_is_kept(tmp_path: Path) -> None:
    regenerate(tmp_path / "comparison")
    written = {
        path.relative_to(tmp_path / "comparison"): path.read_bytes()
        for path in tmp_path.rglob("*")
        if path.is_file()
    }
    kept = {
        path.relative_to(COMPARISON_FOLDER): path.read_bytes()
        for path in COMPARISON_FOLDER.rglob("*")
        if path.is_file()
    }
    assert written == kept


EXPECTED_VERDICTS = {
    "action-failed": "unknown",
    "content-unavailable": "unknown",
    "context-mismatch": "unknown",
    "dom-changed": "changed",
    "every-artifact-changed": "changed",
    "event-families-differ": "unknown",
    "events-truncated": "unknown",
    "limitations-differ": "unknown",
    "network-reordered": "unchanged",
    "older-capture": "unknown",
    "predecessor-missing": "unknown",
    "redirect-ancestry-changed": "changed",
    "redirect-cycle": "unknown",
    "rules-make-equal": "unchanged",
    "step-added-at-end": "unknown",
    "steps-do-not-line-up": "unknown",
    "unchanged": "unchanged",
}
"""Written by hand, so that a regeneration cannot change a verdict unnoticed."""


@pytest.mark.parametrize("name", CASES)
def test_the_verdict_is_the_one_a_person_expects(name: str) -> None:
    assert json.loads(_files(name)["expected.json"])["overall_status"] == EXPECTED_VERDICTS[name]
