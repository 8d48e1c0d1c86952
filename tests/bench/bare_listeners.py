"""The yardstick: bare listeners on a page of 500 requests.

Usage: python bare_listeners.py CHROMIUM ORIGIN
"""

import asyncio
import json
import sys
from typing import Any

from playwright.async_api import async_playwright


async def main(chromium: str, origin: str) -> None:
    events: list[Any] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, chromium_sandbox=False)
        context = await browser.new_context(viewport={"width": 1280, "height": 720}, service_workers="block")
        page = await context.new_page()
        context.on("request", lambda r: events.append([r.method, r.url, r.resource_type, sorted(r.headers)]))
        context.on("response", lambda r: events.append([r.status, r.url, sorted(r.headers)]))
        context.on("requestfinished", lambda r: events.append(["request-finished", r.url]))
        context.on("requestfailed", lambda r: events.append(["request-failed", r.url, r.failure]))
        await page.goto(origin + "/many")
        await page.locator("css=#done").wait_for(state="visible")
        await context.close()
        await browser.close()
    json.dump({"url": page.url, "events": events}, sys.stdout)


asyncio.run(main(sys.argv[1], sys.argv[2]))
