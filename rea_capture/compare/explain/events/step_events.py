"""The events of a capture by step, attributed as the comparison attributes them (``compare.events``).

Walked once, whatever number of steps is explained; what costs more, the digests, is made for those steps
that are asked for and for what their transactions were redirected from.

Below: ``compare.event_digest``, ``compare.rules``. Above: ``pairing``, ``transactions``, ``parts``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from rea_capture.canonical import record_bytes, sha256_hex
from rea_capture.compare.event_digest import NETWORK_EVENTS, event_bytes
from rea_capture.compare.rules import Replacements
from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.events import AnyEvent, NetworkContentEvent, NetworkEvent, RequestEvent

MAX_REDIRECTS: Final = 20
"""URLs kept of those that led to a transaction; browsers follow no more (fetch standard, section 4.4)."""

_NOT_HERE: Final = "not in the capture"
_CIRCULAR: Final = "circular"
"""Stand in a fingerprint for an ancestry that ends nowhere; no digest is spelled so."""


@dataclass(frozen=True, slots=True)
class StepTransaction:
    """One network transaction of a step, its strings after caller rules.

    ``position`` counts the transactions of its step from 0, in the order of their requests. ``own`` is the
    digest of its events, ``request_content`` and ``response_content`` of those that hold content (None
    where none does), ``chain`` of the URLs that led to it (None where none did), and ``fingerprint`` the
    one that is compared. ``status`` and ``failure`` are the last that its events have.
    """

    transaction_id: int
    position: int
    events: tuple[NetworkEvent, ...]
    method: str
    url: str | None
    origin: str | None
    resource_type: str
    status: int | None
    failure: str | None
    own: str
    request_content: str | None
    response_content: str | None
    chain: str | None
    redirected_from: tuple[str, ...]
    fingerprint: str


@dataclass(slots=True)
class _Gathered:
    """The events of one transaction, and the request that says where it belongs; None without one."""

    transaction_id: int
    events: list[NetworkEvent] = field(default_factory=list)
    request: RequestEvent | None = None


@dataclass(frozen=True, slots=True)
class _Ancestry:
    """What led to a transaction: nothing, unless said otherwise.

    ``chain`` is the digest of the URLs, ``urls`` the first of them.
    """

    fingerprint: str | None = None
    chain: str | None = None
    urls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Digests:
    """Those of one transaction and its events, and what one that was redirected from it inherits."""

    by_event: tuple[str, ...]
    own: str
    fingerprint: str
    inherited: _Ancestry


class StepEvents:
    """The events of one capture by step. Make one with :meth:`of`."""

    def __init__(
        self,
        rules: Replacements,
        transactions: Mapping[int, _Gathered],
        by_step: Mapping[int, list[_Gathered]],
        others: Mapping[int, list[AnyEvent]],
    ) -> None:
        self.rules = rules
        self._transactions = transactions
        self._by_step = by_step
        self._others = others
        self._digests: dict[int, _Digests] = {}

    @classmethod
    def of(
        cls, capture: CaptureResult, rules: Replacements, steps: Collection[int] | None = None
    ) -> StepEvents:
        """Those of ``capture``; ``rules`` are the caller rules for events.

        ``steps`` are the indexes of those that will be asked for, None for any: of no other are events kept.
        """
        transactions: dict[int, _Gathered] = {}
        others: dict[int, list[AnyEvent]] = {}
        for event in capture.events.items:
            if type(event) in NETWORK_EVENTS:
                _gather(event, transactions)  # type: ignore[arg-type]  # NETWORK_EVENTS are these
            elif steps is None or event.step_index in steps:
                others.setdefault(event.step_index, []).append(event)
        by_step = _by_step(transactions.values())
        if steps is not None:
            by_step = {step: gathered for step, gathered in by_step.items() if step in steps}
            transactions = _with_ancestors(by_step, transactions)
        return cls(rules, transactions, by_step, others)

    def others(self, step_index: int) -> tuple[AnyEvent, ...]:
        """The events of no transaction that the step received, in that order."""
        return tuple(self._others.get(step_index, ()))

    def transactions(self, step_index: int) -> tuple[StepTransaction, ...]:
        """The transactions that belong to the step, in the order of their requests.

        Of a transaction without request, each step has the events that it received.
        """
        gathered = self._by_step.get(step_index, ())
        return tuple(self._transaction(one, position) for position, one in enumerate(gathered))

    def _url(self, events: Iterable[NetworkEvent]) -> str | None:
        for event in events:
            if not isinstance(event, NetworkContentEvent):
                return self.rules.text(event.url.url)
        return None

    def _transaction(self, gathered: _Gathered, position: int) -> StepTransaction:
        digests = self._digests_of(gathered)
        told = [event for event in gathered.events if not isinstance(event, NetworkContentEvent)]
        first = gathered.request or (told[0] if told else None)
        ancestor = _predecessor(gathered)
        origin = None if first is None else first.url.origin
        return StepTransaction(
            transaction_id=gathered.transaction_id,
            position=position,
            events=tuple(gathered.events),
            method="" if first is None else self.rules.text(first.method),
            url=None if first is None else self.rules.text(first.url.url),
            origin=None if origin is None else self.rules.text(origin),
            resource_type="" if first is None else self.rules.text(first.resource_type),
            status=next((event.status for event in reversed(told) if event.status is not None), None),
            failure=next(
                (self.rules.text(event.failure) for event in reversed(told) if event.failure is not None),
                None,
            ),
            own=digests.own,
            request_content=_content(gathered.events, digests.by_event, "request"),
            response_content=_content(gathered.events, digests.by_event, "response"),
            chain=None if ancestor is None else self._ancestry(ancestor).chain,
            redirected_from=() if ancestor is None else self._ancestry(ancestor).urls,
            fingerprint=digests.fingerprint,
        )

    def _ancestry(self, transaction_id: int) -> _Ancestry:
        """What a transaction that was redirected from this one inherits."""
        digests = self._digests.get(transaction_id)  # made with those of the one that was redirected
        return _Ancestry(_NOT_HERE, _NOT_HERE) if digests is None else digests.inherited

    def _digests_of(self, gathered: _Gathered) -> _Digests:
        """The digests of a transaction, made together with those of all that it was redirected from."""
        if gathered.request is None:  # its id names one in each step that received some of it
            return self._made(gathered, _Ancestry())
        unmade, ancestry = self._unmade(gathered)
        for one in reversed(unmade):
            made = self._digests[one.transaction_id] = self._made(one, ancestry)
            ancestry = made.inherited
        return self._digests[gathered.transaction_id]

    def _unmade(self, gathered: _Gathered) -> tuple[list[_Gathered], _Ancestry]:
        """From a transaction up to its last ancestor without digests, and what that one inherits."""
        unmade: dict[int, _Gathered] = {}
        current = gathered
        while current.transaction_id not in self._digests:
            if current.transaction_id in unmade:
                return list(unmade.values()), _Ancestry(_CIRCULAR, _CIRCULAR)
            unmade[current.transaction_id] = current
            predecessor = _predecessor(current)
            if predecessor is None:
                return list(unmade.values()), _Ancestry()
            if predecessor not in self._transactions:
                return list(unmade.values()), _Ancestry(_NOT_HERE, _NOT_HERE)
            current = self._transactions[predecessor]
        return list(unmade.values()), self._digests[current.transaction_id].inherited

    def _made(self, gathered: _Gathered, ancestry: _Ancestry) -> _Digests:
        by_event = tuple(sha256_hex(event_bytes(event, self.rules)) for event in gathered.events)
        own = sorted(by_event)
        url = self._url(gathered.events) or ""
        fingerprint = sha256_hex(record_bytes({"events": own, "redirected_from": ancestry.fingerprint}))
        return _Digests(
            by_event=by_event,
            own=sha256_hex(record_bytes(own)),
            fingerprint=fingerprint,
            inherited=_Ancestry(
                fingerprint=fingerprint,
                chain=sha256_hex(record_bytes([ancestry.chain, url])),
                urls=ancestry.urls if len(ancestry.urls) == MAX_REDIRECTS else (*ancestry.urls, url),
            ),
        )


def _gather(event: NetworkEvent, transactions: dict[int, _Gathered]) -> None:
    gathered = transactions.get(event.transaction_id)
    if gathered is None:
        gathered = transactions[event.transaction_id] = _Gathered(event.transaction_id)
    gathered.events.append(event)
    if gathered.request is None and isinstance(event, RequestEvent):
        gathered.request = event


def _by_step(transactions: Iterable[_Gathered]) -> dict[int, list[_Gathered]]:
    """The transactions of each step, in the order of their requests or, without one, of what came first."""
    placed: list[tuple[int, int, _Gathered]] = []
    for gathered in transactions:
        if gathered.request is not None:
            placed.append((gathered.request.sequence, gathered.request.step_index, gathered))
            continue
        received: dict[int, _Gathered] = {}
        for event in gathered.events:
            part = received.setdefault(event.step_index, _Gathered(gathered.transaction_id))
            part.events.append(event)
        placed += ((part.events[0].sequence, step, part) for step, part in received.items())
    by_step: dict[int, list[_Gathered]] = {}
    for _, step, gathered in sorted(placed, key=lambda one: one[0]):
        by_step.setdefault(step, []).append(gathered)
    return by_step


def _with_ancestors(
    by_step: Mapping[int, list[_Gathered]], transactions: Mapping[int, _Gathered]
) -> dict[int, _Gathered]:
    kept: dict[int, _Gathered] = {}
    for gathered in (one for step in by_step.values() for one in step):
        current: int | None = gathered.transaction_id
        while current is not None and current in transactions and current not in kept:
            kept[current] = transactions[current]
            current = _predecessor(kept[current])
    return kept


def _predecessor(gathered: _Gathered | None) -> int | None:
    if gathered is None or gathered.request is None:
        return None
    return gathered.request.redirected_from_transaction_id


def _content(events: Iterable[NetworkEvent], digests: Iterable[str], phase: str) -> str | None:
    found = [
        digest
        for event, digest in zip(events, digests, strict=True)
        if isinstance(event, NetworkContentEvent) and event.phase == phase
    ]
    return sha256_hex(record_bytes(sorted(found))) if found else None
