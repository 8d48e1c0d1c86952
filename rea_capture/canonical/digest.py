"""SHA-256, in lower-case hexadecimal, of bytes and of JSON values; all hashing is here.

Below: hashlib and the canonical form. Above: whoever states a digest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from rea_capture.canonical.jcs import Json, canonical_bytes


def sha256_hex(data: bytes | bytearray | memoryview) -> str:
    """SHA-256 of ``data`` as 64 lower-case hexadecimal digits (FIPS 180-4)."""
    return hashlib.sha256(data).hexdigest()


def sha256_hex_of_pieces(pieces: Iterable[bytes | bytearray | memoryview]) -> str:
    """SHA-256 of ``pieces`` one after the other, without joining them."""
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()


def sha1_of_protocol(data: bytes) -> bytes:
    """SHA-1 of ``data``, for a protocol that wants it (RFC 6455 section 4.2.2). It protects nothing."""
    return hashlib.sha1(data, usedforsecurity=False).digest()


def value_sha256(value: Json) -> str:
    """SHA-256 of the RFC 8785 form of ``value``. Raises :class:`InputError` as ``canonical_bytes`` does."""
    return sha256_hex(canonical_bytes(value))
