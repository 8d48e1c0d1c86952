"""A browser of the session's own: which one, and starting it.

    1. ``executablePath`` is taken; else the named ``product`` is looked for, and no other one is ever taken
       instead; else ``REA_EXECUTABLE_PATH``. Nothing is guessed.
    2. Where a product is named, what was found must say that it is that one.
    3. It is started with a temporary profile, which is deleted with it.

Below: ``browser.launch``, ``browser.discovery``. Above: ``opening``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

from playwright.async_api import Playwright

from rea_capture.browser.discovery import (
    EXECUTABLE_VARIABLE,
    InstalledBrowser,
    browser_at,
    find_product,
    is_product,
)
from rea_capture.browser.launch import BrowserIdentity, LaunchedBrowser, environment_without
from rea_capture.browser.runtime.faults import failure
from rea_capture.contracts.environment import Environment, Viewport
from rea_capture.contracts.runtime.budgets import STARTUP
from rea_capture.contracts.runtime.settings import EnvironmentCredential, LaunchSettings, SessionSettings

NOTHING_IN_ADVANCE: Final = {"net": {"network_prediction_options": 2}}
"""No document is fetched before anybody goes there (speculation rules): that is held by nothing.
2 is "never" (``NetworkPredictionOptions`` of Chromium)."""

NAME_ONE: Final = (
    'Open with {"browser": {"product": "chromium"}} in the settings, or let the variable '
    f"{EXECUTABLE_VARIABLE} be the path of a browser; `rea doctor` lists what there is."
)

_OTHER_ENGINES: Final = ("firefox", "webkit")


def refuse_unsupported(launch: LaunchSettings) -> None:
    """Raise ``unsupported`` for an engine that there is no way to drive."""
    if launch.product in _OTHER_ENGINES:
        message = (
            f"The product {launch.product!r} is not supported: only browsers of the Chromium family are."
        )
        advice = "Name chromium, chrome or vivaldi."
        raise failure("open", "startup", "unsupported", message, recovery=advice)


async def launched(
    playwright: Playwright, settings: SessionSettings, launch: LaunchSettings, environ: Mapping[str, str]
) -> tuple[LaunchedBrowser, BrowserIdentity]:
    """The browser, and its name as far as it is known. Raises :class:`BrowserOperationError` or
    :class:`UnavailableError`; nothing is left then, nor when it is cancelled.
    """
    path, product = await _executable(launch, environ)
    view = launch.viewport
    secret = {
        each.variable for each in settings.credentials.values() if isinstance(each, EnvironmentCredential)
    }
    browser = await LaunchedBrowser.launch(
        playwright,
        path,
        Environment(viewport=Viewport(width=view.width, height=view.height)),
        headless=launch.headless,
        logs_network=False,
        environ=environment_without(environ, secret),
        timeout_ms=STARTUP.default_ms,
        preferences=NOTHING_IN_ADVANCE,
    )
    identity = browser.identity
    return browser, identity if product is None else BrowserIdentity(product, identity.version)


async def _executable(launch: LaunchSettings, environ: Mapping[str, str]) -> tuple[str, str | None]:
    """Where the browser is, and what it is called if that was asked."""
    if launch.product is None:
        path = launch.executable_path or environ.get(EXECUTABLE_VARIABLE)
        if path:
            return path, None
        message = (
            f"No browser is named: neither browser.executablePath, browser.product nor {EXECUTABLE_VARIABLE}."
        )
        raise failure("open", "startup", "unavailable", message, recovery=NAME_ONE)
    if launch.executable_path is not None:
        named = await asyncio.to_thread(browser_at, launch.executable_path)
        return _of_product(named, launch.product)
    found = await asyncio.to_thread(find_product, launch.product, environ)
    if found is None:
        message = f"There is no {launch.product} on this machine; no other browser is taken instead."
        advice = "Install it, or say where it is with browser.executablePath."
        raise failure("open", "startup", "unavailable", message, recovery=advice)
    return found.path, found.product


def _of_product(found: InstalledBrowser, product: str) -> tuple[str, str | None]:
    """``found``, if it is ``product``. One that tells nothing of itself fails when it is started."""
    if found.usable and not is_product(found, product):
        message = f"browser.executablePath is {found.product!r}, and browser.product is {product!r}."
        raise failure("open", "startup", "unavailable", message)
    return found.path, found.product
