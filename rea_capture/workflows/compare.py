"""Comparing: two captures in, comparison Evidence out.

    1. Read one side, reduce it to digests, drop it; then the other. Never are both in memory.
    2. Faults of both sides are reported together.
    3. Compare.
    4. If something changed, read each side once more and keep what changed, to explain it.
    5. Seal the result with the digests of what was compared.

Below: ``compare``, ``evidence``, ``contracts``. Above: the command line and the Python API.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from rea_capture.canonical import canonical_bytes
from rea_capture.compare import PreparedCapture, compare_prepared, prepare
from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.capture_evidence import CaptureEvidence
from rea_capture.contracts.comparison import ComparisonResult
from rea_capture.contracts.comparison_evidence import ComparisonEvidence, ComparisonParameters
from rea_capture.contracts.json_text import duplicate_key_faults, plain_json, pointer_of
from rea_capture.contracts.reading import summary, validated
from rea_capture.contracts.rules import rule_set_faults
from rea_capture.errors import Fault, InputError
from rea_capture.evidence import ParsedDocument, parse, seal_comparison
from rea_capture.evidence.reading import parse_record
from rea_capture.workflows.reading import Source, source_bytes

if TYPE_CHECKING:
    from rea_capture.contracts.normalization import Normalization, Rule

T = TypeVar("T")

Side: TypeAlias = CaptureEvidence | CaptureResult | Source
"""A capture: a record, or a document in any form a program has it."""

_BEFORE: Final = "before_scenario"
_AFTER: Final = "after_scenario"
_MEMBERS: Final = (_BEFORE, _AFTER, "normalization")


def compare(
    before: Side,
    after: Side,
    normalization: Normalization | Mapping[str, Any] | None = None,
    *,
    explain: bool = True,
) -> ComparisonEvidence:
    """The comparison of two captures, each whole Evidence or its ``normalized_result``.

    With ``explain`` every change says what it looks like, for which the captures are read twice. Raises
    :class:`InputError`, with pointers below ``/before_scenario``, ``/after_scenario`` and
    ``/normalization``, when one of them is not valid; ``OSError`` when a path cannot be read.
    """
    faults: list[Fault] = []
    rules = _attempt(faults, "normalization", lambda: _normalization(normalization))
    sides = (lambda: _parsed(before, _BEFORE), lambda: _parsed(after, _AFTER))
    return _compare(*sides, rules, faults, explain=explain)


def compare_documents(
    before: Callable[[], bytes],
    after: Callable[[], bytes],
    normalization: Normalization | None = None,
    *,
    explain: bool = True,
) -> ComparisonEvidence:
    """As :func:`compare`, for two documents that are read when they are needed and dropped after.

    To explain a change they are read twice.
    """
    sides = (lambda: parse(before(), _BEFORE), lambda: parse(after(), _AFTER))
    return _compare(*sides, normalization, [], explain=explain)


def compare_input(
    data: bytes, stored: Callable[[str], bytes] | None = None, *, explain: bool = True
) -> ComparisonEvidence:
    """The comparison that ``{before_scenario, after_scenario, normalization?}`` asks for.

    With ``stored`` a side may also be ``{"evidence_id": "ev_…"}``, for which it gives the document or raises
    :class:`InputError`. Raises :class:`InputError` with every fault.
    """
    document = plain_json(data, what="comparison input")
    kept = data if explain else b""
    del data
    if not isinstance(document, dict):
        raise InputError("the comparison input is not valid: it must be a JSON object", [_NOT_AN_OBJECT])
    if not document.keys() & set(_MEMBERS) and document.keys() & {
        "evidence_id",
        "normalized_result",
        "steps",
    }:
        message = "is one document, and a comparison needs two: name the capture before and the one after"
        raise InputError(f"the comparison input {message}", [Fault("", message)])
    faults = [
        *duplicate_key_faults(document),
        *(Fault(f"/{name}", "this field is required") for name in _MEMBERS[:2] if name not in document),
        *(
            Fault(pointer_of((name,)), "this field is unknown; remove it or correct its name")
            for name in document
            if name not in _MEMBERS
        ),
    ]
    rules = _attempt(faults, "normalization", lambda: _normalization(document.get("normalization")))

    def side(name: str) -> Callable[[], ParsedDocument]:
        return lambda: parse(_given_or_stored(taken(name), stored), name)

    def taken(name: str) -> Any:
        if name not in document:  # it was read before, and dropped then
            document.update(plain_json(kept, what="comparison input"))
        return document.pop(name)

    before, after = (side(name) if name in document else None for name in _MEMBERS[:2])
    return _compare(before, after, rules, faults, explain=explain)


def read_normalization(data: bytes) -> Normalization:
    """The caller rules in ``data``. Raises :class:`InputError` with every fault."""
    return _read_normalization(data, plain_json(data, what="rule set"))


_NOT_AN_OBJECT: Final = Fault("", "must be a JSON object")


@dataclass(frozen=True, slots=True)
class _PreparedSide:
    capture: PreparedCapture
    evidence_id: str | None
    result_sha256: str
    scenario_sha256: str | None


def _compare(
    before: Callable[[], ParsedDocument] | None,
    after: Callable[[], ParsedDocument] | None,
    normalization: Normalization | None,
    faults: list[Fault],
    *,
    explain: bool,
) -> ComparisonEvidence:
    rules = normalization.rules if normalization is not None else ()
    first = _attempt(faults, _BEFORE, lambda: _prepared(before, rules))
    second = _attempt(faults, _AFTER, lambda: _prepared(after, rules))
    if faults:
        raise InputError(summary("comparison input", faults), faults)
    assert before is not None
    assert after is not None
    assert first is not None
    assert second is not None
    result = compare_prepared(first.capture, second.capture, normalization)
    result = replace(result, limitations=(*result.limitations, *_about_the_pair(first, second)))
    if explain and any(step.status == "changed" for step in result.steps):
        result = _explained(result, (before, first), (after, second))
    return seal_comparison(
        result,
        ComparisonParameters(
            after_evidence_id=second.evidence_id,
            after_sha256=second.result_sha256,
            before_evidence_id=first.evidence_id,
            before_sha256=first.result_sha256,
            normalization_sha256=result.normalization.sha256,
        ),
    )


def _prepared(side: Callable[[], ParsedDocument] | None, rules: Sequence[Rule]) -> _PreparedSide | None:
    if side is None:
        return None
    parsed = side()
    if not isinstance(parsed.result, CaptureResult):
        fault = Fault("", "is a comparison; name one of the two captures it compared, or another capture")
        raise InputError(fault.message, [fault])
    document = parsed.document
    parameters = document.parameters if isinstance(document, CaptureEvidence) else None
    scenario_sha256 = parameters.scenario_sha256 if parameters is not None else None
    capture = prepare(parsed.result, rules, parameters)
    return _PreparedSide(capture, parsed.evidence_id, parsed.result_sha256, scenario_sha256)


def _explained(
    result: ComparisonResult, *sides: tuple[Callable[[], ParsedDocument], _PreparedSide]
) -> ComparisonResult:
    """``result`` with explanations, for which both sides are read once more."""
    from rea_capture.compare.explain import changed_parts, explained, unexplained  # noqa: PLC0415 - on change

    parts = []
    for read, prepared in sides:
        try:
            parsed = read()
        except (InputError, OSError):
            return unexplained(result, "Not explained: a capture could not be read a second time.")
        if parsed.result_sha256 != prepared.result_sha256:
            return unexplained(result, "Not explained: a capture became another one while it was compared.")
        assert isinstance(parsed.result, CaptureResult)
        parts.append(changed_parts(parsed.result, result))
        del parsed
    return explained(result, *parts)


def _about_the_pair(first: _PreparedSide, second: _PreparedSide) -> Iterator[str]:
    """What a reader of the verdict should know about the two documents."""
    if first.result_sha256 == second.result_sha256:
        yield "Both sides are the same capture; a comparison with itself says nothing about a change."
    scenarios = (first.scenario_sha256, second.scenario_sha256)
    if None not in scenarios and scenarios[0] != scenarios[1]:
        yield (
            "The captures ran different scenarios (their scenario_sha256 differ, if only in the path of the "
            "browser); steps of one step_id may not have done the same."
        )


def _parsed(side: Side, what: str) -> ParsedDocument:
    if isinstance(side, CaptureEvidence | CaptureResult):
        return parse_record(side)
    return parse(source_bytes(side), what)


def _normalization(given: Normalization | Mapping[str, Any] | None) -> Normalization | None:
    if given is None:
        return None
    from rea_capture.contracts.normalization import Normalization  # noqa: PLC0415 - brings pydantic

    return given if isinstance(given, Normalization) else _read_normalization(canonical_bytes(given), given)


def _read_normalization(data: bytes, plain: Any) -> Normalization:
    from rea_capture.contracts.normalization import Normalization  # noqa: PLC0415 - brings pydantic

    read = validated(data, plain, Normalization, what="rule set", rules=lambda: rule_set_faults(plain))
    assert isinstance(read, Normalization)
    return read


def _given_or_stored(value: Any, stored: Callable[[str], bytes] | None) -> bytes:
    if stored is None or not isinstance(value, dict) or set(value) != {"evidence_id"}:
        return _as_given(value)
    evidence_id = value["evidence_id"]
    if isinstance(evidence_id, str):
        return stored(evidence_id)
    raise InputError("must be a string", [Fault("/evidence_id", "must be a string")])


def _as_given(value: Any) -> bytes:
    """``value``, read from JSON, as JSON again: in the order of the canonical form, numbers as written.

    The canonical form itself would make 1.0 an integer, which a document of its own may not hold.
    """
    try:
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    except ValueError as error:
        raise InputError(
            f"the document is not valid: {error}", [Fault("", f"is not JSON: {error}")]
        ) from None
    return text.encode("utf-8", "surrogatepass")


def _attempt(faults: list[Fault], member: str, work: Callable[[], T]) -> T | None:
    """The result of ``work``; what it refuses goes to ``faults``, below ``member``."""
    try:
        return work()
    except InputError as error:
        faults += _below(member, error.faults or (Fault("", error.message),))
        return None


def _below(member: str, faults: Iterable[Fault]) -> list[Fault]:
    return [Fault(f"/{member}{fault.pointer}", fault.message) for fault in faults]
