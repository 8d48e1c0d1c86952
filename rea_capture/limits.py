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

MAX_SCENARIO_VALUES: Final = 100_000
"""Values of a scenario, at every level: some twenty thousand actions, of which a capture would take hours. A
value takes a hundred times its size while it is read and found at fault; more are refused unread."""

MAX_VALUES_FULLY_TOLD: Final = 50_000
"""Of a document with more values than this, only the first fault of each list is told. Each value may be at
fault, and a fault takes 1 KiB while it is worded: this many take a third of a second and 50 MiB."""

MAX_FAULTS: Final = 1_000
"""Faults that are told of one document; nobody reads more, and the rest is counted."""

# The defaults of capture.limits are part of the wire format: a scenario that names none means these, and may
# raise or lower each. What "costs" is an estimate of memory, made by capture.allocation.

DEFAULT_MAX_EVENTS: Final = 10_000
"""A page of five hundred requests tells 1,500; one that tells more than this is churning."""

DEFAULT_MAX_EVENT_BYTES: Final = 4 * 1024 * 1024
"""A quarter of the whole, so that no single event can crowd out the others. A body of the default size costs
a sixteenth of it."""

DEFAULT_MAX_TOTAL_EVENT_BYTES: Final = 16 * 1024 * 1024
"""What one capture may cost beside its artifacts: about sixty bodies of the default size."""

DEFAULT_MAX_NETWORK_TRANSACTIONS: Final = 1_024
"""Twice a page of five hundred requests. Omissions are named for each within it, so it bounds those too."""

DEFAULT_MAX_NETWORK_BODY_BYTES: Final = 64 * 1024
"""Room for an answer of an API; script bundles and pictures are seldom what a comparison is about."""

DEFAULT_MAX_NETWORK_BODY_ALLOCATION_BYTES: Final = 1024 * 1024
"""Copies while one body is redacted and encoded; one of the default size takes 300 KiB. Times
``MAX_SIMULTANEOUS_NETWORK_READS`` it is as much as all events may cost."""

DEFAULT_MAX_NETWORK_HEADER_BYTES: Final = 1024 * 1024
"""A KiB for each of the default number of transactions."""

DEFAULT_MAX_NETWORK_METADATA_BYTES: Final = 1024 * 1024
"""A KiB for each of the default number of transactions."""

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
