"""The one table of what an operation may take, and of how much it may give.

Below: the standard library. Above: everybody who waits or keeps something for the runtime.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Budget:
    """Milliseconds: what is used when nothing is said, and the most that may be asked for."""

    default_ms: int
    ceiling_ms: int


STARTUP: Final = Budget(10_000, 10_000)
"""From the start of a browser to its first tab."""

WORKER_READINESS: Final = Budget(5_000, 5_000)
"""From the start of the worker process to its first word."""

REQUEST: Final = Budget(10_000, 120_000)
"""A request of the transport whose operation has no budget of its own."""

VERIFICATION: Final = Budget(3_000, 3_000)
"""What an action did, or its postcondition, showing."""

READ_WAIT: Final = Budget(3_000, 3_000)
"""A read or an assertion with ``wait: "bounded"``."""

NAVIGATION: Final = Budget(10_000, 10_000)
POPUP_WAIT: Final = Budget(5_000, 5_000)
SCREENSHOT: Final = Budget(10_000, 60_000)
FAILURE_EVIDENCE: Final = Budget(2_000, 2_000)
"""What is kept of a failure, on top of the failure's own time."""

RUN: Final = Budget(60_000, 120_000)
"""A scenario file from the first hook to the last operation."""

MODEL: Final = Budget(10_000, 60_000)
"""An adapter's answer to which element is meant."""

HOOK: Final = Budget(30_000, 120_000)
SERVER_READINESS: Final = Budget(10_000, 60_000)
"""A fixture's server, from its start to its first good answer."""

SERVER_POLL_MS: Final = 100
SERVER_STOP_MS: Final = 3_000
"""Between asking a fixture's server to end and ending it."""

TEARDOWN_MS: Final = 10_000
"""A session's whole way out, whatever hangs."""

BUDGETS: Final[dict[str, Budget]] = {
    "startup": STARTUP,
    "workerReadiness": WORKER_READINESS,
    "request": REQUEST,
    "verification": VERIFICATION,
    "readWait": READ_WAIT,
    "navigation": NAVIGATION,
    "popupWait": POPUP_WAIT,
    "screenshot": SCREENSHOT,
    "failureEvidence": FAILURE_EVIDENCE,
    "run": RUN,
    "model": MODEL,
    "hook": HOOK,
    "serverReadiness": SERVER_READINESS,
}
"""All of them, by the names of the documentation."""

MAX_SCREENSHOT_BYTES: Final = 8 * 1024 * 1024
MAX_DIAGNOSTICS_BYTES: Final = 256 * 1024
MAX_OBSERVED_ELEMENTS: Final = 200
MAX_ELEMENT_NAME_CHARACTERS: Final = 256
MAX_READ_CHARACTERS: Final = 20_000
"""Visible text that a read gives; what was left out is counted."""

MAX_TABS: Final = 32
"""Tabs of a session that have a handle; a list has indexes 0 to 31."""

MAX_CONSOLE_ENTRIES: Final = 100
MAX_CONSOLE_CHARACTERS: Final = 512
MAX_NETWORK_ENTRIES: Final = 200
MAX_OPERATIONS: Final = 200
"""In a scenario file."""

MAX_SESSIONS: Final = 16
"""Of one worker. Each is a browser."""

MAX_REQUESTS_UNDER_WAY: Final = 64
"""Of one worker, waiting ones included."""

MAX_FRAME_BYTES: Final = 16 * 1024 * 1024
"""A line of the transport: a whole screenshot in base64 and what stands around it."""
