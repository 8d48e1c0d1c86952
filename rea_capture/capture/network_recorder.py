"""Network events: requests, their outcomes and their content, grouped in transactions.

A request is known by the identity of its object (``key``), never by its URL.

``max_network_metadata_bytes`` bounds the text that the kept network events store. Their events share
it, so it counts once: method, URL and resource type in each transaction, and each list of header
names in the whole capture. (What writing them takes counts in each event, under
``max_total_event_bytes``.)

Below: ``retention``, ``transactions``, ``content``, ``observed``. Above: ``recorder``, and through
it the browser room's observer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, TypeAlias

from rea_capture.capture.allocation import (
    EVENT_FIXED_BYTES,
    TEXT_FIXED_BYTES,
    body_event_bytes,
    stored_text_bytes,
)
from rea_capture.capture.content import BodyRead, BodyReading, Content, ContentKeeper, HeadersReading
from rea_capture.capture.observed import ObservedText
from rea_capture.capture.retention import Retention
from rea_capture.capture.transactions import Phase, RequestFacts, Transaction, Transactions
from rea_capture.contracts import events as wire
from rea_capture.contracts.events import EventKind
from rea_capture.contracts.selection import RecordedLimits, RecordedNetworkContent

OutcomeKind: TypeAlias = Literal["response", "request-finished", "request-failed"]
_Make: TypeAlias = Callable[[RequestFacts, int, int], wire.NetworkEvent]


class NetworkRecorder:
    """Records the network events of one capture."""

    def __init__(
        self,
        *,
        selected: bool,
        limits: RecordedLimits,
        wanted: RecordedNetworkContent,
        observed: ObservedText,
        retention: Retention,
        keeper: ContentKeeper,
    ) -> None:
        self.wanted = wanted
        self._listening = selected
        self._max_metadata_bytes = limits.max_network_metadata_bytes
        self._observed = observed
        self._retention = retention
        self._keeper = keeper
        self._transactions = Transactions(limits.max_network_transactions)
        self._metadata_bytes = 0
        self._counted_names: set[tuple[str, ...]] = set()

    def request(
        self,
        key: object,
        *,
        method: str,
        url: str,
        resource_type: str,
        header_names: Iterable[str],
        redirected_from: object | None,
    ) -> None:
        """A request was sent; ``redirected_from`` is the key of the request it continues."""
        if not self._listening:
            return
        transaction = self._begin(key, method, url, resource_type, header_names)
        predecessor = None if redirected_from is None else self._transactions.get(redirected_from)
        linked = predecessor.transaction_id if predecessor else None

        def make(facts: RequestFacts, sequence: int, step_index: int) -> wire.RequestEvent:
            return wire.RequestEvent(
                failure=None,
                header_names=facts.header_names,
                kind="request",
                method=facts.method,
                redirected_from_transaction_id=linked,
                redirected_from_transaction_state=_ancestry(redirected_from, linked),
                resource_type=facts.resource_type,
                sequence=sequence,
                status=None,
                step_index=step_index,
                transaction_id=transaction.transaction_id,
                url=facts.url,
            )

        transaction.request_sequence = self._keep(transaction, "request", make)

    def is_idle(self) -> bool:
        """Whether every request that was sent has ended."""
        return self._transactions.under_way_count == 0

    def knows(self, key: object) -> bool:
        """Whether ``key`` belongs to a transaction that is kept or under way."""
        return self._transactions.get(key) is not None

    def adopt(
        self, key: object, *, method: str, url: str, resource_type: str, header_names: Iterable[str]
    ) -> None:
        """An outcome is about to be reported of a request whose sending was not observed."""
        if self._listening:
            self._begin(key, method, url, resource_type, header_names)

    def response(self, key: object, *, status: int, header_names: Iterable[str]) -> None:
        """The headers of a response arrived."""
        transaction = self._under_way(key)
        if transaction is None:
            return
        transaction.status = max(status, 0)
        names = () if transaction.facts is None else self._observed.header_names(header_names)
        transaction.response_sequence = self._outcome(transaction, "response", names, None)

    def finished(self, key: object) -> None:
        """The whole response arrived."""
        transaction = self._under_way(key)
        if transaction is not None:
            self._transactions.end(key, transaction)
            self._outcome(transaction, "request-finished", None, None)

    def failed(self, key: object, failure: str | None) -> None:
        """The request ended without a whole response."""
        transaction = self._under_way(key)
        if transaction is not None:
            self._transactions.end(key, transaction)
            kept = None if transaction.facts is None else self._observed.text(failure or "unknown failure")
            self._outcome(transaction, "request-failed", None, kept)

    def wants_content(self, key: object, phase: Phase) -> bool:
        """Whether content of ``phase`` is selected and the event it belongs to is kept."""
        body = self.wanted.request_body if phase == "request" else self.wanted.response_body
        if not (body or self.wanted.header_values):
            return False
        transaction = self._transactions.get(key)
        return transaction is not None and transaction.source_sequence(phase) is not None

    def content(self, key: object, phase: Phase, *, headers: HeadersReading, body: BodyReading) -> bool:
        """Header values and body of a request or response were read, or could not be.

        Returns whether they are kept; also taken after the end of observation.
        """
        transaction = self._transactions.get(key)
        source_sequence = transaction.source_sequence(phase) if transaction else None
        if transaction is None or source_sequence is None:
            return False
        made: list[Content] = []

        def make(sequence: int, step_index: int) -> wire.NetworkContentEvent:
            made.append(self._keeper.content(phase, headers, body))
            return wire.NetworkContentEvent(
                body=made[0].body,
                headers=made[0].headers,
                kind="network-content",
                phase=phase,
                sequence=sequence,
                source_event_sequence=source_sequence,
                step_index=step_index,
                transaction_id=transaction.transaction_id,
            )

        if self._retention.keep("network-content", make, transaction, self._least_bytes(body)) is None:
            return False
        self._keeper.kept(phase, made[0])
        if made[0].missing:
            self._retention.miss({"events"}, transaction)
        if made[0].truncated:
            self._retention.truncate({"events"}, transaction)
        return True

    def miss_beside(self, key: object) -> None:
        """Something that belongs to the step which sent the request ``key`` was not seen."""
        transaction = self._transactions.get(key)
        step_index = self._retention.step_index if transaction is None else transaction.step_index
        self._retention.miss_in({"events"}, step_index)

    def end_observation(self) -> None:
        """Record every request under way as unfinished; further events are not heard."""
        for transaction in self._transactions.under_way():
            self._unfinished(transaction)
        self._listening = False

    def _begin(
        self, key: object, method: str, url: str, resource_type: str, header_names: Iterable[str]
    ) -> Transaction:
        facts = None
        if self._transactions.within_limit():
            facts = RequestFacts(
                method=self._observed.name(method),
                url=self._observed.url(url),
                resource_type=self._observed.name(resource_type),
                header_names=self._observed.header_names(header_names),
            )
        return self._transactions.begin(key, self._retention.step_index, facts)

    def _under_way(self, key: object) -> Transaction | None:
        transaction = self._transactions.get(key) if self._listening else None
        return None if transaction is None or transaction.ended else transaction

    def _outcome(
        self, transaction: Transaction, kind: OutcomeKind, names: tuple[str, ...] | None, failure: str | None
    ) -> int | None:
        """Record an outcome; ``names`` None repeats the header names of the request."""

        def make(facts: RequestFacts, sequence: int, step_index: int) -> wire.TransactionEvent:
            return wire.TransactionEvent(
                failure=failure,
                header_names=facts.header_names if names is None else names,
                kind=kind,
                method=facts.method,
                resource_type=facts.resource_type,
                sequence=sequence,
                status=transaction.status,
                step_index=step_index,
                transaction_id=transaction.transaction_id,
                url=facts.url,
            )

        return self._keep(transaction, kind, make, names, failure)

    def _unfinished(self, transaction: Transaction) -> None:
        def make(facts: RequestFacts, sequence: int, step_index: int) -> wire.UnfinishedRequestEvent:
            return wire.UnfinishedRequestEvent(
                failure=None,
                header_names=facts.header_names,
                kind="request-unfinished",
                method=facts.method,
                reason="capture-ended",
                resource_type=facts.resource_type,
                sequence=sequence,
                status=transaction.status,
                step_index=step_index,
                transaction_id=transaction.transaction_id,
                url=facts.url,
            )

        self._keep(transaction, "request-unfinished", make)

    def _keep(
        self,
        transaction: Transaction,
        kind: EventKind,
        make: _Make,
        own_names: tuple[str, ...] | None = None,
        failure: str | None = None,
    ) -> int | None:
        """Keep an event within the transaction, metadata and event budgets, in this order."""
        facts = transaction.facts
        if facts is None:
            self._retention.omit(kind, "network-transaction-limit", transaction)
            return None
        names = facts.header_names if own_names is None else own_names
        cost = self._metadata_cost(None if transaction.metadata_kept else facts, names, failure)
        if self._metadata_bytes + cost > self._max_metadata_bytes:
            self._retention.omit(kind, "network-metadata-limit", transaction)
            return None
        sequence = self._retention.keep(
            kind, lambda sequence, step_index: make(facts, sequence, step_index), transaction
        )
        if sequence is not None:
            transaction.metadata_kept = True
            self._metadata_bytes += cost
            self._counted_names.add(names)
        return sequence

    def _metadata_cost(self, facts: RequestFacts | None, names: tuple[str, ...], failure: str | None) -> int:
        cost = 0 if facts is None else _facts_bytes(facts)
        if failure is not None:
            cost += stored_text_bytes(failure)
        if names not in self._counted_names:
            cost += sum(map(stored_text_bytes, names))
        return cost

    def _least_bytes(self, body: BodyReading) -> int:
        """What a content event costs at least; a body over a limit of its own is not part of it."""
        if not isinstance(body, BodyRead) or self._keeper.refuses(len(body.data)):
            return EVENT_FIXED_BYTES
        return body_event_bytes(len(body.data))


def _ancestry(redirected_from: object | None, linked: int | None) -> Literal["root", "unknown"] | None:
    if linked is not None:
        return None
    return "root" if redirected_from is None else "unknown"


def _facts_bytes(facts: RequestFacts) -> int:
    url = facts.url
    texts = (facts.method, facts.resource_type, url.url, url.origin or "", *url.query_parameter_names)
    return stored_text_bytes("".join(texts)) + TEXT_FIXED_BYTES * (len(texts) - 1)
