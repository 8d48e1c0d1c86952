"""Work on a tab that ends: with its result, with its bound, or with the tab or the browser.

Below: playwright, ``faults``, ``tab``. Above: ``live`` and its parts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from playwright.async_api import Error
from playwright.async_api import TimeoutError as DriverTimeoutError

from rea_capture.browser.artifacts.world import ReadError
from rea_capture.browser.channel import ChannelError
from rea_capture.browser.failures import BROWSER_GONE, is_closing
from rea_capture.browser.runtime.faults import failure
from rea_capture.browser.runtime.tab import OpenTab
from rea_capture.browser.runtime.telling import Telling
from rea_capture.contracts.runtime.errors import BrowserErrorCode, BrowserOperationError, MutationState, Phase

T = TypeVar("T")

NOTICING_S: Final = 0.5
"""How long after a call has failed with its page or browser that may take to be known as gone."""

DRIVER_GRACE_MS: Final = 500
"""The driver keeps a deadline itself and says more of it, unless it does not answer any more."""


@dataclass(frozen=True, slots=True)
class Work:
    """What is done, as a failure of it is told. ``mutation_state`` is that of a failure in the middle."""

    operation: str
    phase: Phase
    timeout_ms: int
    mutation_state: MutationState = "not_attempted"
    otherwise: BrowserErrorCode = "defect"
    """The code of what the driver says that means nothing else."""


class Guard:
    """How a session's work ends. ``browser_gone`` is done, with why, once the browser is."""

    def __init__(self, telling: Telling) -> None:
        self._telling = telling
        self.browser_gone: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def lose(self, why: str = BROWSER_GONE) -> None:
        """There is no browser any more."""
        if not self.browser_gone.done():
            self.browser_gone.set_result(why)

    def check(self, operation: str) -> None:
        """Raise :class:`BrowserOperationError` when there is no browser any more."""
        if self.browser_gone.done():
            raise failure(operation, "execute", "browser_gone", self._sentence_of_browser())

    def check_tab(self, operation: str, tab: OpenTab) -> None:
        """Raise :class:`BrowserOperationError` when ``tab`` is not to be had any more."""
        self.check(operation)
        if tab.gone.done():
            raise self._of_tab(Work(operation, "execute", 0), tab)

    async def run(
        self, tab: OpenTab, work: Coroutine[Any, Any, T], what: Work, *, left_ms: int | None = None
    ) -> T:
        """The result of ``work``. Raises :class:`BrowserOperationError` for whatever else comes of it.

        ``left_ms`` is what is left of the time of ``what``, where some of that has gone by.
        Cancelled, it ends at once; what the driver was asked for then goes on by itself.
        """
        task = asyncio.ensure_future(work)
        ends: set[asyncio.Future[Any]] = {task, tab.gone, self.browser_gone}
        try:
            await asyncio.wait(
                ends,
                timeout=((what.timeout_ms if left_ms is None else left_ms) + DRIVER_GRACE_MS) / 1000,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if task.done():
                return task.result()
        except BrowserOperationError as error:
            if error.details.code == "unknown_tab" and await self._browser_went():
                raise self._of_tab(what, tab) from None
            raise
        except (DriverTimeoutError, TimeoutError):
            raise self._late(what) from None
        except (Error, ReadError, ChannelError) as error:
            raise await self._failed(what, tab, error) from None
        finally:
            if not task.done():
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        if tab.gone.done() or self.browser_gone.done():
            await self._browser_went()
            raise self._of_tab(what, tab)
        raise self._late(what)

    async def _browser_went(self) -> bool:
        """Whether the browser is gone, or just going: it takes its tabs away first."""
        await asyncio.wait({self.browser_gone}, timeout=NOTICING_S)
        return self.browser_gone.done()

    def _late(self, what: Work) -> BrowserOperationError:
        message = f"{what.operation} was not done within {what.timeout_ms} ms."
        return failure(what.operation, what.phase, "timeout", message, what.mutation_state)

    async def _failed(self, what: Work, tab: OpenTab, error: Exception) -> BrowserOperationError:
        if is_closing(error) or "crash" in str(error):
            ends: set[asyncio.Future[Any]] = {tab.gone, self.browser_gone}
            await asyncio.wait(ends, timeout=NOTICING_S, return_when=asyncio.FIRST_COMPLETED)
            if tab.gone.done() or self.browser_gone.done():
                await self._browser_went()
                return self._of_tab(what, tab)
        message = f"{what.operation} failed: {self._telling.reason(error).rstrip('.')}."
        return failure(what.operation, what.phase, what.otherwise, message, what.mutation_state)

    def _of_tab(self, what: Work, tab: OpenTab) -> BrowserOperationError:
        if self.browser_gone.done():
            said = self._sentence_of_browser()
            return failure(what.operation, what.phase, "browser_gone", said, what.mutation_state)
        if tab.gone.result() == "crashed":
            said = "The page crashed."
            advice = "Close this tab, or the session."
            return failure(
                what.operation, what.phase, "browser_gone", said, what.mutation_state, recovery=advice
            )
        return failure(
            what.operation, what.phase, "unknown_tab", "The tab has been closed.", what.mutation_state
        )

    def _sentence_of_browser(self) -> str:
        why = self.browser_gone.result()
        return f"{why[:1].upper()}{why[1:]}."


async def soon(work: Awaitable[T], timeout_ms: int, otherwise: T) -> T:
    """The result of ``work``; ``otherwise`` when it fails, or is not done in time."""
    with suppress(Error, ReadError, TimeoutError):
        async with asyncio.timeout(timeout_ms / 1000):
            return await work
    return otherwise
