"""The envelope: results sealed with an id that recomputes, read back and checked, written whole.

Below: the contracts and the canonical form. Above: workflows.
"""

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
