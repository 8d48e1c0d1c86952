"""A live session without a browser: what it is asked says what it does, and all of it is written down.

    navigate to http://hang.test       never ends by itself; ends when it is cancelled
    navigate to http://stubborn.test   neither
    navigate to http://anyway.test     is done all the same when it is cancelled
    navigate to http://fails.test      fails as a live session does, with what it was last given as a secret
    navigate to http://defect.test     fails as no live session may
    navigate to http://prints.test     prints to standard output, in several ways
    navigate to http://dies.test       kills its process
    every other                        is done at once

Below: ``contracts.runtime``. Above: the tests of the worker and of the ways to it.
"""

from __future__ import annotations

import asyncio
import base64
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from rea_capture.contracts.runtime.errors import BrowserErrorDetails, BrowserOperationError
from rea_capture.contracts.runtime.operations import (
    ActRequest,
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
from rea_capture.contracts.runtime.policy import OriginPolicy
from rea_capture.contracts.runtime.results import (
    ActResult,
    ArtifactPayload,
    AssertResult,
    CaptureEvidencePayload,
    CloseTabResult,
    ElementState,
    ListTabsResult,
    NavigateResult,
    ObservedElement,
    ObserveResult,
    ReadResult,
    SelectTabResult,
    Tab,
    WaitPopupResult,
)
from rea_capture.contracts.runtime.settings import SessionSettings

BLANK: Final = Tab(tab_id="t1", document_id="d1", title="", url="about:blank", selected=True)
PICTURE: Final = b"\x89PNG a picture"


def failed(operation: str, message: str) -> BrowserOperationError:
    """What a live session raises."""
    return BrowserOperationError(
        BrowserErrorDetails(
            operation=operation,
            phase="execute",
            code="navigation_failed",
            message=message,
            recovery="See that it can be reached.",
            retry="after_change",
            mutation_state="unknown",
        )
    )


@dataclass
class Browserless:
    """Opens scripted sessions and keeps them; ``gate`` holds each navigation up until it is set."""

    sessions: list[ScriptedLive] = field(default_factory=list)
    events: list[str] = field(default_factory=list)
    on_open: Callable[[SessionSettings], Any] | None = None

    async def open(self, settings: SessionSettings) -> ScriptedLive:
        if self.on_open is not None:
            await self.on_open(settings)
        live = ScriptedLive(f"s{len(self.sessions)}", self.events)
        self.sessions.append(live)
        return live


class ScriptedLive:
    """See the module."""

    product = "scripted"
    version = "1"
    limitations: tuple[str, ...] = ("There is no browser.",)

    def __init__(self, name: str, events: list[str]) -> None:
        self.name = name
        self.events = events
        self.document = 1
        self.url = "about:blank"
        self.shown = "nothing"
        self.secrets: dict[str, str] = {}
        self.values: list[str | None] = []
        self.policies: list[OriginPolicy] = []
        self.acted: list[ActRequest] = []
        self.release = asyncio.Event()
        self.begun = asyncio.Event()
        self.is_closed = False

    def tab(self) -> Tab:
        return BLANK.model_copy(
            update={"url": self.url, "document_id": f"d{self.document}", "title": self.shown}
        )

    async def selected_tab(self) -> Tab:
        return self.tab()

    async def observe(self, request: ObserveRequest, policy: OriginPolicy) -> ObserveResult:
        self._note("observe", policy)
        elements = (
            ObservedElement(ref="e1", role="button", name="Save", state=ElementState()),
            ObservedElement(ref="e2", role="textbox", name=f"Password {self.shown}", state=ElementState()),
        )
        return ObserveResult(tab=self.tab(), elements=elements, omitted=0)

    async def act(self, request: ActRequest, policy: OriginPolicy, value: str | None) -> ActResult:
        self._note("act", policy)
        self.acted.append(request)
        self.values.append(value)
        if value is not None:
            self.shown = value  # as a page might
        assert request.step.ref is not None
        if request.step.instruction == "fail":
            raise failed("act", f"could not fill {value}")
        return ActResult(
            tab=self.tab(), action=request.step.action, ref=request.step.ref, mutation_state="unknown"
        )

    async def read(self, request: ReadRequest, policy: OriginPolicy) -> ReadResult:
        self._note("read", policy)
        return ReadResult(tab=self.tab(), text=f"It shows {self.shown}", omitted_characters=0)

    async def assert_(self, request: AssertRequest, policy: OriginPolicy) -> AssertResult:
        self._note("assert", policy)
        return AssertResult(tab=self.tab(), assertion=request.assertion)

    async def navigate(self, request: NavigateRequest, policy: OriginPolicy) -> NavigateResult:
        self._note(f"begin {request.url}", policy)
        self.begun.set()
        await self._scripted(request.url.removeprefix("http://").partition(".test")[0])
        self.document += 1
        self.url = request.url
        self._note(f"end {request.url}", policy)
        return NavigateResult(tab=self.tab(), status=200)

    async def reload(self, request: ReloadRequest, policy: OriginPolicy) -> NavigateResult:
        return NavigateResult(tab=self.tab())

    async def list_tabs(self, request: ListTabsRequest, policy: OriginPolicy) -> ListTabsResult:
        return ListTabsResult(tabs=(self.tab(),), omitted=0)

    async def select_tab(self, request: SelectTabRequest, policy: OriginPolicy) -> SelectTabResult:
        return SelectTabResult(tab=self.tab())

    async def wait_popup(self, request: WaitPopupRequest, policy: OriginPolicy) -> WaitPopupResult:
        return WaitPopupResult(tab=self.tab())

    async def close_tab(self, request: CloseTabRequest, policy: OriginPolicy) -> CloseTabResult:
        return CloseTabResult(closed=request.tab)

    async def capture_evidence(
        self, request: CaptureEvidenceRequest, policy: OriginPolicy
    ) -> CaptureEvidencePayload:
        artifact = ArtifactPayload(
            kind="screenshot",
            content_type="image/png",
            data_base64=base64.b64encode(PICTURE).decode(),
            byte_length=len(PICTURE),
        )
        return CaptureEvidencePayload(status="complete", artifacts=(artifact,), limitations=())

    def redact(self, secret_id: str, value: str) -> None:
        self.events.append(f"{self.name} redact {secret_id}")
        self.secrets[secret_id] = value

    async def close(self) -> tuple[str, ...]:
        self.events.append(f"{self.name} close")
        self.is_closed = True
        return ()

    def _note(self, what: str, policy: OriginPolicy) -> None:
        self.events.append(f"{self.name} {what}")
        self.policies.append(policy)

    async def _scripted(self, word: str) -> None:
        if word in {"hang", "stubborn", "anyway"}:
            await self._waits(word)
        elif word == "waits":
            await self.release.wait()
        elif word == "fails":
            raise failed("navigate", f"no answer; {list(self.secrets.values())}")
        elif word == "defect":
            raise ValueError(f"what nobody should see: {self.shown}")
        elif word == "prints":
            print("a stray print")  # noqa: T201 - which is the point
            sys.stdout.flush()
            os.write(1, b"and another\n")
        elif word == "dies":
            os.kill(os.getpid(), signal.SIGKILL)

    async def _waits(self, word: str) -> None:
        while True:
            try:
                await self.release.wait()
                return
            except asyncio.CancelledError:
                self.events.append(f"{self.name} cancelled {word}")
                if word == "hang":
                    raise
                if word == "anyway":
                    return
