"""How content stands in a document: base64, a PNG's header, digests and sizes, what replaces a secret.

Nothing here needs pydantic, so that Evidence in its usual form is verified without importing it.

Below: ``canonical``, the standard library. Above: ``artifacts``, ``network``, ``evidence.quick``, and the
rooms that keep content.
"""

from __future__ import annotations

import base64
import binascii
import struct
from datetime import datetime
from typing import Final

from rea_capture.canonical import sha256_hex

MARKER_START: Final = "[REDACTED:"
"""How what stands in place of a secret begins; the id of the secret and a bracket follow."""

CREDENTIAL_HEADERS: Final = frozenset({"authorization", "proxy-authorization", "cookie", "set-cookie"})
"""Headers, in lower case, whose values no document holds: they are null and said to be redacted."""

_PNG_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"

_PNG_HEADER: Final = struct.Struct(">8s4x4sII")
"""Signature, chunk length, ``IHDR``, width, height (PNG specification, section 11.2.2)."""


def is_without_credentials(name: str, value: str | None, redacted: bool) -> bool:
    """Whether a header called ``name`` may stand in a document with ``value`` and ``redacted``."""
    return (value is None and redacted) or name.lower() not in CREDENTIAL_HEADERS


def png_size(data: bytes) -> tuple[int, int]:
    """Width and height of a PNG in pixels. Raises ``ValueError`` when ``data`` is not a PNG."""
    if len(data) < _PNG_HEADER.size:
        raise ValueError("is not a PNG image")
    signature, chunk, width, height = _PNG_HEADER.unpack_from(data)
    if signature != _PNG_SIGNATURE or chunk != b"IHDR":
        raise ValueError("is not a PNG image")
    return width, height


def base64_characters(size_bytes: int) -> int:
    """Length of the base64 form of ``size_bytes`` bytes, padding included (RFC 4648 section 4)."""
    return 4 * ((size_bytes + 2) // 3)


def base64_of(data: bytes) -> str:
    """``data`` in standard base64, padded."""
    return base64.b64encode(data).decode("ascii")


def decoded_base64(text: str) -> bytes:
    """The bytes of standard base64. Raises ``ValueError`` for anything else."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise ValueError("is not standard base64") from None
    if len(text) != base64_characters(len(data)):  # padding in excess, which the decoder lets pass
        raise ValueError("is not standard base64")
    return data


def check_digest(data: bytes, size_bytes: int, sha256: str) -> None:
    """Raise ``ValueError`` unless ``size_bytes`` and ``sha256`` are those of ``data``."""
    if len(data) != size_bytes:
        raise ValueError(f"bytes says {size_bytes}, the retained content has {len(data)}")
    if sha256_hex(data) != sha256:
        raise ValueError("sha256 is not the digest of the retained content")


def is_moment(timestamp: str) -> bool:
    """Whether ``timestamp``, in the form of RFC 3339, names a day that there is: no 30th of February."""
    try:
        datetime.fromisoformat(timestamp)
    except ValueError:
        return False
    return True
