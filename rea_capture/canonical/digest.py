"""SHA-256, in lower-case hexadecimal, of bytes and of JSON values.

Below: hashlib and the canonical form. Above: whoever states a digest.
"""

from __future__ import annotations

import hashlib

from rea_capture.canonical.jcs import Json, canonical_bytes


def sha256_hex(data: bytes | bytearray | memoryview) -> str:
    """SHA-256 of ``data`` as 64 lower-case hexadecimal digits (FIPS 180-4)."""
    return hashlib.sha256(data).hexdigest()


def value_sha256(value: Json) -> str:
    """SHA-256 of the RFC 8785 form of ``value``. Raises :class:`InputError` as ``canonical_bytes`` does."""
    return sha256_hex(canonical_bytes(value))
