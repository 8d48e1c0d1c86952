"""Every bound of this room.

Below: nothing. Above: the other files of this room, and the command for its defaults.
"""

from __future__ import annotations

from typing import Final

DEFAULT_INLINE_BYTES: Final = 48 * 1024
"""Largest Evidence that an answer holds whole: clients cut answers of some 100 KiB (25,000 tokens)."""

DEFAULT_MAX_CAPTURES: Final = 2
"""Captures at one time. Each is a browser of several processes and some 300 MiB."""

MAX_WAITING_CAPTURES: Final = 64
"""Captures that wait for their turn; a client that sends more has lost count."""

MAX_CALL_BYTES: Final = 16 * 1024 * 1024
"""One call's message. Two captures of the default limits rarely fit, and need not be sent: a side of a
comparison may be the id of what this server has."""

MAX_CALL_VALUES: Final = 1_000_000
"""Values of one call, at every level, or of another message. Evidence of :data:`MAX_CALL_BYTES` seldom has
half as many, and each takes some hundred bytes while it is read."""

MAX_WHOLE_BYTES: Final = 256 * 1024
"""Longest message that the library reads with the arguments of the call in it."""

MAX_MESSAGE_BYTES: Final = 32 * 1024 * 1024
"""Longest message that is read at all, so that one above :data:`MAX_CALL_BYTES` still gets an answer that
says so. Of a longer one not even the id is known."""

MAX_STORED_BYTES: Final = 512 * 1024 * 1024
MAX_STORED_DOCUMENTS: Final = 64
"""What is kept of this server's results, in bytes and in number; the oldest leave first."""

MAX_REMEMBERED_IDS: Final = 10_000
"""Ids of documents that have left, so that asking for one can be answered with what became of it."""

MAX_RESOURCE_BYTES: Final = 64 * 1024 * 1024
"""Largest resource that is sent in one piece; a larger document is read by pointers."""

MAX_WORKERS: Final = 4
"""Documents that are compared, verified or read at one time: each may take some times its size in memory."""

DEFAULT_PAGE_CHARACTERS: Final = 16_000
MAX_PAGE_CHARACTERS: Final = 64_000
"""What ``read_evidence`` gives at a time: by default 4,000 tokens or so, at most what clients take."""

MAX_MEMBERS: Final = 100
"""Members of an object or array that ``read_evidence`` lists with their sizes."""

MAX_SUMMARY_STEPS: Final = 40
MAX_SUMMARY_ARTIFACTS: Final = 40
MAX_SUMMARY_FAILURES: Final = 10
MAX_SUMMARY_LIMITATIONS: Final = 20
MAX_SUMMARY_CHARACTERS: Final = 300
"""What a summary keeps of a capture's steps, of a comparison's artifacts, of failures to align, limitations,
and of each sentence; the rest is counted, and in the document. No summary is longer than Evidence that is
answered whole."""

MAX_DETAILS: Final = 50
"""Faults that a refusal lists; the rest is counted."""

MAX_PICTURE_EDGE_PX: Final = 1_024
"""Longer edges are scaled down by the clients themselves."""

MAX_PICTURE_BYTES: Final = 512 * 1024
"""With Base64 and the summary still below the megabyte that clients take in one answer."""

HEARTBEAT_S: Final = 10.0
"""How often a call that waits says so: clients give up after a silence of 30 or 60 s."""

MAX_PENDING_PROGRESS: Final = 64
"""Progress of one call that has not been taken yet; then the oldest of it is left out."""

MAX_SENDING_S: Final = 4.0
"""How long the last answers may take to be written once a server ends: a pipe may have no reader."""

MAX_RECLAIM_S: Final = 5.0
"""How long a server that starts looks for what killed ones have left, beside its work."""

MAX_PENDING_OFFERS: Final = 64
"""Lines that wait for the reader without anybody waiting for them; a reader that is as far behind with
answers to what were no messages goes without further ones."""

MAX_SESSIONS: Final = 1_024
"""Sessions over HTTP of clients by the older versions of the protocol."""

MAX_IDLE_SESSION_S: Final = 300
"""How long a session is kept that asks for nothing and listens to nothing: clients vanish without a word, and
one that comes back begins another."""

MAX_BROWSER_SESSIONS: Final = 8
"""Browsers that clients drive step by step, beside those of captures; each is some 300 MiB."""

MAX_IDLE_BROWSER_S: Final = 1_800
"""How long such a browser is kept that is asked nothing. A model that thinks needs minutes, a client that has
gone comes back no more."""

MAX_REMEMBERED_SESSIONS: Final = 1_000
"""Ids of sessions that are over, so that a late call is answered with what became of them."""
