"""What keeping a value costs: estimates in bytes, on the safe side and cheap to make.

The estimate of an event is

    EVENT_FIXED_BYTES + 3 x (bytes of its JSON form)

One part is the JSON form itself, two parts stand for the text behind it stored as UTF-16: a code
unit takes two bytes there and at least one byte of JSON (RFC 8259 section 7 never writes a unit in
less), and field names and punctuation, which are counted too, outweigh the containers. The fixed
part is the record, its slot in the list and its bookkeeping. So the estimate is an upper bound of
what an event adds, for any text, without looking at single characters.

Below: ``contracts``, orjson. Above: ``retention`` and ``content``, which hold it against ``capture.limits``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import orjson

from rea_capture.contracts.encodings import base64_characters
from rea_capture.contracts.events import AnyEvent

EVENT_FIXED_BYTES: Final = 192
"""A record with slots for fourteen fields (16 + 14 x 8), its list slot and its integers, rounded up."""

STORED_AND_WRITTEN: Final = 3
"""Two bytes of UTF-16 and one of JSON for each byte of JSON; see the module's text."""

TEXT_FIXED_BYTES: Final = 16
"""A reference to a text and the quotes and comma around it, rounded up."""

_CONTENT_EVENT_JSON_BYTES: Final = 300
"""Field names and fixed values of a ``network-content`` event with a captured body, rounded down."""


def event_bytes(event: AnyEvent) -> int:
    """Estimated bytes of keeping ``event``."""
    return EVENT_FIXED_BYTES + STORED_AND_WRITTEN * len(orjson.dumps(event))


def text_bytes(text: str) -> int:
    """Estimated bytes of keeping one well-formed ``text``."""
    return TEXT_FIXED_BYTES + STORED_AND_WRITTEN * len(orjson.dumps(text))


def stored_text_bytes(text: str) -> int:
    """Estimated bytes of storing ``text`` as UTF-16, its writing not counted.

    UTF-8 has at least one byte for each UTF-16 code unit, and is quick to ask for.
    """
    return TEXT_FIXED_BYTES + 2 * (len(text) if text.isascii() else len(text.encode()))


def texts_bytes(texts: Iterable[str | None]) -> int:
    """Estimated bytes of keeping several texts; None costs nothing."""
    return sum(text_bytes(text) for text in texts if text is not None)


def body_copies_bytes(size_bytes: int) -> int:
    """Estimated bytes that redacting and encoding a body of ``size_bytes`` bytes takes at its peak.

    Two copies for redaction (the body as text and the redacted bytes), two of the base64 form (as
    bytes and as text).
    """
    return 2 * size_bytes + 2 * base64_characters(size_bytes)


def body_event_bytes(size_bytes: int) -> int:
    """Least estimate of a ``network-content`` event that keeps a body of ``size_bytes`` bytes.

    Known before the body is redacted or encoded, so that neither is done in vain. (Redaction may
    shorten a body; a budget that has no room for the whole is taken to have none for the rest.)
    """
    json_bytes = _CONTENT_EVENT_JSON_BYTES + base64_characters(size_bytes)
    return EVENT_FIXED_BYTES + STORED_AND_WRITTEN * json_bytes
