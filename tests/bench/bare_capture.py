"""The yardstick: a bare Playwright script that makes the same calls as the five-step scenario.

Usage: python bare_capture.py CHROMIUM ORIGIN
"""

import asyncio
import base64
import json
import sys
from typing import Any

from playwright.async_api import Page, async_playwright

HISTORY = """() => ({url: location.href, length: history.length,
    entries: performance.getEntriesByType('navigation').map(e => [e.type, e.name])})"""
STORAGE = "() => ({local: {...localStorage}, session: {...sessionStorage}})"


async def read(page: Page) -> dict[str, Any]:
    return {
        "screenshot": base64.b64encode(await page.screenshot()).decode(),
        "dom": await page.content(),
        "accessibility": await page.locator("body").aria_snapshot(),
        "history": await page.evaluate(HISTORY),
        "storage": await page.evaluate(STORAGE),
        "cookies": await page.context.cookies(page.url),
    }


async def main(chromium: str, origin: str) -> None:
    events: list[Any] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, chromium_sandbox=False)
        context = await browser.new_context(
            viewport={"width": 1280, "height": 720},
            locale="en-US",
            timezone_id="UTC",
            color_scheme="light",
            reduced_motion="reduce",
            service_workers="block",
        )
        page = await context.new_page()
        context.on("console", lambda message: events.append(["console", message.type, message.text]))
        context.on("weberror", lambda error: events.append(["page-error", str(error.error)]))
        context.on("request", lambda r: events.append(["request", r.method, r.url, sorted(r.headers)]))
        context.on("response", lambda r: events.append(["response", r.status, r.url, sorted(r.headers)]))
        context.on("requestfinished", lambda r: events.append(["request-finished", r.url]))
        context.on("requestfailed", lambda r: events.append(["request-failed", r.url, r.failure]))
        page.on("framenavigated", lambda frame: events.append(["frame-navigated", frame.url]))
        page.on("websocket", lambda socket: events.append(["websocket", socket.url]))
        page.on("worker", lambda worker: events.append(["worker", worker.url]))
        page.on("popup", lambda popup: events.append(["popup", popup.url]))
        page.on("download", lambda download: events.append(["download", download.url]))
        await page.goto(origin + "/")
        steps = [await read(page)]
        await page.locator("css=#q").fill("lamp")
        steps.append(await read(page))
        await page.get_by_role("checkbox", name="In stock", exact=True).check()
        steps.append(await read(page))
        await page.locator("css=#go").click()
        steps.append(await read(page))
        await page.locator("css=#results[data-state='ready']").wait_for(state="visible")
        steps.append(await read(page))
        await page.get_by_test_id("add-3").click()
        steps.append(await read(page))
        await context.close()
        await browser.close()
    json.dump({"steps": steps, "events": events}, sys.stdout)


asyncio.run(main(sys.argv[1], sys.argv[2]))
