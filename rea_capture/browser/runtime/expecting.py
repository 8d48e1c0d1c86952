"""Looking at a page until it is as expected, or for as long as that may take.

Below: ``reading``, ``guard``, ``patience``. Above: ``live``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from rea_capture.browser.runtime.describing import reachable
from rea_capture.browser.runtime.faults import failure
from rea_capture.browser.runtime.guard import Guard, Work
from rea_capture.browser.runtime.patience import LAST_LOOK_MS, Patience
from rea_capture.browser.runtime.reading import Look, holds, instead, look, sought_by
from rea_capture.browser.runtime.tab import OpenTab
from rea_capture.browser.runtime.telling import Telling
from rea_capture.contracts.runtime.errors import BrowserErrorCode, BrowserOperationError, MutationState, Phase
from rea_capture.contracts.runtime.operations import Assertion
from rea_capture.contracts.runtime.policy import OriginPolicy

POLL_MS: Final = 25
MAX_POLL_MS: Final = 200
"""Between two looks at a page that has not come that far; each pause is twice the last."""

MAX_SHOWN_CHARACTERS: Final = 4_096
"""What is brought of a page's text where only a little of it may be shown."""


class Expecting:
    """Looks of one session at its tabs. Raises :class:`BrowserOperationError` as each method says."""

    def __init__(self, guard: Guard, telling: Telling) -> None:
        self._guard = guard
        self._telling = telling

    async def loaded(self, tab: OpenTab, policy: OriginPolicy, patience: Patience, *, waits: bool) -> Look:
        """All that is visible, once the document is loaded or time is up; at once unless it ``waits``."""
        what = Work("read", "execute", patience.whole_ms, otherwise="timeout")
        return await self._until(tab, policy, what, lambda seen: seen.is_ready, patience, waits=waits)

    async def asserted(
        self, tab: OpenTab, policy: OriginPolicy, assertion: Assertion, patience: Patience, *, waits: bool
    ) -> Look:
        """What made ``assertion`` hold. Raises ``assertion_failed`` with what was there instead."""
        what = Work("assert", "execute", patience.whole_ms, otherwise="timeout")
        return await self._held(tab, policy, what, assertion, patience, "assertion_failed", waits=waits)

    async def came_of(
        self, tab: OpenTab, policy: OriginPolicy, postcondition: Assertion, patience: Patience
    ) -> Look:
        """What made the postcondition of an action hold. Raises ``postcondition_failed`` likewise."""
        what = Work("act", "verify", patience.whole_ms, "unknown", "timeout")
        return await self._held(
            tab, policy, what, postcondition, patience, "postcondition_failed", waits=True
        )

    async def _held(
        self,
        tab: OpenTab,
        policy: OriginPolicy,
        what: Work,
        assertion: Assertion,
        patience: Patience,
        code: BrowserErrorCode,
        *,
        waits: bool,
    ) -> Look:
        seen = await self._until(
            tab, policy, what, lambda seen: holds(assertion, seen), patience, assertion, waits=waits
        )
        if holds(assertion, seen):
            return seen
        phase: Phase = "verify"
        message = instead(assertion, seen, self._telling)
        raise failure(what.operation, phase, code, message, what.mutation_state)

    async def _until(
        self,
        tab: OpenTab,
        policy: OriginPolicy,
        what: Work,
        enough: Callable[[Look], bool],
        patience: Patience,
        assertion: Assertion | None = None,
        *,
        waits: bool,
    ) -> Look:
        """The first look that was ``enough``, or the last one: begun when time is up, or at once."""
        pause_ms = POLL_MS
        while True:
            is_last = patience.is_over or not waits
            try:
                seen = await self._look(tab, policy, what, patience, assertion)
                if is_last or enough(seen):
                    return seen
            except BrowserOperationError as error:
                if is_last or patience.is_over or error.details.code != "timeout":
                    raise
            await asyncio.sleep(patience.left_ms(most=pause_ms) / 1000)
            pause_ms = min(2 * pause_ms, MAX_POLL_MS)

    async def _look(
        self,
        tab: OpenTab,
        policy: OriginPolicy,
        what: Work,
        patience: Patience,
        assertion: Assertion | None,
    ) -> Look:
        require_reach(what.operation, policy, tab, self._telling, what.mutation_state)
        looking = (
            look(tab)
            if assertion is None
            else look(tab, sought=sought_by(assertion), most=MAX_SHOWN_CHARACTERS)
        )
        seen = await self._guard.run(tab, looking, what, left_ms=patience.left_ms(least=LAST_LOOK_MS))
        require_reach(what.operation, policy, tab, self._telling, what.mutation_state)
        return seen


def require_reach(
    operation: str,
    policy: OriginPolicy,
    tab: OpenTab,
    telling: Telling,
    mutation_state: MutationState = "not_attempted",
) -> None:
    """Raise ``origin_refused`` when a call of ``policy`` may not look at where ``tab`` is."""
    if reachable(policy, tab):
        return
    origin = telling.origin(tab.url) or "an address without an origin"
    message = f"The tab is at {telling.sentence(origin)}, which this call may not look at."
    raise failure(operation, "policy", "origin_refused", message, mutation_state)
