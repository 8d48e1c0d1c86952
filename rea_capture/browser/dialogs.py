"""Dialogs never hold a page up: each is dismissed, and somebody is told.

Below: playwright. Above: ``session``, ``connect``, ``runtime``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from playwright.async_api import BrowserContext, Dialog, Page


class DialogDismisser:
    """Dismisses every dialog of a browser context and reports each with its text.

    Only a page that ``leaves`` holds of is not asked twice: what it asks before it is left is accepted.
    """

    def __init__(
        self,
        context: BrowserContext,
        report: Callable[[str], None],
        leaves: Callable[[Page], bool] = lambda _: False,
    ) -> None:
        self._context = context
        self._report = report
        self._leaves = leaves
        self._dismissals: set[asyncio.Task[None]] = set()
        context.on("dialog", self._opened)

    def _opened(self, dialog: Dialog) -> None:
        answering = _dismiss(dialog)
        try:  # nothing may leave a listener of the driver; it would come back from another call
            # Not shortened here: redaction, which comes first, must see the whole text.
            text = f" ({dialog.message!r})" if dialog.message else ""
            what = "dismissed"
            if dialog.type == "beforeunload":
                what = "dismissed, so the page stayed where it was"
                if dialog.page is not None and self._leaves(dialog.page):
                    answering.close()
                    answering, what = _accept(dialog), "accepted, so the page was left"
            self._report(f"A page opened a dialog of type {dialog.type}{text}; it was {what}.")
        except Exception as error:
            self._report(f"A page opened a dialog that could not be described ({type(error).__name__}).")
        finally:
            task = asyncio.ensure_future(answering)
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


async def _accept(dialog: Dialog) -> None:
    with suppress(Exception):  # as above
        await dialog.accept()
