"""Errors of the browser driver, as sentences for a reader.

The driver's messages carry the API's name, ANSI colours and a call log that repeats filled values.
What helps is the first line and, for a timeout, what it was waiting for. Where a message repeats elements
of the page, these are dropped: the driver cuts their text, and of a secret that is cut, redaction
recognises nothing.

Below: the standard library. Above: every file of this room that calls the driver.
"""

from __future__ import annotations

import re
from typing import Final

DRIVER_ENDED: Final = "the browser driver ended by itself or was ended"
BROWSER_GONE: Final = "the browser went away (it ended by itself, crashed or was ended)"
"""What an error of closing comes of, where the page has not simply been closed."""

BROWSER_CLOSED: Final = "the browser has closed"
"""What we say ourselves until it is known why."""

_CLOSING: Final = (
    "has been closed",
    BROWSER_CLOSED,
    "Connection closed while reading from the driver",
)

_ANSI: Final = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b.?")
_API_NAME: Final = re.compile(r"^(?:[A-Z]\w*\.\w+: )?(?:Protocol error \([\w.]+\): )?(?=\S)")
_WAITING: Final = re.compile(r"^\s*-?\s*(?:-\s*)?(waiting for .+?)\s*$", re.MULTILINE)
_CALL_LOG: Final = re.compile(r"\n\s*Call log:.*", re.DOTALL)

_ELEMENT_LIST: Final = re.compile(r"( resolved to \d+ elements?):.*", re.DOTALL)
"""What follows lists each element: its preview and a locator, both cut (``strictModeViolationError`` and
``checkDeprecatedSelectorUsage`` of the driver's injected script)."""
_PREVIEW: Final = re.compile(
    r"( resolved to|JSHandle@)(?: visible| hidden)? ?(?:<|#text=).*?(, <iframe> was expected\Z|\Z)", re.DOTALL
)
"""An element (``previewNode`` there): its text is cut to 50 characters, its attributes to 500. Only the end
that the driver writes, at the very end, is known to be no page's."""
_STRICT: Final = re.compile(r"\A(?:Error: )?(?=strict mode violation: )")
_MAKE_IT_ONE: Final = "; make the locator more specific, so that it matches one element"


def without_ansi(text: str) -> str:
    """``text`` without terminal escape sequences (ECMA-48)."""
    return _ANSI.sub("", text)


def is_closing(error: BaseException) -> bool:
    """Whether ``error`` only says that page, browser or driver was closed, which it does not tell apart."""
    return any(sign in str(error).partition("\n")[0] for sign in _CLOSING)


def reason_of(error: BaseException) -> str:
    """Why ``error`` happened, in one line. Not redacted: the caller does that where it keeps it."""
    text = without_ansi(str(error)).strip() or type(error).__name__
    call_log = _CALL_LOG.search(text)
    # All lines, made one: a secret may hold a line break, and what is cut off is not recognised.
    first = " ".join(_CALL_LOG.sub("", text).split())
    first = _without_elements(_API_NAME.sub("", first)) or type(error).__name__
    waiting = _WAITING.search(call_log.group()) if call_log else None
    if waiting and "imeout" in first:
        return f"{first.rstrip('.')} {_once(waiting.group(1), first)}".strip()
    return first


def _without_elements(text: str) -> str:
    """``text`` without what it repeats of the page."""
    text = _PREVIEW.sub(r"\1 an element\2", text).replace("JSHandle@ an", "an")
    if not _STRICT.match(text):
        return _ELEMENT_LIST.sub(r"\1", text)
    return _ELEMENT_LIST.sub(rf"\1{_MAKE_IT_ONE}", _STRICT.sub("", text))


def _once(waiting: str, first: str) -> str:
    return "" if waiting in first else f"while {waiting}"
