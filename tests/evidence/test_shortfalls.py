"""What keeps a capture from being complete, in one line."""

from __future__ import annotations

from typing import Any

import pytest

from rea_capture.evidence.shortfall import shortfall_of_result


def result(steps: list[tuple[str, str | None]], missing: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    """A capture as far as it matters here."""
    return {
        "completeness": {"missing_sections": list(missing), "truncated_sections": [], **more},
        "steps": [
            {"step_id": f"s{n}", "status": status, "error": error} for n, (status, error) in enumerate(steps)
        ],
    }


DONE = ("completed", None)
SKIPPED = ("cancelled", "not executed: the run ended at step s1")


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (result([DONE, DONE]), None),
        (result([DONE], ("dom", "url")), "missing: dom, url"),
        (result([DONE], truncated_sections=["events"]), "cut off: events"),
        (result([DONE], ("dom",), truncated_sections=["events"]), "missing: dom; cut off: events"),
        (result([DONE, ("failed", "no\nroute")], ("action",)), "step s1 failed: no route"),
        (
            result([DONE, ("failed", "no"), SKIPPED], ("action",)),
            "step s1 failed: no; 1 later step did not complete either",
        ),
        (
            result([DONE, ("cancelled", "SIGINT"), SKIPPED, SKIPPED], ("action", "dom")),
            "step s1 cancelled: SIGINT; 2 later steps did not complete either",
        ),
    ],
)
def test_the_step_that_ended_the_run_is_named_and_the_later_ones_are_counted(
    found: dict[str, Any], words: str | None
) -> None:
    assert shortfall_of_result(found) == words
