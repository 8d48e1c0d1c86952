"""Text that can be written as UTF-8.

A page may hand over lone surrogates (half of a UTF-16 pair), which no JSON document can carry.

Below: the standard library. Above: the redactor, and every door that text comes through.
"""

from __future__ import annotations


def well_formed(text: str) -> str:
    """``text`` with each lone surrogate replaced by U+FFFD; a split pair is joined.

    ASCII text costs nothing, other well-formed text one pass in C.
    """
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
