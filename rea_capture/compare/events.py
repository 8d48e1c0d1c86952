"""The events of each step, attributed, normalized and digested.

    1. Each event becomes its normalized form (``event_digest``).
    2. Network events gather by transaction. A transaction belongs to the step that sent its request;
       without a request, each of its events belongs to the step that received it, and proves nothing.
       Content that was not kept proves nothing either, nor does a request of which nothing came
       (``expected``), whatever the capture says of its completeness.
    3. Every transaction gets a fingerprint with its whole redirect ancestry (``ancestry``).
    4. A step's digest is the SHA-256 of the RFC 8785 form of
       {"events": [every other event, in receipt order], "network": [fingerprint, …, sorted]}.

One pass over the events, and one more where something is wrong; linear in both.

Below: ``event_digest``, ``ancestry``, ``expected``, ``gaps``, ``rules``. Above: ``prepare``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rea_capture.canonical import record_bytes, sha256_hex
from rea_capture.compare.ancestry import Transaction, settle
from rea_capture.compare.contradictions import selected_families
from rea_capture.compare.event_digest import NETWORK_EVENTS, event_bytes
from rea_capture.compare.expected import (
    ENDED,
    SEEN_BY_KIND,
    SEEN_BY_PHASE,
    absences,
    content_faults,
    is_cut,
)
from rea_capture.compare.faults import OMISSIONS, UNSEEN, EventFault
from rea_capture.compare.gaps import EVENT_SECTIONS, positions_with_gaps
from rea_capture.compare.prepared import Occurrences, PreparedEvents
from rea_capture.compare.rules import Replacements
from rea_capture.contracts.capture import CaptureResult, Omissions, Step
from rea_capture.contracts.comparison import ComparedState
from rea_capture.contracts.events import AnyEvent, NetworkContentEvent, RequestEvent, WebSocketFrameEvent


@dataclass(slots=True)
class _StepEvents:
    """What gathers at one step. ``digestible`` turns false with a transaction without fingerprint."""

    others: list[bytes] = field(default_factory=list)
    has_binary_messages: bool = False
    fingerprints: list[str] = field(default_factory=list)
    digestible: bool = True
    faults: dict[EventFault, Occurrences] = field(default_factory=dict)

    def blame(self, faults: Iterable[EventFault], transaction_id: int | None = None) -> None:
        """Note each of ``faults``."""
        for fault in faults:
            met = self.faults.get(fault, Occurrences(0, transaction_id))
            self.faults[fault] = Occurrences(met.count + 1, met.transaction_id)

    def sha256(self) -> str | None:
        """The digest of step 4, None when a transaction has no fingerprint."""
        if not self.digestible:
            return None
        network = record_bytes(sorted(self.fingerprints))
        return sha256_hex(b'{"events":[' + b",".join(self.others) + b'],"network":' + network + b"}")


def prepared_events(
    capture: CaptureResult, rules: Replacements, *, asked_for: bool = False
) -> tuple[PreparedEvents, ...]:
    """The events of each step of ``capture``, in the order of its steps; ``rules`` are those for events.

    ``asked_for``: the Evidence around it says that events were, whatever the capture says.
    """
    requested = asked_for or _requested(capture)
    gathered = [_StepEvents() for _ in capture.steps]
    _gather(capture, gathered, rules)
    return tuple(
        _prepared(step, events, requested=requested, attached=capture.browser.mode == "connect")
        for step, events in zip(capture.steps, gathered, strict=True)
    )


def _requested(capture: CaptureResult) -> bool:
    """Whether events were looked at; a capture that holds some cannot deny it."""
    families, content = capture.scenario.event_families, capture.scenario.network_content
    return families is None or bool(selected_families(families, content)) or bool(capture.events.items)


def _gather(capture: CaptureResult, steps: Sequence[_StepEvents], rules: Replacements) -> None:
    transactions = _received(capture, steps, rules)
    _note_omissions(capture.events.omissions, transactions)
    wanted = capture.scenario.network_content
    for transaction in transactions.values():
        if missing := absences(transaction.seen, transaction.faults, wanted):
            transaction.faults |= missing
    for position in positions_with_gaps(capture):
        steps[position].blame({EventFault.EVENTS_OMITTED})
    settle(transactions)
    unrequested = False
    for transaction_id, transaction in transactions.items():
        if transaction.position < 0:
            unrequested = True
            continue
        at = steps[transaction.position]
        if transaction.faults:
            at.blame(transaction.faults, transaction_id)
        if transaction.fingerprint is None:
            at.digestible = False
        else:
            at.fingerprints.append(transaction.fingerprint)
    if unrequested:
        _blame_receivers(capture.events.items, steps, transactions)


def _received(
    capture: CaptureResult, steps: Sequence[_StepEvents], rules: Replacements
) -> dict[int, Transaction]:
    """Put every other event at its step, and network events into their transactions."""
    items, wanted = capture.events.items, capture.scenario.network_content
    transactions: dict[int, Transaction] = {}
    for event in items:
        position = event.step_index
        data = event_bytes(event, rules)
        kind = type(event)
        if kind not in NETWORK_EVENTS:
            _receive_other(event, data, steps[position])
            continue
        transaction_id: int = event.transaction_id  # type: ignore[union-attr]  # NETWORK_EVENTS have one
        transaction = transactions.get(transaction_id)
        if transaction is None:
            transaction = transactions[transaction_id] = Transaction()
        transaction.digests.append(sha256_hex(data))
        if isinstance(event, NetworkContentEvent):
            transaction.seen |= SEEN_BY_PHASE[event.phase]
            transaction.faults |= content_faults(event, items, wanted)
            continue
        seen = SEEN_BY_KIND[event.kind]
        if seen == ENDED and transaction.seen & ENDED:
            transaction.faults |= {EventFault.END_REPEATED}
        transaction.seen |= seen
        if isinstance(event, RequestEvent):
            if transaction.position >= 0:
                steps[position].blame({EventFault.REQUEST_REPEATED}, transaction_id)
            transaction.requested(
                position, event.redirected_from_transaction_id, event.redirected_from_transaction_state
            )
    return transactions


def _receive_other(event: AnyEvent, data: bytes, at: _StepEvents) -> None:
    at.others.append(data)
    if isinstance(event, WebSocketFrameEvent):
        at.has_binary_messages |= event.payload_type == "binary"
        if is_cut(event):
            at.blame({EventFault.CONTENT_TRUNCATED})


def _note_omissions(omissions: Omissions, transactions: Mapping[int, Transaction]) -> None:
    for row in omissions.network_transactions:
        transaction = transactions.get(row.transaction_id)
        if transaction is not None:
            transaction.faults |= {EventFault.TRANSACTION_OMITTED}


def _blame_receivers(
    items: Iterable[AnyEvent], steps: Sequence[_StepEvents], transactions: Mapping[int, Transaction]
) -> None:
    """Blame the steps that received events of a transaction whose request is not in the capture."""
    seen: set[tuple[int, int]] = set()
    for event in items:
        if type(event) not in NETWORK_EVENTS:
            continue
        transaction_id: int = event.transaction_id  # type: ignore[union-attr]  # NETWORK_EVENTS have one
        transaction = transactions[transaction_id]
        if transaction.position >= 0:
            continue
        position = event.step_index
        at = steps[position]
        at.digestible = False
        if (position, transaction_id) not in seen:
            seen.add((position, transaction_id))
            at.blame(transaction.faults, transaction_id)


def _prepared(step: Step, events: _StepEvents, *, requested: bool, attached: bool) -> PreparedEvents:
    missing = tuple(name for name in step.completeness.missing_sections if name in EVENT_SECTIONS)
    truncated = tuple(name for name in step.completeness.truncated_sections if name in EVENT_SECTIONS)
    state: ComparedState = "captured"
    if not requested:
        state = "not_requested"
    elif missing or any(fault in UNSEEN for fault in events.faults):
        state = "missing"
    elif truncated or any(fault in OMISSIONS for fault in events.faults):
        state = "truncated"
    return PreparedEvents(
        sha256=events.sha256() if requested else None,
        state=state,
        faults={fault: events.faults[fault] for fault in EventFault if fault in events.faults},
        attached=attached,
        has_binary_messages=events.has_binary_messages,
        missing=missing,
        truncated=truncated,
    )
