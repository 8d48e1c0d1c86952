"""The event recorder: what a page did becomes redacted, bounded, numbered events.

Pure and synchronous. It takes values as a browser reports them and trusts none: text is made well
formed and redacted before it is shortened, every event passes the budgets of ``capture.limits``,
and network events are the business of ``EventRecorder.network``.

Below: ``network_recorder``, ``retention``, ``observed``. Above: the browser room's observer, which listens,
and the runner, which begins steps and collects.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from contextlib import suppress
from typing import Final, Literal, TypeAlias

from rea_capture.capture.content import ContentKeeper
from rea_capture.capture.held import Held, Told
from rea_capture.capture.limitations import Limitations
from rea_capture.capture.network_recorder import NetworkRecorder
from rea_capture.capture.observed import ObservedText
from rea_capture.capture.retention import EventMaker, Retention
from rea_capture.contracts import events as wire
from rea_capture.contracts.capture import Events, Section
from rea_capture.contracts.events import FAMILY_OF_KIND, EventKind, LifecycleKind
from rea_capture.contracts.selection import EventFamily, RecordedLimits, RecordedNetworkContent
from rea_capture.contracts.urls import ObservedUrl
from rea_capture.redaction import Redactor, well_formed

MAX_WEBSOCKET_TEXT_CHARACTERS: Final = 65_536
"""What is kept of one WebSocket text message, in characters; the same order as a body's default."""

WebSocketKind: TypeAlias = Literal["websocket-opened", "websocket-closed"]
FrameKind: TypeAlias = Literal["websocket-frame-sent", "websocket-frame-received"]


class EventRecorder:
    """Records the selected event families of one capture."""

    def __init__(
        self,
        *,
        families: Collection[EventFamily],
        limits: RecordedLimits,
        content: RecordedNetworkContent,
        redactor: Redactor,
        limitations: Limitations,
    ) -> None:
        self.families = frozenset(families)
        self._limitations = limitations
        self._observed = ObservedText(redactor)
        self._retention = Retention(limits)
        self._ended = False
        self._held = Held()
        self._began_s: list[tuple[float, int]] = []
        self.network = NetworkRecorder(
            selected="network" in self.families,
            limits=limits,
            wanted=content,
            observed=self._observed,
            retention=self._retention,
            keeper=ContentKeeper(limits, redactor, self._observed, limitations),
        )

    # What the runner asks.

    def begin_step(self, step_index: int) -> None:
        """Events received from now on belong to this step."""
        self._record_held()
        self._retention.step_index = step_index
        self._began_s.append((time.time(), step_index))

    @property
    def last_sequence(self) -> int:
        """Sequence number of the last event, kept or not; 0 before the first."""
        return self._retention.last_sequence

    @property
    def has_ended(self) -> bool:
        """Whether observation has ended."""
        return self._ended

    @property
    def is_full(self) -> bool:
        """Whether events are only counted any more, for want of room."""
        return self._retention.refusal_of_any() is not None

    def step_sections(self, step_index: int) -> tuple[set[Section], set[Section]]:
        """The missing and the truncated sections of a step, as far as events go."""
        self._record_held()
        return self._retention.step_sections(step_index)

    def events(self) -> Events:
        """The kept events and the account of the others."""
        self._record_held()
        return self._retention.events()

    def end_observation(self) -> None:
        """Nothing that happens from now on counts; requests under way are recorded as unfinished.

        Content of requests that were recorded before is still taken.
        """
        if not self._ended:
            self._record_held()
            self._ended = True
            self.network.end_observation()

    # What the observer could not see.

    def miss_at(self, sections: Collection[Section], at_s: float) -> None:
        """Something asked for was not seen, at ``at_s`` (wall clock); also after the end of observation."""
        begun = [step_index for began_s, step_index in self._began_s if began_s <= at_s]
        self._retention.miss_in(sections, begun[-1] if begun else 0)

    def gap(self, sections: Collection[Section], sentence: str) -> None:
        """Something asked for was not seen: ``sections`` miss it, and ``sentence`` says what."""
        self._retention.miss(sections)
        self._limitations.add(sentence)

    def cut_short(self, reason: str) -> None:
        """Observation ends early: what the selected families would still have brought is missing."""
        if self.families:
            self.gap({"events"}, f"Observation was cut short: {reason}.")

    def state(self, sentence: str) -> None:
        """Something a reader must know of the events of every capture like this one."""
        self._limitations.add(sentence)

    def fault(self, what: str, error: BaseException) -> None:
        """A fault while recording ``what``. Never raises.

        Only the type of ``error`` is stated: its text may hold a shortened secret, which redaction
        could no longer recognise.
        """
        self._retention.miss({"events"})
        sentence = f"{what} could not be recorded ({type(error).__name__})."
        with suppress(Exception):  # the events are marked missing, and no listener may raise
            self._limitations.add(sentence[:1].upper() + sentence[1:])

    def omit(self, kind: EventKind) -> None:
        """An event was seen whose page, worker or socket there was no listener left for."""
        if self._wants(kind):
            self._retention.omit(kind, "listener-limit")

    # Page events. ``source`` is whatever did it, when that is not the root page's own thread; see ``held``.

    def console(self, level: str, text: str, url: str | None, *, source: object = None) -> None:
        """Something was written to the console; ``url`` is where from, if known."""
        if not self._takes("console"):
            return
        kept_level, kept_text = self._observed.name(level), self._observed.said(text)
        kept_url = self._observed.url_or_none(url)

        def make(sequence: int, step_index: int) -> wire.ConsoleEvent:
            return wire.ConsoleEvent(
                kind="console",
                level=kept_level,
                sequence=sequence,
                step_index=step_index,
                text=kept_text,
                url=kept_url,
            )

        self._keep("console", (_text(kept_url), kept_level, kept_text), make, source)

    def page_error(self, message: str, stack: str | None, *, source: object = None) -> None:
        """The page threw something that it did not catch."""
        if not self._takes("page-error"):
            return
        kept_message = self._observed.said(message)
        kept_stack = self._observed.said(stack) if stack else None

        def make(sequence: int, step_index: int) -> wire.PageErrorEvent:
            return wire.PageErrorEvent(
                kind="page-error",
                message=kept_message,
                sequence=sequence,
                stack=kept_stack,
                step_index=step_index,
            )

        self._keep("page-error", (kept_message, kept_stack or ""), make, source)

    def websocket_opened(self, url: str, *, source: object = None) -> None:
        """The page opened a WebSocket."""
        self._websocket("websocket-opened", url, source)

    def websocket_closed(self, url: str, *, source: object = None) -> None:
        """A WebSocket closed, whoever closed it."""
        self._websocket("websocket-closed", url, source)

    def websocket_frame_sent(self, url: str, payload: str | bytes, *, source: object = None) -> None:
        """The page sent a message."""
        self._websocket_frame("websocket-frame-sent", url, payload, source)

    def websocket_frame_received(self, url: str, payload: str | bytes, *, source: object = None) -> None:
        """The page received a message."""
        self._websocket_frame("websocket-frame-received", url, payload, source)

    def lifecycle(self, source: object, kind: LifecycleKind, url: str, name: str = "") -> None:
        """The frame, worker or popup ``source`` came, went or navigated.

        Empty strings count as unknown.
        """
        if not self._takes(kind):
            return
        kept_name = self._observed.text(name) if name else None
        kept_url = self._observed.url_or_none(url)

        def make(sequence: int, step_index: int) -> wire.LifecycleEvent:
            return wire.LifecycleEvent(
                kind=kind, name=kept_name, sequence=sequence, step_index=step_index, url=kept_url
            )

        # Apart from what it logs, which comes another way.
        self._keep(kind, (_text(kept_url), kept_name or ""), make, ("lifecycle", source))

    def download_cancelled(self, suggested_filename: str, url: str) -> None:
        """The page offered a download, which is not taken."""
        if not self._takes("download-cancelled"):
            return
        kept_name, kept_url = self._observed.file_name(suggested_filename), self._observed.url(url)

        def make(sequence: int, step_index: int) -> wire.DownloadCancelledEvent:
            return wire.DownloadCancelledEvent(
                kind="download-cancelled",
                sequence=sequence,
                step_index=step_index,
                suggested_filename=kept_name,
                url=kept_url,
            )

        self._keep("download-cancelled", (kept_url.url, kept_name), make, object())

    def _websocket(self, kind: WebSocketKind, url: str, source: object) -> None:
        if not self._takes(kind):
            return
        kept_url = self._observed.url(url)

        def make(sequence: int, step_index: int) -> wire.WebSocketEvent:
            return wire.WebSocketEvent(kind=kind, sequence=sequence, step_index=step_index, url=kept_url)

        self._keep(kind, (kept_url.url,), make, source)

    def _websocket_frame(self, kind: FrameKind, url: str, payload: str | bytes, source: object) -> None:
        if not self._takes(kind):
            return
        kept_url = self._observed.url(url)
        # Redacted whole and only then shortened: a part of a secret would not be recognised.
        text = self._observed.text(payload) if isinstance(payload, str) else None
        kept_text = None if text is None else text[:MAX_WEBSOCKET_TEXT_CHARACTERS]
        payload_bytes = len(well_formed(payload).encode() if isinstance(payload, str) else payload)
        truncated = text is not None and len(text) > MAX_WEBSOCKET_TEXT_CHARACTERS

        def make(sequence: int, step_index: int) -> wire.WebSocketFrameEvent:
            if truncated:
                self._retention.truncate({"events", "websockets"})
            return wire.WebSocketFrameEvent(
                kind=kind,
                payload_bytes=payload_bytes,
                payload_text=kept_text,
                payload_type="binary" if kept_text is None else "text",
                sequence=sequence,
                step_index=step_index,
                truncated=truncated,
                url=kept_url,
            )

        self._keep(kind, (kept_url.url, kept_text or "", str(payload_bytes)), make, source)

    def _keep(self, kind: EventKind, says: tuple[str, ...], make: EventMaker, source: object) -> None:
        if source is None:
            self._retention.keep(kind, make)
        elif not self._held.hold(source, Told(kind, says, make)):
            self._record_held()

    def _record_held(self) -> None:
        for told in self._held.release():
            self._retention.keep(told.kind, told.make)

    def _takes(self, kind: EventKind) -> bool:
        """Whether an event is to be made at all. One without room is counted, and costs nothing else."""
        if not self._wants(kind):
            return False
        refusal = self._retention.refusal_of_any()
        if refusal is not None:
            self._retention.omit(kind, refusal)
        return refusal is None

    def _wants(self, kind: EventKind) -> bool:
        return not self._ended and FAMILY_OF_KIND[kind] in self.families


def _text(url: ObservedUrl | None) -> str:
    return url.url if url else ""
