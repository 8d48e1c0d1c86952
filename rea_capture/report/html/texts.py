"""What documents say in their own words: reasons, limitations, addresses. All of them are bounded.

Explanations and events have room of their own (``fitting``). What is left are short texts as a rule; a
document that was made elsewhere may say anything in them.

Below: ``fitting``, ``escaping``, ``wording``. Above: ``contents``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import orjson

from rea_capture.report.html.escaping import json_bytes
from rea_capture.report.html.fitting import shares
from rea_capture.wording import counted, shortened

MAX_OTHER_TEXT_BYTES: Final = 512 * 1024
"""All texts of all comparisons but explanations and events. Those of a hundred steps take a tenth of it."""

MIN_TEXT_CHARACTERS: Final = 200
"""No text is cut to less. Ids, digests and names that the program writes are shorter."""

MAX_LIMITATIONS: Final = 200
"""Of one document. The program states some twenty."""


def limitations(found: Sequence[str]) -> list[str]:
    """The first of ``found``, and how many more there are."""
    rest = len(found) - MAX_LIMITATIONS
    more = [f"Left out of this report: {counted(rest, 'more limitation')}."] if rest > 0 else []
    return [*found[:MAX_LIMITATIONS], *more]


def fitting_texts(values: Sequence[Any], max_bytes: int = MAX_OTHER_TEXT_BYTES) -> tuple[list[Any], int]:
    """``values``, plain, the longest texts cut until all take about ``max_bytes``; and what they take.

    What is cut off each is counted in it. Names of fields are not texts.
    """
    plain: list[Any] = [orjson.loads(json_bytes(value)) for value in values]
    needs = [len(json_bytes(text)) for text in _texts(plain)]
    if sum(needs) > max_bytes:
        given = iter(zip(needs, shares(needs, max_bytes), strict=True))
        plain = _cut(plain, given)
        needs = [len(json_bytes(text)) for text in _texts(plain)]
    return plain, sum(needs)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)


def _cut(value: Any, given: Iterator[tuple[int, int]]) -> Any:
    """``value`` with each text cut to its share; ``given`` are need and share of each of :func:`_texts`."""
    if isinstance(value, str):
        need, share = next(given)
        return value if share == need else _shorter(value, share)
    if isinstance(value, dict):
        return {name: _cut(one, given) for name, one in value.items()}
    return [_cut(one, given) for one in value] if isinstance(value, list) else value


def _shorter(text: str, max_bytes: int) -> str:
    """As much of ``text`` as takes no more than ``max_bytes`` in the file, but never less than the least."""
    kept = min(len(text), max_bytes)
    while kept > MIN_TEXT_CHARACTERS and len(json_bytes(text[:kept])) > max_bytes:
        kept = kept * 3 // 4
    return shortened(text, max(kept, MIN_TEXT_CHARACTERS))
