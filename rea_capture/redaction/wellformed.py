"""Text that can be written as UTF-8.

A page may hand over lone surrogates (half of a UTF-16 pair), which no JSON document can carry.
Above: the redactor, and every door that text comes through. Below: the standard library.
"""

from __future__ import annotations


def well_formed(text: str) -> str:
    """Return ``text`` with each lone surrogate replaced by U+FFFD; a split pair is joined.

    ASCII text costs nothing, other well-formed text one pass in C.
    """
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
