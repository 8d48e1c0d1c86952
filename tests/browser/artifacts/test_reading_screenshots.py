"""``screenshot`` is the viewport at device scale, the same every time it is taken."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Browser, Page

from tests.browser.artifacts.looks import Attach, Picture, never_answered, reason, value
from tests.loopback import Answer, Loopback

SHOTS = 3
BLINK_S = 0.3
"""Chromium's caret is on for 500 ms and off for 500 ms, so shots this far apart see both."""

CARET = (255, 0, 0)
STYLE = "<style>* {caret-color: rgb(255, 0, 0); font-size: 40px} body {background: #fff}</style>"


async def test_width_and_height_are_device_pixels(
    browser: Browser, attach: Attach, loopback: Loopback
) -> None:
    context = await browser.new_context(viewport={"width": 300, "height": 200}, device_scale_factor=2)
    page = await context.new_page()
    await page.goto(loopback.route("/", "<body style='height: 4000px; background: #0a0'>"))
    shot = value((await (await attach(to=page)).read({"screenshot"})).artifacts, "screenshot")
    await context.close()
    assert (shot.width, shot.height, shot.media_type) == (600, 400, "image/png")


FOCUSED = {
    "input": "<input id=a value=x>",
    "transitions": "<style>*{transition: all .3s}</style><input id=a value=x>",
    "important": "<style>#a{caret-color: rgb(255, 0, 0) !important}</style><input id=a value=x>",
    "editing host": "<div id=a contenteditable>x <b>y</b></div>",
    "open root": """<x-a></x-a><script>
      document.querySelector('x-a').attachShadow({mode: 'open'}).innerHTML =
        '<style>input {caret-color: rgb(255, 0, 0); font-size: 40px}</style><input id=a value=x>'</script>""",
    "closed root": """<x-a></x-a><script>
      const root = document.querySelector('x-a').attachShadow({mode: 'closed'});
      root.innerHTML = '<input style="font-size: 40px" value=x>'; root.firstChild.focus()</script>""",
    "same-process frame": """<iframe
      srcdoc='<style>*{caret-color: rgb(255,0,0)}</style><input autofocus>'></iframe>""",
}


@pytest.mark.parametrize("where", FOCUSED)
async def test_a_focused_input_looks_the_same_in_every_shot(
    page: Page, attach: Attach, loopback: Loopback, where: str
) -> None:
    await page.goto(loopback.route("/", f"<!DOCTYPE html>{STYLE}{FOCUSED[where]}"))
    await focus(page)
    reader = await attach()
    shots = []
    for _ in range(SHOTS):
        artifacts = (await reader.read({"screenshot"})).artifacts
        shots.append(value(artifacts, "screenshot").sha256)
        await asyncio.sleep(BLINK_S)  # waits for nothing: it puts the shots at different phases
    assert len(set(shots)) == 1
    if where != "important":
        assert CARET not in Picture.of(artifacts).colors(0, 0, 400, 300)
    assert await page.evaluate("document.getAnimations().length") == 0


async def focus(page: Page) -> None:
    target = page.locator("#a")
    if await target.count():
        await target.focus()
    for frame in page.frames[1:]:
        await frame.locator("input").focus()
    await page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished))")


async def test_a_focused_input_in_a_frame_of_another_site_looks_the_same_in_every_shot(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    child = loopback.route("/child", f"{STYLE}<input value=x autofocus>").replace("127.0.0.1", "localhost")
    await page.goto(loopback.route("/", f"<!DOCTYPE html><iframe src='{child}'></iframe>"))
    await focus(page)
    reader = await attach()
    shots = set()
    for _ in range(SHOTS):
        artifacts = (await reader.read({"screenshot"})).artifacts
        shots.add(value(artifacts, "screenshot").sha256)
        await asyncio.sleep(BLINK_S)
    assert len(shots) == 1
    assert CARET not in Picture.of(artifacts).colors(0, 0, 400, 300)


async def test_without_a_reader_the_same_input_does_blink(page: Page, loopback: Loopback) -> None:
    """What the tests above would see if nothing were done about the caret."""
    await page.goto(loopback.route("/", f"<!DOCTYPE html>{STYLE}<input id=a value=x>"))
    await focus(page)
    session = await page.context.new_cdp_session(page)
    shots = set()
    for _ in range(8):
        shots.add((await session.send("Page.captureScreenshot"))["data"])
        await asyncio.sleep(BLINK_S)
    assert len(shots) > 1


async def test_a_font_is_waited_for(page: Page, attach: Attach, loopback: Loopback) -> None:
    release = asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow_font(*_: object) -> Answer:
        asyncio.run_coroutine_threadsafe(release.wait(), loop).result(10)
        return Answer(b"not a font", "font/woff2")

    loopback.route("/font.woff2", slow_font)
    html = "<style>@font-face{font-family:F;src:url(/font.woff2)}p{font-family:F}</style><p>text"
    await page.goto(loopback.route("/", html), wait_until="domcontentloaded")
    reading = asyncio.ensure_future((await attach()).read({"screenshot"}))
    await page.wait_for_function("document.fonts.status === 'loading'")
    done, _ = await asyncio.wait({reading}, timeout=0.3)
    assert not done
    release.set()
    assert value((await reading).artifacts, "screenshot").width == 400


@pytest.mark.parametrize("framed", [False, True])
async def test_a_font_that_never_arrives_makes_the_screenshot_missing_and_nothing_else(
    page: Page, attach: Attach, loopback: Loopback, framed: bool
) -> None:
    loopback.route("/font.woff2", never_answered)
    html = "<style>@font-face{font-family:F;src:url(/font.woff2)}p{font-family:F}</style><p>text"
    loopback.route("/child", html)
    url = loopback.route("/", "<iframe src=/child></iframe>" if framed else html)
    await page.goto(url, wait_until="domcontentloaded")
    await page.frames[-1].wait_for_function("document.fonts.status === 'loading'")
    artifacts = (
        await (await attach(timeout_ms=3_000)).read({"screenshot", "dom", "accessibility"})
    ).artifacts
    assert reason(artifacts, "screenshot") == "a web font of the page did not finish loading within 3000 ms"
    assert "<html>" in value(artifacts, "dom").text
    assert artifacts.accessibility.state == "captured"
