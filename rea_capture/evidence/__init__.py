"""The envelope: results sealed with an id that recomputes, read back and checked, written whole.

The names below are loaded when they are first used: writing a file and verifying a document in its
usual form need none of the contracts, which take longer to import than either takes to do.

Below: the contracts and the canonical form. Above: workflows.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rea_capture.evidence.envelope import evidence_bytes, seal_capture, seal_comparison
    from rea_capture.evidence.reading import ParsedDocument, parse
    from rea_capture.evidence.writing import check_destination, write_document

__all__ = [
    "ParsedDocument",
    "check_destination",
    "evidence_bytes",
    "parse",
    "seal_capture",
    "seal_comparison",
    "write_document",
]

_HOMES: Final[dict[str, str]] = {
    "ParsedDocument": "reading",
    "check_destination": "writing",
    "evidence_bytes": "envelope",
    "parse": "reading",
    "seal_capture": "envelope",
    "seal_comparison": "envelope",
    "write_document": "writing",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
