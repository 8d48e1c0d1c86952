"""Waiting for a popup.

Below: ``room``. Above: ``live``.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from playwright.async_api import Error

from rea_capture.browser.runtime.describing import reachable
from rea_capture.browser.runtime.faults import failure
from rea_capture.browser.runtime.gate import Call
from rea_capture.browser.runtime.room import Room
from rea_capture.browser.runtime.tab import OpenTab
from rea_capture.contracts.runtime.budgets import POPUP_WAIT
from rea_capture.contracts.runtime.policy import OriginPolicy

POLL_S: Final = 0.02
"""How often it is looked whether a popup came, was refused, or came to where it may be looked at."""

LOADED_TIMEOUT_MS: Final = 1_000
"""A popup is given with its document where that comes soon."""


async def popups_of_call(room: Room, call: Call, tab: OpenTab) -> tuple[str, ...]:
    """The handles of popups that came of ``call`` on ``tab``, with their documents if those come soon."""
    await room.gate.flush()
    now = asyncio.get_running_loop().time
    deadline = now() + LOADED_TIMEOUT_MS / 1000
    while True:
        came = room.gate.came_of(call) - {tab.target_id}
        popups = [popup for popup in room.tabs.open() if popup.target_id in came]
        if len(popups) == len(came) or now() >= deadline:
            return tuple(popup.tab_id for popup in popups)
        await asyncio.sleep(POLL_S)


async def awaited_popup(room: Room, opener: OpenTab, policy: OriginPolicy) -> OpenTab:
    """The oldest popup of ``opener`` that was not given yet.

    Raises ``no_popup`` after ``POPUP_WAIT``, ``origin_refused`` when one was not let go where it wanted to.
    """
    now = asyncio.get_running_loop().time
    deadline = now() + POPUP_WAIT.default_ms / 1000
    while True:
        if popup := _next(room, opener, policy):
            with suppress(Error):
                await popup.page.wait_for_load_state("domcontentloaded", timeout=LOADED_TIMEOUT_MS)
            if not popup.gone.done() and reachable(policy, popup):
                popup.was_given = True
                return popup
        if origin := room.gate.refused_popup_of(opener.target_id):
            message = (
                f"A popup was to show {room.telling.sentence(origin)}, which is not allowed; it was closed."
            )
            raise failure("waitPopup", "policy", "origin_refused", message)
        room.guard.check_tab("waitPopup", opener)
        if now() >= deadline:
            raise failure("waitPopup", "execute", "no_popup", _none(room, opener, policy))
        await asyncio.sleep(POLL_S)


def _next(room: Room, opener: OpenTab, policy: OriginPolicy) -> OpenTab | None:
    return next(
        (
            popup
            for popup in room.tabs.popups_of(opener.tab_id)
            if not popup.was_given and not popup.gone.done() and reachable(policy, popup)
        ),
        None,
    )


def _none(room: Room, opener: OpenTab, policy: OriginPolicy) -> str:
    others = sum(not reachable(policy, popup) for popup in room.tabs.popups_of(opener.tab_id))
    message = f"No popup that was not given before came within {POPUP_WAIT.default_ms} ms"
    return f"{message}; {others} are where this call may not look." if others else f"{message}."
