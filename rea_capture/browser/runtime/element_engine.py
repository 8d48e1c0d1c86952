"""The script that finds elements, in the driver's own JavaScript world of each document.

Below: Playwright, ``js/``. Above: ``elements``.
"""

from __future__ import annotations

from playwright.async_api import Playwright


async def prepare_driver(playwright: Playwright) -> None:
    """Make the script known to the driver; once for each, before its first browser. Doing it again is fine."""
    raise NotImplementedError
