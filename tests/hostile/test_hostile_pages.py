"""Each hostile page ends within its bound, in Evidence that verifies and is honest, and leaves nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import pytest

from tests.hostile.case import Case, page
from tests.hostile.judging import problems
from tests.hostile.looking import Result
from tests.hostile.report import PAGE, rows_of
from tests.hostile.running import Outcome, run_case
from tests.hostile.table import CASES, at_full_size

IN_EVERY_RUN: Final = (
    "alerts in a loop that never ends",
    "a renderer killed in an action",
    "pages that navigate each other every 50 ms",
    "a redirect loop over two ports",
    "nested noopener popups to redirects",
    "50 downloads at once",
    "frames without src, with srcdoc, in a sandbox, of another site",
    "a shared worker that talks and asks",
    "session storage seeds of 6 MB",
    "a response shorter than its Content-Length",
    "a prefetched script",
)
"""One of each kind. All cases take as long as the rest of the suite: ``nox -s hostile`` runs them."""
REPRESENTATIVES: Final = [case for case in CASES if case.name in IN_EVERY_RUN]


@pytest.mark.parametrize("case", REPRESENTATIVES, ids=[case.name for case in REPRESENTATIVES])
def test_a_hostile_page_ends_in_time_in_honest_evidence_and_leaves_nothing(
    case: Case, chromium_path: str
) -> None:
    assert problems(case, run_case(case, chromium_path)) == []


def test_the_table_in_the_documentation_is_of_these_cases() -> None:
    rows = rows_of(PAGE.read_text("utf-8"))
    assert [row.case for row in rows] == [case.name for case in at_full_size()]
    for row, case in zip(rows, at_full_size(), strict=True):
        assert row.bound_s == f"{case.bound_s:.1f}", case.name
        assert float(row.took_s) <= case.bound_s, case.name
        assert row.leftovers == "0", case.name


def test_the_cases_of_every_run_are_of_the_table() -> None:
    assert {case.name for case in REPRESENTATIVES} == set(IN_EVERY_RUN)


def test_no_two_cases_have_one_name() -> None:
    names = [case.name for case in (*CASES, *(case.full for case in CASES if case.full))]
    assert len(names) == len(set(names))


HARMLESS: Final = Case("a harmless page", page("<p>x"))


@pytest.fixture(scope="module")
def harmless(chromium_path: str) -> Outcome:
    """The outcome of a page that does nothing."""
    return run_case(HARMLESS, chromium_path)


def _fails(_: Result) -> None:
    raise AssertionError("of course")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"statuses": ("completed", "failed")}, "steps: "),
        ({"missing": frozenset({"dom"})}, "missing: "),
        ({"truncated": frozenset({"events"})}, "truncated: "),
        ({"says": ("nothing of the kind",)}, "does not say "),
        ({"holds": _fails}, "does not hold: of course"),
    ],
)
def test_a_case_that_is_not_as_it_says_is_found_out(
    change: dict[str, Any], said: str, harmless: Outcome
) -> None:
    assert problems(HARMLESS, harmless) == []
    (found,) = problems(replace(HARMLESS, **change), harmless)
    assert found.startswith(said)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"leftovers": ("file tmp/x",)}, "left behind: file tmp/x"),
        ({"took_s": HARMLESS.bound_s + 1}, "took "),
        ({"result": None, "status": 70}, "no Evidence, status 70"),
    ],
)
def test_an_outcome_that_is_not_as_it_should_be_is_found_out(
    change: dict[str, Any], said: str, harmless: Outcome
) -> None:
    (found,) = problems(HARMLESS, replace(harmless, **change))
    assert found.startswith(said)
