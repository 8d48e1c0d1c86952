"""What can be wrong with the event evidence of a step, so that it proves no equality.

Below: nothing. Above: ``ancestry`` and ``events`` find faults, ``doubts`` puts them into words.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final


class EventFault(Enum):
    """One way in which events fall short; a transaction inherits those of its predecessors."""

    REQUEST_UNOBSERVED = auto()
    """Events of a transaction without its request: nobody knows what it continues."""
    REQUEST_REPEATED = auto()
    """Two requests with one transaction id."""
    OUTCOME_ABSENT = auto()
    """A request of which nothing came, and which was not declared unfinished either."""
    END_REPEATED = auto()
    """A transaction that ends more than once."""
    PREDECESSOR_ABSENT = auto()
    """The predecessor named by a redirect is not in the capture."""
    PREDECESSOR_UNKNOWN = auto()
    """There was a predecessor, outside the capture."""
    PREDECESSOR_UNSTATED = auto()
    """A capture too old to say whether there was one."""
    REDIRECT_CYCLE = auto()
    """A redirect that is its own ancestor."""
    TRANSACTION_OMITTED = auto()
    """Some events of a transaction were not retained."""
    EVENTS_OMITTED = auto()
    """Sequence numbers show that events were not retained."""
    CONTENT_UNAVAILABLE = auto()
    """Header values or a body were requested and not to be had."""
    CONTENT_ABSENT = auto()
    """Header values or a body were selected, and nothing says what became of them."""
    CONTENT_UNANCHORED = auto()
    """Network content of a request or response that is not in the capture, or not of its transaction."""
    CONTENT_OVER_LIMIT = auto()
    """Header values or a body were larger than their limit, and not kept."""
    CONTENT_TRUNCATED = auto()
    """Only the beginning of a WebSocket message was kept."""


NO_FAULT: Final[frozenset[EventFault]] = frozenset()
UNREQUESTED: Final = frozenset({EventFault.REQUEST_UNOBSERVED})

WITHOUT_FINGERPRINT: Final = frozenset(
    {
        EventFault.REQUEST_UNOBSERVED,
        EventFault.REQUEST_REPEATED,
        EventFault.PREDECESSOR_ABSENT,
        EventFault.PREDECESSOR_UNKNOWN,
        EventFault.PREDECESSOR_UNSTATED,
        EventFault.REDIRECT_CYCLE,
    }
)
"""A transaction with one of these has no fingerprint: its ancestry is not known."""

UNSEEN: Final = frozenset(
    {EventFault.OUTCOME_ABSENT, EventFault.CONTENT_UNAVAILABLE, EventFault.CONTENT_ABSENT}
)
"""These make the state of a step's events ``missing``."""

OMISSIONS: Final = frozenset(
    {
        EventFault.TRANSACTION_OMITTED,
        EventFault.EVENTS_OMITTED,
        EventFault.CONTENT_OVER_LIMIT,
        EventFault.CONTENT_TRUNCATED,
    }
)
"""These make the state of a step's events ``truncated``."""
