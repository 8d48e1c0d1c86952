"""What a second client sees of a browser and of a page, to be compared before and after.

Below: ``raw_cdp``. Above: the tests of this folder.
"""

from __future__ import annotations

from typing import Any

from tests.browser.connect.raw_cdp import RawClient

LOOKS = """JSON.stringify([innerWidth, innerHeight, devicePixelRatio, (1234.5).toLocaleString(),
  Intl.DateTimeFormat().resolvedOptions().timeZone,
  matchMedia('(prefers-color-scheme: dark)').matches,
  matchMedia('(prefers-reduced-motion: reduce)').matches, document.hasFocus(), document.visibilityState])"""
ENVIRONMENT = {
    "viewport": {"width": 321, "height": 234, "device_scale_factor": 3},
    "locale": "de-DE",
    "timezone": "Asia/Tokyo",
    "color_scheme": "dark",
}
REGISTER = """(() => {
  const { value } = Object.getOwnPropertyDescriptor(ServiceWorkerContainer.prototype, 'register');
  return Function.prototype.toString.call(value).includes('[native code]');
})()"""


async def everything(owner: RawClient) -> tuple[Any, ...]:
    """The tabs, contexts and cookies of the browser."""
    targets = (await owner.send("Target.getTargets"))["targetInfos"]
    pages = sorted(each["targetId"] for each in targets if each["type"] == "page")
    contexts = (await owner.send("Target.getBrowserContexts"))["browserContextIds"]
    cookies = (await owner.send("Storage.getCookies"))["cookies"]
    return pages, contexts, sorted(str(cookie) for cookie in cookies)
