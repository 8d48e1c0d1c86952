"""How captured text gets into the file, and can never be read as a part of it.

Data is JSON in a script element that no browser runs, in which ``<``, ``>`` and ``&`` are escapes: so it can
hold neither the end of that element nor a comment (HTML standard, section 4.12.1.3). The few captured words
that are markup are escaped for it.

Below: ``visible``, ``orjson``. Above: the rest of the room.
"""

from __future__ import annotations

from html import escape
from typing import Any, Final

import orjson

from rea_capture.report.visible import visible


def json_bytes(value: Any) -> bytes:
    """``value``, plain or made of records, as JSON for a script element."""
    data = orjson.dumps(value)
    for sign, written in _ESCAPES:
        data = data.replace(sign, written)
    return data


_ESCAPES: Final = tuple(
    (sign.encode(), f"\\u{ord(sign):04x}".encode()) for sign in ("<", ">", "&", "\u2028", "\u2029")
)
"""The signs that end a script or begin a comment, and the two that were once line ends in scripts."""


def data_block(name: str, value: Any) -> bytes:
    """A script element with ``value`` that a script finds by ``name``, which is ours."""
    return b'<script type="application/json" id="%s">%s</script>\n' % (name.encode(), json_bytes(value))


def captured_html(text: str, max_characters: int) -> str:
    """``text`` as markup: cut, made visible, escaped, isolated from the direction of what is around it."""
    return f"<bdi>{escape(visible(well_formed(text), max_characters))}</bdi>"


def well_formed(text: str) -> str:
    """``text`` without lone surrogates, which the name of a file may hold and UTF-8 may not."""
    return text.encode("utf-8", "replace").decode("utf-8")
