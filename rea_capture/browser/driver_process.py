"""Starting the browser driver's process, and ending it.

It can be started before the scenario is known, which hides its start-up behind the reading of the
input; so this file imports nothing but the driver.

Below: playwright, ``failures``. Above: ``workflows``.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final

from playwright.async_api import Browser, Error, Playwright, async_playwright

from rea_capture.browser.failures import BROWSER_GONE, DRIVER_ENDED, is_closing, reason_of
from rea_capture.capture.finishing import finished
from rea_capture.errors import UnavailableError

DRIVER_STOP_TIMEOUT_S: Final = 1.5
"""How long the driver may take to end by itself, which it does in milliseconds, before it is ended."""

DRIVER_NOTICING_S: Final = 0.5
"""How long after its calls have failed a driver that was ended may take to be known as such."""

DRIVER_START_PATIENCE_S: Final = 3.0
"""How long a start that nobody waits for any more is waited for, before it is stopped."""


async def start_driver() -> Playwright:
    """Start the driver process. Raises :class:`UnavailableError` when it cannot run.

    One whose start is cancelled is stopped before the cancellation is raised.
    """
    starting = asyncio.ensure_future(async_playwright().start())
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        await finished(_given_up(starting))
        raise
    except (Error, OSError) as error:
        raise UnavailableError(f"the browser driver could not be started: {reason_of(error)}") from None
    except Exception as error:  # a driver that ends while it starts is reported by a bare Exception
        raise UnavailableError(f"the browser driver could not be started: {reason_of(error)}") from None


async def stop_driver(driver: Playwright) -> None:
    """Stop the driver: ask it, and end its process when it does not go. Never raises an ``Exception``."""
    await _stop(driver.stop, _client(driver))


async def _stop(stop: Callable[[], Awaitable[None]], client: object) -> None:
    number, process = _process_id(client), _process(client)
    stopping = asyncio.ensure_future(stop())
    await asyncio.wait({stopping}, timeout=DRIVER_STOP_TIMEOUT_S)
    if not stopping.done():
        if number is not None:
            with suppress(OSError):
                os.kill(number, signal.SIGKILL)
        await asyncio.wait({stopping}, timeout=DRIVER_STOP_TIMEOUT_S)
    stopping.cancel()
    await asyncio.gather(stopping, return_exceptions=True)
    if process is not None:  # or asyncio complains of a process that ends after its loop
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), DRIVER_STOP_TIMEOUT_S)


async def _given_up(starting: asyncio.Task[Playwright]) -> None:
    """Stop what is starting; a driver that takes long to come up is stopped while it does."""
    await asyncio.wait({starting}, timeout=DRIVER_START_PATIENCE_S)
    if not starting.done():
        client = _client_starting(starting)
        if client is not None:
            await _stop(client.stop, client)
        starting.cancel()
    outcome = (await asyncio.gather(starting, return_exceptions=True))[0]
    if not isinstance(outcome, BaseException):
        await stop_driver(outcome)


def _client_starting(starting: asyncio.Task[Playwright]) -> Any:
    """What has the process of a driver that has not answered yet: only the coroutine that made it knows it.

    None where the driver's library is made in another way, or has not come that far.
    """
    waiting: object = starting.get_coro()
    while waiting is not None:
        frame = getattr(waiting, "cr_frame", None)
        for held in frame.f_locals.values() if frame is not None else ():
            if _process_id(held) is not None:
                return held
        waiting = getattr(waiting, "cr_await", None)
    return None


async def ended(driver: Playwright) -> None:
    """Return when the driver's process has ended; never where that is not to be known."""
    process = _process(_client(driver))
    if process is None:
        await asyncio.get_running_loop().create_future()
    else:
        await process.wait()


async def closing_reason(error: BaseException, driver: Playwright, browser: Browser | None) -> str | None:
    """What ended, where ``error`` is of closing and it was driver or browser; None where it is another."""
    if not is_closing(error):
        return None
    with suppress(TimeoutError):
        await asyncio.wait_for(ended(driver), DRIVER_NOTICING_S)
        return DRIVER_ENDED
    return BROWSER_GONE if browser is not None and not browser.is_connected() else None


def process_id(driver: Playwright) -> int | None:
    """The driver's process, which its interface does not tell; None where it is not found or has ended.

    Its number is ours to signal: as our child it keeps it until we have waited for it.
    """
    return _process_id(_client(driver))


def _client(driver: Playwright) -> object:
    return getattr(getattr(driver.stop, "__self__", None), "_client", None)


def _process(client: object) -> Any:
    return getattr(getattr(client, "_transport", None), "_proc", None)


def _process_id(client: object) -> int | None:
    found = _process(client)
    pid = getattr(found, "pid", None)
    return pid if isinstance(pid, int) and getattr(found, "returncode", 0) is None else None
