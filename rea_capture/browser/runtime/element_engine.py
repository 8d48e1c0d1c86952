"""The script that finds elements, in the driver's own JavaScript world of each document.

The page's scripts can neither see that world nor change what it runs on. It is a selector engine, so that the
driver acts on the very element that was observed, in the same world and without another look for it.

Below: Playwright, ``js/``. Above: ``elements``.
"""

from __future__ import annotations

import secrets
from functools import cache
from importlib.resources import files
from typing import Final

from playwright.async_api import Error, Playwright

ENGINE: Final = "rea_elements"
"""Its name for the driver, in browsers that were launched after it was made known."""

_PIECES: Final = ("reaching", "naming", "roles", "looking", "engine")


async def prepare_driver(playwright: Playwright) -> str:
    """Make the script known to the driver, before its first browser is launched; again is fine.

    Gives the engine's name, for :class:`Elements`.
    """
    try:
        await playwright.selectors.register(ENGINE, _source(), content_script=True)
    except Error as error:
        if "already registered" not in str(error):
            raise
    return ENGINE


async def prepare_connected(playwright: Playwright) -> str:
    """As :func:`prepare_driver`, for a browser that was connected to a moment ago.

    Pages that were there already know only what is made known afterwards, so each time has its own name.
    """
    name = f"{ENGINE}_{secrets.token_hex(4)}"
    await playwright.selectors.register(name, _source(), content_script=True)
    return name


@cache
def _source() -> str:
    artifacts, own = files("rea_capture.browser.artifacts") / "js", files(__package__) / "js"
    texts = [(artifacts / "prototypes.js").read_text("utf-8")]
    texts += [(own / f"{piece}.js").read_text("utf-8") for piece in _PIECES]
    return "\n".join(["(() => {", *texts, "return engine();", "})()"])
