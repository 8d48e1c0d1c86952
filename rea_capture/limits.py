"""Every bound that more than one room shares, as a named constant: unit in the name, reason beside it.

Below: nothing. Above: every room.
"""

from __future__ import annotations

from typing import Final

MAX_SAFE_INTEGER: Final = 2**53 - 1
"""Largest integer that every JSON reader keeps exactly (RFC 8785 section 3.2.2.3, IEEE 754 double)."""

MAX_TIMER_MS: Final = 2**31 - 1
"""Longest wait a 32-bit timer can hold; the browser driver's timers are such timers."""

DEFAULT_COMMAND_TIMEOUT_MS: Final = 20_000
"""One browser command: launch, set-up, an artifact read. Long enough for a loaded CI machine."""

MAX_JSON_DEPTH: Final = 128
"""Deepest nesting a document may have. The deepest of ours has 9 levels; a parser's stack has more."""

# Defaults of capture.limits; a scenario may raise or lower each.
DEFAULT_MAX_EVENTS: Final = 10_000
DEFAULT_MAX_EVENT_BYTES: Final = 4 * 1024 * 1024
DEFAULT_MAX_TOTAL_EVENT_BYTES: Final = 16 * 1024 * 1024
DEFAULT_MAX_NETWORK_TRANSACTIONS: Final = 1_024
DEFAULT_MAX_NETWORK_BODY_BYTES: Final = 64 * 1024
DEFAULT_MAX_NETWORK_BODY_ALLOCATION_BYTES: Final = 1024 * 1024
DEFAULT_MAX_NETWORK_HEADER_BYTES: Final = 1024 * 1024
DEFAULT_MAX_NETWORK_METADATA_BYTES: Final = 1024 * 1024

MAX_SIMULTANEOUS_NETWORK_READS: Final = 16
"""Network content reads under way at once; the rest wait their turn."""

NETWORK_READ_TIMEOUT_MS: Final = 5_000
"""One read of a body or of headers from the browser, counted from when it starts."""

MAX_LISTENER_OWNERS: Final = 2_048
"""Pages, workers and sockets that carry listeners of ours at one time."""

MAX_RULES: Final = 128
MAX_RULE_STRING_CHARACTERS: Final = 4_096
"""Caller rules are literals a person wrote; more than this is a mistake."""

MAX_LIMITATIONS: Final = 256
"""Distinct limitation sentences one document keeps; a page can provoke as many as it likes."""

MAX_SENTENCE_CHARACTERS: Final = 1_000
"""Longest reason, error or limitation kept; page text inside it is cut, and said to be cut."""

MIN_PLAIN_SECRET_CHARACTERS: Final = 4
"""Shorter secrets are likely to occur by chance; a capture that declares one says so."""
