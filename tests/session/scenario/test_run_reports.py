"""What is made of a run's report: JUnit that schemas and readers accept, and lines for people."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
import xmlschema
from junitparser import Error, Failure, JUnitXml, Skipped, TestSuite

from rea_capture.contracts.runtime.run_report import RunReport
from rea_capture.session.scenario.junit import run_junit_xml
from rea_capture.session.scenario.report_bytes import report_bytes
from rea_capture.session.scenario.telling import told
from tests.npm_packages import npm_file
from tests.report.test_junit import HOSTILE, PACKAGE, SCHEMAS
from tests.session.scenario.scripted import ScriptedBrowsing, file_of, python, refused, run


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


@pytest.fixture(scope="module")
def schemas(pytestconfig: pytest.Config) -> dict[str, xmlschema.XMLSchema]:
    assert pytestconfig.cache is not None
    cache = Path(pytestconfig.cache.mkdir("npm-packages"))
    return {
        name: xmlschema.XMLSchema(npm_file(cache, PACKAGE, member, sha256).decode())
        for name, (member, sha256) in SCHEMAS.items()
    }


def suite(report: RunReport) -> TestSuite:
    (only,) = JUnitXml.fromstring(run_junit_xml(report).encode())
    assert isinstance(only, TestSuite)
    return only


def outcomes(report: RunReport) -> dict[str, type[Any] | None]:
    return {case.name: type(case.result[0]) if case.result else None for case in suite(report)}


async def saying(log: Path, text: str) -> RunReport:
    """A run whose second operation fails with ``text``, of which a limitation is made too."""
    return await run(
        file_of({"op": "read"}, {"op": "observe"}, {"op": "read"}),
        ScriptedBrowsing(log, {"observe": refused(message=text)}, problems=(text,)),
    )


async def failing(log: Path) -> RunReport:
    """A run whose second operation fails, and whose cleanup hook fails too."""
    return await run(
        file_of(
            {"id": "first", "op": "read"},
            {"op": "observe"},
            {"op": "read"},
            hooks={"cleanup": python("print('left over'); raise SystemExit(1)")},
        ),
        ScriptedBrowsing(log, {"observe": refused()}),
    )


async def test_each_part_and_each_operation_is_a_case(log: Path) -> None:
    report = await failing(log)
    assert outcomes(report) == {
        "session": None,
        "0 first": None,
        "1 observe": Failure,
        "2 read": Skipped,
        "cleanup": Error,
        "shutdown": None,
    }
    counted = suite(report)
    assert (counted.tests, counted.failures, counted.errors) == (6, 1, 1)
    assert counted.name == "scenario"


async def test_a_part_that_keeps_the_others_from_running_is_an_error_and_they_are_skipped(log: Path) -> None:
    report = await run(file_of(hooks={"setup": python("raise SystemExit(1)")}), ScriptedBrowsing(log))
    assert outcomes(report) == {"setup": Error, "session": Skipped, "0 read": Skipped, "shutdown": None}


@pytest.mark.parametrize("text", HOSTILE)
async def test_a_published_schema_accepts_whatever_a_page_says(
    log: Path, text: str, schemas: dict[str, xmlschema.XMLSchema]
) -> None:
    report = await saying(log, text)
    schemas["jenkins"].validate(io.StringIO(run_junit_xml(report)))
    (failure,) = [case.result[0] for case in suite(report) if case.name == "1 observe"]
    assert failure.type == "assertion_failed"


async def test_where_nothing_is_skipped_both_published_schemas_accept_it(
    log: Path, schemas: dict[str, xmlschema.XMLSchema]
) -> None:
    for answers in ({}, {"read": refused()}):
        report = await run(file_of({"id": "only", "op": "read"}), ScriptedBrowsing(log, dict(answers)))
        for schema in schemas.values():
            schema.validate(io.StringIO(run_junit_xml(report)))


async def test_the_report_is_json_by_the_names_of_the_wire_and_reads_back(log: Path) -> None:
    report = await failing(log)
    document = json.loads(report_bytes(report))
    assert document["version"] == 1
    assert document["scenarioId"] == "scenario"
    assert document["operations"][1]["error"]["mutationState"] == "not_attempted"
    assert document["phases"][5]["output"] == ["left over"]
    assert RunReport.model_validate_json(report_bytes(report)) == report


@pytest.mark.parametrize("text", [*HOSTILE, "\x1b[2J", "x" * 100_000])
async def test_people_are_told_each_part_on_a_line_that_steers_no_terminal(log: Path, text: str) -> None:
    lines = list(told(await saying(log, text)))
    assert lines[0].startswith("scenario failed: 1 of 3 operations passed in ")
    assert [line.split()[0] for line in lines[1:]] == [
        "passed", "passed", "FAILED", "not", "passed", "note",
    ]  # fmt: skip
    assert all(len(line) < 2_000 for line in lines)
    assert not any(sign in line for line in lines for sign in "\x1b\n\r\u2028\u202e")
