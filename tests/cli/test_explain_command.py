"""``rea explain`` shows a person what changed, and nothing a page said steers the terminal."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from rea_capture import compare
from rea_capture.canonical import canonical_bytes, record_bytes
from rea_capture.cli.explaining import explanation_text
from rea_capture.contracts.comparison import EXPLANATION_KINDS
from rea_capture.evidence import evidence_bytes
from rea_capture.workflows.telling import TELLING
from tests import builders
from tests.cli.running import rea, rea_on_terminal, written
from tests.cli.test_terminal_summaries import STYLES
from tests.evidence.sealed import rich_capture, sealed_capture
from tests.golden.cases import CASES

PAGE = "<main>\n" + "\n".join(f"<p>line {n}</p>" for n in range(200)) + "\n</main>"


def compared(tmp_path: Path, before: str, after: str, *options: str) -> str:
    """The path of a comparison of two captures that differ in one document."""
    paths = [
        written(tmp_path / f"{side}.json", evidence_bytes(sealed_capture(rich_capture(dom))))
        for side, dom in (("before", before), ("after", after))
    ]
    path = tmp_path / "comparison.json"
    run = rea("compare-web-captures", *paths, "--output", str(path), *options)
    assert run.status == 0, run.stderr
    return str(path)


@pytest.fixture
def changed(tmp_path: Path) -> str:
    return compared(tmp_path, PAGE, PAGE.replace("line 7<", "line seven<"))


def test_the_verdict_comes_first_then_the_change_with_its_lines(changed: str) -> None:
    run = rea("explain", changed)
    assert run.status == 0
    text = run.stdout.decode()
    lines = text.splitlines()
    assert lines[0] == "Verdict: changed"
    assert lines[1].startswith("1 artifact changed, 0 unknown, in ")
    assert any(line.startswith("open · dom changed") for line in lines)
    assert any(line.strip() == "- <p>line 7" for line in lines)
    assert any(line.strip() == "+ <p>line seven" for line in lines)
    assert not STYLES.search(text)


def test_colour_is_for_terminals_and_for_those_who_ask(changed: str) -> None:
    status, text = rea_on_terminal("explain", changed)
    assert status == 0
    assert STYLES.search(text)
    assert STYLES.search(rea("explain", changed, "--color", "always").stdout.decode())
    assert not STYLES.search(rea_on_terminal("explain", changed, "--color", "never")[1])
    assert not STYLES.search(rea_on_terminal("explain", changed, env={"NO_COLOR": "1"})[1])


def test_long_differences_are_cut_with_a_count_and_shown_whole_when_asked(tmp_path: Path) -> None:
    path = compared(tmp_path, PAGE, PAGE.replace("line", "row"))
    short = rea("explain", path, "--lines", "5").stdout.decode()
    whole = rea("explain", path, "--lines", "0").stdout.decode()
    assert " more lines; --lines 0 shows all" in short
    assert "more lines; --lines" not in whole
    assert len(short.splitlines()) < 20 < len(whole.splitlines())


def test_what_is_unknown_of_many_steps_for_one_reason_is_said_once() -> None:
    """A step that fails leaves every later one unknown; another step in between is not swallowed."""
    ids = [f"s{n}" for n in range(1, 6)]
    reason = "not executed: the run ended at step s1"
    done = [builders.step(step_id, n + 1, url=builders.location()) for n, step_id in enumerate(ids)]
    failed = builders.step("s1", 1, status="failed", error="no route", url=builders.location())
    lost = [
        builders.step(step_id, n + 2, status="cancelled", error=reason, url=builders.missing(why))
        for n, (step_id, why) in enumerate(zip(ids[1:], [reason, reason, "gone", reason], strict=True))
    ]
    whole, cut = (
        builders.capture(steps=(builders.start(url=builders.location()), *steps))
        for steps in (done, [failed, *lost])
    )
    result = compare(whole, cut).normalized_result
    out = io.StringIO()
    explanation_text(result, out, max_lines=0, coloured=False)
    titles = [line for line in out.getvalue().splitlines() if " · " in line]
    assert titles == [
        "s1 · action_state changed",
        "s2, s3, s4 and s5 · action_state unknown",
        "s2 and s3 · url unknown",
        "s4 · url unknown",
        "s5 · url unknown",
    ]
    assert out.getvalue().count("what to do: ") == 4


def test_json_gives_the_rows_in_the_same_order(changed: str) -> None:
    document = rea("explain", changed, "--json").document
    assert document["overall_status"] == "changed"
    assert [(row["step_id"], row["artifact"]) for row in document["rows"]] == [("open", "dom")]
    assert document["rows"][0]["explanation"]["kind"] == "text"


def test_a_comparison_without_explanations_says_how_to_have_them(tmp_path: Path) -> None:
    path = compared(tmp_path, "<p>a", "<p>b", "--no-explain")
    assert b'"explanation"' not in Path(path).read_bytes()
    assert "made without explanations" in rea("explain", path).stdout.decode()


def test_the_comparison_of_standard_input_is_explained(changed: str) -> None:
    piped = rea("explain", "-", stdin=Path(changed).read_bytes())
    assert piped.stdout == rea("explain", changed).stdout


def test_a_capture_is_no_comparison(tmp_path: Path) -> None:
    path = written(tmp_path / "capture.json", evidence_bytes(sealed_capture()))
    run = rea("explain", path)
    assert run.status == 65
    assert "is a capture; name a comparison" in run.error["message"]


def test_a_comparison_that_was_changed_is_refused(changed: str, tmp_path: Path) -> None:
    document = json.loads(Path(changed).read_bytes())
    row = next(row for step in document["normalized_result"]["steps"] for row in step["artifact_diffs"])
    row["explanation"]["summary"] = "Nothing to see here."
    path = tmp_path / "forged.json"
    path.write_bytes(canonical_bytes(document))
    run = rea("explain", str(path))
    assert run.status == 65
    assert run.pointers == ["/evidence_id"]


def test_what_a_page_says_cannot_steer_the_terminal(tmp_path: Path) -> None:
    path = compared(tmp_path, "<p>fine", "<p>\x1b]0;owned\x07 \u202e[red]evil[/red]\x9b2J")
    text = rea("explain", path).stdout.decode()
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "[red]evil[/red]" in text


def test_the_name_of_a_step_cannot_steer_the_terminal(tmp_path: Path) -> None:
    paths = []
    for name, dom in (("before", "<p>a"), ("after", "<p>b")):
        step = builders.step("\x1b[2Jx", dom=builders.text(dom))
        capture = sealed_capture(builders.capture((builders.start(), step)))
        paths.append(written(tmp_path / f"{name}.json", evidence_bytes(capture)))
    comparison = str(tmp_path / "comparison.json")
    assert rea("compare-web-captures", *paths, "--output", comparison).status == 0
    text = rea("explain", comparison).stdout.decode()
    assert "\x1b" not in text
    assert "[2Jx · dom changed" in text


def test_a_line_end_that_came_or_went_is_seen() -> None:
    before, after = (
        builders.capture((builders.start(), builders.step(accessibility=builders.text(text))))
        for text in ("a\n", "a")
    )
    stream = io.StringIO()
    result = compare(before, after).normalized_result
    explanation_text(result, stream, max_lines=0, coloured=False)
    assert "  - a\n  + a\n  \\ No line end\n" in stream.getvalue()


def test_what_a_transaction_has_not_is_called_nothing() -> None:
    before = builders.capture(events=[*builders.transaction(1)])
    after = builders.capture(events=[*builders.transaction(1, status=500)])
    result = compare(before, after).normalized_result
    stream = io.StringIO()
    explanation_text(result, stream, max_lines=0, coloured=False)
    assert "status: 200 → 500" in stream.getvalue()
    assert "None" not in stream.getvalue()


def test_captures_that_come_through_pipes_are_explained_too(tmp_path: Path) -> None:
    before, after = (evidence_bytes(sealed_capture(rich_capture(dom))) for dom in ("<p>a", "<p>b"))
    path = written(tmp_path / "before.json", before)
    run = rea("compare-web-captures", path, "-", stdin=after)
    rows = [row for step in run.document["normalized_result"]["steps"] for row in step["artifact_diffs"]]
    assert [row["explanation"]["kind"] for row in rows] == ["text"]


def test_the_most_telling_change_comes_first(tmp_path: Path) -> None:
    case = CASES["every-artifact-changed"]()
    paths = [
        written(tmp_path / f"{side}.json", record_bytes(capture))
        for side, capture in (("before", case.before), ("after", case.after))
    ]
    comparison = rea("compare-web-captures", *paths).stdout
    titles = [
        line.partition(" · ")[2].partition(" ")[0]
        for line in rea("explain", "-", stdin=comparison).stdout.decode().splitlines()
        if " · " in line
    ]
    assert titles == list(TELLING)


def test_every_artifact_has_its_place_in_the_order() -> None:
    assert set(TELLING) == set(EXPLANATION_KINDS)
