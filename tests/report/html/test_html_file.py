"""What is in the HTML file: the policy, the data, and how much of it there may be."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rea_capture import compare
from rea_capture.contracts.capture import CaptureResult, Step
from rea_capture.contracts.comparison import RecordedRule
from rea_capture.contracts.comparison_evidence import ComparisonEvidence
from rea_capture.contracts.explanation import (
    AnyExplanation,
    EventsExplanation,
    NoExplanation,
    PixelExplanation,
    Region,
    TextDiff,
    TextExplanation,
    ValueExplanation,
)
from rea_capture.report.html import contents, page
from rea_capture.report.html.escaping import captured_html, json_bytes
from rea_capture.report.html.fitting import (
    MAX_CAPTURED_CHARACTERS,
    MAX_SUMMARY_CHARACTERS,
    MAX_TEXT_BYTES,
    fitted,
    fitting_rows,
    shares,
)
from rea_capture.report.html.folds import NEAR_LINES, folds
from rea_capture.report.html.other_events import other_events
from rea_capture.report.html.page import html_report
from rea_capture.report.html.texts import MAX_LIMITATIONS
from rea_capture.report.html.transactions import transactions
from rea_capture.report.view import Compared, report_of
from rea_capture.report.visible import visible
from tests import builders
from tests.project.tree import ROOT
from tests.report.reported import (
    changed,
    comparison,
    events_explanation,
    failure,
    report,
    step,
    unknown,
    value_explanation,
)
from tests.report.samples import page_text, pixel_explanation, samples, shop, text_explanation

ASSETS = ROOT / "rea_capture" / "report" / "html" / "assets"


def blocks(file: bytes) -> dict[str, Any]:
    """The data of a file by the names of its script elements."""
    found = re.findall(rb'<script type="application/json" id="([^"]*)">(.*?)</script>', file)
    return {name.decode(): json.loads(data) for name, data in found}


def source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_the_policy_names_this_style_and_this_script_and_nothing_else() -> None:
    file = html_report(samples()).decode("utf-8")
    [style] = re.findall("<style>(.*?)</style>", file, re.DOTALL)
    [script] = re.findall("<script>(.*?)</script>", file, re.DOTALL)
    [policy] = re.findall('Content-Security-Policy" content="([^"]*)"', file)
    said = dict(part.split(" ", 1) for part in policy.split("; "))
    assert said == {
        "default-src": "'none'",
        "script-src": source(script),
        "style-src": source(style),
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }
    assert "unsafe" not in policy
    assert file.index("Content-Security-Policy") < file.index("<style>")


def test_the_same_documents_give_the_same_file() -> None:
    assert html_report(samples()) == html_report(samples())


def test_every_piece_of_the_script_and_the_style_is_in_the_file() -> None:
    file = html_report(samples()).decode("utf-8")
    pieces = [path for path in ASSETS.iterdir() if path.suffix in {".js", ".css"}]
    assert {path.stem for path in pieces} == {*page.SCRIPT_PIECES, *page.STYLE_PIECES}
    assert all(path.read_text("utf-8") in file for path in pieces)


@pytest.mark.parametrize("path", sorted(ASSETS.glob("*.js")), ids=lambda path: path.stem)
def test_no_piece_of_the_script_makes_markup_or_code_of_text(path: Path) -> None:
    text = path.read_text("utf-8")
    forbidden = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|srcdoc|eval\(|"
        r"new Function|setTimeout\(\s*[\"'`]|setInterval\(\s*[\"'`]|fetch\(|XMLHttpRequest|import\(|"
        r"WebSocket|</script|<!--|localStorage|\.cookie|window\.open|\.on[a-z]+ ="
    )
    assert re.findall(forbidden, text) == []
    if path.stem != "nodes":
        assert "createElement" not in text
        assert "setAttribute(" not in re.sub(r'setAttribute\("(aria-[a-z]+|tabindex)"', "", text)


def test_the_script_writes_out_the_signs_that_every_other_report_does() -> None:
    script = (ASSETS / "nodes.js").read_text("utf-8").partition("const UNSEEN")[2].partition('"gu"')[0]
    written = "".join(json.loads(text) for text in re.findall(r'"[^"]*"', script))
    in_python = re.sub(r"\\u\{([0-9a-f]+)\}", lambda code: f"\\U{int(code[1], 16):08x}", written)
    signs = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code <= 0xDFFF]
    unseen = {sign for sign in signs if re.fullmatch(in_python, sign)}
    assert unseen == {sign for sign in signs if visible(sign) != sign}
    assert len(unseen) > 200


def test_the_first_lines_are_before_the_data_and_the_script() -> None:
    file = html_report(samples())
    assert file.index(b'class="verdict"') < file.index(b'id="index"') < file.index(b"application/json")
    assert file.index(b'class="verdict"') < 60_000
    assert file.rindex(b"application/json") < file.rindex(b"<script>")


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_data_is_read_as_it_was_and_holds_no_markup(text: str) -> None:
    data = json_bytes({"text": text})
    assert json.loads(data) == {"text": text}
    assert not set(data.decode("utf-8")) & set("<>&\u2028\u2029")


@given(st.text())
def test_markup_of_captured_text_is_one_element_of_text(text: str) -> None:
    markup = captured_html(text, 100)
    inside = markup.removeprefix("<bdi>").removesuffix("</bdi>")
    assert markup == f"<bdi>{inside}</bdi>"
    assert not set(inside) & set("<>\"'\x00\u202e")


@given(st.lists(st.integers(0, 1_000)), st.integers(0, 10_000))
def test_shares_are_alike_and_never_more_than_there_is(needs: list[int], budget: int) -> None:
    given_ = shares(needs, budget)
    assert all(0 <= share <= need for share, need in zip(given_, needs, strict=True))
    assert sum(given_) <= budget
    if sum(needs) <= budget:
        assert given_ == needs
    else:
        short = [share for share, need in zip(given_, needs, strict=True) if share < need]
        assert max(short) - min(short) <= 1
        assert max(given_) - max(short) <= 1


MOST_OF_WHAT_IS_NEVER_LEFT_OUT = 700
"""The counts, the summary and the names of the fields."""

LARGE = Region(changed_pixels=1_000, height=1, width=1, x=0, y=0)


def many_regions() -> PixelExplanation:
    """Of 300, of which no two have as many changed pixels, the largest among the others."""
    sizes = [(number * 7) % 300 + 1 for number in range(300)]
    regions = tuple(dataclasses.replace(LARGE, changed_pixels=size, y=at) for at, size in enumerate(sizes))
    return dataclasses.replace(pixel_explanation(), regions=regions)


def check_counts(diff: TextDiff) -> None:
    """What is here and what is left out are together what changed, and each hunk has the lines it says."""
    lines = [line for hunk in diff.hunks for line in hunk.lines]
    told = sum(line.change != "context" for line in lines)
    assert told + diff.omitted_lines == diff.added_lines + diff.removed_lines
    for hunk in diff.hunks:
        assert sum(line.change != "added" for line in hunk.lines) == hunk.before_count
        assert sum(line.change != "removed" for line in hunk.lines) == hunk.after_count
        assert any(line.change != "context" for line in hunk.lines)


def large_explanations() -> list[AnyExplanation]:
    before, after = page_text("1", 600), page_text("2", 600).replace("Article", "Piece")
    values = value_explanation()
    events = events_explanation()
    return [
        text_explanation(before, after),
        many_regions(),
        dataclasses.replace(values, changes=values.changes * 500),
        dataclasses.replace(
            events, network=dataclasses.replace(events.network, items=events.network.items * 200, changed=200)
        ),
    ]


@pytest.mark.parametrize("explanation", large_explanations(), ids=lambda one: str(one.kind))
@pytest.mark.parametrize("max_bytes", [100, 1_500, 6_000, 20_000])
def test_an_explanation_that_does_not_fit_counts_what_is_left_out(
    explanation: AnyExplanation, max_bytes: int
) -> None:
    kept = fitted(explanation, max_bytes)
    assert len(json_bytes(kept)) <= max(max_bytes, MOST_OF_WHAT_IS_NEVER_LEFT_OUT)
    assert kept.summary == explanation.summary
    if isinstance(kept, TextExplanation):
        check_counts(kept.diff)
        assert kept.elements is not None
        assert len(kept.elements.items) + kept.elements.omitted == 7
    elif isinstance(kept, ValueExplanation):
        assert len(kept.changes) + kept.omitted == 500
    elif isinstance(kept, PixelExplanation):
        assert min(one.changed_pixels for one in kept.regions or [LARGE]) > 300 - len(kept.regions)
        assert [one.y for one in kept.regions] == sorted(one.y for one in kept.regions)
        assert kept.changed_pixels == explanation.changed_pixels  # type: ignore[union-attr]  # it is of pixels
    else:
        assert isinstance(kept, EventsExplanation)
        assert len(kept.network.items) + kept.network.omitted == 200


def test_a_hunk_that_is_cut_has_the_lines_that_it_says_it_has() -> None:
    explanation = text_explanation(page_text("1", 60), page_text("2", 60).replace("Article", "Piece"), False)
    [hunk] = explanation.diff.hunks
    seen = set()
    for max_bytes in range(300, 20_000, 500):
        kept = fitted(explanation, max_bytes)
        assert isinstance(kept, TextExplanation)
        check_counts(kept.diff)
        assert kept.diff.omitted_hunks == 1 - len(kept.diff.hunks)
        seen.add(len(kept.diff.hunks))
        if kept.diff.hunks and kept.diff.omitted_lines:
            assert kept.diff.hunks[0].before_count < hunk.before_count
            seen.add(2)
    assert seen == {0, 1, 2}


def test_what_cannot_be_made_smaller_stays_what_it_is() -> None:
    none = NoExplanation(summary="The document is too large to be read.")
    assert fitted(none, 10) == none
    long = fitted(NoExplanation(summary="x" * 100_000), 10)
    assert long.summary == "x" * MAX_SUMMARY_CHARACTERS + "\u2026 (99,000 more characters)"


def test_regions_that_are_left_out_are_counted_in_the_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contents, "MAX_EXPLANATION_BYTES", 4_000)
    evidence = comparison(step("cart", changed("screenshot", many_regions())))
    data = blocks(html_report(report(evidence)))["comparison-0"]
    row = next(one for one in data["steps"][0]["artifacts"] if one["artifact"] == "screenshot")
    assert row["explanation"]["kind"] == "pixels"
    assert 0 < len(row["explanation"]["regions"]) == 300 - row["omitted_regions"]


def test_a_row_that_is_too_large_hides_no_other() -> None:
    rows = [{"row": "a"}, {"row": "b" * 1_000}, {"row": "c"}]
    assert fitting_rows(rows, [0, 0, 0], 100) == [rows[0], rows[2]]


def wordy(characters: int) -> ComparisonEvidence:
    """A comparison made elsewhere, which has much to say."""
    rows = [unknown("history", reason="r" * characters, recovery="w" * characters), unknown("url", "Short.")]
    return comparison(
        step("cart", *rows), failures=[failure(reason="f" * characters)], limitations=["l"] * characters
    )


def test_what_documents_say_is_cut_where_it_is_too_long_and_the_rest_counted() -> None:
    file = html_report(report(*[wordy(1_000_000)] * 3))
    assert len(file) < MAX_TEXT_BYTES / 4
    data = blocks(file)["comparison-2"]
    rows = {one["artifact"]: one for one in data["steps"][0]["artifacts"]}
    assert re.fullmatch(r"r{1000,}\u2026 \(9\d\d,\d{3} more characters\)", rows["history"]["reason"])
    assert rows["url"]["reason"] == "Short."
    rest = len(wordy(1_000_000).limitations) - MAX_LIMITATIONS
    assert data["limitations"][-1] == f"Left out of this report: {rest:,} more limitations."
    assert len(data["limitations"]) == MAX_LIMITATIONS + 1
    assert len(data["before"]["sha256"]) == 64


def test_what_documents_say_is_whole_where_it_fits() -> None:
    data = blocks(html_report(report(wordy(150))))["comparison-0"]
    assert data["limitations"] == list(wordy(150).limitations)
    assert data["unknown_besides"][0]["reason"] == "f" * 150


def test_what_documents_say_takes_from_the_room_of_events(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []

    def noted(needs: Sequence[int], budget: int) -> list[int]:
        given.append(budget)
        return shares(needs, budget)

    monkeypatch.setattr(contents, "shares", noted)
    html_report(report(wordy(10)))
    html_report(report(wordy(1_010)))
    short, long = given[1], given[3]
    assert short - long > 3 * 1_000


def test_an_explanation_that_fits_is_whole() -> None:
    explanation = text_explanation(page_text("1"), page_text("2"))
    assert fitted(explanation, 1_000_000) is explanation


def test_rows_of_lower_rank_are_kept_first_and_stay_in_their_order() -> None:
    rows = [{"row": number} for number in range(6)]
    size = len(json_bytes(rows[0])) + 1
    kept = fitting_rows(rows, [1, 0, 1, 0, 1, 0], 4 * size)
    assert [row["row"] for row in kept] == [0, 1, 3, 5]


def test_events_that_do_not_fit_are_counted_and_those_of_changed_steps_come_first() -> None:
    def capture(extra: str) -> CaptureResult:
        quiet = [builders.console("q" * 20_000, 1) for _ in range(150)]
        loud = [builders.console(f"{extra} {number} " + "l" * 20_000, 2) for number in range(150)]
        steps = [builders.start(), builders.step("quiet", 1), builders.step("loud", 2)]
        return builders.capture(steps, [*quiet, *loud])

    one, other = capture("a"), capture("b")
    file = html_report(report_of([Compared(compare(one, other), one, other, "x")]))
    found = blocks(file)["events-0-before"]
    assert found["omitted"] + len(found["others"]) == 300
    assert found["omitted"] > 0
    steps = [row["step_index"] for row in found["others"]]
    assert steps.count(2) > steps.count(1)
    assert len(file) < MAX_TEXT_BYTES + 500_000


def test_a_text_is_cut_and_the_rest_counted() -> None:
    [row] = other_events(builders.capture(events=[builders.console("x" * 200_000)]).events.items)
    assert len(row["text"]) == MAX_CAPTURED_CHARACTERS
    assert row["omitted_characters"] == 200_000 - MAX_CAPTURED_CHARACTERS


def test_an_error_has_its_message_once() -> None:
    [row] = other_events(builders.capture(events=[builders.page_error("boom")]).events.items)
    assert row["text"] == "Error: boom"
    bare = dataclasses.replace(builders.page_error("boom"), stack="at line 1")
    [row] = other_events([bare])
    assert row["text"] == "boom\nat line 1"


def test_a_transaction_is_a_row_from_its_first_event_to_its_last() -> None:
    events = [
        *builders.transaction(1, 0, address="/a", status=302),
        builders.request(2, 1, address="/b", after=1),
        builders.console("between", 1),
        builders.outcome("request-failed", 2, 1, address="/b", status=None, failure="net::ERR_ABORTED"),
        builders.request(3, 1, state="unknown"),
        builders.unfinished(3, 1),
        builders.request(4, 1),
    ]
    rows = transactions(builders.capture(events=events).events.items)
    assert [(row["id"], row["first"], row["last"], row["end"], row["status"]) for row in rows] == [
        (1, 1, 3, "request-finished", 302),
        (2, 4, 6, "request-failed", None),
        (3, 7, 8, "request-unfinished", None),
        (4, 9, 9, None, None),
    ]
    assert [(row["redirected_from"], row["ancestry"]) for row in rows] == [
        (None, "root"), (1, "linked"), (None, "unknown"), (None, "root"),
    ]  # fmt: skip
    assert rows[1]["failure"] == "net::ERR_ABORTED"


def dom_step(text: str) -> Step:
    return builders.step("cart", 1, dom=builders.text(text))


def test_folds_are_the_lines_between_the_hunks() -> None:
    before, after = page_text("1", 200), page_text("2", 200)
    found = folds(text_explanation(before, after), "dom", dom_step(before), ())
    assert found is not None
    assert [fold["count"] for fold in found] == [99, 98]
    assert [len(fold["head"]) for fold in found] == [NEAR_LINES, NEAR_LINES]
    lines = before.splitlines(keepends=True)
    assert [text for text, _ in found[0]["head"]] == lines[:NEAR_LINES]
    assert [text for text, _ in found[0]["tail"]] == lines[99 - NEAR_LINES : 99]
    assert [text for text, _ in found[1]["tail"]] == lines[-NEAR_LINES:]


def test_folds_are_of_the_text_after_caller_rules() -> None:
    before, after = page_text("1"), page_text("2")
    raw = before.replace("Article", "Item")
    explanation = text_explanation(before, after)
    assert folds(explanation, "dom", dom_step(raw), ()) is None
    rule = RecordedRule(artifacts=("dom",), match="Item", replacement="Article", rule_id="r")
    assert folds(explanation, "dom", dom_step(raw), (rule,)) is not None


def test_a_difference_that_is_not_whole_has_no_folds() -> None:
    before, after = page_text("1"), page_text("2")
    explanation = text_explanation(before, after)
    cut = dataclasses.replace(explanation, diff=dataclasses.replace(explanation.diff, omitted_hunks=1))
    assert folds(cut, "dom", dom_step(before), ()) is None
    assert folds(explanation, "dom", None, ()) is None
    assert folds(explanation, "dom", builders.step(dom=builders.missing()), ()) is None


def test_the_data_of_a_comparison_has_what_the_documents_have() -> None:
    compared = shop()
    found = blocks(html_report(report_of([compared])))
    assert found["comparison-0"]["evidence_id"] == compared.comparison.evidence_id
    assert found["comparison-0"]["limitations"] == list(compared.comparison.limitations)
    assert set(found) >= {"report", "pictures", "events-0-before", "events-0-after"}
    pictures = [name for name in found if name.startswith("picture-")]
    assert {name.removeprefix("picture-") for name in pictures} == set(found["pictures"])
