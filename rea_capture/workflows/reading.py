"""Documents in whatever form a Python program has them: text, bytes, a path, a plain value.

Below: ``contracts.reading``, ``evidence``. Above: the Python API.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from rea_capture.contracts import reading
from rea_capture.contracts.capture_evidence import CaptureEvidence
from rea_capture.contracts.comparison_evidence import ComparisonEvidence
from rea_capture.errors import Fault, InputError
from rea_capture.evidence import parse

if TYPE_CHECKING:
    from rea_capture.contracts.scenario import Scenario

Source: TypeAlias = str | bytes | Path | Mapping[str, Any]
"""JSON as text or bytes, the path of a file with it, or the plain value that it stands for."""


def read_scenario(source: Source) -> Scenario:
    """The scenario in ``source``; a ``str`` is JSON text, a ``Path`` a file.

    Raises :class:`InputError` with a pointer and a sentence for every fault, ``OSError`` for a path
    that cannot be read.
    """
    return reading.read_scenario(source_bytes(source))


def read_evidence(source: Source) -> CaptureEvidence | ComparisonEvidence:
    """The Evidence in ``source``, with its id and every digest in it checked. Raises as above."""
    document = parse(source_bytes(source), "evidence").document
    if not isinstance(document, CaptureEvidence | ComparisonEvidence):
        fault = Fault("", "is the normalized_result of Evidence, without its envelope")
        raise InputError(f"the evidence is not valid: {fault}", [fault])
    return document


def source_bytes(source: Source) -> bytes:
    """``source`` as the bytes of a JSON document. Raises :class:`InputError`, ``OSError``."""
    if isinstance(source, bytes):
        return source
    if isinstance(source, Path):
        return source.read_bytes()
    try:
        text = source if isinstance(source, str) else json.dumps(source, allow_nan=False)
        return text.encode("utf-8")
    except (TypeError, ValueError, RecursionError) as error:
        fault = Fault("", f"is not a JSON value: {error}")
        raise InputError(f"the document is not valid: {fault}", [fault]) from None
