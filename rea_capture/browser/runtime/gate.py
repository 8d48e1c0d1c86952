"""Where a session's pages may go, decided for each document before it is asked for.

The browser itself holds every request for a document, whoever makes it: a first one and each hop of its
redirects, of a tab, of a popup before anybody else has seen that, of a frame. One that may not be sent is
aborted, so the page stays where it was. Only what is asked of the network is held: a blank document, or one
that the page itself wrote, has nobody to tell anything to.

    1. A tab's own documents are held to the policy of the call that is under way, where that is about this
       tab or about one that came of it meanwhile; else to the session's.
    2. Frames within a page are held to the session's.
    3. A redirect is held to what its first request was held to, however late it comes.
    4. A popup that was refused its first document is closed: it has none, and never will.

What a page fetches in advance is no such request and is held by nothing: ``launching`` turns it off, in
somebody else's browser it is told. Neither is what scripts fetch.

While a session may go everywhere and no call was narrowed, nothing is held at all.

Below: playwright, ``frames`` where the browser is not ours. Above: ``live``.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final

from playwright.async_api import CDPSession, Error

from rea_capture.browser.deadline import within
from rea_capture.browser.runtime.faults import failure
from rea_capture.contracts.runtime.policy import OriginPolicy, allows
from rea_capture.contracts.urls import origin_of

MAX_NAVIGATIONS_REMEMBERED: Final = 256
"""Navigations whose redirects are still to come; older ones are held to the session's policy."""

MAX_REFUSALS_REMEMBERED: Final = 64
"""Of one call, and of popups that nobody has asked for. The first ones say enough."""

HOLD_TIMEOUT_MS: Final = 3_000
FLUSH_TIMEOUT_S: Final = 1.0
"""A browser answers what needs no page at once."""

OwnerOfFrame = Callable[[str], Awaitable[bool]]
"""Whether the frame of this id, which is no tab, is in a tab of the session."""

_DOCUMENTS: Final = {"urlPattern": "*", "resourceType": "Document", "requestStage": "Request"}
_LOCAL_SCHEMES: Final = ("about:", "data:", "blob:", "chrome-error:")
"""What asks nobody. The browser lets no page go to the others (``file:``, ``chrome:``)."""


@dataclass(slots=True)
class Refusal:
    """A document that was not asked for."""

    origin: str
    """Null is written as what it is: an address without an origin that anybody could allow."""
    target_id: str | None
    """The tab, or None for a frame in one."""
    opener_id: str | None
    was_told: bool = False
    """Whether the call that it came of has failed with it."""


@dataclass(slots=True)
class Call:
    """A call that is under way, and what was refused because of it or while it ran."""

    policy: OriginPolicy
    targets: set[str]
    refusals: list[Refusal] = field(default_factory=list)

    def refused(self) -> Refusal | None:
        """The first document of a tab of this call, or of a popup of it, that was refused."""
        return next((each for each in self.refusals if each.target_id in self.targets), None)


@dataclass(slots=True)
class _Target:
    url: str
    opener_id: str | None


async def everything_is_ours(frame_id: str) -> bool:
    """The owner of frames in a browser of our own."""
    return True


class Gate:
    """The gate of one session, by a protocol session on its browser; :meth:`start` comes first."""

    def __init__(
        self,
        browser: CDPSession,
        base: OriginPolicy,
        owns_frame: OwnerOfFrame,
        tell: Callable[[str], None],
    ) -> None:
        """``tell`` gets a sentence about each document that was refused."""
        self.base = base
        self._tell = tell
        self._browser = browser
        self._owns_frame = owns_frame
        self._roots: set[str] | None = None
        self._targets: dict[str, _Target] = {}
        self._begun: OrderedDict[str, OriginPolicy] = OrderedDict()
        self._call: Call | None = None
        self.holds = False
        """Whether documents are held at all."""
        self._deciding: set[asyncio.Task[None]] = set()
        self._popups_refused: list[Refusal] = []

    async def start(self) -> None:
        """Learn of all tabs; hold documents if the session is restricted. Raises the driver's ``Error``."""
        self._browser.on("Target.targetCreated", self._seen)
        self._browser.on("Target.targetInfoChanged", self._seen)
        self._browser.on("Target.targetDestroyed", self._gone)
        self._browser.on("Fetch.requestPaused", self._paused)
        pages = {"discover": True, "filter": [{"type": "page"}]}
        await self._browser.send("Target.setDiscoverTargets", pages)
        if self.base != "*":
            await self._hold()

    def only(self, target_id: str) -> None:
        """Of somebody else's browser, only this tab and what comes of it is the session's."""
        self._roots = {*(self._roots or ()), target_id}

    async def cancel_download(self, guid: str) -> None:
        """Keep the browser from writing a file that a page of the session offers."""
        with suppress(Error):
            await self._browser.send("Browser.cancelDownload", {"guid": guid})

    async def flush(self) -> None:
        """Return when what the browser had to say before is known, and decided."""
        with suppress(Error, TimeoutError):
            async with asyncio.timeout(FLUSH_TIMEOUT_S):
                await self._browser.send("Target.getTargetInfo")
                if self._deciding:
                    await asyncio.wait(set(self._deciding))

    async def close_tab(self, target_id: str) -> None:
        """Close a tab, even one that crashed or hangs. Raises the driver's ``Error``."""
        await self._browser.send("Target.closeTarget", {"targetId": target_id})

    def ours(self) -> set[str]:
        """The tabs of the session that are there, those that have told nobody yet what they are too."""
        return {target_id for target_id in self._targets if self._is_ours(target_id)}

    def came_of(self, call: Call) -> set[str]:
        """The tabs that are still there of those that ``call`` is about, and that came of them meanwhile."""
        return call.targets & self._targets.keys()

    def refused_popup_of(self, target_id: str) -> str | None:
        """The origin that a popup of this tab was kept from, each told once."""
        for at, refusal in enumerate(self._popups_refused):
            if refusal.opener_id == target_id and not refusal.was_told:
                return self._popups_refused.pop(at).origin
        return None

    @asynccontextmanager
    async def call(self, operation: str, policy: OriginPolicy, target_id: str) -> AsyncIterator[Call]:
        """Hold ``target_id``, and what comes of it meanwhile, to ``policy`` while the block runs.

        Raises :class:`BrowserOperationError` when the browser does not hold anything.
        """
        if policy != "*" and not self.holds:
            try:
                await within(HOLD_TIMEOUT_MS, self._hold(), "the browser")
            except (Error, TimeoutError):
                message = "The browser is gone, or does not answer; nothing was tried."
                raise failure(operation, "policy", "browser_gone", message) from None
        self._call = call = Call(policy, {target_id})
        try:
            yield call
        finally:
            self._call = None

    def cancel(self) -> None:
        """Decide nothing any more. The browser lets go of what it holds when the connection ends."""
        for deciding in self._deciding:
            deciding.cancel()

    async def _hold(self) -> None:
        await self._browser.send("Fetch.enable", {"patterns": [_DOCUMENTS]})
        self.holds = True

    def _seen(self, event: dict[str, Any]) -> None:
        with suppress(Exception):  # nothing may leave a listener of the driver
            info = event["targetInfo"]
            opener = info.get("openerId")
            self._targets[info["targetId"]] = _Target(info["url"], opener)
            if self._call is not None and opener in self._call.targets:
                self._call.targets.add(info["targetId"])

    def _gone(self, event: dict[str, Any]) -> None:
        with suppress(Exception):  # as above
            self._targets.pop(event["targetId"], None)

    def _paused(self, event: dict[str, Any]) -> None:
        deciding = asyncio.ensure_future(self._decide(event))
        self._deciding.add(deciding)
        deciding.add_done_callback(self._deciding.discard)

    async def _decide(self, paused: dict[str, Any]) -> None:
        request = {"requestId": paused["requestId"]}
        with suppress(Error):  # the navigation was given up meanwhile, or the browser is gone
            try:
                refused = await self._refused(paused)
            except Exception:
                await self._browser.send("Fetch.failRequest", {**request, "errorReason": "Aborted"})
                raise
            if refused:
                await self._browser.send("Fetch.failRequest", {**request, "errorReason": "Aborted"})
                await self._close_empty(paused["frameId"])
            else:
                await self._browser.send("Fetch.continueRequest", request)

    async def _refused(self, paused: dict[str, Any]) -> bool:
        url, frame_id = str(paused["request"]["url"]), str(paused["frameId"])
        if url.startswith(_LOCAL_SCHEMES):
            return False
        is_tab = frame_id in self._targets
        policy = self._policy_of(paused, frame_id, is_tab)
        if allows(policy, url):
            return False
        if not (self._is_ours(frame_id) if is_tab else await self._owns_frame(frame_id)):
            return False
        self._note(url, frame_id if is_tab else None)
        return True

    def _policy_of(self, paused: dict[str, Any], frame_id: str, is_tab: bool) -> OriginPolicy:
        begun = str(paused.get("networkId") or paused["requestId"])
        if paused.get("redirectedRequestId") and begun in self._begun:
            return self._begun[begun]
        call = self._call
        policy = call.policy if is_tab and call is not None and frame_id in call.targets else self.base
        self._begun[begun] = policy
        while len(self._begun) > MAX_NAVIGATIONS_REMEMBERED:
            self._begun.popitem(last=False)
        return policy

    def _is_ours(self, target_id: str) -> bool:
        """Whether a tab is the session's, or was opened by one that is."""
        if self._roots is None:
            return True
        seen: set[str] = set()
        at: str | None = target_id
        while at is not None and at not in seen:
            if at in self._roots:
                return True
            seen.add(at)
            at = self._targets[at].opener_id if at in self._targets else None
        return False

    def _note(self, url: str, target_id: str | None) -> None:
        origin = origin_of(url) or "an address without an origin"
        opener = self._targets[target_id].opener_id if target_id is not None else None
        refusal = Refusal(origin, target_id, opener)
        where = "A frame" if target_id is None else "A tab"
        self._tell(f"{where} was to show {origin}, which is not allowed; nothing was sent there.")
        if self._call is not None and len(self._call.refusals) < MAX_REFUSALS_REMEMBERED:
            self._call.refusals.append(refusal)
        if self._is_empty(target_id) and len(self._popups_refused) < MAX_REFUSALS_REMEMBERED:
            self._popups_refused.append(refusal)

    def _is_empty(self, target_id: str | None) -> bool:
        """Whether a tab has no document yet, not even a blank one."""
        return target_id in self._targets and self._targets[target_id].url == ""

    async def _close_empty(self, target_id: str) -> None:
        if self._is_empty(target_id):
            await self._browser.send("Target.closeTarget", {"targetId": target_id})
