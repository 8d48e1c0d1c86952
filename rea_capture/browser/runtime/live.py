"""A browser session that is open: what ``session.worker.live.Live`` asks for.

    1. Find the tab, and see that the call may look at it.
    2. Do what is asked for, within its bound and for as long as there is a tab and a browser.
    3. What was seen counts only if the tab is still where the call may look.

Below: every file of this package. Above: ``opening``, and through it the worker.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeVar

from playwright.async_api import Error

from rea_capture.browser.runtime.describing import described, frame_reachable, matched, reachable
from rea_capture.browser.runtime.elements import Observation
from rea_capture.browser.runtime.expecting import Expecting, require_reach
from rea_capture.browser.runtime.faults import failure, with_remarks
from rea_capture.browser.runtime.guard import Work, soon
from rea_capture.browser.runtime.keeping import kept_evidence
from rea_capture.browser.runtime.navigation import Navigator, refuse_if_refused
from rea_capture.browser.runtime.patience import Patience
from rea_capture.browser.runtime.popups import awaited_popup, popups_of_call, unlisted
from rea_capture.browser.runtime.reading import left_out, shown_text, title_of
from rea_capture.browser.runtime.room import Room
from rea_capture.browser.runtime.tab import OpenTab
from rea_capture.capture.finishing import finished
from rea_capture.contracts.runtime.budgets import (
    NAVIGATION,
    POPUP_WAIT,
    READ_WAIT,
    REQUEST,
    TEARDOWN_MS,
    VERIFICATION,
)
from rea_capture.contracts.runtime.errors import BrowserOperationError
from rea_capture.contracts.runtime.operations import (
    ActRequest,
    Assertion,
    AssertRequest,
    CaptureEvidenceRequest,
    CloseTabRequest,
    ListTabsRequest,
    NavigateRequest,
    ObserveRequest,
    ReadRequest,
    ReloadRequest,
    SelectTabRequest,
    WaitPopupRequest,
)
from rea_capture.contracts.runtime.policy import OriginPolicy, allows
from rea_capture.contracts.runtime.results import (
    ActResult,
    AssertResult,
    CaptureEvidencePayload,
    CloseTabResult,
    ListTabsResult,
    NavigateResult,
    ObserveResult,
    ReadResult,
    SelectTabResult,
    Tab,
    WaitPopupResult,
)
from rea_capture.contracts.urls import origin_of

T = TypeVar("T")

ANSWER_MS: Final = 2_000
"""Of the time of a request that has no budget of its own, what is left to tell of it."""

LOOK_MS: Final = REQUEST.default_ms - ANSWER_MS
ACT_MS: Final = REQUEST.default_ms + VERIFICATION.default_ms
"""A whole action: to find the element ready, to do it, to see what became of it, and its postcondition."""

SETTLED_MS: Final = 3_000
"""What a call may wait at its beginning for pages that are just coming up."""

TURN_TIMEOUT_MS: Final = 500
_ONE_TURN: Final = "() => new Promise(done => setTimeout(done))"
"""What an action set off may ask for a document only when the page has come to it."""


class LiveSession:
    """A session on ``room``, which is ready. Every method raises :class:`BrowserOperationError`."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._expecting = Expecting(room.guard, room.telling)
        self._navigator = Navigator(room.gate, room.guard, room.telling)
        self._closing: asyncio.Future[list[str]] | None = None

    @property
    def product(self) -> str:
        """The browser's name."""
        return self._room.identity.product

    @property
    def version(self) -> str:
        """The browser's version."""
        return self._room.identity.version

    @property
    def limitations(self) -> tuple[str, ...]:
        """What is to be known of the session so far."""
        return self._room.telling.notes()

    async def selected_tab(self) -> Tab:
        """The selected tab, wherever it is."""
        return await self._told(await self._tab("listTabs", None))

    async def observe(self, request: ObserveRequest, policy: OriginPolicy) -> ObserveResult:
        """What can be acted on in a tab."""
        patience = Patience(LOOK_MS)
        tab = await self._reached("observe", request.tab, policy)
        what = Work("observe", "execute", patience.whole_ms, otherwise="timeout")
        looking = _observed(tab, policy)
        seen = await self._room.guard.run(tab, looking, what, left_ms=patience.left_ms())
        require_reach("observe", policy, tab, self._room.telling)
        return ObserveResult(
            tab=await self._told(tab, seen.title),
            elements=seen.elements,
            omitted=seen.omitted,
            limitations=(*seen.limitations, *self.limitations),
        )

    async def act(self, request: ActRequest, policy: OriginPolicy, value: str | None) -> ActResult:
        """Do one step, once. Cancelled, it still waits a moment for what it has begun."""
        with self._remarked() as heard:
            acted = await self._acted(request, policy, value)
        return acted.model_copy(update={"limitations": heard()})

    async def _acted(self, request: ActRequest, policy: OriginPolicy, value: str | None) -> ActResult:
        step, room, patience = request.step, self._room, Patience(ACT_MS)
        tab = await self._reached("act", request.tab, policy)
        async with room.gate.call("act", policy, tab.target_id) as call:
            acting = tab.elements.act(
                tab.page, tab.document_id, step, value, lambda frame: frame_reachable(policy, frame)
            )
            verifying_ms = 0 if step.postcondition is None else VERIFICATION.default_ms
            what = Work("act", "execute", patience.whole_ms - verifying_ms, "unknown")
            try:
                acted = await _seen_through(
                    room.guard.run(tab, acting, what, left_ms=patience.left_ms() - verifying_ms)
                )
            except BrowserOperationError as error:
                await room.gate.flush()
                if error.details.mutation_state != "not_attempted":
                    refuse_if_refused("act", call, room.telling)
                raise
            if room.gate.holds:
                await soon(tab.world.call(_ONE_TURN), TURN_TIMEOUT_MS, None)
                await room.gate.flush()
            refuse_if_refused("act", call, room.telling)
            document_id, title = tab.document_id, acted.title
            if step.postcondition is not None:
                verifying = patience.at_most(VERIFICATION.default_ms)
                seen = await self._expecting.came_of(tab, policy, step.postcondition, verifying)
                document_id, title = seen.document_id, seen.title
                refuse_if_refused("act", call, room.telling)
            popups, title = await asyncio.gather(
                popups_of_call(room, call, tab, patience), _title(tab) if title is None else _known(title)
            )
            refuse_if_refused("act", call, room.telling)
            require_reach("act", policy, tab, room.telling, "unknown")
        seen_by = "postcondition" if step.postcondition is not None else acted.verified_by
        return ActResult(
            tab=await self._told(tab, title if document_id == tab.document_id else None),
            action=step.action,
            ref=step.ref or "",
            mutation_state="unknown" if seen_by is None else "verified",
            verified_by=seen_by,
            popups=popups,
        )

    async def read(self, request: ReadRequest, policy: OriginPolicy) -> ReadResult:
        """Title, address and visible text of a tab."""
        patience = Patience(READ_WAIT.default_ms)
        tab = await self._reached("read", request.tab, policy)
        seen = await self._expecting.loaded(tab, policy, patience, waits=request.wait == "bounded")
        text, omitted = shown_text(seen, self._room.telling)
        return ReadResult(
            tab=await self._told(tab, seen.title),
            text=text,
            omitted_characters=omitted,
            limitations=(*left_out(seen), *self.limitations),
        )

    async def assert_(self, request: AssertRequest, policy: OriginPolicy) -> AssertResult:
        """Whether an assertion holds of a tab, now or within the time it may take."""
        patience = Patience(READ_WAIT.default_ms)
        tab = await self._reached("assert", request.tab, policy)
        waits = request.wait == "bounded"
        seen = await self._expecting.asserted(tab, policy, request.assertion, patience, waits=waits)
        return AssertResult(
            tab=await self._told(tab, seen.title), assertion=self._repeated(request.assertion)
        )

    async def navigate(self, request: NavigateRequest, policy: OriginPolicy) -> NavigateResult:
        """Take a tab to an address, from wherever it is."""
        patience = Patience(NAVIGATION.default_ms)
        tab = await self._tab("navigate", request.tab)
        self._admit(request.url, policy)
        with self._remarked():
            status = await self._navigator.go(tab, request.url, policy, patience)
        require_reach("navigate", policy, tab, self._room.telling, "unknown")
        return NavigateResult(tab=await self._told(tab), status=status)

    async def reload(self, request: ReloadRequest, policy: OriginPolicy) -> NavigateResult:
        """Load a tab's document again."""
        patience = Patience(NAVIGATION.default_ms)
        tab = await self._reached("reload", request.tab, policy)
        with self._remarked():
            status = await self._navigator.again(tab, policy, patience)
        require_reach("reload", policy, tab, self._room.telling, "unknown")
        return NavigateResult(tab=await self._told(tab), status=status)

    async def list_tabs(self, request: ListTabsRequest, policy: OriginPolicy) -> ListTabsResult:
        """The tabs that a call of ``policy`` may look at, oldest first."""
        self._room.guard.check("listTabs")
        await self._settled()
        await self._room.gate.flush()
        every = self._room.tabs.open()
        tabs = await asyncio.gather(*(self._told(tab) for tab in every if reachable(policy, tab)))
        return ListTabsResult(
            tabs=tuple(tabs),
            omitted=len(every) - len(tabs) + len(unlisted(self._room)),
            matched=matched(request.select, list(tabs)),
        )

    async def select_tab(self, request: SelectTabRequest, policy: OriginPolicy) -> SelectTabResult:
        """Make a tab the selected one."""
        tab = await self._reached("selectTab", request.tab, policy)
        self._room.tabs.selected_id = tab.tab_id
        return SelectTabResult(tab=await self._told(tab))

    async def wait_popup(self, request: WaitPopupRequest, policy: OriginPolicy) -> WaitPopupResult:
        """The oldest popup of a tab that no earlier call has given, when there is one in time."""
        patience = Patience(POPUP_WAIT.default_ms)
        opener = await self._reached("waitPopup", request.opener, policy)
        popup = await awaited_popup(self._room, opener, policy, patience)
        told = await self._told(popup)
        popup.was_given = True  # not before: who gives up meanwhile has not got it
        return WaitPopupResult(tab=told)

    async def close_tab(self, request: CloseTabRequest, policy: OriginPolicy) -> CloseTabResult:
        """Close a tab, also one that crashed or hangs."""
        room, patience = self._room, Patience(LOOK_MS)
        tab = await self._found("closeTab", request.tab)
        require_reach("closeTab", policy, tab, room.telling)
        if not tab.is_ours:
            message = "The tab was there before the session, and is not closed by it."
            raise failure("closeTab", "request", "unsupported", message)
        try:
            with tab.leaving():
                async with asyncio.timeout(patience.left_ms() / 1000):
                    await room.gate.close_tab(tab.target_id)
                    await tab.left.wait()
        except (Error, TimeoutError) as error:
            message = f"The tab could not be closed: {room.telling.reason(error)}"
            raise failure("closeTab", "execute", "timeout", message, "unknown") from None
        selected = None if room.tabs.selected_id is None else room.tabs.find(room.tabs.selected_id)
        return CloseTabResult(
            closed=tab.tab_id, selected=None if selected is None else await self._told(selected)
        )

    async def capture_evidence(
        self, request: CaptureEvidenceRequest, policy: OriginPolicy
    ) -> CaptureEvidencePayload:
        """What can be seen of a tab now; what cannot be had is said, and no error."""
        tab = await self._reached("captureEvidence", request.tab, policy)
        payload = await kept_evidence(self._room, tab, await self._told(tab), request)
        require_reach("captureEvidence", policy, tab, self._room.telling)
        return payload

    def redact(self, secret_id: str, value: str) -> None:
        """From now on, nothing that is said or kept of this session shows ``value``."""
        self._room.telling.learn(secret_id, value)

    async def close(self) -> tuple[str, ...]:
        """End the session, once; sentences for what went wrong. Whoever comes again gets the same."""
        if self._closing is None:
            self._closing = asyncio.ensure_future(self._room.close())
        return await finished(self._ended(self._closing))

    async def _ended(self, closing: asyncio.Future[list[str]]) -> tuple[str, ...]:
        await asyncio.wait({closing}, timeout=TEARDOWN_MS / 1000)
        if not closing.done():
            return (f"The session did not end within {TEARDOWN_MS} ms.",)
        if error := closing.exception():
            return (f"The session could not be ended in order: {self._room.telling.reason(error)}",)
        return tuple(self._room.telling.sentence(each) for each in closing.result())

    async def _found(self, operation: str, tab_id: str | None) -> OpenTab:
        """The tab of this handle, or the selected one, also one that crashed."""
        self._room.guard.check(operation)
        await self._settled()
        wanted = tab_id or self._room.tabs.selected_id
        tab = None if wanted is None else self._room.tabs.find(wanted)
        if tab is not None:
            return tab
        if not self._room.tabs.open() and not unlisted(self._room):
            message, advice = "The session has no tab any more.", "Close this session and open another one."
            raise failure(operation, "resolve", "unknown_tab", message, recovery=advice)
        message = "No tab is selected." if tab_id is None else "The session has no tab of this handle."
        raise failure(operation, "resolve", "unknown_tab", message)

    async def _tab(self, operation: str, tab_id: str | None) -> OpenTab:
        tab = await self._found(operation, tab_id)
        self._room.guard.check_tab(operation, tab)
        return tab

    async def _reached(self, operation: str, tab_id: str | None, policy: OriginPolicy) -> OpenTab:
        """The tab, which a call of ``policy`` may look at."""
        tab = await self._tab(operation, tab_id)
        require_reach(operation, policy, tab, self._room.telling)
        return tab

    async def _settled(self) -> None:
        with suppress(TimeoutError):  # several one after the other; those that do not answer are told of
            async with asyncio.timeout(SETTLED_MS / 1000):
                await self._room.tabs.settled()

    async def _told(self, tab: OpenTab, title: str | None = None) -> Tab:
        room = self._room
        return await described(tab, room.telling, selected_id=room.tabs.selected_id, title=title)

    @contextmanager
    def _remarked(self) -> Iterator[Callable[[], tuple[str, ...]]]:
        """Gives what was remarked while the block ran; a failure of it says so by itself."""
        with self._room.telling.hearing() as heard:
            try:
                yield heard
            except BrowserOperationError as error:
                raise with_remarks(error, heard()) from None

    def _admit(self, url: str, policy: OriginPolicy) -> None:
        if allows(policy, url):
            return
        telling = self._room.telling
        origin = telling.sentence(origin_of(url) or "an address without an origin")
        raise failure("navigate", "policy", "origin_refused", f"{origin} is not allowed.")

    def _repeated(self, assertion: Assertion) -> Assertion:
        """As it was asked for, without what has become known as a secret."""
        return assertion.model_copy(update={"value": self._room.telling.redactor().text(assertion.value)})


async def _observed(tab: OpenTab, policy: OriginPolicy) -> Observation:
    """What can be acted on in one document, which is still there afterwards."""
    while True:
        document_id = tab.document_id
        seen = await tab.elements.observe(tab.page, document_id, lambda frame: frame_reachable(policy, frame))
        if document_id == tab.document_id:
            return seen


async def _seen_through(work: Coroutine[Any, Any, T]) -> T:
    """The result of ``work``; cancelled, first the end of what it has begun, if that comes soon.

    What the driver was asked for goes on by itself, so an action that was left at once might still be done
    when somebody else is at the page.
    """
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await finished(_waited_for(task))
        raise


async def _waited_for(task: asyncio.Future[Any]) -> None:
    await asyncio.wait({task}, timeout=VERIFICATION.default_ms / 1000)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def _title(tab: OpenTab) -> str | None:
    return None if tab.gone.done() else await title_of(tab)


async def _known(title: str) -> str | None:
    return title
