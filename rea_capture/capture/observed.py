"""Page text at the door: well formed, redacted, and each repeated value worked out once.

URLs, methods and header names repeat on a page, so what became of them is remembered, within bounds.

Below: ``redaction``, ``contracts``. Above: ``recorder`` and ``content``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from rea_capture.contracts.urls import BLOB_ID_PATTERN, BLOB_ID_REPLACEMENT, ObservedUrl, observed_url
from rea_capture.redaction import Redactor

MAX_REMEMBERED_VALUES: Final = 2_048
"""Distinct URLs, names and name lists remembered, each; a page of a thousand requests fits twice."""

MAX_REMEMBERED_CHARACTERS: Final = 4_096
"""Longer values (``data:`` URLs, say) are worked out each time: remembering them would pin them."""

_BLOB_URL: Final = re.compile(rf"(blob:[^\s'\"]{{0,300}}?/){BLOB_ID_PATTERN}", re.IGNORECASE)
"""A ``blob:`` URL inside a text, as stacks of scripts made by a page hold it. A host name has at most 253
characters."""

_WITHOUT_ID: Final = rf"\1{BLOB_ID_REPLACEMENT}"


class ObservedText:
    """Turns what a page reports into what may be kept."""

    def __init__(self, redactor: Redactor) -> None:
        self.text = redactor.text
        self._redactor = redactor
        self._name = lru_cache(MAX_REMEMBERED_VALUES)(redactor.text)
        self._url = lru_cache(MAX_REMEMBERED_VALUES)(self._worked_out_url)
        self._names = lru_cache(MAX_REMEMBERED_VALUES)(self._worked_out_names)

    def said(self, raw: str) -> str:
        """What a script says, logs or throws: a browser may have cut pieces from it, which secrets may have
        been in, and the random parts of ``blob:`` URLs are taken out as in URLs.
        """
        return _BLOB_URL.sub(_WITHOUT_ID, self._redactor.abridged(raw))

    def file_name(self, raw: str) -> str:
        """A name that a browser has made fit for a file."""
        return self._redactor.file_name(raw)

    def name(self, raw: str) -> str:
        """A value that repeats, such as a method or a header name."""
        return self._name(raw) if len(raw) <= MAX_REMEMBERED_CHARACTERS else self.text(raw)

    def url(self, raw: str) -> ObservedUrl:
        """A URL as an event keeps it."""
        return self._url(raw) if len(raw) <= MAX_REMEMBERED_CHARACTERS else self._worked_out_url(raw)

    def url_or_none(self, raw: str | None) -> ObservedUrl | None:
        """As :meth:`url`; None for what has no URL."""
        return self.url(raw) if raw else None

    def header_names(self, raw: Iterable[str]) -> tuple[str, ...]:
        """Header names: lower case, unique and sorted."""
        names = tuple(raw)
        remember = sum(map(len, names)) <= MAX_REMEMBERED_CHARACTERS
        return self._names(names) if remember else self._worked_out_names(names)

    def _worked_out_url(self, raw: str) -> ObservedUrl:
        return observed_url(raw, self.text)

    def _worked_out_names(self, raw: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted({self.name(name.lower()) for name in raw}))
