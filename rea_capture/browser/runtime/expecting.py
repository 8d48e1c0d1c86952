"""Looking at a page until it is as expected, or for as long as that may take.

Below: ``reading``, ``guard``. Above: ``live``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from rea_capture.browser.runtime.describing import reachable
from rea_capture.browser.runtime.faults import failure
from rea_capture.browser.runtime.guard import Guard, Work
from rea_capture.browser.runtime.reading import Look, holds, instead, look, sought_by
from rea_capture.browser.runtime.tab import OpenTab
from rea_capture.browser.runtime.telling import Telling
from rea_capture.contracts.runtime.budgets import READ_WAIT
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

    async def loaded(self, tab: OpenTab, policy: OriginPolicy, *, waits: bool) -> Look:
        """All that is visible, once the document is loaded or time is up; at once unless it ``waits``."""
        what = Work("read", "execute", READ_WAIT.default_ms, otherwise="timeout")
        seen, _ = await self._until(
            tab, policy, what, lambda seen: seen.is_ready, READ_WAIT.default_ms if waits else 0
        )
        return seen

    async def asserted(
        self, tab: OpenTab, policy: OriginPolicy, assertion: Assertion, *, waits: bool
    ) -> Look:
        """What made ``assertion`` hold. Raises ``assertion_failed`` with what was there instead."""
        what = Work("assert", "execute", READ_WAIT.default_ms, otherwise="timeout")
        timeout_ms = READ_WAIT.default_ms if waits else 0
        return await self._held(tab, policy, what, assertion, timeout_ms, "assertion_failed")

    async def came_of(
        self, tab: OpenTab, policy: OriginPolicy, postcondition: Assertion, timeout_ms: int
    ) -> Look:
        """What made the postcondition of an action hold. Raises ``postcondition_failed`` likewise."""
        what = Work("act", "verify", timeout_ms, "unknown", "timeout")
        return await self._held(tab, policy, what, postcondition, timeout_ms, "postcondition_failed")

    async def _held(
        self,
        tab: OpenTab,
        policy: OriginPolicy,
        what: Work,
        assertion: Assertion,
        timeout_ms: int,
        code: BrowserErrorCode,
    ) -> Look:
        seen, held = await self._until(
            tab, policy, what, lambda seen: holds(assertion, seen), timeout_ms, assertion
        )
        if held:
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
        timeout_ms: int,
        assertion: Assertion | None = None,
    ) -> tuple[Look, bool]:
        """The last look, and whether it was ``enough``; one look more once ``timeout_ms`` are over."""
        now = asyncio.get_running_loop().time
        deadline, pause_ms = now() + timeout_ms / 1000, POLL_MS
        while True:
            is_last = now() >= deadline
            try:
                seen = await self._look(tab, policy, what, assertion)
                if is_last or enough(seen):
                    return seen, enough(seen)
            except BrowserOperationError as error:
                if is_last or error.details.code != "timeout":
                    raise
            await asyncio.sleep(min(pause_ms / 1000, max(0.0, deadline - now())))
            pause_ms = min(2 * pause_ms, MAX_POLL_MS)

    async def _look(
        self, tab: OpenTab, policy: OriginPolicy, what: Work, assertion: Assertion | None
    ) -> Look:
        require_reach(what.operation, policy, tab, self._telling, what.mutation_state)
        looking = (
            look(tab)
            if assertion is None
            else look(tab, sought=sought_by(assertion), most=MAX_SHOWN_CHARACTERS)
        )
        seen = await self._guard.run(tab, looking, what)
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
