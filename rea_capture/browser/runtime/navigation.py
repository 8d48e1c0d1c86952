"""Going to an address, and loading a document again.

Below: playwright, ``guard``, ``gate``, ``patience``. Above: ``live``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final

from playwright.async_api import Error, Response

from rea_capture.browser.runtime.faults import failure
from rea_capture.browser.runtime.gate import Call, Gate
from rea_capture.browser.runtime.guard import Guard, Work, soon
from rea_capture.browser.runtime.patience import Patience
from rea_capture.browser.runtime.tab import OpenTab, is_error_page
from rea_capture.browser.runtime.telling import Telling
from rea_capture.capture.finishing import finished
from rea_capture.contracts.runtime.errors import BrowserErrorCode, BrowserOperationError
from rea_capture.contracts.runtime.policy import OriginPolicy

STOP_TIMEOUT_S: Final = 1.0
"""For a navigation that nobody wants any more to be given up by the browser."""

POLL_S: Final = 0.01
ERROR_PAGE_TIMEOUT_MS: Final = 1_000
"""A navigation fails before the browser shows its page for that, which would interrupt the next one."""

_ABORTED: Final = "ERR_ABORTED"
"""What is aborted leaves the page as it was."""


class Navigator:
    """Navigations of a session's tabs, each within the patience of its call, to the load event.

    Whoever navigates wants to leave the page, so a page that asks whether it may be left is left.
    """

    def __init__(self, gate: Gate, guard: Guard, telling: Telling) -> None:
        self._gate = gate
        self._guard = guard
        self._telling = telling

    async def go(self, tab: OpenTab, url: str, policy: OriginPolicy, patience: Patience) -> int | None:
        """Go to ``url``; the status of the answer. Raises :class:`BrowserOperationError`."""
        going = tab.page.goto(url, wait_until="load", timeout=patience.left_ms())
        return await self._navigated("navigate", tab, going, policy, patience)

    async def again(self, tab: OpenTab, policy: OriginPolicy, patience: Patience) -> int | None:
        """Load the document again; the status of the answer. Raises :class:`BrowserOperationError`."""
        going = tab.page.reload(wait_until="load", timeout=patience.left_ms())
        return await self._navigated("reload", tab, going, policy, patience)

    async def _navigated(
        self,
        operation: str,
        tab: OpenTab,
        going: Coroutine[Any, Any, Response | None],
        policy: OriginPolicy,
        patience: Patience,
    ) -> int | None:
        what = Work(operation, "execute", patience.whole_ms, "unknown", "navigation_failed")
        before = tab.document_id
        async with self._gate.call(operation, policy, tab.target_id) as call:
            try:
                with tab.leaving():
                    answer = await self._guard.run(tab, going, what, left_ms=patience.left_ms())
            except asyncio.CancelledError:
                await finished(_stopped(tab))
                raise
            except BrowserOperationError as error:
                if error.details.code == "timeout" and tab.document_id == before:
                    # A page that is being left for one that does not answer is asked nothing by the browser.
                    await finished(_stopped(tab))
                await self._gate.flush()
                if error.details.code in _MAY_BE_REFUSED:
                    refuse_if_refused(operation, call, self._telling)
                if error.details.code == "navigation_failed" and _ABORTED not in error.details.message:
                    await soon(_error_page(tab), ERROR_PAGE_TIMEOUT_MS, None)
                raise
        return None if answer is None else answer.status


_MAY_BE_REFUSED: Final[tuple[BrowserErrorCode, ...]] = ("navigation_failed", "timeout")


def refuse_if_refused(operation: str, call: Call, telling: Telling) -> None:
    """Raise :class:`BrowserOperationError` when a tab of ``call`` was kept from where it wanted to go.

    Something had been done by then, so what that changed is unknown.
    """
    refused = call.refused()
    if refused is None:
        return
    refused.was_told = True
    where = "A popup" if refused.opener_id in call.targets else "The page"
    origin = telling.sentence(refused.origin)
    message = f"{where} was to go to {origin}, which is not allowed; nothing was sent there."
    raise failure(operation, "policy", "origin_refused", message, "unknown")


async def _error_page(tab: OpenTab) -> None:
    while not is_error_page(tab.url):  # noqa: ASYNC110 - an event would be there for this alone
        await asyncio.sleep(POLL_S)


async def _stopped(tab: OpenTab) -> None:
    with suppress(Error, TimeoutError):
        async with asyncio.timeout(STOP_TIMEOUT_S):
            await tab.cdp.send("Page.stopLoading")
