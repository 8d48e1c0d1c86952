"""Seeds the storage of one page and of every window it opens, for as long as it is installed.

Above: the driver. Below: `target`, `hold`, `writer`, `channel`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from playwright.async_api import BrowserContext, Page
from playwright.async_api import Error as PlaywrightError

from rea_capture.browser.seeding.channel import BROWSER, Channel, ChannelError, CommandRefusedError
from rea_capture.browser.seeding.errands import Errands, Reporter
from rea_capture.browser.seeding.hold import DocumentHold
from rea_capture.browser.seeding.pauses import Pauses
from rea_capture.browser.seeding.script import PrivateScript
from rea_capture.browser.seeding.seeds import StorageSeeds
from rea_capture.browser.seeding.target import Instrument, InstrumentedTarget
from rea_capture.browser.seeding.writer import SeedWriter


class StorageSeeder:
    """Made by `install`; `uninstall` ends it. Problems are reported, never raised."""

    def __init__(self, instrument: Instrument | None, root_id: str) -> None:
        self._shared = instrument
        self._windows = {root_id}
        self._hold = DocumentHold(instrument.channel, instrument.errands) if instrument else None

    @classmethod
    async def install(
        cls,
        context: BrowserContext,
        page: Page,
        seeds: StorageSeeds,
        *,
        command_timeout_ms: int,
        report: Callable[[str], None],
    ) -> StorageSeeder:
        """Instrument the page, which must not have navigated yet, and the windows it will open.

        ``command_timeout_ms`` bounds each CDP command. ``report`` gets a sentence for each problem;
        none holds a seeded name or value. When the browser cannot be instrumented at all that is
        reported too, and the returned seeder does nothing.
        """
        reporter = Reporter(report)
        seeder = cls(None, "")
        try:
            root_id = await _target_id(context, page)
            channel = await _open_channel(context, command_timeout_ms)
            script = PrivateScript(f"seed-{secrets.token_hex(16)}", seeds.origins)
            shared = Instrument(channel, script, SeedWriter(seeds, reporter), Errands(reporter), Pauses())
            seeder = cls(shared, root_id)
            await seeder._start(shared)
        except ChannelError as fault:
            reporter(f"Storage seeds could not be installed: {fault}.")
        except PlaywrightError:
            reporter("Storage seeds could not be installed: the browser gave no session for them.")
        return seeder

    async def uninstall(self) -> None:
        """Stop seeding and remove every trace from the browser; safe to repeat, and after its end."""
        if self._shared is not None:
            await self._shared.errands.close()
            await self._shared.channel.close()

    async def _start(self, shared: Instrument) -> None:
        assert self._hold is not None
        shared.channel.listen(BROWSER, self._on_event)
        await self._hold.install(shared.script.origins)
        # Existing pages are announced before the answer, so the root's preparation has begun then.
        await shared.channel.send(
            "Target.setAutoAttach",
            {
                "autoAttach": True,
                "waitForDebuggerOnStart": True,
                "flatten": True,
                "filter": [{"type": "page"}],
            },
        )
        await self._hold.prepared()

    def _on_event(self, method: str, params: dict[str, Any]) -> None:
        if method == "Target.attachedToTarget":
            self._attached(params)
        elif method == "Fetch.requestPaused" and self._hold is not None:
            self._hold.paused(params)

    def _attached(self, params: dict[str, Any]) -> None:
        """Instrument the root and what descends from it; let the other windows of the browser be."""
        assert self._shared is not None
        assert self._hold is not None
        info = params["targetInfo"]
        page_id = info["targetId"]
        if page_id in self._windows or info.get("openerId") in self._windows:
            self._windows.add(page_id)
            target = InstrumentedTarget(self._shared, params, page_id)
            failure = "A page could not be prepared for storage seeds"
            self._hold.until(self._shared.errands.run(target.install(), failure))
        else:
            self._shared.errands.run(
                self._let_be(params["sessionId"]), "A page unrelated to the capture could not be released"
            )

    async def _let_be(self, session_id: str) -> None:
        assert self._shared is not None
        await self._shared.channel.send("Runtime.runIfWaitingForDebugger", session_id=session_id)
        await self._shared.channel.send("Target.detachFromTarget", {"sessionId": session_id})


async def _open_channel(context: BrowserContext, command_timeout_ms: int) -> Channel:
    if context.browser is None:
        raise CommandRefusedError("the context has no browser to open a session to")
    return await Channel.open(await context.browser.new_browser_cdp_session(), command_timeout_ms)


async def _target_id(context: BrowserContext, page: Page) -> str:
    session = await context.new_cdp_session(page)
    try:
        answer = await session.send("Target.getTargetInfo")
        return str(answer["targetInfo"]["targetId"])
    finally:
        await session.detach()
