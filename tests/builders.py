"""Captures made by hand, for tests that need one without a browser.

Every function has defaults that make a small, complete, valid record; a test names only what it is
about. Events are built without sequence numbers, which :func:`capture` gives them.

Below: the contracts. Above: the tests of every pure room.
"""

from __future__ import annotations

import dataclasses
import struct
import zlib
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from rea_capture.canonical import sha256_hex
from rea_capture.contracts.artifacts import (
    Artifacts,
    CapturedHistory,
    CapturedScreenshot,
    CapturedStorage,
    CapturedText,
    CapturedUrl,
    History,
    NavigationEntry,
    Screenshot,
    Storage,
    StoredCookie,
    StoredEntry,
    Text,
)
from rea_capture.contracts.capture import (
    BrowserRecord,
    CaptureResult,
    Completeness,
    Events,
    KindOmissions,
    Omissions,
    ScenarioRecord,
    Section,
    Step,
    TransactionOmissions,
    TransactionRange,
)
from rea_capture.contracts.capture_selection import LimitSelection
from rea_capture.contracts.environment import Environment
from rea_capture.contracts.events import (
    FAMILY_OF_KIND,
    AnyEvent,
    ConsoleEvent,
    DownloadCancelledEvent,
    EventKind,
    LifecycleEvent,
    NetworkContentEvent,
    PageErrorEvent,
    RequestEvent,
    TransactionEvent,
    UnfinishedRequestEvent,
    WebSocketEvent,
    WebSocketFrameEvent,
)
from rea_capture.contracts.network import (
    CapturedBody,
    CapturedHeaders,
    HeaderItem,
    HeadersUnavailable,
    OverLimit,
    Unavailable,
)
from rea_capture.contracts.recorded_environment import RecordedEnvironment
from rea_capture.contracts.selection import (
    EventFamily,
    RecordedLimits,
    RecordedNetworkContent,
)
from rea_capture.contracts.states import NOT_REQUESTED, Missing, Truncated
from rea_capture.contracts.urls import ObservedUrl, origin_of

ORIGIN = "http://shop.test"


@cache
def url(text: str = f"{ORIGIN}/") -> ObservedUrl:
    """A URL the browser reported; one that starts with a slash is of ``ORIGIN``."""
    whole = ORIGIN + text if text.startswith("/") else text
    names = {name for name, _ in parse_qsl(urlsplit(whole).query, keep_blank_values=True)}
    return ObservedUrl(
        origin=origin_of(whole), query_parameter_names=tuple(sorted(names)), redacted=False, url=whole
    )


# Artifacts


@cache
def png(seed: int = 0) -> bytes:
    """A valid PNG of one grey pixel; different seeds (0 to 255) give different images."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    pixels = zlib.compress(bytes([0, seed]))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def screenshot(seed: int = 0) -> CapturedScreenshot:
    """A captured screenshot; different seeds give different images."""
    return CapturedScreenshot(value=Screenshot.of(png(seed)))


def text(content: str = "<main>Shop</main>") -> CapturedText:
    """A captured ``dom`` or ``accessibility`` artifact."""
    return CapturedText(value=Text.of(content))


def location(address: str = "/") -> CapturedUrl:
    """A captured ``url`` artifact."""
    return CapturedUrl(value=url(address))


def history(address: str = "/", length: int = 1) -> CapturedHistory:
    """A captured ``history`` artifact."""
    current = url(address)
    return CapturedHistory(
        value=History(
            current_url=current,
            length=length,
            navigation_entries=(NavigationEntry(name=current.url, type="navigate"),),
        )
    )


def storage(cookies: Iterable[str] = (), secrets: Iterable[str] = (), **local: str) -> CapturedStorage:
    """A captured ``storage`` artifact: cookies named ``cookies``, local storage entries ``local``.

    Session storage holds entries named ``secrets``, whose values are secrets.
    """
    return CapturedStorage(
        value=Storage(
            cookies=tuple(
                StoredCookie(
                    domain="shop.test",
                    http_only=False,
                    name=name,
                    path="/",
                    same_site="Lax",
                    secure=False,
                    value_sha256=sha256_hex(name.encode()),
                    value_state="hashed",
                )
                for name in sorted(cookies)
            ),
            local_storage=tuple(
                StoredEntry(name=name, value_sha256=sha256_hex(value.encode()), value_state="hashed")
                for name, value in sorted(local.items())
            ),
            session_storage=tuple(
                StoredEntry(name=name, value_sha256=None, value_state="redacted-secret")
                for name in sorted(secrets)
            ),
        )
    )


def artifacts(**states: Any) -> Artifacts:
    """Artifacts of a step; what is not named was not requested."""
    names = ("accessibility", "dom", "history", "screenshot", "storage", "url")
    return Artifacts(**{name: states.pop(name, NOT_REQUESTED) for name in names}, **states)


def missing(reason: str = "The page did not answer within 20000 ms.") -> Missing:
    """A requested artifact that was not seen."""
    return Missing(reason=reason)


def truncated(observed: int = 2_000, retained: int = 1_000) -> Truncated:
    """A requested artifact that was only partly seen."""
    return Truncated(observed=observed, reason="The text is larger than its limit.", retained=retained)


# Steps


def step(
    step_id: str = "open",
    step_index: int = 1,
    *,
    action: str = "click",
    status: str = "completed",
    error: str | None = None,
    before: str = "/",
    after: str = "/",
    elapsed_ms: int = 12,
    missing: Iterable[Section] = (),
    truncated: Iterable[Section] = (),
    **states: Any,
) -> Step:
    """One step. ``states`` are its artifacts; sections that follow from them need not be named."""
    kept = artifacts(**states)
    missing_sections = {*missing, *(name for name, state in states.items() if state.state == "missing")}
    truncated_sections = {*truncated, *(name for name, state in states.items() if state.state == "truncated")}
    if status != "completed":
        error = error or f"The action {status}."
        missing_sections.add("action")
    return Step(
        action=action,  # type: ignore[arg-type]  # tests name actions by plain strings
        after_url=url(after),
        artifacts=kept,
        before_url=url(before),
        completeness=Completeness.of(missing_sections, truncated_sections),  # type: ignore[arg-type]
        elapsed_ms=elapsed_ms,
        error=error,
        event_sequence_end=0,
        event_sequence_start=0,
        status=status,  # type: ignore[arg-type]
        step_id=step_id,
        step_index=step_index,
    )


def start(**changes: Any) -> Step:
    """The first step of every capture; takes what :func:`step` takes."""
    return step("scenario_start", 0, **{"action": "goto_start", "before": "about:blank", **changes})


# Events, without sequence numbers


def console(message: str = "ready", step_index: int = 1, *, level: str = "log") -> ConsoleEvent:
    return ConsoleEvent(
        kind="console", level=level, sequence=1, step_index=step_index, text=message, url=url("/app.js")
    )


def page_error(message: str = "boom", step_index: int = 1) -> PageErrorEvent:
    return PageErrorEvent(
        kind="page-error", message=message, sequence=1, stack=f"Error: {message}", step_index=step_index
    )


def request(
    transaction_id: int = 1,
    step_index: int = 1,
    *,
    address: str = "/api",
    method: str = "GET",
    after: int | None = None,
    state: str | None = "root",
) -> RequestEvent:
    """A request; ``after`` is the transaction it was redirected from, ``state`` counts only without."""
    return RequestEvent(
        failure=None,
        header_names=("accept", "user-agent"),
        kind="request",
        method=method,
        redirected_from_transaction_id=after,
        redirected_from_transaction_state=state if after is None else None,  # type: ignore[arg-type]
        resource_type="fetch",
        sequence=1,
        status=None,
        step_index=step_index,
        transaction_id=transaction_id,
        url=url(address),
    )


def outcome(
    kind: str = "response",
    transaction_id: int = 1,
    step_index: int = 1,
    *,
    address: str = "/api",
    method: str = "GET",
    status: int | None = 200,
    failure: str | None = None,
) -> TransactionEvent:
    """``response``, ``request-finished`` or ``request-failed``."""
    return TransactionEvent(
        failure=failure,
        header_names=("content-type",),
        kind=kind,  # type: ignore[arg-type]
        method=method,
        resource_type="fetch",
        sequence=1,
        status=status,
        step_index=step_index,
        transaction_id=transaction_id,
        url=url(address),
    )


def unfinished(
    transaction_id: int = 1, step_index: int = 1, *, address: str = "/api"
) -> UnfinishedRequestEvent:
    return UnfinishedRequestEvent(
        failure=None,
        header_names=(),
        kind="request-unfinished",
        method="GET",
        reason="capture-ended",
        resource_type="fetch",
        sequence=1,
        status=None,
        step_index=step_index,
        transaction_id=transaction_id,
        url=url(address),
    )


def content(
    transaction_id: int = 1,
    step_index: int = 1,
    *,
    phase: str = "response",
    body: Any = b"{}",
    headers: Any = NOT_REQUESTED,
) -> NetworkContentEvent:
    """Network content; ``body`` is bytes or a state, ``headers`` are pairs or a state."""
    state = body
    if isinstance(body, bytes):
        state = CapturedBody.of(
            body,
            media_type="application/json",
            redacted=False,
            representation=(
                "playwright-response-body" if phase == "response" else "browser-exposed-request-bytes"
            ),
        )
    return NetworkContentEvent(
        body=state,
        headers=(
            CapturedHeaders(
                items=tuple(HeaderItem(name=name, redacted=False, value=value) for name, value in headers)
            )
            if isinstance(headers, tuple)
            else headers
        ),
        kind="network-content",
        phase=phase,  # type: ignore[arg-type]
        sequence=1,
        source_event_sequence=1,
        step_index=step_index,
        transaction_id=transaction_id,
    )


def transaction(
    transaction_id: int = 1,
    step_index: int = 1,
    *,
    address: str = "/api",
    status: int = 200,
    after: int | None = None,
    state: str | None = "root",
    landed: int | None = None,
) -> list[AnyEvent]:
    """Request, response and completion; ``landed`` is the step of the last two."""
    received = step_index if landed is None else landed
    return [
        request(transaction_id, step_index, address=address, after=after, state=state),
        outcome("response", transaction_id, received, address=address, status=status),
        outcome("request-finished", transaction_id, received, address=address, status=status),
    ]


def websocket(kind: str = "websocket-opened", step_index: int = 1) -> WebSocketEvent:
    return WebSocketEvent(kind=kind, sequence=1, step_index=step_index, url=url("ws://shop.test/live"))  # type: ignore[arg-type]


def unavailable(reason: str = "body-read-failed") -> Unavailable | OverLimit:
    """A body that was requested and is not there."""
    if reason in {"body-size-limit", "body-allocation-limit"}:
        return OverLimit(allowed=1, message="It is too large.", observed=2, reason=reason)  # type: ignore[arg-type]
    return Unavailable(message="It could not be read.", reason=reason)  # type: ignore[arg-type]


def headers_unavailable(reason: str = "headers-read-failed") -> HeadersUnavailable:
    """Header values that were requested and are not there."""
    return HeadersUnavailable(message="They could not be read.", reason=reason)


def binary_frame(payload_bytes: int = 5, step_index: int = 1) -> WebSocketFrameEvent:
    """A binary WebSocket message, of which only the size is kept."""
    return dataclasses.replace(
        frame("", step_index), payload_bytes=payload_bytes, payload_text=None, payload_type="binary"
    )


def frame(
    payload: str = "hello", step_index: int = 1, *, direction: str = "sent", truncated: bool = False
) -> WebSocketFrameEvent:
    """A WebSocket message of text; with ``truncated``, ``payload`` is only its beginning."""
    return WebSocketFrameEvent(
        kind=f"websocket-frame-{direction}",  # type: ignore[arg-type]
        payload_bytes=len(payload.encode()) + (100_000 if truncated else 0),
        payload_text=payload,
        payload_type="text",
        sequence=1,
        step_index=step_index,
        truncated=truncated,
        url=url("ws://shop.test/live"),
    )


def lifecycle(kind: str = "frame-navigated", step_index: int = 1, *, address: str = "/") -> LifecycleEvent:
    """A frame, worker or popup event."""
    return LifecycleEvent(kind=kind, name="", sequence=1, step_index=step_index, url=url(address))  # type: ignore[arg-type]


def download(filename: str = "report.csv", step_index: int = 1) -> DownloadCancelledEvent:
    return DownloadCancelledEvent(
        kind="download-cancelled",
        sequence=1,
        step_index=step_index,
        suggested_filename=filename,
        url=url("/report"),
    )


# Whole captures


def numbered(events: Iterable[AnyEvent], *, skipped: Iterable[int] = ()) -> tuple[AnyEvent, ...]:
    """``events`` with sequence numbers from 1, leaving out those in ``skipped``; content finds its source."""
    gaps = set(skipped)
    sources: dict[tuple[int, str], int] = {}
    result: list[AnyEvent] = []
    sequence = 0
    for event in events:
        sequence += 1
        while sequence in gaps:
            sequence += 1
        changes: dict[str, Any] = {"sequence": sequence}
        if isinstance(event, RequestEvent | TransactionEvent):
            sources.setdefault((event.transaction_id, event.kind), sequence)
        elif isinstance(event, NetworkContentEvent):
            changes["source_event_sequence"] = sources.get((event.transaction_id, event.phase), sequence)
        result.append(dataclasses.replace(event, **changes))
    return tuple(result)


def omissions(
    by_kind: dict[EventKind, int] | None = None,
    *,
    transactions: dict[int, Sequence[EventKind]] | None = None,
    first_last: tuple[int, int] | None = None,
) -> Omissions:
    """What was observed and not retained."""
    return Omissions(
        by_kind=tuple(
            KindOmissions(count=count, kind=kind, reasons=("max_events",))
            for kind, count in sorted((by_kind or {}).items())
        ),
        network_transaction_range=(
            None if first_last is None else TransactionRange(first=first_last[0], last=first_last[1])
        ),
        network_transactions=tuple(
            TransactionOmissions(kinds=tuple(kinds), transaction_id=transaction_id)
            for transaction_id, kinds in sorted((transactions or {}).items())
        ),
    )


def environment(**changes: Any) -> RecordedEnvironment:
    """The default environment as recorded, with ``changes``."""
    return Environment(**changes).record()


def network_content(
    *, request_body: bool = False, response_body: bool = False, header_values: bool = False
) -> RecordedNetworkContent:
    """The recorded selection of network content."""
    return RecordedNetworkContent(
        header_values=header_values, request_body=request_body, response_body=response_body
    )


def _selected_content(items: Iterable[AnyEvent]) -> RecordedNetworkContent:
    """The selection by which a capture gets the network content that is in ``items``."""
    contents = [event for event in items if isinstance(event, NetworkContentEvent)]
    bodies = {event.phase for event in contents if event.body != NOT_REQUESTED}
    return network_content(
        request_body="request" in bodies,
        response_body="response" in bodies,
        header_values=any(event.headers != NOT_REQUESTED for event in contents),
    )


def _with_event_ranges(steps: Sequence[Step], items: Sequence[AnyEvent], total: int) -> tuple[Step, ...]:
    """``steps`` with the ranges of sequence numbers that arrived during each, gap-free up to ``total``."""
    made: list[Step] = []
    end = 0
    for position, one in enumerate(steps):
        start, later = end + 1, [event.sequence for event in items if event.step_index > position]
        end = total if position == len(steps) - 1 else max(end, min(later, default=total + 1) - 1)
        made.append(dataclasses.replace(one, event_sequence_start=start, event_sequence_end=end))
    return tuple(made)


def _limits(event_count: int) -> RecordedLimits:
    """The default limits, of which ``max_events`` is raised to ``event_count`` where that is more."""
    default = LimitSelection()
    raised = default.model_copy(update={"max_events": max(default.max_events, event_count)})
    return RecordedLimits(**raised.model_dump())


_FROM_EVENTS: Any = object()


def capture(
    steps: Iterable[Step] | None = None,
    events: Iterable[AnyEvent] = (),
    *,
    families: Iterable[EventFamily] | None = _FROM_EVENTS,
    content_selection: RecordedNetworkContent | None = None,
    omitted: Omissions | None = None,
    skipped: Iterable[int] = (),
    renumber: bool = True,
    missing: Iterable[Section] = (),
    truncated: Iterable[Section] = (),
    limitations: Iterable[str] = (),
    product: str = "Chromium",
    version: str = "156.0.1.2",
    mode: str = "launch",
    start_origin: str = ORIGIN,
    recorded_environment: RecordedEnvironment | None = None,
) -> CaptureResult:
    """A whole capture.

    Without ``steps``: the start and one click; the start alone gets a click after it. The events of a
    step follow from their ``step_index``. ``families`` and ``content_selection`` follow from the events;
    ``families`` None leaves the field out, as older captures did. Completeness follows from the steps,
    the omissions and the sections named.
    """
    items = numbered(events, skipped=skipped) if renumber else tuple(events)
    dropped = 0 if omitted is None else sum(row.count for row in omitted.by_kind)
    kept_steps = (start(url=location()), step(url=location())) if steps is None else tuple(steps)
    if len(kept_steps) == 1:
        kept_steps = (*kept_steps, step())
    kept_steps = _with_event_ranges(kept_steps, items, len(items) + dropped)
    missing_sections = {*missing}
    truncated_sections = {*truncated, *(("events",) if dropped else ())}
    for one in kept_steps:
        missing_sections.update(one.completeness.missing_sections)
        truncated_sections.update(one.completeness.truncated_sections)
    seen: Iterable[EventFamily] | None = families
    if families is _FROM_EVENTS:
        seen = {FAMILY_OF_KIND[event.kind] for event in items}
    owned = mode == "launch"
    return CaptureResult(
        browser=BrowserRecord(
            cleanup="terminated-owned-process" if owned else "disconnected-external",
            mode=mode,  # type: ignore[arg-type]
            process_ownership="provider-owned" if owned else "external",
            product=product,
            version=version,
        ),
        completeness=Completeness.of(missing_sections, truncated_sections),
        duration_ms=345,
        events=Events(dropped=dropped, items=items, omissions=omitted or omissions(), retained=len(items)),
        finished_at="2026-01-02T03:04:06.345Z",
        limitations=tuple(limitations),
        limits=_limits(len(items)),
        scenario=ScenarioRecord(
            action_count=len(kept_steps) - 1,
            environment=recorded_environment or environment(),
            event_families=None if seen is None else tuple(sorted(set(seen))),
            network_content=content_selection or _selected_content(items),
            secret_references=(),
            start_origin=start_origin,
        ),
        started_at="2026-01-02T03:04:06.000Z",
        steps=kept_steps,
    )
