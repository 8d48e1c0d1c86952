"""Looking at what a document listens for: all of it is found, and the document does not notice."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from rea_capture.browser.channel import Channel, ChannelError
from rea_capture.browser.events.last_words import Look, look
from tests.loopback import Answer, Loopback, Seen

TIMEOUT_MS = 5_000
NOTICES_LOGGING = """<script>
window.noticed = 0;
const notice = () => { noticed += 1; return '' };
const named = new (class extends Error { get name() { return notice() } });
const stacked = Object.defineProperty(new Error('x'), 'stack', {get: notice});
const guarded = Object.create(new Proxy({}, {get: notice, getPrototypeOf() { notice(); return null }}));
console.log(named, stacked, guarded, {get id() { return notice() }, toString: notice});
for (const owner of [EventTarget.prototype, window, document]) owner.addEventListener = notice;
for (const owner of [Document.prototype, document])
  Object.defineProperty(owner, 'defaultView', {get: notice, configurable: true});
Object.defineProperty(window, 'frames', {get: notice, configurable: true});
</script>"""


@dataclass(frozen=True)
class Looked:
    """A page, and how to look at it."""

    page: Page
    channel: Channel
    target_id: str

    async def look(self, load_timeout_ms: int = 0) -> Look:
        return await look(self.channel, self.target_id, load_timeout_ms=load_timeout_ms)


@pytest_asyncio.fixture(loop_scope="session")
async def looked(browser: Browser) -> AsyncIterator[Looked]:
    page = await browser.new_page()
    session = await page.context.new_cdp_session(page)
    target_id = (await session.send("Target.getTargetInfo"))["targetInfo"]["targetId"]
    channel = await Channel.open(await browser.new_browser_cdp_session(), TIMEOUT_MS)
    yield Looked(page, channel, target_id)
    await channel.close()


@pytest.mark.parametrize(
    ("document", "heard"),
    [
        ("<body onclick='1' onbeforeunload='1'><iframe srcdoc='x'></iframe><iframe></iframe>", set()),
        ("<script>addEventListener('pagehide', () => 0)</script>", {"pagehide"}),
        ("<script>window.onunload = () => 0</script>", {"unload"}),
        ("<body onpagehide='1'>", {"pagehide"}),
        (
            "<script>addEventListener('visibilitychange', {handleEvent() {}}, true)</script>",
            {"visibilitychange"},
        ),
        ("<script>document.onfreeze = () => 0</script>", {"freeze"}),
        ("<iframe srcdoc='<script>onpageswap = () => 0</script>'></iframe>", {"pageswap"}),
        ("<iframe srcdoc='x' onload='contentWindow.onpagehide = () => 0'></iframe>", {"pagehide"}),
        (
            "<iframe srcdoc='<iframe srcdoc=&quot;<body onunload=1>&quot;></iframe>'></iframe>"
            "<script>document.addEventListener('visibilitychange', () => 0)</script>",
            {"unload", "visibilitychange"},
        ),
    ],
)
async def test_what_is_listened_for_at_the_end_is_found(
    looked: Looked, loopback: Loopback, document: str, heard: set[str]
) -> None:
    await looked.page.goto(loopback.route("/", f"<!doctype html>{document}"))
    assert await looked.look() == Look(frozenset(heard))
    assert await looked.look(TIMEOUT_MS) == Look(frozenset(heard))


async def test_a_page_does_not_notice_a_look(looked: Looked, loopback: Loopback) -> None:
    inner = loopback.route("/inner", NOTICES_LOGGING)
    await looked.page.goto(loopback.route("/", f"{NOTICES_LOGGING}<iframe src={inner}></iframe>"))
    count = "() => [noticed, window[0].noticed, Object.getOwnPropertyNames(window).length]"
    before = await looked.page.evaluate(count)
    await looked.look()
    await looked.look(TIMEOUT_MS)
    assert await looked.page.evaluate(count) == before


async def test_a_page_that_does_not_answer_cannot_be_looked_at(looked: Looked, loopback: Loopback) -> None:
    await looked.page.goto(loopback.route("/", "x"))
    await looked.page.evaluate("() => { setTimeout(() => { for (;;); }, 0) }")
    with pytest.raises(ChannelError, match="did not say what it listens for"):
        await looked.look()


async def test_a_page_that_does_not_load_is_not_looked_at_as_one_that_has(
    looked: Looked, loopback: Loopback
) -> None:
    may_answer = threading.Event()

    def late(_: BaseHTTPRequestHandler, __: Seen) -> Answer:
        may_answer.wait(TIMEOUT_MS / 1_000)
        return Answer("")

    loopback.route("/late.png", late)
    await looked.page.goto(loopback.route("/", "<img src=/late.png>"), wait_until="commit")
    with pytest.raises(ChannelError, match="did not say what it listens for"):
        await looked.look(200)
    may_answer.set()
    assert await looked.look(TIMEOUT_MS) == Look(frozenset())
