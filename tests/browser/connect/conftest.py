"""A browser that belongs to somebody else: started by the test, with a profile and tabs of its own."""

from __future__ import annotations

import asyncio
import json
import subprocess
import time
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest
import pytest_asyncio

from rea_capture.browser.launch import sandboxed
from rea_capture.capture.progress import Tell
from rea_capture.capture.stop import Stop
from rea_capture.contracts.capture_evidence import CaptureEvidence
from rea_capture.contracts.reading import read_scenario
from rea_capture.evidence import evidence_bytes, parse
from rea_capture.workflows.capture import capture
from tests.browser.capture.conftest import ALL_ARTIFACTS, ALL_FAMILIES, scenario_document
from tests.browser.connect.raw_cdp import RawClient
from tests.browser.kept_driver import KeptDriver

START_S = 30
CAPTURE_TIMEOUT_S = 60


class SomebodysBrowser:
    """A running browser with its debugging port open."""

    def __init__(self, executable: str, profile: Path) -> None:
        options = ["--headless=new", "--remote-debugging-port=0", "--no-first-run", "--disable-gpu"]
        if not sandboxed():
            options.append("--no-sandbox")
        self.process = subprocess.Popen(
            [executable, *options, f"--user-data-dir={profile}", "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.port = self._port(profile / "DevToolsActivePort")
        self.endpoint = f"http://127.0.0.1:{self.port}"

    def _port(self, announced: Path) -> int:
        deadline = time.monotonic() + START_S
        while True:
            assert time.monotonic() < deadline, "the browser did not start"
            assert self.process.poll() is None, "the browser ended"
            if announced.exists() and len(lines := announced.read_text().splitlines()) == 2:
                return int(lines[0])
            time.sleep(0.02)

    def asked(self, path: str, method: str = "GET") -> Any:
        with urllib.request.urlopen(
            urllib.request.Request(self.endpoint + path, method=method), timeout=START_S
        ) as got:
            return json.load(got)

    @property
    def websocket_url(self) -> str:
        return str(self.asked("/json/version")["webSocketDebuggerUrl"])

    def pages(self) -> dict[str, str]:
        """The addresses of its pages by their target ids."""
        return {each["id"]: each["url"] for each in self.asked("/json/list") if each["type"] == "page"}

    def new_tab(self, url: str = "about:blank") -> str:
        """The target id of a new tab."""
        return str(self.asked(f"/json/new?{url}", "PUT")["id"])

    def close_tab(self, target_id: str) -> None:
        with urllib.request.urlopen(f"{self.endpoint}/json/close/{target_id}", timeout=START_S):
            pass

    def is_alive(self) -> bool:
        return self.process.poll() is None

    def end(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(START_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@pytest.fixture(autouse=True)
def _state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leases of tests are not those of whoever runs them."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture(scope="module")
def browser(chromium_path: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SomebodysBrowser]:
    """A browser for the tests of one file."""
    running = SomebodysBrowser(chromium_path, tmp_path_factory.mktemp("somebody"))
    yield running
    assert running.is_alive(), "a capture ended a browser that is not its own"
    running.end()


@pytest.fixture
def tab(browser: SomebodysBrowser) -> Iterator[str]:
    """The target id of a tab for one test."""
    target_id = browser.new_tab()
    yield target_id
    if target_id in browser.pages():
        browser.close_tab(target_id)


@pytest_asyncio.fixture(loop_scope="session")
async def owner(browser: SomebodysBrowser) -> AsyncIterator[RawClient]:
    """A second client, connected before the capture and after it."""
    client = await RawClient.open(browser.websocket_url)
    yield client
    await client.close()


class RunAttached(Protocol):
    """Runs a scenario on the test's tab; everything is selected unless said otherwise.

    With ``own_driver`` the capture has a driver that ends with it, as people's have.
    """

    def __call__(
        self,
        start_url: str,
        actions: list[dict[str, Any]] | None = None,
        *,
        target_id: str | None = None,
        stop: Stop | None = None,
        progress: Tell | None = None,
        own_driver: bool = False,
        **parts: Any,
    ) -> Awaitable[CaptureEvidence]: ...


def attached_document(
    browser: SomebodysBrowser,
    target_id: str,
    start_url: str,
    actions: Any = None,
    *,
    browser_entry: Any = None,
    **parts: Any,
) -> dict[str, Any]:
    """A scenario that attaches to a target; ``browser_entry`` stands for its ``browser``."""
    selected = {"capture": {"at_end": ALL_ARTIFACTS, "events": ALL_FAMILIES}, **parts}
    document = scenario_document(start_url, actions, **selected)
    where = {"mode": "connect", "cdp_endpoint": browser.endpoint, "target_id": target_id}
    return {**document, "browser": browser_entry or where}


@pytest.fixture
def run_attached(browser: SomebodysBrowser, tab: str, kept_driver: KeptDriver) -> RunAttached:
    """A function that captures a scenario on the test's tab and checks that its Evidence verifies."""

    async def run(
        start_url: str,
        actions: list[dict[str, Any]] | None = None,
        *,
        target_id: str | None = None,
        stop: Stop | None = None,
        progress: Tell | None = None,
        own_driver: bool = False,
        **parts: Any,
    ) -> CaptureEvidence:
        document = attached_document(browser, target_id or tab, start_url, actions, **parts)
        async with asyncio.timeout(CAPTURE_TIMEOUT_S):
            evidence = await capture(
                read_scenario(json.dumps(document).encode()),
                stop=stop,
                progress=progress,
                driver=None if own_driver else kept_driver.lent(),
            )
        parse(evidence_bytes(evidence), "the capture")
        return evidence

    return run
