"""Looking changes nothing: artifacts do not depend on what else is read, nor does the server notice."""

from __future__ import annotations

import asyncio
import itertools
import threading
from http.server import BaseHTTPRequestHandler
from typing import Any

from playwright.async_api import async_playwright

from tests.browser.capture.conftest import ALL_ARTIFACTS, ALL_FAMILIES, RunScenario, css, secret
from tests.loopback import Answer, Loopback, Seen

ICON_SECONDS = 20
"""A browser asks for an icon when it has time."""

WATCHFUL = """<!doctype html><html><head><title>Watchful</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'self' 'nonce-x'; style-src 'self'"></head>
<body><input id="field" value=""><p id="count">0</p><script nonce="x">
const globals = new Set(Object.getOwnPropertyNames(window));
let seen = 0;
const note = kind => { seen += 1; console.error('noticed', kind); localStorage.setItem('noticed', kind); };
new MutationObserver(records => { for (const r of records) note(r.type + ' ' + r.target.nodeName); })
  .observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
document.addEventListener('securitypolicyviolation', e => note('csp ' + e.violatedDirective));
for (const type of ['blur', 'focusout', 'resize', 'visibilitychange', 'transitionrun', 'animationstart'])
  window.addEventListener(type, () => note(type), true);
for (const [object, name] of [[Element.prototype, 'getHTML'], [Document.prototype, 'getElementsByTagName'],
    [Storage.prototype, 'getItem'], [XMLSerializer.prototype, 'serializeToString']]) {
  const original = object[name];
  object[name] = function (...rest) { note('call ' + name); return original.apply(this, rest); };
}
setInterval(() => { for (const name of Object.getOwnPropertyNames(window))
  if (!globals.has(name)) { globals.add(name); note('global ' + name); } }, 20);
</script></body></html>"""
SECRET: dict[str, Any] = {
    "secrets": [{"secret_id": "token", "environment_variable": "TOKEN"}],
    "environ": {"TOKEN": "hunter2-hunter2"},
}
ACTIONS: list[dict[str, Any]] = [
    {"step_id": "focus", "action": "fill", "locator": css("#field"), "value": secret("token")},
    {"step_id": "wait", "action": "wait_for_timeout", "duration_ms": 150},
    {"step_id": "again", "action": "wait_for_timeout", "duration_ms": 150},
]


async def test_a_watchful_page_notices_nothing(run_scenario: RunScenario, loopback: Loopback) -> None:
    url = loopback.route("/", WATCHFUL)
    result = (
        await run_scenario(
            url, ACTIONS, capture={"after_each_step": ALL_ARTIFACTS, "events": ALL_FAMILIES}, **SECRET
        )
    ).normalized_result
    console = [event.text for event in result.events.items if event.kind == "console"]
    assert console == []
    storage = result.steps[-1].artifacts.storage
    assert storage.state == "captured"
    assert storage.value.local_storage == ()


async def test_an_artifact_is_the_same_whichever_others_are_read(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    url = loopback.route("/", WATCHFUL)
    everything = (
        await run_scenario(url, ACTIONS, capture={"after_each_step": ALL_ARTIFACTS}, **SECRET)
    ).normalized_result
    for subset in itertools.chain(([name] for name in ALL_ARTIFACTS), [["dom", "screenshot"]]):
        some = (
            await run_scenario(url, ACTIONS, capture={"after_each_step": subset}, **SECRET)
        ).normalized_result
        for step, reference in zip(some.steps, everything.steps, strict=True):
            for name in subset:
                assert getattr(step.artifacts, name) == getattr(reference.artifacts, name), (
                    step.step_id,
                    name,
                )


async def test_the_server_sees_the_requests_of_a_bare_browser(
    run_scenario: RunScenario, loopback: Loopback, other_loopback: Loopback, chromium_path: str
) -> None:
    page = "<link rel=icon href='/icon.png'><script src='/a.js'></script><img src='/b.png'><input id='field'>"
    icon_asked_for = threading.Event()

    def icon(_: BaseHTTPRequestHandler, __: Seen) -> Answer:
        icon_asked_for.set()
        return Answer()

    for server in (loopback, other_loopback):
        for path in ("/a.js", "/b.png", "/icon.png"):
            server.route(path, "")
    await run_scenario(
        loopback.route("/", page),
        ACTIONS,
        capture={
            "after_each_step": ALL_ARTIFACTS,
            "events": ALL_FAMILIES,
            "network": {"request_body": True, "response_body": True, "header_values": True},
        },
        **SECRET,
    )
    other_loopback.route("/icon.png", icon)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path, chromium_sandbox=False)
        context = await browser.new_context(locale="en-US", color_scheme="light", reduced_motion="reduce")
        bare = await context.new_page()
        await bare.goto(other_loopback.route("/", page))
        await bare.fill("#field", "x")
        assert await asyncio.to_thread(icon_asked_for.wait, ICON_SECONDS), "nobody asked for the icon"
        await browser.close()

    def requests(server: Loopback) -> list[tuple[str, str, list[tuple[str, str]]]]:
        return sorted(
            (
                seen.method,
                seen.target,
                sorted(
                    (name, value.replace(server.origin, ""))
                    for name, value in seen.headers.items()
                    if name != "host"
                ),
            )
            for seen in server.seen
        )

    assert requests(loopback) == requests(other_loopback)
