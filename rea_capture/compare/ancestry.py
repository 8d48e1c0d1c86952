"""Fingerprints of network transactions, each carrying those it was redirected from.

    fingerprint = SHA-256 of the RFC 8785 form of
                  {"events": [digest of each event, sorted], "redirected_from": fingerprint | null}

Transactions are linked by id, never by URL. A transaction whose ancestry is absent, unknown or
circular has no fingerprint, and neither has any that descends from it. Each is visited once, on an
explicit stack: a chain of any length takes linear time.

Below: ``faults``, ``canonical``. Above: ``events``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rea_capture.canonical import record_bytes, sha256_hex
from rea_capture.compare.faults import NO_FAULT, WITHOUT_FINGERPRINT, EventFault


@dataclass(slots=True)
class Transaction:
    """What is known of one transaction; ``position`` is that of the requesting step, -1 without request."""

    digests: list[str] = field(default_factory=list)
    position: int = -1
    predecessor: int | None = None
    faults: EventFault = EventFault.REQUEST_UNOBSERVED
    fingerprint: str | None = None

    def requested(self, position: int, predecessor: int | None, state: str | None) -> None:
        """Note its request: sent in the step at ``position``, redirected from ``predecessor``."""
        if self.position >= 0:
            self.faults |= EventFault.REQUEST_REPEATED
            return
        self.position = position
        self.predecessor = predecessor
        self.faults &= ~EventFault.REQUEST_UNOBSERVED
        if predecessor is None and state != "root":
            unknown = state == "unknown"
            self.faults |= EventFault.PREDECESSOR_UNKNOWN if unknown else EventFault.PREDECESSOR_UNSTATED


def settle(transactions: Mapping[int, Transaction]) -> None:
    """Give every transaction its fingerprint, or the faults for which it has none."""
    settled: set[int] = set()
    for transaction_id in transactions:
        chain, inherited, ancestor = _unsettled_chain(transactions, settled, transaction_id)
        for member in reversed(chain):
            transaction = transactions[member]
            transaction.faults |= inherited
            if not transaction.faults & WITHOUT_FINGERPRINT:
                transaction.fingerprint = _fingerprint(transaction.digests, ancestor)
            inherited, ancestor = transaction.faults, transaction.fingerprint
        settled.update(chain)


def _unsettled_chain(
    transactions: Mapping[int, Transaction], settled: set[int], transaction_id: int
) -> tuple[list[int], EventFault, str | None]:
    """From a transaction up to its last unsettled ancestor, and the faults and fingerprint it inherits."""
    chain: list[int] = []
    on_chain: set[int] = set()
    current: int | None = transaction_id
    while current is not None and current not in settled:
        if current in on_chain:
            return chain, EventFault.REDIRECT_CYCLE, None
        if current not in transactions:
            return chain, EventFault.PREDECESSOR_ABSENT, None
        chain.append(current)
        on_chain.add(current)
        current = transactions[current].predecessor
    if current is None:
        return chain, NO_FAULT, None
    return chain, transactions[current].faults, transactions[current].fingerprint


def _fingerprint(digests: list[str], redirected_from: str | None) -> str:
    return sha256_hex(record_bytes({"events": sorted(digests), "redirected_from": redirected_from}))
