"""How a browser writes a value into the name of a file, and how to find it there.

Characters that no file system takes become ``_``, also in names that a page gives; at the ends of a name
dots are dropped and white space and ``~`` become ``_``. Of an address, only the last part of its path is
made a name. This is a spelling of file names only: elsewhere ``_`` is no wildcard.

Sources: Chromium ``base/i18n/file_util_icu.cc`` (IllegalCharacters) and
``net/base/filename_util_internal.cc`` (SanitizeGeneratedFileName); tried with Chromium 156.

Below: the standard library. Above: ``redactor``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

from rea_capture.limits import MIN_PLAIN_SECRET_CHARACTERS

_REPLACED: Final = frozenset('"*/:<>?\\|')
_REPLACED_CATEGORIES: Final = frozenset(("Cc", "Cf", "Cn"))
"""Controls, invisible formatting, and what is no character."""
_REPLACED_AT_ENDS: Final = frozenset("~. \t\n")
_SEPARATORS: Final = "/\\"
_AFTER_PATH: Final = "?#"

MIN_LEGAL_CHARACTERS: Final = 2
"""With fewer left as they are, what remains of a value tells nothing, and would match by chance."""


def file_name_pattern(spellings: Iterable[str]) -> str:
    """A regular expression for what file names hold of a value in these ``spellings``; never empty text.

    It is ``(?!)``, which matches nothing, where such a name is the value itself.
    """
    patterns = dict.fromkeys(pattern for form in spellings for pattern in _patterns(form))
    return "|".join(sorted(patterns, key=lambda pattern: -len(pattern))) or r"(?!)"


def _patterns(form: str) -> Iterator[str]:
    written = _written(form)
    if written != re.escape(form) and _legal_count(form) >= MIN_LEGAL_CHARACTERS:
        yield written
    path = re.split(f"[{_AFTER_PATH}]", form, maxsplit=1)[0]
    name = re.split(f"[{re.escape(_SEPARATORS)}]", path)[-1]
    if name != form and _legal_count(name) >= MIN_PLAIN_SECRET_CHARACTERS:
        # The rest of the address is beside it no more: it stands where the name begins or ends.
        begins = r"\A" if len(name) < len(path) else ""
        ends = r"(?=\.\w{1,16}\Z|\Z)" if len(path) < len(form) else ""
        yield f"{begins}{_written(name)}{ends}"


def _written(form: str) -> str:
    last = len(form) - 1
    return "".join(_character(c, at_end=at in (0, last)) for at, c in enumerate(form))


def _character(character: str, at_end: bool) -> str:
    escaped = re.escape(character)
    if at_end and character in _REPLACED_AT_ENDS:
        return f"[{escaped}_]?"
    return f"[{escaped}_]" if _is_replaced(character) else escaped


def _is_replaced(character: str) -> bool:
    return character in _REPLACED or unicodedata.category(character) in _REPLACED_CATEGORIES


def _legal_count(form: str) -> int:
    return sum(not _is_replaced(character) for character in form.strip("~. _"))
