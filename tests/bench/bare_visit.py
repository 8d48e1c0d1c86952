"""The yardstick of throughput: start the browser, open a page, read its address, close.

Usage: python bare_visit.py CHROMIUM ORIGIN
"""

import asyncio
import sys

from playwright.async_api import async_playwright


async def main(chromium: str, origin: str) -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, chromium_sandbox=False)
        page = await browser.new_page(viewport={"width": 1280, "height": 720})
        await page.goto(origin + "/")
        await page.wait_for_timeout(1)
        sys.stdout.write(await page.evaluate("location.href"))
        await browser.close()


asyncio.run(main(sys.argv[1], sys.argv[2]))
