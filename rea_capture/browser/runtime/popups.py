"""Waiting for a popup.

Below: ``room``, ``patience``. Above: ``live``.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from playwright.async_api import Error

from rea_capture.browser.runtime.describing import reachable
from rea_capture.browser.runtime.faults import failure
from rea_capture.browser.runtime.gate import Call
from rea_capture.browser.runtime.patience import Patience
from rea_capture.browser.runtime.room import Room
from rea_capture.browser.runtime.tab import OpenTab
from rea_capture.contracts.runtime.errors import BrowserOperationError
from rea_capture.contracts.runtime.policy import OriginPolicy

POLL_S: Final = 0.02
"""How often it is looked whether a popup came, was refused, or came to where it may be looked at."""

LOADED_TIMEOUT_MS: Final = 1_000
"""A popup is given with its document where that comes soon."""


async def popups_of_call(room: Room, call: Call, tab: OpenTab, patience: Patience) -> tuple[str, ...]:
    """The handles of popups that came of ``call`` on ``tab``, with their documents if those come soon."""
    await room.gate.flush()
    patience = patience.at_most(LOADED_TIMEOUT_MS)
    while True:
        came = room.gate.came_of(call) - {tab.target_id}
        popups = [popup for popup in room.tabs.open() if popup.target_id in came]
        if len(popups) == len(came) or patience.is_over:
            return tuple(popup.tab_id for popup in popups)
        await asyncio.sleep(POLL_S)


async def awaited_popup(room: Room, opener: OpenTab, policy: OriginPolicy, patience: Patience) -> OpenTab:
    """The oldest popup of ``opener`` that was not given yet; whoever has given it marks it so.

    Raises ``no_popup`` when time is up, ``origin_refused`` when one was not let go where it wanted to.
    """
    while True:
        if popup := _next(room, opener, policy):
            with suppress(Error):
                await popup.page.wait_for_load_state(
                    "domcontentloaded", timeout=patience.left_ms(most=LOADED_TIMEOUT_MS)
                )
            if not popup.gone.done() and reachable(policy, popup):
                return popup
        if origin := room.gate.refused_popup_of(opener.target_id):
            message = (
                f"A popup was to show {room.telling.sentence(origin)}, which is not allowed; it was closed."
            )
            raise failure("waitPopup", "policy", "origin_refused", message)
        room.guard.check_tab("waitPopup", opener)
        if patience.is_over:
            raise _none(room, opener, policy, patience)
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


def _none(room: Room, opener: OpenTab, policy: OriginPolicy, patience: Patience) -> BrowserOperationError:
    others = sum(not reachable(policy, popup) for popup in room.tabs.popups_of(opener.tab_id))
    busy = len(unlisted(room))
    message = f"No popup that was not given before came within {patience.whole_ms} ms"
    message += f"; {others} are where this call may not look" if others else ""
    message += f"; {busy} came up and are too busy to answer" if busy else ""
    advice = "Wait for it again: it is given as soon as it answers." if busy else None
    return failure("waitPopup", "execute", "no_popup", f"{message}.", recovery=advice)


def unlisted(room: Room) -> set[str]:
    """What came up and is no tab yet, for it is too busy to answer: by the browser's ids."""
    return room.gate.ours() - {tab.target_id for tab in room.tabs.open()}
