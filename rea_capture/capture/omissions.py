"""Events that were observed and not kept: how many of each kind, why, and of which transactions.

The reasons are those of ``OmissionReason`` and no others. Rows for single transactions are kept for
transactions within ``max_network_transactions`` only, which bounds them; the others are named by their
range of ids alone.

Below: ``contracts``. Above: ``retention``.
"""

from __future__ import annotations

from rea_capture.contracts.capture import (
    KindOmissions,
    OmissionReason,
    Omissions,
    TransactionOmissions,
    TransactionRange,
)
from rea_capture.contracts.events import EventKind


class OmissionCounts:
    """Counts of omitted events, in constant memory for each kind and each transaction within the limit."""

    def __init__(self, max_network_transactions: int) -> None:
        self._max_network_transactions = max_network_transactions
        self._counts: dict[EventKind, int] = {}
        self._reasons: dict[EventKind, set[OmissionReason]] = {}
        self._transactions: dict[int, set[EventKind]] = {}
        self._last_transaction_id = 0
        self.dropped = 0

    def add(self, kind: EventKind, reason: OmissionReason, transaction_id: int | None = None) -> None:
        """Count one event of ``kind``; ``transaction_id`` when it belongs to a transaction."""
        self.dropped += 1
        self._counts[kind] = self._counts.get(kind, 0) + 1
        self._reasons.setdefault(kind, set()).add(reason)
        if transaction_id is None:
            return
        if transaction_id <= self._max_network_transactions:
            self._transactions.setdefault(transaction_id, set()).add(kind)
        else:
            self._last_transaction_id = max(self._last_transaction_id, transaction_id)

    def record(self) -> Omissions:
        """What an Evidence document says about it; every list sorted."""
        return Omissions(
            by_kind=tuple(
                KindOmissions(count=count, kind=kind, reasons=tuple(sorted(self._reasons[kind])))
                for kind, count in sorted(self._counts.items())
            ),
            network_transaction_range=self._range(),
            network_transactions=tuple(
                TransactionOmissions(kinds=tuple(sorted(kinds)), transaction_id=transaction_id)
                for transaction_id, kinds in sorted(self._transactions.items())
            ),
        )

    def _range(self) -> TransactionRange | None:
        if not self._last_transaction_id:
            return None
        return TransactionRange(first=self._max_network_transactions + 1, last=self._last_transaction_id)
