"""The two digests of an Evidence document, taken from its canonical bytes without writing them again.

``evidence_id`` is ``ev_`` and the SHA-256 of the canonical form of every other field: the canonical
bytes with that one member cut out. The digest of ``normalized_result`` is that of a slice. Both
members are found by their text, which cannot occur earlier (or, for the end of the slice, later):
inside a JSON string every quotation mark is escaped, and no object beside ``normalized_result`` has a
member of these names.

Below: ``canonical``. Above: ``envelope``, ``reading``, ``quick``.
"""

from __future__ import annotations

from typing import Final

from rea_capture.canonical import sha256_hex, sha256_hex_of_pieces

CAPTURE_START: Final = b'{"authority":"controlled-replay","confidence":"observed",'
"""How the canonical form of capture Evidence begins; no other document begins so."""

_ID_MEMBER: Final = b',"evidence_id":"'
_ID_LENGTH: Final = len("ev_") + 64
_RESULT_MEMBER: Final = b',"normalized_result":'
_AFTER_RESULT: Final = b',"operation":"'


def evidence_id_of(canonical: bytes) -> str:
    """The id of the Evidence whose canonical form is ``canonical``, whatever id that form holds.

    ``canonical`` may have white space after it. Raises ``ValueError`` when it is not Evidence.
    """
    start = canonical.index(_ID_MEMBER)
    end = start + len(_ID_MEMBER) + _ID_LENGTH + len(b'"')
    view = memoryview(canonical)
    return "ev_" + sha256_hex_of_pieces((view[:start], view[end : _length(canonical)]))


def result_sha256_of(canonical: bytes) -> str:
    """The RFC 8785 digest of ``normalized_result`` in the Evidence whose canonical form is ``canonical``.

    Raises ``ValueError`` when it is not Evidence.
    """
    start = canonical.index(_RESULT_MEMBER) + len(_RESULT_MEMBER)
    return sha256_hex(memoryview(canonical)[start : canonical.rindex(_AFTER_RESULT)])


def document_sha256_of(canonical: bytes) -> str:
    """The digest of the whole canonical form, without the white space after it."""
    return sha256_hex(memoryview(canonical)[: _length(canonical)])


def _length(canonical: bytes) -> int:
    return canonical.rindex(b"}") + 1
