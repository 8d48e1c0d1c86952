"""GitHub annotations: commands that a runner reads back as they were meant, and no others."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rea_capture.report.annotations import MAX_ANNOTATIONS_PER_LEVEL, workflow_commands
from rea_capture.report.visible import visible
from tests.report.reported import (
    changed,
    comparison,
    everything_in,
    failure,
    report,
    step,
    text_explanation,
    unknown,
)

HOSTILE = [
    "\n::error::injected",
    "\r::set-output name=x::y",
    "%0A::error::injected",
    "%250A%0D%3A%2C",
    "::error title=x::y",
    "a,line=1,file=/etc/passwd::x",
    "##[add-path]/evil",
    "::stop-commands::token",
    "\u2028::error::x\x85::error::y\x0b::error::z",
    "\u202egnp",
]
texts = st.one_of(
    st.sampled_from(HOSTILE), st.text(max_size=60), st.text(alphabet=":,%\n\r0ADa#[]=", max_size=40)
)


@dataclass(frozen=True)
class Command:
    name: str
    properties: dict[str, str]
    data: str


def read(line: str) -> Command | None:
    """``line`` as the runner of GitHub Actions reads it: a command where it begins with two colons."""
    line = line.lstrip()
    if not line.startswith("::") or (end := line.find("::", 2)) < 0:
        return None
    name, _, rest = line[2:end].partition(" ")
    pairs = [pair.split("=", 1) for pair in rest.strip().split(",") if "=" in pair]
    properties = {key: unescaped(value, of_property=True) for key, value in pairs}
    return Command(name, properties, unescaped(line[end + 2 :], of_property=False))


def unescaped(text: str, *, of_property: bool) -> str:
    for code, sign in (("%0D", "\r"), ("%0A", "\n"), *((("%3A", ":"), ("%2C", ",")) if of_property else ())):
        text = text.replace(code, sign)
    return text.replace("%25", "%")


def commands(text: str) -> list[Command]:
    found = []
    for line in text.splitlines():
        command = read(line)
        assert command is not None, line
        found.append(command)
    return found


def test_a_change_is_an_error_and_an_unknown_a_warning() -> None:
    text = workflow_commands(
        report(
            comparison(
                step("cart", changed("dom", text_explanation()), unknown("url", "No address.", "Go on.")),
                failures=[failure(step_id="gone")],
            )
        )
    )
    one, two, three, verdict = commands(text)
    assert (one.name, one.properties) == ("warning", {"title": "gone missing after step unknown"})
    assert one.data.startswith("Only one side has the step.\nCapture both sides")
    assert (two.name, two.properties) == ("error", {"title": "cart dom changed"})
    assert two.data.splitlines()[:2] == ["A line differs.", "Elements"]
    assert (three.name, three.data) == ("warning", "No address.\nGo on.")
    assert (verdict.name, verdict.properties) == ("notice", {"title": "Verdict: changed"})
    assert verdict.data == "1 comparison changed; 1 artifact changed, 1 unknown."


def test_several_comparisons_are_named() -> None:
    text = workflow_commands(
        report(comparison(step("a", changed())), comparison(step("a")), names=["shop", "blog"])
    )
    assert [command.properties["title"] for command in commands(text)] == [
        "shop a dom changed",
        "Verdict: changed",
    ]


def test_what_is_beyond_the_limit_of_a_step_is_counted() -> None:
    steps = [
        step(f"s{n}", changed("dom"), unknown("url"), index=n) for n in range(MAX_ANNOTATIONS_PER_LEVEL + 7)
    ]
    found = commands(workflow_commands(report(comparison(*steps))))
    names = [command.name for command in found]
    assert names.count("error") == names.count("warning") == MAX_ANNOTATIONS_PER_LEVEL
    assert names.count("notice") == 1
    assert found[-1].data.endswith("Not annotated: 7 changed and 7 unknown.")


def test_an_unchanged_report_is_one_notice() -> None:
    [verdict] = commands(workflow_commands(report(comparison(step("a")))))
    assert (verdict.name, verdict.properties["title"]) == ("notice", "Verdict: unchanged")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_inside_its_command(text: str) -> None:
    assert_every_line_is_ours(text, text)


@given(text=texts, name=texts)
def test_any_text_stays_inside_its_command(text: str, name: str) -> None:
    assert_every_line_is_ours(text, name)


def assert_every_line_is_ours(text: str, name: str) -> None:
    one = report(everything_in(text), comparison(step("a")), names=[name, "other"])
    written = workflow_commands(one)
    assert written.endswith("\n")
    assert written.splitlines() == written.rstrip("\n").split("\n")
    found = commands(written)
    # Two failures of the alignment and an unknown row; four changed rows; the verdict.
    assert [command.name for command in found].count("warning") == 3
    assert [command.name for command in found].count("error") == 4
    assert [command.name for command in found].count("notice") == 1
    for command in found[:-1]:
        assert set(command.properties) == {"title"}
        assert command.data.split("\n")[0] == visible(text)
        assert command.properties["title"].startswith(visible(name))


def test_a_long_text_is_cut() -> None:
    text = workflow_commands(report(everything_in("x" * 100_000)))
    assert len(text) < 50_000
    assert "more characters" in text
