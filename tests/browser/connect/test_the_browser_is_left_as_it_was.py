"""A capture leaves somebody's browser as it found it, as a second client sees it."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from rea_capture.capture.progress import Progress, StepStarted
from tests.browser.capture.conftest import literal, pause
from tests.browser.connect.conftest import RunAttached, SomebodysBrowser
from tests.browser.connect.looks import ENVIRONMENT, LOOKS, REGISTER, everything
from tests.browser.connect.raw_cdp import PATIENCE_S, RawClient
from tests.loopback import Answer, Loopback, Seen


@pytest.fixture
def run_attached(run_attached: RunAttached) -> RunAttached:
    """Captures as people's are: the driver ends with them."""
    return partial(run_attached, own_driver=True)


async def test_tabs_contexts_cookies_and_emulation_are_what_they_were(
    run_attached: RunAttached, loopback: Loopback, owner: RawClient, tab: str
) -> None:
    session = await owner.attach(tab)
    await owner.send("Page.enable", session_id=session)
    mine = {
        "name": "mine",
        "value": "1",
        "url": loopback.origin + "/deep/page",
        "expires": 4_000_000_000,
        "path": "/deep",
    }
    await owner.send("Network.setCookie", {**mine, "httpOnly": True, "sameSite": "Strict"}, session)
    before = await everything(owner), await owner.evaluate(session, LOOKS)
    destination = {"url": loopback.origin + "/deep/page"}
    seeded = [
        {"name": "mine", "value": literal("seeded"), "destination": destination},
        {"name": "new", "value": literal("seeded"), "destination": destination},
    ]
    url = loopback.route("/deep/page", "<p>x</p>")
    await run_attached(url, environment=ENVIRONMENT, storage={"cookies": seeded})
    (page,) = [request for request in loopback.seen if request.path == "/deep/page"]
    assert sorted(page.headers["cookie"].split("; ")) == ["mine=seeded", "new=seeded"]
    assert (await everything(owner), await owner.evaluate(session, LOOKS)) == before


async def test_documents_that_come_later_have_none_of_what_was_set(
    run_attached: RunAttached, loopback: Loopback, owner: RawClient, tab: str
) -> None:
    session = await owner.attach(tab)
    looks = await owner.evaluate(session, LOOKS)
    await run_attached(loopback.route("/", "<p>x"), environment=ENVIRONMENT)
    await owner.send("Page.enable", session_id=session)
    await owner.send("Page.navigate", {"url": loopback.route("/later", "<p>later")}, session)
    await owner.until(lambda event: event["method"] == "Page.loadEventFired")
    assert await owner.evaluate(session, LOOKS) == looks
    assert await owner.evaluate(session, REGISTER) is True


async def test_live_documents_get_their_own_register_back(
    run_attached: RunAttached, loopback: Loopback, owner: RawClient, tab: str
) -> None:
    loopback.route("/sw.js", Answer("", "text/javascript"))
    page = """<script>
      window.kept = navigator.serviceWorker.register;
      document.open(); document.write('<title>written</title><iframe src=/frame></iframe>'); document.close();
      navigator.serviceWorker.register('/sw.js').catch(error => console.log(error.name));
    </script>"""
    loopback.route("/frame", "<p>frame")
    evidence = await run_attached(loopback.route("/", page), [pause(duration_ms=200)])
    said = [event.text for event in evidence.normalized_result.events.items if event.kind == "console"]
    assert said == ["SecurityError"]
    session = await owner.attach(tab)
    assert await owner.evaluate(session, REGISTER) is True
    assert await owner.evaluate(session, f"frames[0].eval({REGISTER!r})") is True
    registered = "kept.call(navigator.serviceWorker, '/sw.js').then(done => done.unregister())"
    assert await owner.evaluate(session, registered) is True


async def test_dialogs_of_other_tabs_wait_for_whoever_they_are_for(
    run_attached: RunAttached, loopback: Loopback, browser: SomebodysBrowser, owner: RawClient
) -> None:
    other = browser.new_tab()
    session = await owner.attach(other)
    await owner.send("Page.enable", session_id=session)

    async def asked() -> Any:
        return await owner.evaluate(session, "confirm('for its user only')")

    asking: list[asyncio.Task[Any]] = []

    def begin(news: Progress) -> None:
        if isinstance(news, StepStarted) and news.step_id == "pause":
            asking.append(asyncio.ensure_future(asked()))

    try:
        page = loopback.route("/", "<script>alert('of the page')</script>")
        evidence = await run_attached(page, [pause("pause", 500)], progress=begin)
        said = " ".join(evidence.normalized_result.limitations)
        assert "of the page" in said
        assert "for its user only" not in said
        closed = [event for event in owner.events if event["method"] == "Page.javascriptDialogClosed"]
        assert [event for event in closed if event["sessionId"] == session] == []
        await owner.send("Page.handleJavaScriptDialog", {"accept": True}, session)
        async with asyncio.timeout(PATIENCE_S):
            assert await asking[0] is True
    finally:
        browser.close_tab(other)


async def test_downloads_go_where_the_owner_said_meanwhile_and_afterwards(
    run_attached: RunAttached, loopback: Loopback, browser: SomebodysBrowser, owner: RawClient, tab: str,
    tmp_path: Path,
) -> None:  # fmt: skip
    chosen = {"behavior": "allow", "downloadPath": str(tmp_path), "eventsEnabled": True}
    await owner.send("Browser.setDownloadBehavior", chosen)
    for name in ("meanwhile", "afterwards"):
        attachment = [("Content-Disposition", f"attachment; filename={name}.bin")]
        loopback.route(f"/{name}", Answer(name, "application/octet-stream", 200, attachment))
    loopback.route("/ours", endless_download)
    other = browser.new_tab(loopback.route("/other", "<p>other"))
    theirs = await owner.attach(other)
    getting: list[asyncio.Task[Any]] = []

    def get(news: Progress) -> None:
        if isinstance(news, StepStarted) and news.step_id == "pause":
            getting.append(
                asyncio.ensure_future(owner.evaluate(theirs, "void (location.href = '/meanwhile')"))
            )

    try:
        page = "<script>onload = () => { location.href = '/ours' }</script>"
        evidence = await run_attached(loopback.route("/", page), [pause("pause", 500)], progress=get)
        recorded = [event for event in evidence.normalized_result.events.items if "download" in event.kind]
        assert [getattr(event, "suggested_filename", None) for event in recorded] == ["ours.bin"]
        mine = await owner.attach(tab)
        await owner.evaluate(mine, "void (location.href = '/afterwards')")
        for name in ("meanwhile", "afterwards"):
            await owner.until(partial(_has_arrived, owner, f"{name}.bin"))
            assert (tmp_path / f"{name}.bin").read_text() == name
        assert not (tmp_path / "ours.bin").exists()
    finally:
        browser.close_tab(other)


def endless_download(connection: BaseHTTPRequestHandler, _: Seen) -> None:
    """An attachment that goes on until the browser hangs up."""
    connection.send_response(200)
    connection.send_header("Content-Type", "application/octet-stream")
    connection.send_header("Content-Disposition", "attachment; filename=ours.bin")
    connection.end_headers()
    with suppress(OSError):
        while True:
            connection.wfile.write(b"0" * 1_000)
            time.sleep(0.02)


def _has_arrived(owner: RawClient, filename: str, event: dict[str, Any]) -> bool:
    """Whether ``event`` is the end of the download of ``filename``."""
    begun = {
        each["params"]["guid"]: each["params"]["suggestedFilename"]
        for each in owner.events
        if each["method"] == "Browser.downloadWillBegin"
    }
    about = event["params"]
    is_end = event["method"] == "Browser.downloadProgress" and about["state"] == "completed"
    return is_end and begun.get(about["guid"]) == filename


async def test_seeds_hold_no_document_of_other_tabs_and_end_no_page(
    run_attached: RunAttached, loopback: Loopback, browser: SomebodysBrowser, owner: RawClient, tab: str
) -> None:
    other = browser.new_tab(loopback.route("/other", "<p>other"))
    session = await owner.attach(other)
    await owner.send("Page.enable", session_id=session)
    entries = [{"origin": loopback.origin, "entries": [{"name": "a", "value": literal("1")}]}]
    loopback.route("/next", "<p>next")

    leaving: list[asyncio.Task[Any]] = []

    def leave(news: Progress) -> None:
        if isinstance(news, StepStarted) and news.step_id == "pause":
            leaving.append(asyncio.ensure_future(owner.evaluate(session, "void (location.href = '/next')")))

    try:
        page = "<script>onload = () => { location.href = '/slow' }</script>"
        loopback.route("/slow", "<body><p>begun</p><script>document.title = 'ran'</script>")
        await run_attached(
            loopback.route("/", page),
            [pause("pause", 100)],
            storage={"session_storage": entries},
            progress=leave,
        )
        await owner.until(
            lambda event: (
                event["method"] == "Page.frameNavigated"
                and event["params"]["frame"]["url"] == f"{loopback.origin}/next"
            )
        )
        assert await owner.evaluate(session, "sessionStorage.a ?? 'none'") == "none"
        mine = await owner.attach(tab)
        assert await owner.evaluate(mine, "document.title") == "ran"
    finally:
        browser.close_tab(other)
