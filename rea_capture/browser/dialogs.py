"""Dialogs never hold a capture up: each is dismissed, and the capture says so.

Below: playwright. Above: ``driver``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from playwright.async_api import BrowserContext, Dialog


class DialogDismisser:
    """Dismisses every dialog of a browser context and reports each with its text."""

    def __init__(self, context: BrowserContext, report: Callable[[str], None]) -> None:
        self._context = context
        self._report = report
        self._dismissals: set[asyncio.Task[None]] = set()
        context.on("dialog", self._opened)

    def _opened(self, dialog: Dialog) -> None:
        try:  # nothing may leave a listener of the driver; it would come back from another call
            # Not shortened here: redaction, which comes first, must see the whole text.
            text = f" ({dialog.message!r})" if dialog.message else ""
            effect = ", so the page stayed where it was" if dialog.type == "beforeunload" else ""
            self._report(f"A page opened a dialog of type {dialog.type}{text}; it was dismissed{effect}.")
        except Exception as error:
            self._report(f"A page opened a dialog that could not be described ({type(error).__name__}).")
        finally:
            task = asyncio.ensure_future(_dismiss(dialog))
            self._dismissals.add(task)
            task.add_done_callback(self._dismissals.discard)

    def detach(self) -> None:
        """Stop answering dialogs."""
        self._context.remove_listener("dialog", self._opened)
        for task in self._dismissals:
            task.cancel()


async def _dismiss(dialog: Dialog) -> None:
    with suppress(Exception):  # the page may go away, and its dialog with it
        await dialog.dismiss()
