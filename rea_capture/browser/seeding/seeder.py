"""Seeds the storage of one page and of every window it opens, for as long as it is installed.

Below: `target`, `hold`, `writer`, `browser.channel`. Above: the sessions.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from playwright.async_api import BrowserContext, Page
from playwright.async_api import Error as PlaywrightError

from rea_capture.browser.channel import BROWSER, Channel, ChannelError, CommandRefusedError
from rea_capture.browser.seeding.errands import Errands, Reporter
from rea_capture.browser.seeding.hold import Arrivals, DocumentHold
from rea_capture.browser.seeding.pauses import Pauses
from rea_capture.browser.seeding.script import PrivateScript
from rea_capture.browser.seeding.seeds import StorageSeeds
from rea_capture.browser.seeding.target import Instrument, InstrumentedTarget
from rea_capture.browser.seeding.writer import SeedWriter


class WindowScope:
    """Which windows belong to the capture: the root, what descends from it, or a whole context."""

    def __init__(self, root_id: str, context_id: str | None) -> None:
        self._context_id = context_id
        self._windows = {root_id}

    def admits(self, info: dict[str, Any]) -> bool:
        """Decide by a window's ``TargetInfo``; one that is admitted may admit the windows it opens."""
        window_id, opener_id = info["targetId"], info.get("openerId")
        own = self._context_id is not None and info.get("browserContextId") == self._context_id
        if not (own or window_id in self._windows or opener_id in self._windows):
            return False
        self._windows.add(window_id)
        return True


class StorageSeeder:
    """Made by `install`; `uninstall` ends it. Problems are reported, never raised."""

    def __init__(self, instrument: Instrument | None, scope: WindowScope) -> None:
        self.failure = ""
        """Why nothing is seeded, or the empty string."""
        self._shared = instrument
        self._scope = scope
        self._hold = (
            DocumentHold(instrument.channel, instrument.errands, instrument.arrivals, self._holds)
            if instrument
            else None
        )

    @classmethod
    async def install(
        cls,
        context: BrowserContext,
        page: Page,
        seeds: StorageSeeds,
        *,
        command_timeout_ms: int,
        report: Callable[[str], None],
        own_browser: bool = True,
    ) -> StorageSeeder:
        """Instrument the page, which must not have navigated yet, and the windows it will open.

        ``own_browser`` says that nobody else uses the context, so that every window in it belongs to
        the capture, also one the browser links to no opener (a click with the control key). In a
        browser shared with its user, only the page and what it opens are touched: documents of other
        tabs are never held, and none is stopped from loading.

        ``command_timeout_ms`` bounds each CDP command. ``report`` gets a sentence for each problem;
        none holds a seeded name or value. When the browser cannot be instrumented at all that is
        reported too, and the returned seeder does nothing.
        """
        reporter = Reporter(report)
        seeder = cls(None, WindowScope("", None))
        failure = ""
        try:
            root = await _target_info(context, page)
            channel = await _open_channel(context, command_timeout_ms)
            channel.report = reporter
            script = PrivateScript(f"seed-{secrets.token_hex(16)}", seeds.origins, own_browser)
            writer = SeedWriter(seeds, reporter)
            shared = Instrument(
                channel,
                script,
                writer,
                Errands(reporter),
                Pauses(),
                Arrivals(writer.wants, reporter),
            )
            scope = WindowScope(root["targetId"], root.get("browserContextId") if own_browser else None)
            seeder = cls(shared, scope)
            await seeder._start(shared)
        except ChannelError as fault:
            failure = f"Storage seeds could not be installed: {fault}."
        except PlaywrightError:
            failure = "Storage seeds could not be installed: the browser gave no session for them."
        if failure:
            seeder.failure = failure
            reporter(failure)
        return seeder

    async def settle(self) -> None:
        """Wait a bounded time for documents that are on their way, and report those that were not seen."""
        if self._shared is not None:
            await self._shared.arrivals.settle()

    async def uninstall(self) -> None:
        """Stop seeding and remove every trace from the browser; safe to repeat, and after its end."""
        if self._shared is not None:
            await self._shared.errands.close()
            await self._shared.channel.close()

    async def _start(self, shared: Instrument) -> None:
        assert self._hold is not None
        shared.channel.listen(BROWSER, self._on_event)
        await self._hold.install()
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

    def _holds(self, frame_id: str) -> bool:
        """Whether a document of this frame may be held back: in a shared browser, only one of ours."""
        assert self._shared is not None
        return self._shared.script.own_browser or frame_id in self._shared.frames

    def _on_event(self, method: str, params: dict[str, Any]) -> None:
        if method == "Target.attachedToTarget":
            self._attached(params)
        elif method == "Fetch.requestPaused" and self._hold is not None:
            self._hold.paused(params)

    def _attached(self, params: dict[str, Any]) -> None:
        """Instrument the windows of the capture; let the other windows of the browser be."""
        assert self._shared is not None
        assert self._hold is not None
        info = params["targetInfo"]
        if self._scope.admits(info):
            target = InstrumentedTarget(self._shared, params, info["targetId"])
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


async def _target_info(context: BrowserContext, page: Page) -> dict[str, Any]:
    session = await context.new_cdp_session(page)
    try:
        info: dict[str, Any] = (await session.send("Target.getTargetInfo"))["targetInfo"]
        return info
    finally:
        await session.detach()
