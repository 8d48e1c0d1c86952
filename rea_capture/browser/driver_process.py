"""Starting the browser driver's process, and ending it.

It can be started before the scenario is known, which hides its start-up behind the reading of the
input; so this file imports nothing but the driver.

Below: playwright, ``failures``. Above: ``workflows``.
"""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from typing import Final

from playwright.async_api import Error, Playwright, async_playwright

from rea_capture.browser.failures import reason_of
from rea_capture.capture.finishing import finished
from rea_capture.errors import UnavailableError

DRIVER_STOP_TIMEOUT_S: Final = 1.5
"""How long the driver may take to end by itself, which it does in milliseconds, before it is ended."""

DRIVER_START_PATIENCE_S: Final = 6.0
"""How long a start that nobody waits for any more is waited for, so that what it started can be stopped."""

_LATE: Final[set[asyncio.Future[None]]] = set()
"""Drivers being stopped after nobody waited any more: a loop keeps no hold on its tasks."""


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
    process = _process_id(driver)
    stopping = asyncio.ensure_future(driver.stop())
    await asyncio.wait({stopping}, timeout=DRIVER_STOP_TIMEOUT_S)
    if not stopping.done():
        if process is not None:
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        await asyncio.wait({stopping}, timeout=DRIVER_STOP_TIMEOUT_S)
    stopping.cancel()
    await asyncio.gather(stopping, return_exceptions=True)


async def _given_up(starting: asyncio.Future[Playwright]) -> None:
    await asyncio.wait({starting}, timeout=DRIVER_START_PATIENCE_S)
    if not starting.done():
        # Cancelling it would leave the process without anybody who knows it. It ends with us at the latest.
        starting.add_done_callback(_stop_late)
    elif not starting.cancelled() and starting.exception() is None:
        await stop_driver(starting.result())


def _stop_late(starting: asyncio.Future[Playwright]) -> None:
    if not starting.cancelled() and starting.exception() is None:
        _LATE.add(stopping := asyncio.ensure_future(stop_driver(starting.result())))
        stopping.add_done_callback(_LATE.discard)


def _process_id(driver: Playwright) -> int | None:
    """The driver's process, which its interface does not tell; None where it is not found or has ended.

    Its number is ours to signal: as our child it keeps it until we have waited for it.
    """
    found: object = driver.stop
    for name in ("__self__", "_client", "_transport", "_proc"):
        found = getattr(found, name, None)
    pid = getattr(found, "pid", None)
    return pid if isinstance(pid, int) and getattr(found, "returncode", 0) is None else None
