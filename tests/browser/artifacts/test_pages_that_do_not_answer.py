"""A page that hangs, crashes, closes or navigates away never hangs a reading, nor makes it raise."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from playwright.async_api import CDPSession, Dialog, Page

from rea_capture.contracts.selection import ARTIFACT_NAMES
from tests.browser.artifacts.looks import Attach, never_answered, reason, value
from tests.loopback import Answer, Loopback

SHORT_MS = 700
SLACK_S = 5.0
"""Beyond the deadline: what a loaded machine needs to notice that it has passed."""

SPINNING = "<p>x<script>addEventListener('load', () => setTimeout(() => { for (;;); }, 50))</script>"


async def spin(page: Page, url: str) -> None:
    """Open ``url`` and return once its main thread no longer answers."""
    await page.goto(url)
    session = await page.context.new_cdp_session(page)
    for _ in range(100):
        try:
            await asyncio.wait_for(session.send("Runtime.evaluate", {"expression": "1"}), 0.3)
        except TimeoutError:
            return
    raise AssertionError("the page still answers")


async def test_a_spinning_page_is_missing_in_every_part_within_the_deadline(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    url = loopback.route("/", SPINNING)
    reader = await attach(timeout_ms=SHORT_MS)
    await spin(page, url)
    assert page.url == url  # what the driver remembers proves nothing
    started = time.monotonic()
    reading = await reader.read(ARTIFACT_NAMES)
    assert time.monotonic() - started < SHORT_MS / 1000 + SLACK_S
    for name in ARTIFACT_NAMES:
        assert reason(reading.artifacts, name) == f"the page did not answer within {SHORT_MS} ms"
    assert reading.notes == ()


async def test_a_url_alone_of_a_spinning_page_is_missing(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    reader = await attach(timeout_ms=SHORT_MS, token="topsecret9")
    await spin(page, loopback.route("/", SPINNING))
    artifacts = (await reader.read({"url"})).artifacts
    assert reason(artifacts, "url") == f"the page did not answer within {SHORT_MS} ms"


async def test_a_crashed_page_is_missing_at_once(page: Page, attach: Attach, loopback: Loopback) -> None:
    await page.goto(loopback.route("/", "<p>x"))
    reader = await attach()
    session = await page.context.new_cdp_session(page)
    async with page.expect_event("crash"):
        crash = asyncio.ensure_future(session.send("Page.crash"))
    crash.cancel()
    started = time.monotonic()
    artifacts = (await reader.read(ARTIFACT_NAMES)).artifacts
    assert time.monotonic() - started < SLACK_S
    assert {reason(artifacts, name) for name in ARTIFACT_NAMES} == {"the page crashed"}


async def test_a_crash_in_the_middle_of_a_read_ends_it(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    loopback.route("/font.woff2", never_answered)
    html = "<style>@font-face{font-family:F;src:url(/font.woff2)}p{font-family:F}</style><p>text"
    await page.goto(loopback.route("/", html), wait_until="domcontentloaded")
    reading = asyncio.ensure_future((await attach()).read({"screenshot"}))
    await page.wait_for_function("document.fonts.status === 'loading'")
    session = await page.context.new_cdp_session(page)
    async with page.expect_event("crash"):
        crash = asyncio.ensure_future(session.send("Page.crash"))
    crash.cancel()
    async with asyncio.timeout(SLACK_S):
        assert reason((await reading).artifacts, "screenshot") == "the page crashed"


async def test_a_closed_page_is_missing_at_once(page: Page, attach: Attach, loopback: Loopback) -> None:
    await page.goto(loopback.route("/", "<p>x"))
    reader = await attach()
    await page.close()
    artifacts = (await reader.read(ARTIFACT_NAMES)).artifacts
    assert {reason(artifacts, name) for name in ARTIFACT_NAMES} == {"the page was closed"}


async def test_a_page_that_closes_under_the_read_is_missing(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    reader = await attach()
    await spin(page, loopback.route("/", SPINNING))
    reading = asyncio.ensure_future(reader.read(ARTIFACT_NAMES))
    await page.close()
    async with asyncio.timeout(SLACK_S):
        artifacts = (await reading).artifacts
    assert {reason(artifacts, name) for name in ARTIFACT_NAMES} == {"the page was closed"}


async def test_a_page_closed_before_anyone_attached_is_missing(page: Page, attach: Attach) -> None:
    await page.close()
    artifacts = (await (await attach()).read(ARTIFACT_NAMES)).artifacts
    assert {reason(artifacts, name) for name in ARTIFACT_NAMES} == {"the page was closed"}


async def test_a_page_that_never_stops_navigating_ends_in_values_or_reasons(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    html = "<p>x<script>location.replace('/?' + Math.random())</script>"
    await page.goto(loopback.route("/", html), wait_until="commit")
    reader = await attach(timeout_ms=3_000)
    async with asyncio.timeout(3 + SLACK_S):
        artifacts = (await reader.read(ARTIFACT_NAMES)).artifacts
    for name in ARTIFACT_NAMES:
        if getattr(artifacts, name).state != "captured":
            assert reason(artifacts, name)


async def test_a_reading_goes_on_when_a_dialog_is_dismissed(
    page: Page, attach: Attach, loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    reads_under_way = asyncio.Event()
    send = CDPSession.send

    async def noticed_send(session: CDPSession, method: str, params: dict[str, Any] | None = None) -> Any:
        reads_under_way.set()
        return await send(session, method, params)

    async def dismiss(dialog: Dialog) -> None:
        opened.append(dialog.type)
        await reads_under_way.wait()
        await dialog.dismiss()

    page.on("dialog", lambda dialog: asyncio.ensure_future(dismiss(dialog)))
    html = "<p>x<script>setTimeout(() => { alert(1); document.title = prompt('a'); }, 50)</script>"
    await page.goto(loopback.route("/", html))
    reader = await attach()
    if not opened:
        await page.wait_for_event("dialog")
    monkeypatch.setattr(CDPSession, "send", noticed_send)
    artifacts = (await reader.read(ARTIFACT_NAMES)).artifacts
    assert opened == ["alert", "prompt"]
    for name in ARTIFACT_NAMES:
        value(artifacts, name)


async def test_a_hanging_child_frame_of_another_site_leaves_the_rest_readable(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    child = loopback.route("/child", SPINNING).replace("127.0.0.1", "localhost")
    await page.goto(loopback.route("/", f"<p>x<iframe src='{child}'></iframe>"))
    artifacts = (await (await attach(timeout_ms=2_000)).read({"url", "dom", "history", "storage"})).artifacts
    assert "<iframe" in value(artifacts, "dom").text
    assert value(artifacts, "url").url == f"{loopback.origin}/"


async def test_a_reason_is_one_line_without_secrets_or_escapes(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    sandbox = [("Content-Security-Policy", "sandbox allow-scripts")]
    await page.goto(loopback.route("/", Answer("<p>x", headers=sandbox)))
    artifacts = (await (await attach(word="document")).read({"storage"})).artifacts
    text = reason(artifacts, "storage")
    assert "[REDACTED:word]" in text
    assert "document" not in text


async def test_a_cancelled_reading_is_cancelled(page: Page, attach: Attach, loopback: Loopback) -> None:
    reader = await attach()
    await spin(page, loopback.route("/", SPINNING))
    reading = asyncio.ensure_future(reader.read(ARTIFACT_NAMES))
    await asyncio.sleep(0)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        async with asyncio.timeout(SLACK_S):
            await reading
