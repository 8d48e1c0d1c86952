"""The event recorder: what a page did becomes redacted, bounded, numbered events.

Pure and synchronous. It takes values as a browser reports them and trusts none: text is made well
formed and redacted before it is shortened, every event passes the budgets of ``capture.limits``,
and network events are the business of ``EventRecorder.network``.

Above: the browser room's observer, which listens, and the runner, which begins steps and collects.
Below: ``network_recorder``, ``retention``, ``observed``.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from typing import Final, Literal, TypeAlias

from rea_capture.capture.content import ContentKeeper
from rea_capture.capture.held import ConsoleMessage, Held, Lifecycle
from rea_capture.capture.limitations import Limitations
from rea_capture.capture.network_recorder import NetworkRecorder
from rea_capture.capture.observed import ObservedText
from rea_capture.capture.retention import EventMaker, Retention
from rea_capture.contracts import events as wire
from rea_capture.contracts.capture import Events, Section
from rea_capture.contracts.events import FAMILY_OF_KIND, EventKind, LifecycleKind
from rea_capture.contracts.selection import EventFamily, RecordedLimits, RecordedNetworkContent
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
        self._held_messages: Held[ConsoleMessage] = Held()
        self._held_lifecycles: Held[Lifecycle] = Held()
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

    @property
    def last_sequence(self) -> int:
        """Sequence number of the last event, kept or not; 0 before the first."""
        return self._retention.last_sequence

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

    # Page events.

    def console(self, level: str, text: str, url: str | None, *, source: object = None) -> None:
        """Something was written to the console; ``url`` is where from, if known.

        ``source`` is given for what no document wrote: the worker that did, or anything that is the
        message's own when the browser did. Such messages are held like lifecycles, for the same reason.
        """
        if not self._wants("console"):
            return
        message = ConsoleMessage(
            self._observed.name(level), self._observed.abridged(text), self._observed.url_or_none(url)
        )
        if source is None:
            self._record_console(message)
        elif not self._held_messages.hold(source, message):
            self._record_held()

    def _record_console(self, message: ConsoleMessage) -> None:
        self._keep_page_event(
            "console",
            lambda sequence, step_index: wire.ConsoleEvent(
                kind="console",
                level=message.level,
                sequence=sequence,
                step_index=step_index,
                text=message.text,
                url=message.url,
            ),
        )

    def page_error(self, message: str, stack: str | None) -> None:
        """The page threw something that it did not catch."""
        self._keep_page_event(
            "page-error",
            lambda sequence, step_index: wire.PageErrorEvent(
                kind="page-error",
                message=self._observed.text(message),
                sequence=sequence,
                stack=self._observed.text(stack) if stack else None,
                step_index=step_index,
            ),
        )

    def websocket_opened(self, url: str) -> None:
        """The page opened a WebSocket."""
        self._websocket("websocket-opened", url)

    def websocket_closed(self, url: str) -> None:
        """A WebSocket closed, whoever closed it."""
        self._websocket("websocket-closed", url)

    def websocket_frame_sent(self, url: str, payload: str | bytes) -> None:
        """The page sent a message."""
        self._websocket_frame("websocket-frame-sent", url, payload)

    def websocket_frame_received(self, url: str, payload: str | bytes) -> None:
        """The page received a message."""
        self._websocket_frame("websocket-frame-received", url, payload)

    def lifecycle(self, source: object, kind: LifecycleKind, url: str, name: str = "") -> None:
        """The frame, worker or popup ``source`` came, went or navigated; see ``held``.

        Empty strings count as unknown.
        """
        if not self._wants(kind):
            return
        kept_name = self._observed.text(name) if name else None
        happened = Lifecycle(kind, self._observed.url_or_none(url), kept_name)
        if not self._held_lifecycles.hold(source, happened):
            self._record_held()

    def _record_held(self) -> None:
        for message in self._held_messages.release():
            self._record_console(message)
        for happened in self._held_lifecycles.release():
            self._record_lifecycle(happened)

    def _record_lifecycle(self, happened: Lifecycle) -> None:
        self._keep_page_event(
            happened.kind,
            lambda sequence, step_index: wire.LifecycleEvent(
                kind=happened.kind,
                name=happened.name,
                sequence=sequence,
                step_index=step_index,
                url=happened.url,
            ),
        )

    def download_cancelled(self, suggested_filename: str, url: str) -> None:
        """The page offered a download, which is not taken."""
        self._keep_page_event(
            "download-cancelled",
            lambda sequence, step_index: wire.DownloadCancelledEvent(
                kind="download-cancelled",
                sequence=sequence,
                step_index=step_index,
                suggested_filename=self._observed.text(suggested_filename),
                url=self._observed.url(url),
            ),
        )

    def _websocket(self, kind: WebSocketKind, url: str) -> None:
        self._keep_page_event(
            kind,
            lambda sequence, step_index: wire.WebSocketEvent(
                kind=kind, sequence=sequence, step_index=step_index, url=self._observed.url(url)
            ),
        )

    def _websocket_frame(self, kind: FrameKind, url: str, payload: str | bytes) -> None:
        def make(sequence: int, step_index: int) -> wire.WebSocketFrameEvent:
            # Redacted whole and only then shortened: a part of a secret would not be recognised.
            text = self._observed.text(payload) if isinstance(payload, str) else None
            truncated = text is not None and len(text) > MAX_WEBSOCKET_TEXT_CHARACTERS
            if truncated:
                self._retention.truncate({"events", "websockets"})
            return wire.WebSocketFrameEvent(
                kind=kind,
                payload_bytes=len(well_formed(payload).encode() if isinstance(payload, str) else payload),
                payload_text=None if text is None else text[:MAX_WEBSOCKET_TEXT_CHARACTERS],
                payload_type="binary" if text is None else "text",
                sequence=sequence,
                step_index=step_index,
                truncated=truncated,
                url=self._observed.url(url),
            )

        self._keep_page_event(kind, make)

    def _keep_page_event(self, kind: EventKind, make: EventMaker) -> None:
        if self._wants(kind):
            self._retention.keep(kind, make)

    def _wants(self, kind: EventKind) -> bool:
        return not self._ended and FAMILY_OF_KIND[kind] in self.families
