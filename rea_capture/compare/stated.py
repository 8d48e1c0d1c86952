"""What the two captures say they could not see, where only one of them says it.

Some of what a page does is told in limitations and nowhere else: a dialog with its text, a service worker
that was refused, a frame whose content no artifact holds. Two captures that agree in everything else are
not known to be alike while they differ in these.

Below: ``doubts``, ``prepared``, ``rules``. Above: ``prepare``, ``limitations``, ``verdict``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from rea_capture.compare.doubts import Doubt, bounded
from rea_capture.compare.prepared import PreparedCapture
from rea_capture.compare.rules import Replacements
from rea_capture.contracts.urls import BLOB_ID_PATTERN, BLOB_ID_REPLACEMENT
from rea_capture.wording import listed

OF_THE_END: Final = frozenset(
    {
        "The browser did not close by itself; its processes were ended.",
        "The temporary profile of the browser could not be deleted completely.",
    }
)
"""Sentences about the machine after everything was seen. They say nothing of the page, and a busy machine
brings them about in one capture and not in the next."""

MAX_NAMED_SENTENCES: Final = 3
"""Sentences of one side that the difference quotes; the others are counted."""

MAX_QUOTED_CHARACTERS: Final = 300
"""Longest beginning of a sentence quoted; the text of a dialog stands near the beginning."""

_BLOB_ID: Final = re.compile(rf"(blob:[^\s'\"]{{0,300}}?/){BLOB_ID_PATTERN}", re.IGNORECASE)
"""The random part of a ``blob:`` URL inside a text. A host name has at most 253 characters."""


def compared_sentences(limitations: Iterable[str], rules: Replacements) -> tuple[str, ...]:
    """Those of ``limitations`` that speak of the page, after ``rules`` and without random parts."""
    return tuple(
        rules.text(_BLOB_ID.sub(rf"\1{BLOB_ID_REPLACEMENT}", sentence))
        for sentence in limitations
        if sentence not in OF_THE_END
    )


def stated_by_one(before: PreparedCapture, after: PreparedCapture) -> Doubt | None:
    """The sentences that only one side states, as often as only it does; None where there is none."""
    one, other = Counter(before.stated), Counter(after.stated)
    sides = (("before", one - other), ("after", other - one))
    parts = [
        f"only the {side} capture states {_quoted(list(only.elements()))}" for side, only in sides if only
    ]
    if not parts:
        return None
    return Doubt(
        "The captures do not state the same limitations, and what these tell of is in nothing else that was "
        f"compared: {'; '.join(parts)}.",
        "Look at the limitations that differ: they may tell of what the page did, such as the text of a "
        "dialog. If the page is as it should be, capture both sides again; a text that differs each time and "
        "means nothing can be replaced by a rule for action_state.",
    )


def _quoted(sentences: Sequence[str]) -> str:
    return listed([f"“{bounded(one, MAX_QUOTED_CHARACTERS)}”" for one in sentences], MAX_NAMED_SENTENCES)
