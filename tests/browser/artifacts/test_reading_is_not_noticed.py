"""Looking changes nothing: neither the page nor its server can tell, and no artifact shows another."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from playwright.async_api import Browser, CDPSession, Page

from rea_capture.browser.artifacts.world import PrivateWorld
from rea_capture.contracts.selection import ARTIFACT_NAMES, ArtifactName
from tests.browser.artifacts.looks import Attach, value
from tests.loopback import Answer, Loopback

POLICY = """default-src 'self'; script-src 'self'; style-src 'self'; report-uri /report;
 require-trusted-types-for 'script'; trusted-types 'none'""".replace("\n", "")

PAGE = """<!DOCTYPE html><html><head><title>Watch</title><link rel=stylesheet href=/style.css></head><body>
<h1>topsecret9</h1><input id=field value=x><x-a></x-a><iframe src=/child></iframe>
<iframe srcdoc="<p>inner"></iframe><my-closed></my-closed><script src=/watch.js></script></body></html>"""

STYLE = """input {transition: all .05s} * {font-family: F, monospace}
@font-face {font-family: F; src: url(/font.woff2)}"""

WATCH = """
window.noticed = [];
const say = (what) => noticed.push(what);
const make = (name, text = '') => Object.assign(document.createElement(name), {textContent: text});
document.querySelector('x-a').attachShadow({mode: 'open'}).append(make('input'), make('b', 'open'));
document.querySelector('my-closed').attachShadow({mode: 'closed'}).append(make('b', 'closed'));
const everything = {subtree: true, childList: true, attributes: true, characterData: true};
for (const root of [document, document.querySelector('x-a').shadowRoot]) {
  new MutationObserver((records) => records.forEach((r) => say('mutation ' + r.type)))
    .observe(root, everything);
}
const events = ['focus', 'blur', 'focusin', 'focusout', 'resize', 'scroll', 'selectionchange', 'select',
  'input', 'visibilitychange', 'pagehide', 'pageshow', 'freeze', 'transitionrun', 'transitionstart',
  'transitionend', 'animationstart', 'animationend', 'mousemove', 'pointermove', 'mouseover', 'storage',
  'error', 'message', 'unhandledrejection', 'securitypolicyviolation', 'slotchange', 'beforeprint', 'toggle',
  'hashchange'];
for (const name of events) {
  window.addEventListener(name, (event) => say('event ' + event.type), true);
  document.addEventListener(name, (event) => say('event ' + event.type), true);
}
new ResizeObserver(() => say('resize observer')).observe(document.querySelector('#field'));
new PerformanceObserver((list) => list.getEntries().forEach((entry) => say('resource ' + entry.name)))
  .observe({type: 'resource'});
new ReportingObserver((reports) => reports.forEach((report) => say('report ' + report.type))).observe();
matchMedia('(min-resolution: 1.5dppx)').addEventListener('change', () => say('media'));
for (const [owner, name] of [[Element, 'animate'], [Element, 'attachShadow'], [Element, 'getHTML'],
  [Document, 'createTreeWalker'], [Document, 'querySelectorAll'], [Storage, 'getItem'], [Storage, 'key'],
  [Node, 'appendChild'], [Element, 'getBoundingClientRect']]) {
  const original = owner.prototype[name];
  owner.prototype[name] = function (...rest) { say('called ' + name); return original.apply(this, rest); };
}
const screenNow = () => [devicePixelRatio, innerWidth, innerHeight, outerWidth, screen.width,
  document.hasFocus(), document.visibilityState, document.styleSheets.length,
  document.adoptedStyleSheets.length, document.activeElement.id, scrollY,
  frames.length, Object.keys(window).length, history.length, localStorage.length, document.cookie].join(' ');
let before = null;
const frame = () => {
  const now = screenNow();
  if (before !== null && now !== before) say('screen ' + before + ' -> ' + now);
  before = now;
  requestAnimationFrame(frame);
};
window.settle = async () => {
  await document.fonts.ready.catch(() => 0);
  for (let turn = 0; turn < 5; turn++) await new Promise((done) => requestAnimationFrame(done));
  await new Promise((done) => setTimeout(done, 100));
};
document.querySelector('#field').focus();
frame();
"""


def serve(loopback: Loopback) -> str:
    loopback.route("/style.css", Answer(STYLE, "text/css", headers=[("Cache-Control", "no-store")]))
    loopback.route("/watch.js", Answer(WATCH, "text/javascript", headers=[("Cache-Control", "no-store")]))
    loopback.route("/font.woff2", Answer(b"not a font", "font/woff2"))
    loopback.route("/child", Answer("<p>child <input>", headers=[("Cache-Control", "no-store")]))
    loopback.route("/favicon.ico", Answer(b"", "image/x-icon"))
    headers = [("Content-Security-Policy", POLICY), ("Cache-Control", "no-store")]
    return loopback.route("/", Answer(PAGE, headers=headers))


async def open_and_settle(page: Page, url: str) -> CDPSession:
    await page.goto(url)
    await page.evaluate("settle()")
    await page.evaluate("noticed.length = 0")
    return await page.context.new_cdp_session(page)


@pytest.mark.parametrize("scale", [1, 2])
async def test_the_page_and_its_server_notice_nothing(
    browser: Browser, attach: Attach, loopback: Loopback, scale: int
) -> None:
    url = serve(loopback)
    context = await browser.new_context(device_scale_factor=scale)
    page = await context.new_page()
    await open_and_settle(page, url)
    console: list[str] = []
    page.on("console", lambda message: console.append(message.text))
    page.on("request", lambda request: console.append(request.url))
    page.on("pageerror", lambda error: console.append(str(error)))
    seen = loopback.targets()
    readers = [await attach(to=page), await attach(to=page, token="topsecret9")]
    for reader in readers:
        reading = await reader.read(ARTIFACT_NAMES, [page.locator("#field")])
        for name in ARTIFACT_NAMES:
            value(reading.artifacts, name)
    await page.evaluate("settle()")
    assert await page.evaluate("noticed") == []
    assert console == []
    assert loopback.targets() == seen
    assert "GET /report" not in str(seen)
    assert await page.evaluate("document.getAnimations().length") == 0
    await context.close()


async def test_the_watching_page_does_notice_a_careless_look(page: Page, loopback: Loopback) -> None:
    """The driver's own caret hiding is what the test above would see."""
    await open_and_settle(page, serve(loopback))
    await page.screenshot()
    await page.evaluate("settle()")
    assert any(each.startswith("mutation") for each in await page.evaluate("noticed"))


async def test_the_server_sees_the_same_requests_as_from_a_bare_browser(
    browser: Browser, attach: Attach, loopback: Loopback
) -> None:
    url = serve(loopback)
    logs: list[list[tuple[str, Any]]] = []
    for looking in (False, True):
        loopback.seen.clear()
        context = await browser.new_context()
        page = await context.new_page()
        reader = await attach(to=page, token="topsecret9") if looking else None
        await page.goto(url)
        await page.evaluate("settle()")
        if reader:
            await reader.read(ARTIFACT_NAMES)
        await page.evaluate("fetch('/last').then((answer) => answer.text())")
        logs.append(sorted((each.target, sorted(each.headers.items())) for each in list(loopback.seen)))
        await context.close()
    assert logs[0] == logs[1]


async def test_an_artifact_is_the_same_whatever_else_is_read(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    await open_and_settle(page, serve(loopback))
    reader = await attach(token="topsecret9")
    field = [page.locator("#field")]
    whole = (await reader.read(ARTIFACT_NAMES, field)).artifacts
    subsets: list[tuple[ArtifactName, ...]] = [
        *combinations(ARTIFACT_NAMES, 1),
        *combinations(ARTIFACT_NAMES, 2),
    ]
    for subset in subsets:
        some = (await reader.read(subset, field)).artifacts
        for name in ARTIFACT_NAMES:
            expected = getattr(whole, name) if name in subset else None
            assert getattr(some, name) == expected or getattr(some, name).state == "not_requested"
            assert (getattr(some, name).state == "captured") is (name in subset)


async def test_the_dom_domain_is_not_left_on(page: Page, attach: Attach, loopback: Loopback) -> None:
    await page.goto(loopback.route("/", "<p>x<my-a></my-a>"))
    await page.evaluate("document.querySelector('my-a').attachShadow({mode: 'closed'}).innerHTML = '<b>c'")
    reader = await attach(token="topsecret9")
    events: list[str] = []
    assert isinstance(reader._world, PrivateWorld)
    session = reader._world.session
    for name in (
        "DOM.attributeModified",
        "DOM.childNodeInserted",
        "DOM.documentUpdated",
        "DOM.setChildNodes",
    ):
        session.on(name, lambda _, name=name: events.append(name))
    await reader.read(ARTIFACT_NAMES)
    await page.evaluate("document.body.append(document.createElement('i'))")
    with pytest.raises(Exception, match="not enabled"):
        await session.send("DOM.performSearch", {"query": "x"})
    assert events == []
