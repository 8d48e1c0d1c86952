"""Captures that run at the same time have nothing in common."""

from __future__ import annotations

import json
from pathlib import Path

from tests.browser.capture.conftest import pause, scenario_document
from tests.browser.cleanup.command import Starts
from tests.loopback import Loopback

AT_ONCE = 8


def test_eight_at_once_all_succeed(start: Starts, loopback: Loopback, tmp_path: Path) -> None:
    page = loopback.route("/", "<title>one of many</title><p>x")
    document = scenario_document(page, [pause()], capture={"at_end": ["dom", "url"]})
    runs = []
    for number in range(AT_ONCE):
        folder = tmp_path / str(number)
        folder.mkdir()
        runs.append(start(document, folder=folder, environ={"XDG_STATE_HOME": str(tmp_path / "state")}))
    for run in runs:
        status, _, err = run.ended()
        assert (status, err) == (0, "")
    results = [run.evidence() for run in runs]
    assert {result["completeness"]["status"] for result in results} == {"complete"}
    doms = {json.dumps(result["steps"][-1]["artifacts"]["dom"], sort_keys=True) for result in results}
    assert len(doms) == 1
    assert [run.leftovers() for run in runs] == [[]] * AT_ONCE
    assert list((tmp_path / "state/rea-capture/launches").iterdir()) == []
