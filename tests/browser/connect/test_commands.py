"""``rea`` on somebody's browser: listing targets, capturing, waiting, and being stopped."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from rea_capture.browser.connect.limitations import ATTACHED_LIMITATIONS
from rea_capture.evidence import parse
from tests.browser.capture.conftest import pause, scenario_document
from tests.browser.connect.conftest import SomebodysBrowser, attached_document
from tests.browser.connect.fake_endpoint import fake_endpoint, page, version
from tests.browser.connect.looks import ENVIRONMENT, LOOKS, REGISTER, everything
from tests.browser.connect.raw_cdp import RawClient
from tests.cli.running import COMMAND, WAIT_S, environment, rea, rea_on_terminal
from tests.loopback import Loopback


def capturing(document: dict[str, Any], output: Path) -> subprocess.Popen[str]:
    """``rea capture-browser-scenario`` as a process of its own."""
    return subprocess.Popen(
        [*COMMAND, "capture-browser-scenario", json.dumps(document), "--output", str(output)],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def test_the_targets_of_a_running_browser_are_listed(
    browser: SomebodysBrowser, tab: str, loopback: Loopback
) -> None:
    listed = rea("list-browser-targets", browser.endpoint, "--json").document
    assert set(listed) == {"cdp_endpoint", "product", "targets", "version"}
    assert listed["product"] == "Chrome"
    assert {"target_id": tab, "title": "about:blank", "type": "page", "url": "about:blank"} in listed[
        "targets"
    ]
    status, text = rea_on_terminal("list-browser-targets", browser.endpoint + "/")
    assert status == 0
    assert f"{tab}  page  about:blank\r\n    about:blank\r\n" in text


async def test_what_pages_call_themselves_steers_no_terminal_and_users_stay_out() -> None:
    async with fake_endpoint() as fake:
        odd = page("A", title="\x1b]0;gone\x07 line\nbreak\u202e \ud800", url="http://user:pass@a.test/?q=1")
        fake.serves(version(fake.debugger), [odd, page("B", title="x" * 5_000)])
        run = await asyncio.to_thread(rea, "list-browser-targets", fake.address, "--json")
        first, second = run.document["targets"]
        assert first["url"] == "http://a.test/?q=1"
        assert len(second["title"]) == 1_001
        status, text = await asyncio.to_thread(rea_on_terminal, "list-browser-targets", fake.address)
        assert status == 0
        assert "\x1b" not in text
        assert "pass" not in text
        assert "A  page  \\x1b]0;gone\\x07 line break\\u202e" in text


def test_an_endpoint_that_is_not_a_loopback_one_is_a_command_line_error() -> None:
    run = rea("list-browser-targets", "http://localhost:9222")
    assert run.status == 64
    assert "must be http://127.0.0.1:PORT or http://[::1]:PORT" in run.error["message"]


async def test_where_no_browser_answers_the_target_is_not_available() -> None:
    async with fake_endpoint() as fake:
        address = fake.address
    document = scenario_document("http://127.0.0.1:1/", [pause()])
    document["browser"] = {"mode": "connect", "cdp_endpoint": address, "target_id": "A"}
    for arguments in (
        ("list-browser-targets", address),
        ("capture-browser-scenario", json.dumps(document)),
    ):
        run = await asyncio.to_thread(rea, *arguments)
        assert run.status == 69
        assert run.error["code"] == "unavailable"
        assert "nothing listens there" in run.error["message"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
async def test_a_capture_that_is_stopped_leaves_the_browser_as_it_was(
    browser: SomebodysBrowser, tab: str, owner: RawClient, loopback: Loopback, tmp_path: Path,
    number: signal.Signals,
) -> None:  # fmt: skip
    session = await owner.attach(tab)
    before = await everything(owner), await owner.evaluate(session, LOOKS)
    beacon = "<script>addEventListener('load', () => setInterval(() => fetch('/tick'), 50))</script>"
    page_url = loopback.route("/", beacon)
    document = attached_document(
        browser, tab, page_url, [pause("long", 600_000), pause("never", 1)], environment=ENVIRONMENT
    )
    run = capturing(document, tmp_path / "capture.json")
    await asyncio.to_thread(_until, lambda: loopback.targets().count("GET /tick") > 10)
    assert json.loads(await owner.evaluate(session, LOOKS))[:3] == [321, 234, 3]
    run.send_signal(number)
    out, err = await asyncio.to_thread(run.communicate, timeout=WAIT_S)
    if number == signal.SIGTERM:
        assert (run.returncode, out) == (143, ""), err
        written = (tmp_path / "capture.json").read_bytes()
        parse(written, "the capture")
        result = json.loads(written)["normalized_result"]
        assert [step["status"] for step in result["steps"]] == ["completed", "cancelled", "cancelled"]
        assert set(ATTACHED_LIMITATIONS) <= set(result["limitations"])
        assert await owner.evaluate(session, REGISTER) is True
    # A killed driver's connection is closed by the system; the browser hears of it a moment later.
    now: Any = None
    for _ in range(200):
        now = await everything(owner), await owner.evaluate(session, LOOKS)
        if now == before:
            break
        await asyncio.sleep(0.05)
    assert now == before


async def test_a_second_capture_of_a_page_waits_says_so_and_can_be_stopped(
    browser: SomebodysBrowser, tab: str, loopback: Loopback, tmp_path: Path
) -> None:
    held = loopback.route("/held", "<script>setInterval(() => fetch('/tick'), 50)</script>")
    first = capturing(attached_document(browser, tab, held, [pause("long", 600_000)]), tmp_path / "1.json")
    await asyncio.to_thread(_until, lambda: "GET /tick" in loopback.targets())
    document = attached_document(browser, tab, loopback.route("/", "<p>second"))
    second = capturing(document, tmp_path / "2.json")
    third = capturing(document, tmp_path / "3.json")
    for waiting in (second, third):
        assert waiting.stderr is not None
        said = await asyncio.to_thread(waiting.stderr.readline)
        assert said == f"rea: another capture uses target {tab!r}; waiting for it, 60000 ms at most\n"
    third.send_signal(signal.SIGTERM)
    await asyncio.to_thread(third.communicate, timeout=WAIT_S)
    assert third.returncode == 143
    result = json.loads((tmp_path / "3.json").read_bytes())["normalized_result"]
    assert {step["status"] for step in result["steps"]} == {"cancelled"}
    assert set(ATTACHED_LIMITATIONS) <= set(result["limitations"])
    assert result["browser"]["cleanup"] == "disconnected-external"
    assert "GET /" not in loopback.targets()
    first.send_signal(signal.SIGINT)
    await asyncio.to_thread(first.communicate, timeout=WAIT_S)
    await asyncio.to_thread(second.communicate, timeout=WAIT_S)
    assert (first.returncode, second.returncode) == (130, 0)
    assert "GET /" in loopback.targets()


def _until(holds: Any) -> None:
    deadline = time.monotonic() + WAIT_S
    while not holds():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)
