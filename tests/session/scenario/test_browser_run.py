"""``rea browser run`` with a real browser, from a file to its report, and with nothing left behind."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rea_capture.contracts.runtime.run_report import RunReport
from tests.session.scenario.processes import holds
from tests.session.scenario.running_rea import Home
from tests.session.scenario.scripted import noted, noting, python
from tests.session.scenario.serving import asked, external, free_port, managed

PASSWORD = "correct-horse-battery-staple"
BY_NAME = {"adapter": {"kind": "accessible-name"}}
LOGIN = """
PAGES["/"] = (
    b"<title>Log in</title><form method=post action=/in><label>User name <input name=user></label>"
    b"<label>Password <input type=password name=password></label><button>Log in</button></form>"
)
PAGES["/home"] = b"<title>Home</title><p>Welcome, Ada</p>"
def do_POST(self):
    body = self.rfile.read(int(self.headers["Content-Length"])).decode()
    right = body == "user=ada&password=" + os.environ["EXPECTED"]
    self.send_response(303)
    self.send_header("Location", "/home" if right else "/")
    self.send_header("Content-Length", "0")
    self.end_headers()
Handler.do_POST = do_POST
"""
POPUPS = """
PAGES["/"] = b"<title>Shop</title><button onclick=\\"window.open('/help')\\">Help</button>"
PAGES["/help"] = b"<title>Help</title><p>How may we help?</p>"
"""


@pytest.fixture
def home(tmp_path: Path, chromium_path: str) -> Iterator[Home]:
    made = Home(tmp_path, chromium_path)
    yield made
    assert holds(lambda: not made.processes()), made.processes()


def document(path: Path) -> RunReport:
    return RunReport.model_validate_json(path.read_bytes())


def from_operation(name: str, result: str, **more: Any) -> dict[str, Any]:
    return {"source": "operation", "operation": {"id": name}, "result": result, **more}


def click(instruction: str, **more: Any) -> dict[str, Any]:
    return {"op": "step", "step": {"instruction": instruction, "action": "click", **more}}


def fill(instruction: str, value: Any) -> dict[str, Any]:
    return {"op": "step", "step": {"instruction": instruction, "action": "fill", "value": value}}


def test_a_popup_is_waited_for_read_and_closed_without_being_selected(home: Home) -> None:
    port = free_port()
    origin = f"http://127.0.0.1:{port}"
    popup = from_operation("popup", "popup")
    title = {"kind": "title", "value": "Help"}
    done = home.run(
        {
            "id": "popup-check",
            "settings": {**BY_NAME, "allowedOrigins": [origin]},
            "fixture": managed(home.log, port, POPUPS),
            "operations": [
                {
                    "id": "start",
                    "op": "read",
                    "request": {"tab": {"source": "initial", "target": "selected"}},
                },
                {
                    "id": "tabs",
                    "op": "listTabs",
                    "request": {"select": {"kind": "origin", "origin": origin}},
                },
                {
                    "id": "selected",
                    "op": "selectTab",
                    "request": {"tab": from_operation("tabs", "listedTab", index=0)},
                },
                click("Press Help"),
                {
                    "id": "popup",
                    "op": "waitPopup",
                    "request": {"opener": from_operation("selected", "selectedTab")},
                },
                {"op": "assert", "request": {"tab": popup, "assertion": title}},
                {"op": "assert", "request": {"assertion": {"kind": "title", "value": "Shop"}}},
                {"id": "both", "op": "listTabs"},
                {"op": "closeTab", "request": {"tab": from_operation("both", "listedTab", index=1)}},
            ],
        }
    )
    report = RunReport.model_validate_json(done.stdout)
    assert report.error is None
    assert done.status == 0
    assert {each.status for each in report.operations} == {"passed"}
    waited, closed = report.operations[4].result, report.operations[8].result
    assert waited is not None
    assert closed is not None
    assert waited["autoSwitched"] is False
    assert closed["closed"] == waited["tab"]["tabId"]
    assert done.stderr.decode().splitlines()[0].startswith("popup-check passed: 9 of 9 operations passed in ")


def test_a_login_through_a_file_of_credentials_leaves_no_trace_of_the_password(home: Home) -> None:
    port = free_port()
    (home.folder / "accounts.json").write_text(json.dumps({"ada": PASSWORD, "eve": "other"}))
    fixture = managed(home.log, port, LOGIN)
    fixture["server"]["start"]["env"] = {"EXPECTED": {"variable": "EXPECTED"}}
    credentials = {"password": {"source": "jsonFile", "path": "accounts.json", "entry": "ada"}}
    done = home.run(
        {
            "id": "fixture-login",
            "settings": {**BY_NAME, "credentials": credentials},
            "fixture": fixture,
            "hooks": {
                name: noting(home.log, name, cwd=".") for name in ("setup", "reset", "cleanup")
            },
            "operations": [
                fill("User name", "ada"),
                fill("Password", {"credential": "password"}),
                {"op": "observe"},
                click("Log in", postcondition={"kind": "text", "value": "Welcome, Ada"}),
                {"op": "captureEvidence", "request": {"include": ["screenshot", "diagnostics"]}},
            ],
        },
        "--report",
        str(home.folder / "report.json"),
        "--junit",
        str(home.folder / "junit.xml"),
        "--json",
        env={"EXPECTED": PASSWORD},
    )  # fmt: skip
    report = document(home.folder / "report.json")
    assert report.error is None
    assert done.status == 0
    results = [each.result for each in report.operations if each.result is not None]
    assert [each.get("verifiedBy") for each in results] == ["value", "value", None, "postcondition", None]
    assert [line for line in noted(home.log) if not line.startswith("GET")] == [
        "setup", "server starts", "reset", "cleanup",
    ]  # fmt: skip
    kept = [Path(each["path"]) for each in results[4]["artifacts"]]
    assert sorted(path.suffix for path in kept) == [".json", ".png"]
    assert {oct(path.stat().st_mode & 0o777) for path in kept} == {"0o600"}
    assert json.loads(done.stdout)["runId"] == report.run_id
    junit = (home.folder / "junit.xml").read_bytes()
    assert junit.count(b"<testcase") == 11
    everything = (home.folder / "report.json").read_bytes() + junit + done.stdout + done.stderr + home.texts()
    assert PASSWORD.encode() not in everything
    assert home.profiles() == []


def test_a_server_that_dies_under_a_real_browser_is_the_cause_that_is_told(home: Home) -> None:
    port = free_port()
    done = home.run(
        {
            "fixture": managed(home.log, port),
            "hooks": {"cleanup": noting(home.log, "cleanup")},
            "operations": [
                {"op": "read"},
                {"op": "navigate", "request": {"url": f"http://127.0.0.1:{port}/die"}},
                {"op": "read"},
            ],
        },
        "--report",
        str(home.folder / "report.json"),
    )
    report = document(home.folder / "report.json")
    assert done.status == 1
    assert done.stdout == b""
    assert report.error is not None
    assert report.error.code == "server_failed"
    assert "status 3" in report.error.message
    assert "out of coffee" in report.error.message
    assert report.operations[1].error is not None
    assert report.operations[1].error.code == "navigation_failed"
    assert report.operations[1].evidence is not None
    assert noted(home.log)[-1] == "cleanup"
    assert home.profiles() == []


WAITS = {"op": "waitPopup"}


def in_its_operations(home: Home, port: int) -> dict[str, Any]:
    """A file whose run waits for a popup that never comes, again and again."""
    return {
        "fixture": managed(home.log, port),
        "hooks": {"cleanup": noting(home.log, "cleanup")},
        "operations": [{"op": "navigate", "request": {"url": f"http://127.0.0.1:{port}/now"}}, WAITS],
    }


def cancelled(home: Home, file: dict[str, Any], line: str, number: signal.Signals) -> RunReport:
    """The report of a run that gets ``number`` once ``line`` is in the log."""
    process = home.started(file, "--report", str(home.folder / "report.json"))
    try:
        assert holds(lambda: line in noted(home.log), 60)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 128 + number
    assert out == b""
    assert err.decode().startswith("scenario cancelled: ")
    report = document(home.folder / "report.json")
    assert report.status == "cancelled"
    assert report.error is not None
    assert number.name in report.error.message
    assert noted(home.log)[-1] == "cleanup"
    assert holds(lambda: not home.processes(), 0)
    return report


def test_a_signal_takes_everything_down_and_the_report_is_written(home: Home) -> None:
    port = free_port()
    report = cancelled(home, in_its_operations(home, port), "GET /now", signal.SIGTERM)
    assert report.browser is not None
    assert asked(port, "/health") is None
    assert home.profiles() == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_a_signal_during_a_hook_ends_the_hook_and_starts_no_browser(
    home: Home, number: signal.Signals
) -> None:
    hooks = {
        "setup": python(
            "import sys, time; open(sys.argv[1], 'a').write('setup\\n'); time.sleep(60)", str(home.log)
        ),
        "cleanup": noting(home.log, "cleanup"),
    }
    report = cancelled(home, {"hooks": hooks, "operations": [{"op": "read"}]}, "setup", number)
    assert report.browser is None


def test_a_run_that_is_killed_leaves_no_server_no_worker_and_no_browser(home: Home) -> None:
    port = free_port()
    process = home.started(in_its_operations(home, port))
    assert holds(lambda: "GET /now" in noted(home.log), 60)
    assert len(home.processes()) > 3
    process.kill()
    process.communicate(timeout=30)
    assert holds(lambda: not home.processes(), 30), home.processes()
    assert home.profiles() == []
    assert asked(port, "/health") is None


def test_a_file_that_is_not_valid_starts_nothing(home: Home) -> None:
    done = home.run(
        {
            "hooks": {"setup": noting(home.log, "setup")},
            "operations": [{"op": "closeTab", "request": {"tab": from_operation("later", "popup")}}],
        }
    )
    assert done.status == 65
    assert done.pointers == ["/operations/0/request/tab/operation/id"]
    assert noted(home.log) == []


@pytest.mark.parametrize(
    ("file", "pointer"),
    [
        (
            {"hooks": {"setup": {"command": "x", "env": {"A": {"variable": "NOT_SET"}}}}},
            "/hooks/setup/env/A/variable",
        ),
        ({"operations": [click("Continue")]}, "/operations/0/step"),
    ],
)
def test_what_is_known_to_be_missing_is_told_before_anything_starts(
    home: Home, file: dict[str, Any], pointer: str
) -> None:
    done = home.run({"operations": [{"op": "read"}], **file})
    assert done.status == 69
    assert done.error["code"] == "unavailable"
    assert done.pointers == [pointer]


def test_a_credential_that_nobody_declares_is_a_fault_of_the_file(home: Home) -> None:
    done = home.run({"settings": BY_NAME, "operations": [fill("Name", {"credential": "nobody"})]})
    assert done.status == 65
    assert done.pointers == ["/operations/0/step/value/credential"]


def test_where_nothing_could_be_operated_on_the_status_is_69_and_there_is_a_report(home: Home) -> None:
    hook = python("raise SystemExit(9)")
    done = home.run({"hooks": {"setup": hook}, "operations": [{"op": "read"}]})
    assert done.status == 69
    assert RunReport.model_validate_json(done.stdout).status == "failed"
    absent = home.run({"operations": [{"op": "read"}]}, "--executable-path", str(home.folder / "absent"))
    assert absent.status == 69
    report = RunReport.model_validate_json(absent.stdout)
    assert report.error is not None
    assert report.error.code == "unavailable"
    assert [each.status for each in report.phases if each.phase == "session"] == ["failed"]


@pytest.mark.parametrize(
    "options",
    [
        ("--report", "-", "--junit", "-"),
        ("--json", "--junit", "-"),
        ("--junit", "-"),
        ("--report", "same", "--junit", "./same"),
        ("--report", "scenario.json"),
    ],
)
def test_outputs_that_are_in_each_others_way_are_refused(
    home: Home, options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home.folder)
    done = home.run({"operations": [{"op": "read"}]}, *options)
    assert done.status == 64
    assert json.loads(Path("scenario.json").read_text())["id"] == "scenario"


def test_a_place_that_cannot_be_written_to_is_told_before_anything_starts(home: Home) -> None:
    done = home.run(
        {"hooks": {"setup": noting(home.log, "setup")}, "operations": [{"op": "read"}]},
        "--junit",
        str(home.folder / "absent" / "junit.xml"),
    )
    assert done.status == 73
    assert noted(home.log) == []


def test_a_file_without_a_server_can_be_told_of_one(home: Home) -> None:
    file = {
        "fixture": {"baseUrl": "http://127.0.0.1:1/"},
        "operations": [{"op": "read"}],
    }
    nobody = f"http://127.0.0.1:{free_port()}/health"
    waited = home.run({**file, "budgets": {"timeoutMs": 1_500}}, "--readiness-url", nobody, "--json")
    report = json.loads(waited.stdout)
    assert waited.status == 69
    assert [each["phase"] for each in report["phases"] if each["status"] == "failed"] == ["server"]
    for url, words in (("ftp://x/", "http or https"), ("http://u:p@127.0.0.1/", "user name")):
        refused = home.run(file, "--readiness-url", url)
        assert (refused.status, words in refused.stderr.decode()) == (64, True)
    named = {**file, "fixture": {"baseUrl": "http://127.0.0.1:1/", "server": external(nobody)["server"]}}
    assert home.run(named, "--readiness-url", nobody).status == 64
