"""Letting the driver attach to a browser that is not ours.

It attaches to every tab, as developer tools do, and waits for each. Wherever it is told of no listener it
dismisses dialogs; so one is put up at once, on every context, and only when the driver is sure to know of it
does the relay let an answer to a dialog through. Whoever a dialog of another tab is for answers it.

Below: ``relay``, playwright. Above: ``session``.
"""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import Browser, Dialog, Error, Playwright

from rea_capture.browser.connect.relay import Relay
from rea_capture.browser.deadline import within
from rea_capture.browser.driver_process import closing_reason
from rea_capture.browser.failures import reason_of
from rea_capture.errors import UnavailableError


async def attached(playwright: Playwright, relay: Relay, scratch: Path, timeout_ms: int) -> Browser:
    """The driver, attached without its defaults; it keeps files of its own in ``scratch``.

    Raises :class:`UnavailableError` when that takes longer than ``timeout_ms``, or fails.
    """
    try:
        browser = await playwright.chromium.connect_over_cdp(
            relay.url, no_defaults=True, timeout=timeout_ms, artifacts_dir=scratch
        )
        for context in browser.contexts:
            context.on("dialog", _left_alone)
        await within(timeout_ms, _heard(browser), "the browser driver")
    except (Error, TimeoutError) as error:
        if gone := await closing_reason(error, playwright, None):
            raise UnavailableError(f"the browser could not be attached to: {gone}") from None
        raise UnavailableError(
            f"the browser could not be attached to: {reason_of(error)}; the driver waits for every tab, so "
            "close one that hangs or shows a dialog, or raise command_timeout_ms"
        ) from None
    relay.answers_dialogs = True
    return browser


async def _heard(browser: Browser) -> None:
    """Wait until the driver has done what it was told before: it does one thing after another.

    Twice, since what nobody waits for is only told it while somebody waits for something else.
    """
    session = await browser.new_browser_cdp_session()
    await session.detach()


def _left_alone(_: Dialog) -> None:
    """A dialog, of whatever tab: whoever it is for answers it."""
