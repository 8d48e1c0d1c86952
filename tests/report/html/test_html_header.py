"""Of which site and of what times a report is, above everything else."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.comparison import StepComparison
from rea_capture.report.html.page import html_report
from rea_capture.report.view import report_of
from tests import builders
from tests.report.reported import changed, compared, comparison, step


def first_lines(*sides: tuple[CaptureResult | None, CaptureResult | None]) -> str:
    """The head of the report on comparisons with these captures."""
    pairs = (compared(comparison(changed_dom()), before=before, after=after) for before, after in sides)
    return html_report(report_of(pairs)).partition(b"</header>")[0].decode()


def changed_dom() -> StepComparison:
    """A step whose DOM changed."""
    return step("open", changed("dom"))


def captured_at(day: int, **changes: Any) -> CaptureResult:
    """A capture of that day of a January."""
    made = builders.capture(**changes)
    return dataclasses.replace(
        made,
        started_at=made.started_at.replace("01-02T", f"01-{day:02}T"),
        finished_at=made.finished_at.replace("01-02T", f"01-{day:02}T"),
    )


def test_the_header_has_the_site_and_the_times_of_both_captures() -> None:
    head = first_lines((captured_at(1), captured_at(2)))
    plain = re.sub(r"<[^>]*>", "", head)
    assert (
        f"Site: {builders.ORIGIN}; before 2026-01-01T03:04:06.000Z to 2026-01-01T03:04:06.345Z, "
        "after 2026-01-02T03:04:06.000Z to 2026-01-02T03:04:06.345Z."
    ) in plain
    assert "Site: " not in first_lines((None, None))
    alone = re.sub(r"<[^>]*>", "", first_lines((None, captured_at(2))))
    assert f"Site: {builders.ORIGIN}; after 2026-01-02" in alone


def test_the_header_of_many_comparisons_names_a_few_sites_and_the_whole_time() -> None:
    sites = [(captured_at(n, start_origin=f"https://s{n}.example"), captured_at(n + 1)) for n in range(1, 7)]
    plain = re.sub(r"<[^>]*>", "", first_lines(*sites))
    assert "Site: https://s1.example, " in plain
    assert "and 3 more; captured 2026-01-01T03:04:06.000Z to 2026-01-07T03:04:06.345Z." in plain


def test_what_the_header_has_of_a_capture_is_escaped() -> None:
    made = captured_at(1)
    hostile = dataclasses.replace(made.scenario, start_origin="https://<script>\u202ex")
    head = first_lines((dataclasses.replace(made, scenario=hostile), None))
    assert "<script>" not in head.partition("</style>")[2]
    assert "https://&lt;script&gt;" in head
    assert "\u202e" not in head
