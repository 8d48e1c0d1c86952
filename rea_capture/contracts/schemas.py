"""JSON Schemas of every document, generated from the contracts.

Below: all contracts. Above: ``rea schema`` and the session that writes ``schemas/``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

import orjson
from pydantic import Field

from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.capture_evidence import CaptureEvidence
from rea_capture.contracts.comparison import ComparisonResult
from rea_capture.contracts.comparison_evidence import ComparisonEvidence
from rea_capture.contracts.evidence import EvidenceDocument
from rea_capture.contracts.inputs import InputModel
from rea_capture.contracts.normalization import Normalization
from rea_capture.contracts.reading import adapter
from rea_capture.contracts.runtime.errors import BrowserErrorDetails
from rea_capture.contracts.runtime.frames import AnswerFrame, Envelope, HelloFrame
from rea_capture.contracts.runtime.operations import BrowserOperation
from rea_capture.contracts.runtime.results import OperationResult
from rea_capture.contracts.runtime.run_report import RunReport
from rea_capture.contracts.runtime.scenario_file import ScenarioFile
from rea_capture.contracts.runtime.settings import SessionSettings
from rea_capture.contracts.scenario import Scenario
from rea_capture.contracts.stream import StreamRecord


class ComparisonInput(InputModel):
    """Two captures, each a whole Evidence document or its ``normalized_result``, and optional rules."""

    before_scenario: CaptureEvidence | CaptureResult
    after_scenario: CaptureEvidence | CaptureResult
    normalization: Normalization = Normalization()


SCHEMAS: Final[Mapping[str, Any]] = {
    "scenario": Scenario,
    "capture": CaptureResult,
    "capture-evidence": CaptureEvidence,
    "comparison-input": ComparisonInput,
    "comparison": ComparisonResult,
    "comparison-evidence": ComparisonEvidence,
    "normalization": Normalization,
    "evidence": Annotated[EvidenceDocument, Field(title="Evidence")],
    "capture-stream-record": StreamRecord,
    "session-settings": SessionSettings,
    "session-operation": Annotated[BrowserOperation, Field(title="BrowserOperation")],
    "session-result": Annotated[OperationResult, Field(title="OperationResult")],
    "session-error": BrowserErrorDetails,
    "session-frame": Annotated[Envelope | HelloFrame | AnswerFrame, Field(title="SessionFrame")],
    "scenario-file": ScenarioFile,
    "run-report": RunReport,
}
"""Schema names, as ``rea schema NAME`` takes them, and the models behind them."""


def schema_text(name: str) -> bytes:
    """The schema ``name`` as indented JSON. Raises ``KeyError`` for an unknown name."""
    schema = adapter(SCHEMAS[name]).json_schema()
    document = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
