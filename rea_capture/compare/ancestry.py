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
from rea_capture.compare.faults import NO_FAULT, UNREQUESTED, WITHOUT_FINGERPRINT, EventFault


@dataclass(slots=True)
class Transaction:
    """What is known of one transaction.

    ``position`` is that of the requesting step, -1 without request; ``seen`` are the bits of ``expected``.
    """

    digests: list[str] = field(default_factory=list)
    position: int = -1
    seen: int = 0
    predecessor: int | None = None
    faults: frozenset[EventFault] = UNREQUESTED
    fingerprint: str | None = None

    def requested(self, position: int, predecessor: int | None, state: str | None) -> None:
        """Note its request: sent in the step at ``position``, redirected from ``predecessor``."""
        if self.position >= 0:
            self.faults |= {EventFault.REQUEST_REPEATED}
            return
        self.position = position
        self.predecessor = predecessor
        self.faults -= UNREQUESTED
        if predecessor is None and state != "root":
            unknown = state == "unknown"
            self.faults |= {EventFault.PREDECESSOR_UNKNOWN if unknown else EventFault.PREDECESSOR_UNSTATED}

    def settle(self, inherited: frozenset[EventFault], ancestor: str | None) -> None:
        """Take on the faults of the predecessor, and a fingerprint if none of them forbids it."""
        if inherited:
            self.faults |= inherited
        if not self.faults or self.faults.isdisjoint(WITHOUT_FINGERPRINT):
            content = {"events": sorted(self.digests), "redirected_from": ancestor}
            self.fingerprint = sha256_hex(record_bytes(content))


def settle(transactions: Mapping[int, Transaction]) -> None:
    """Give every transaction its fingerprint, or the faults for which it has none."""
    settled: set[int] = set()
    for transaction_id, transaction in transactions.items():
        if transaction_id in settled:
            continue
        if transaction.predecessor is None:
            transaction.settle(NO_FAULT, None)
            settled.add(transaction_id)
            continue
        chain, inherited, ancestor = _unsettled_chain(transactions, settled, transaction_id)
        for member in reversed(chain):
            transactions[member].settle(inherited, ancestor)
            inherited, ancestor = transactions[member].faults, transactions[member].fingerprint
        settled.update(chain)


def _unsettled_chain(
    transactions: Mapping[int, Transaction], settled: set[int], transaction_id: int
) -> tuple[list[int], frozenset[EventFault], str | None]:
    """From a transaction up to its last unsettled ancestor, and the faults and fingerprint it inherits."""
    chain: dict[int, None] = {}  # ordered, and a set
    current: int | None = transaction_id
    while current is not None and current not in settled:
        if current in chain:
            return list(chain), frozenset({EventFault.REDIRECT_CYCLE}), None
        if current not in transactions:
            return list(chain), frozenset({EventFault.PREDECESSOR_ABSENT}), None
        chain[current] = None
        current = transactions[current].predecessor
    if current is None:
        return list(chain), NO_FAULT, None
    return list(chain), transactions[current].faults, transactions[current].fingerprint
