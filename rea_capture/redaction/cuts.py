"""Secrets that a browser has cut in two.

A console preview keeps the first and the last fifty characters of a long string and puts an ellipsis
between them, before anybody can redact the whole.

Below: the standard library. Above: ``redactor``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

ELLIPSIS: Final = "\u2026"

MIN_PIECE_CHARACTERS: Final = 4
"""A shorter piece gives little away and is likely to be there by chance."""


def without_cut_secrets(text: str, forms: Sequence[tuple[str, str]]) -> str:
    """``text`` with beginnings of a secret before an ellipsis, and ends after one, replaced.

    ``forms`` are the usual spellings of values, each with the marker of its secret.
    """
    pieces = text.split(ELLIPSIS)
    last = len(pieces) - 1
    for index, piece in enumerate(pieces):
        kept = piece
        if index < last:
            kept = _without(kept, forms, at_end=True)
        if index > 0:
            kept = _without(kept, forms, at_end=False)
        pieces[index] = kept
    return ELLIPSIS.join(pieces)


def _without(piece: str, forms: Sequence[tuple[str, str]], *, at_end: bool) -> str:
    longest, marker = 0, ""
    for form, name in forms:
        for length in range(min(len(form), len(piece)), max(longest, MIN_PIECE_CHARACTERS - 1), -1):
            if piece.endswith(form[:length]) if at_end else piece.startswith(form[-length:]):
                longest, marker = length, name
                break
    if not longest:
        return piece
    return piece[:-longest] + marker if at_end else marker + piece[longest:]
