"""Verifying: is a document what it says it is?

Its id, every digest and size in it, and its shape are recomputed from nothing but its own bytes. The
usual document takes a quick way that can only say yes; every other one is read in full.

Below: ``evidence``. Above: the command line and the Python API.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rea_capture.evidence.origin import CaptureOrigin, origin_of_record
from rea_capture.evidence.quick import quick_check
from rea_capture.wording import Name

if TYPE_CHECKING:
    from rea_capture.workflows.reading import Source


@dataclass(frozen=True, slots=True)
class Verified:
    """What was verified.

    ``evidence_id`` is None for a bare ``normalized_result``, which has none; ``capture`` says when and where
    a capture was made, and is None for a comparison. The names are those of the JSON of ``rea verify``.
    """

    kind: Literal["capture", "comparison"]
    evidence_id: str | None
    normalized_result_sha256: str
    capture: CaptureOrigin | None = None


def verify(source: Source, what: str | None = None) -> Verified:
    """Check the document in ``source`` (bytes, text, a path or a plain value); ``what`` names it in errors.

    Raises :class:`rea_capture.errors.InputError` with a pointer and a sentence for every fault,
    ``OSError`` for a path that cannot be read.
    """
    data = source if isinstance(source, bytes) else _bytes_of(source)
    quickly = quick_check(data)
    if quickly is not None:
        return Verified("capture", quickly.evidence_id, quickly.result_sha256, quickly.origin)
    from rea_capture.contracts.capture import CaptureResult  # noqa: PLC0415 - takes a while to import
    from rea_capture.contracts.capture_evidence import CaptureEvidence  # noqa: PLC0415 - takes a while to import
    from rea_capture.evidence.reading import parse  # noqa: PLC0415 - takes a while to import

    parsed = parse(data, "document" if what is None else Name(what))
    if not isinstance(parsed.result, CaptureResult):
        return Verified("comparison", parsed.evidence_id, parsed.result_sha256)
    evidence = parsed.document if isinstance(parsed.document, CaptureEvidence) else None
    origin = origin_of_record(parsed.result, evidence)
    return Verified("capture", parsed.evidence_id, parsed.result_sha256, origin)


def _bytes_of(source: Source) -> bytes:
    from rea_capture.workflows.reading import source_bytes  # noqa: PLC0415 - takes a while to import

    return source_bytes(source)
