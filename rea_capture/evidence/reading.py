"""Documents come back: bytes in, a checked record out, or every reason why not.

    1. A document as this program writes it is read straight from its bytes. Writing the record again
       must give those bytes, which proves three things at once: no key appeared twice, nothing was
       dropped or changed by reading, and the bytes are the canonical form that digests are taken of.
    2. Any other spelling (indented, keys in another order) goes the long way round, by its RFC 8785
       form, which must again be what the record writes. So does a document with faults, since this
       way finds all of them.
    3. The id of Evidence must be the one its content gives. Digests and sizes inside were checked by
       the records themselves.

Below: ``identity``, the contracts. Above: workflows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pydantic_core import SchemaValidator, ValidationError

from rea_capture.canonical import canonical_bytes, record_bytes
from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.capture_evidence import CAPTURE_PREDICATE, CaptureEvidence
from rea_capture.contracts.comparison import ComparisonResult
from rea_capture.contracts.comparison_evidence import COMPARISON_PREDICATE, ComparisonEvidence
from rea_capture.contracts.json_text import plain_json, pointer_of
from rea_capture.contracts.reading import adapter, summary, validated
from rea_capture.errors import Fault, InputError
from rea_capture.evidence.identity import (
    CAPTURE_START,
    document_sha256_of,
    evidence_id_of,
    result_sha256_of,
)
from rea_capture.evidence.shape import record_validator
from rea_capture.garbage import collector_paused

if TYPE_CHECKING:
    from pydantic import TypeAdapter

Document: TypeAlias = CaptureEvidence | ComparisonEvidence | CaptureResult | ComparisonResult

_CANONICAL_STARTS: Final[Mapping[bytes, Any]] = {
    CAPTURE_START: CaptureEvidence,
    b'{"authority":"controlled-replay","confidence":"derived",': ComparisonEvidence,
    b'{"browser":': CaptureResult,
    b'{"alignment":': ComparisonResult,
}
"""How the canonical form of each document begins."""


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A document that was read and checked.

    ``result_sha256`` is the RFC 8785 digest of its ``normalized_result``, or of the whole document
    where it is a bare one.
    """

    document: Document
    result_sha256: str

    @property
    def result(self) -> CaptureResult | ComparisonResult:
        """The ``normalized_result``."""
        if isinstance(self.document, CaptureEvidence | ComparisonEvidence):
            return self.document.normalized_result
        return self.document

    @property
    def evidence_id(self) -> str | None:
        """The verified id; None for a bare ``normalized_result``, which has none."""
        if isinstance(self.document, CaptureEvidence | ComparisonEvidence):
            return self.document.evidence_id
        return None


def parse(data: bytes, what: str) -> ParsedDocument:
    """The document in ``data``, checked; ``what`` names it in the error.

    Raises :class:`InputError` with a pointer and a sentence for every fault.
    """
    with collector_paused():
        parsed = _parse_canonical(data, what)
        return _parse_any(data, what) if parsed is None else parsed


def parse_record(document: Document) -> ParsedDocument:
    """``document``, which exists already, with its digest; the id of Evidence is checked.

    Raises :class:`InputError`.
    """
    return _checked(document, record_bytes(document), "document")


def _parse_canonical(data: bytes, what: str) -> ParsedDocument | None:
    """The document in ``data`` if that is its canonical form and valid, else None."""
    model = next((model for start, model in _CANONICAL_STARTS.items() if data.startswith(start)), None)
    if model is None:
        return None
    try:
        document = _validator_of(model).validate_json(data)
    except ValidationError:
        return None
    written = record_bytes(document)
    if not data.startswith(written) or data[len(written) :].strip(b" \t\r\n"):
        return None
    del written  # as large as ``data``, which serves as well from here on
    return _checked(document, data, what)


def _validator_of(model: Any) -> SchemaValidator | TypeAdapter[Any]:
    """What reads ``model`` from the bytes of a document; for capture Evidence without importing pydantic."""
    if model is CaptureEvidence:
        return record_validator()
    return adapter(model)


def _parse_any(data: bytes, what: str) -> ParsedDocument:
    plain = plain_json(data, what=what)
    document = validated(data, plain, _model_of(plain, what), what=what)
    canonical = canonical_bytes(plain)
    if canonical != (written := record_bytes(document)):
        raise _refusal(what, *_difference(plain, plain_json(written, what=what)))
    return _checked(document, canonical, what)


def _model_of(plain: Any, what: str) -> Any:
    if not isinstance(plain, dict):
        raise _refusal(what, Fault("", "must be a JSON object"))
    if plain.get("predicate_type") == CAPTURE_PREDICATE:
        return CaptureEvidence
    if plain.get("predicate_type") == COMPARISON_PREDICATE:
        return ComparisonEvidence
    if "predicate_type" in plain or "evidence_id" in plain:
        known = f"{CAPTURE_PREDICATE!r} or {COMPARISON_PREDICATE!r}"
        raise _refusal(what, Fault("/predicate_type", f"must be {known}"))
    if "comparison_kind" in plain:
        return ComparisonResult
    if "steps" in plain:
        return CaptureResult
    raise _refusal(what, Fault("", "is neither Evidence nor the normalized_result of one"))


def _checked(document: Document, canonical: bytes, what: str) -> ParsedDocument:
    if not isinstance(document, CaptureEvidence | ComparisonEvidence):
        return ParsedDocument(document, document_sha256_of(canonical))
    expected = evidence_id_of(canonical)
    if document.evidence_id != expected:
        message = f"does not recompute: the content of this document gives {expected}"
        raise _refusal(what, Fault("/evidence_id", message))
    return ParsedDocument(document, result_sha256_of(canonical))


def _refusal(what: str, *faults: Fault) -> InputError:
    return InputError(summary(what, faults), faults)


def _difference(given: Any, written: Any) -> list[Fault]:
    """Where ``given`` says something that the record of it does not, such as null for an absent field."""
    faults: list[Fault] = []
    pending: list[tuple[tuple[str | int, ...], Any, Any]] = [((), given, written)]
    while pending:
        path, left, right = pending.pop()
        if isinstance(left, dict) and isinstance(right, dict):
            pending += (((*path, key), left[key], right.get(key, _ABSENT)) for key in left)
        elif isinstance(left, list) and isinstance(right, list):
            pending += (((*path, index), *pair) for index, pair in enumerate(zip(left, right, strict=True)))
        elif left != right:
            absent = right is _ABSENT
            message = "leave this field out instead" if absent else "is not in the form evidence has"
            faults.append(Fault(pointer_of(path), message))
    return faults[::-1] or [Fault("", "is not in the form evidence has")]


_ABSENT: Final = object()
