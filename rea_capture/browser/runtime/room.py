"""What a session consists of, and its end.

Below: every part of it. Above: ``live``, ``opening``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from rea_capture.browser.dialogs import DialogDismisser
from rea_capture.browser.launch import BrowserIdentity
from rea_capture.browser.runtime.diagnostics import DiagnosticsLog
from rea_capture.browser.runtime.gate import Gate
from rea_capture.browser.runtime.guard import Guard
from rea_capture.browser.runtime.tabs import Tabs
from rea_capture.browser.runtime.telling import Telling
from rea_capture.contracts.runtime.settings import SessionSettings


@dataclass(slots=True)
class Room:
    """A browser, its tabs, and who watches over them. ``ending`` takes the browser down, or lets go of it."""

    settings: SessionSettings
    identity: BrowserIdentity
    telling: Telling
    guard: Guard
    gate: Gate
    tabs: Tabs
    diagnostics: DiagnosticsLog
    dialogs: DialogDismisser
    ending: Callable[[], Awaitable[list[str]]]
    watches: list[asyncio.Future[None]] = field(default_factory=list)

    async def close(self) -> list[str]:
        """End it all; sentences for what went wrong. Bounded by what ``ending`` is bounded by."""
        self.guard.lose("the session has been closed")
        for watch in self.watches:
            watch.cancel()
        self.diagnostics.detach()
        self.dialogs.detach()
        try:
            return await self.ending()
        finally:
            self.gate.cancel()
            self.tabs.cancel()
