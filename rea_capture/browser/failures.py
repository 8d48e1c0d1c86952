"""Errors of the browser driver, as sentences for a reader.

The driver's messages carry the API's name, ANSI colours and a call log that repeats filled values.
What helps is the first line and, for a timeout, what it was waiting for.

Below: the standard library. Above: every file of this room that calls the driver.
"""

from __future__ import annotations

import re
from typing import Final

_ANSI: Final = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b.?")
_API_NAME: Final = re.compile(r"^(?:[A-Z]\w*\.\w+: )?(?:Protocol error \([\w.]+\): )?(?=\S)")
_WAITING: Final = re.compile(r"^\s*-?\s*(?:-\s*)?(waiting for .+?)\s*$", re.MULTILINE)
_CALL_LOG: Final = re.compile(r"\n\s*Call log:.*", re.DOTALL)


def without_ansi(text: str) -> str:
    """``text`` without terminal escape sequences (ECMA-48)."""
    return _ANSI.sub("", text)


def reason_of(error: BaseException) -> str:
    """Why ``error`` happened, in one line. Not redacted: the caller does that where it keeps it."""
    text = without_ansi(str(error)).strip() or type(error).__name__
    call_log = _CALL_LOG.search(text)
    # All lines, made one: a secret may hold a line break, and what is cut off is not recognised.
    first = _API_NAME.sub("", " ".join(_CALL_LOG.sub("", text).split())) or type(error).__name__
    waiting = _WAITING.search(call_log.group()) if call_log else None
    if waiting and "imeout" in first:
        return f"{first.rstrip('.')} {_once(waiting.group(1), first)}".strip()
    return first


def _once(waiting: str, first: str) -> str:
    return "" if waiting in first else f"while {waiting}"
