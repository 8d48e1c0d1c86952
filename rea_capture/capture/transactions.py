"""Network transactions, known by the identity of the request object and never by URL.

A transaction gets the next id whether or not it can be kept, so that ids beyond the limit are one
contiguous range. Those beyond the limit are forgotten as soon as they end: nothing of theirs is
kept, and no transaction that is kept can be redirected from one of them.

Below: ``contracts``. Above: ``recorder``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rea_capture.contracts.urls import ObservedUrl

Phase: TypeAlias = Literal["request", "response"]


@dataclass(frozen=True, slots=True)
class RequestFacts:
    """What every event of a transaction repeats, in the form that may be kept."""

    method: str
    url: ObservedUrl
    resource_type: str
    header_names: tuple[str, ...]


@dataclass(slots=True, eq=False)
class Transaction:
    """One request and what became of it. ``facts`` is None beyond the limit, where nothing is kept."""

    transaction_id: int
    step_index: int
    """The step that sent the request, or that first heard of it."""
    facts: RequestFacts | None
    status: int | None = None
    request_sequence: int | None = None
    """Sequence of the kept request event."""
    response_sequence: int | None = None
    """Sequence of the kept response event."""
    metadata_kept: bool = False
    """An event that holds ``facts`` is kept, so that the next one adds only its own."""
    ended: bool = False

    def source_sequence(self, phase: Phase) -> int | None:
        """Sequence of the kept event that content of ``phase`` belongs to."""
        return self.request_sequence if phase == "request" else self.response_sequence


class Transactions:
    """Every transaction that is kept or still under way, by its request object."""

    def __init__(self, max_network_transactions: int) -> None:
        self._max_network_transactions = max_network_transactions
        self._by_key: dict[object, Transaction] = {}
        self._last_id = 0
        self.under_way_count = 0
        """Transactions that have not ended, kept or not."""

    def within_limit(self) -> bool:
        """Whether the next transaction can be kept."""
        return self._last_id < self._max_network_transactions

    def begin(self, key: object, step_index: int, facts: RequestFacts | None) -> Transaction:
        """Give the request object ``key`` the next transaction id."""
        self._last_id += 1
        transaction = Transaction(self._last_id, step_index, facts)
        self._by_key[key] = transaction
        self.under_way_count += 1
        return transaction

    def get(self, key: object) -> Transaction | None:
        """The transaction of ``key``, or None when it was never begun or is forgotten."""
        return self._by_key.get(key)

    def end(self, key: object, transaction: Transaction) -> None:
        """The request finished or failed."""
        transaction.ended = True
        self.under_way_count -= 1
        if transaction.facts is None:
            del self._by_key[key]

    def under_way(self) -> Iterator[Transaction]:
        """Transactions that have not ended, in the order they began."""
        return (transaction for transaction in self._by_key.values() if not transaction.ended)
