"""Replaces every spelling of every secret by ``[REDACTED:secret_id]``.

The rules that make the result independent of order and safe to redact again:

1. Existing markers of known secrets are cut out first and left alone; the pieces between them are
   searched on their own. So no value, not even ``REDACTED``, can corrupt a marker.
2. All secrets are searched in the original text, never in a replacement.
3. Overlapping occurrences become one marker, that of the longest; of two equally long ones, the
   first ``secret_id``. So no fragment of a second secret remains.

White space around a value is not part of what is replaced, for inputs, accessible names and header
values drop it; the same value then reads the same in every artifact.

Base64, compressed or encrypted bytes, UTF-16, and letter case (but for the lower-casing below) are
not interpreted. A backslash that stands right before a secret that begins with a quotation mark, a
slash or a backslash is taken for a part of its spelling.

Below: ``search``, ``spellings``, ``usual``, ``cuts``, ``wellformed``. Above: the capture rooms, which pass
everything they keep through here *before* they shorten it: a part of a secret is not recognised.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, NoReturn, final

from rea_capture.contracts.encodings import MARKER_START
from rea_capture.errors import SecretRefusedError
from rea_capture.limits import MIN_PLAIN_SECRET_CHARACTERS
from rea_capture.redaction.cuts import CUT, CutSearch
from rea_capture.redaction.escapes import escaped_alphanumerics
from rea_capture.redaction.filenames import file_name_pattern
from rea_capture.redaction.search import Search, Subject
from rea_capture.redaction.spellings import collapsed, letter_cases, trimmed, without_invisible
from rea_capture.redaction.usual import usual_spellings
from rea_capture.redaction.wellformed import well_formed

MIN_SECRET_CHARACTERS: Final = 2
"""One character, replaced wherever it stands, would destroy every text and hide nothing."""


def _marker(secret_id: str) -> str:
    return f"{MARKER_START}{secret_id}]"


@dataclass(frozen=True, slots=True, repr=False)
class _Secret:
    marker: str
    in_text: Search
    in_bytes: Search
    cut: CutSearch


@dataclass(frozen=True, slots=True)
class _Occurrence:
    start: int
    end: int
    marker: str

    @property
    def length(self) -> int:
        return self.end - self.start


@final
class Redactor:
    """The resolved secrets of one capture. Immutable; never shows a value."""

    __slots__ = ("_in_file_names", "_markers", "_needles", "_runs", "_secrets", "_short_secret_ids")
    _in_file_names: tuple[tuple[str, str], ...]
    _markers: re.Pattern[str]
    _needles: tuple[str, ...]
    _runs: tuple[str, ...]
    _secrets: tuple[_Secret, ...]
    _short_secret_ids: tuple[str, ...]

    def __init__(self, secrets: Mapping[str, str]) -> None:
        """Take ``secret_id`` -> resolved value.

        Raises ``SecretRefusedError``, which names the secret and not its value, when a value is
        shorter than two characters (white space around it not counted) or holds a marker.
        """
        markers = re.compile(
            "|".join(re.escape(_marker(secret_id)) for secret_id in sorted(secrets)) or r"(?!)"
        )
        values = {secret_id: trimmed(well_formed(secrets[secret_id])) for secret_id in sorted(secrets)}
        for secret_id, value in values.items():
            _refuse_unsafe(secret_id, value, markers)
        self._set("_markers", markers)
        self._set("_secrets", tuple(_secrets_of(values)))
        self._set("_runs", tuple({secret.in_text.longest_run for secret in self._secrets}))
        names = ((file_name_pattern(_usual(values[name])), _marker(name)) for name in values)
        self._set("_in_file_names", tuple(names))
        needles = {form for value in values.values() for form in _usual(value)}
        self._set("_needles", tuple(sorted(needles, key=lambda needle: (-len(needle), needle))))
        short = [name for name, value in values.items() if len(value) < MIN_PLAIN_SECRET_CHARACTERS]
        self._set("_short_secret_ids", tuple(short))

    def text(self, value: str) -> str:
        """``value`` well-formed and with every spelling of every secret replaced."""
        value = well_formed(value)
        return self._redact(value, as_bytes=False) if self._runs else value

    def abridged(self, value: str) -> str:
        """As :meth:`text`, for text from which a browser has cut pieces; see ``cuts``.

        A secret may have been cut: its beginning before a cut, its end after one, and a part between
        two, each of four characters or more, are replaced as well.
        """
        value = well_formed(value)
        if not self._runs or not CUT.search(value):
            return self.text(value)
        return self._redact_between_markers(value, as_bytes=False, is_cut=True)

    def file_name(self, value: str) -> str:
        """As :meth:`text`, for a name that a browser has made fit for a file; see ``filenames``."""
        value = self.text(value)
        for pattern, marker in self._in_file_names:
            pieces = [re.sub(pattern, marker, piece) for piece in self._markers.split(value)]
            value = _joined(pieces, self._markers.findall(value))
        return value

    def data(self, value: bytes) -> bytes:
        """``value`` with every UTF-8 or ASCII-escaped spelling replaced, all else untouched."""
        if not self._secrets:
            return value
        text = value.decode("latin-1")
        redacted = self._redact(text, as_bytes=True)
        return value if redacted is text else redacted.encode("latin-1")

    def shows(self, value: str) -> bool:
        """Whether ``value`` holds any spelling of a secret."""
        value = well_formed(value)
        if self._surely_none(value):
            return False
        pieces = self._markers.split(value)
        return any(any(True for _ in self._occurrences(piece, as_bytes=False)) for piece in pieces)

    def needles(self) -> tuple[str, ...]:
        """The usual spellings of the values, also with white space collapsed, longest first.

        For a script that looks for what a page shows: it can hold no grammar.
        """
        return self._needles

    @property
    def short_secret_ids(self) -> tuple[str, ...]:
        """The secrets whose value has under four characters, sorted."""
        return self._short_secret_ids

    def __repr__(self) -> str:
        return f"Redactor({len({secret.marker for secret in self._secrets})} values)"

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Redactor is immutable")

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Redactor is never written anywhere")

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _surely_none(self, text: str) -> bool:
        """Decide most texts at once: no letters of any secret, and none that is escaped."""
        for run in self._runs:
            if run in text:
                return False
        return not escaped_alphanumerics(text)

    def _redact(self, text: str, as_bytes: bool) -> str:
        return text if self._surely_none(text) else self._redact_between_markers(text, as_bytes)

    def _redact_between_markers(self, text: str, as_bytes: bool, is_cut: bool = False) -> str:
        if MARKER_START not in text:
            return self._redact_piece(text, as_bytes, is_cut)
        pieces = [self._redact_piece(piece, as_bytes, is_cut) for piece in self._markers.split(text)]
        whole = _joined(pieces, self._markers.findall(text))
        return text if whole == text else whole

    def _redact_piece(self, text: str, as_bytes: bool, is_cut: bool) -> str:
        found = self._occurrences(text, as_bytes)
        occurrences = _merged(chain(found, self._cut_occurrences(text)) if is_cut else found)
        if not occurrences:
            return text
        kept: list[str] = []
        at = 0
        for occurrence in occurrences:
            kept += text[at : occurrence.start], _in_mode(occurrence.marker, as_bytes)
            at = occurrence.end
        return "".join([*kept, text[at:]])

    def _occurrences(self, text: str, as_bytes: bool) -> Iterator[_Occurrence]:
        subject = Subject(text)
        for secret in self._secrets:
            search = secret.in_bytes if as_bytes else secret.in_text
            for start, end in search.spans(subject):
                yield _Occurrence(start, end, secret.marker)

    def _cut_occurrences(self, text: str) -> Iterator[_Occurrence]:
        for secret in self._secrets:
            for start, end in secret.cut.spans(text):
                yield _Occurrence(start, end, secret.marker)


def _joined(pieces: Sequence[str], markers: Sequence[str]) -> str:
    return "".join(part for pair in zip(pieces, (*markers, ""), strict=True) for part in pair)


def _in_mode(marker: str, as_bytes: bool) -> str:
    return marker.encode("utf-8").decode("latin-1") if as_bytes else marker


def _secrets_of(values: Mapping[str, str]) -> Iterator[_Secret]:
    for secret_id, value in values.items():
        for variant in letter_cases(value):
            searches = Search(variant, as_bytes=False), Search(variant, as_bytes=True)
            yield _Secret(_marker(secret_id), *searches, CutSearch(variant))


def _usual(value: str) -> tuple[str, ...]:
    return (*usual_spellings(value), *usual_spellings(collapsed(value)))


def _refuse_unsafe(secret_id: str, value: str, markers: re.Pattern[str]) -> None:
    if len(without_invisible(value)) < MIN_SECRET_CHARACTERS:
        raise SecretRefusedError(
            f"The secret {secret_id!r} has fewer than {MIN_SECRET_CHARACTERS} characters besides white "
            "space around them and cannot be redacted; give it a longer value."
        )
    if markers.search(value):
        raise SecretRefusedError(
            f"The value of the secret {secret_id!r} holds a redaction marker such as "
            f"{_marker('secret_id')} and cannot be redacted; give it another value."
        )


def _merged(occurrences: Iterable[_Occurrence]) -> list[_Occurrence]:
    """Join those that overlap, under the marker of the longest."""
    merged: list[_Occurrence] = []
    longest = 0
    for found in sorted(occurrences, key=lambda item: (item.start, -item.end, item.marker)):
        if not merged or found.start >= merged[-1].end:
            merged.append(found)
            longest = found.length
            continue
        last = merged[-1]
        better = (-found.length, found.marker) < (-longest, last.marker)
        longest = max(longest, found.length)
        marker = found.marker if better else last.marker
        merged[-1] = _Occurrence(last.start, max(last.end, found.end), marker)
    return merged


NO_SECRETS: Final = Redactor({})
