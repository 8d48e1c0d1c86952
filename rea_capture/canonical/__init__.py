"""Canonical bytes and digests: the only hashing in the package.

Below: rfc8785, orjson, hashlib. Above: the contracts and every room that states a digest.
"""

from rea_capture.canonical.digest import sha256_hex, sha256_hex_of_pieces, value_sha256
from rea_capture.canonical.jcs import canonical_bytes, record_bytes

__all__ = ["canonical_bytes", "record_bytes", "sha256_hex", "sha256_hex_of_pieces", "value_sha256"]
