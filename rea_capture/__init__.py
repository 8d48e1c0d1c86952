"""Run a declarative browser scenario, keep evidence that verifies itself, and compare two captures.

    from rea_capture import capture, compare, read_scenario

    scenario = read_scenario(Path("scenario.json"))
    before = await capture(scenario, executable_path="/usr/bin/chromium")
    ...
    verdict = compare(before, after).normalized_result.overall_status

Importing this package imports nothing else; each name is loaded when it is first used. The rooms
``rea_capture.capture`` and ``rea_capture.compare`` are packages with the names of two functions, and the
attributes of this module are the functions. So write ``from rea_capture.compare.align import align`` for
what is inside a package; ``import rea_capture.compare as c`` gives the function, and
``import rea_capture.compare.align as a`` fails.

Below: every room. Above: programs that use the package.
"""

# ruff: noqa: TC004 - __all__ names what __getattr__ loads

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from rea_capture.version import __version__

if TYPE_CHECKING:
    from rea_capture.capture.stop import Stop
    from rea_capture.contracts.capture import CaptureResult
    from rea_capture.contracts.capture_evidence import CaptureEvidence
    from rea_capture.contracts.comparison import ComparisonResult
    from rea_capture.contracts.comparison_evidence import ComparisonEvidence
    from rea_capture.contracts.evidence import Evidence
    from rea_capture.contracts.normalization import Normalization
    from rea_capture.contracts.runtime.errors import BrowserOperationError
    from rea_capture.contracts.runtime.settings import SessionSettings
    from rea_capture.contracts.scenario import Scenario
    from rea_capture.errors import (
        DefectError,
        Fault,
        InputError,
        OutputError,
        ReaError,
        SecretRefusedError,
        UnavailableError,
    )
    from rea_capture.evidence.envelope import evidence_bytes
    from rea_capture.evidence.writing import write_document
    from rea_capture.session.runtime import BrowserRuntime
    from rea_capture.workflows.capture import capture, capture_sync
    from rea_capture.workflows.compare import compare
    from rea_capture.workflows.reading import read_evidence, read_scenario
    from rea_capture.workflows.verify import Verified, verify

__all__ = [
    "BrowserOperationError",
    "BrowserRuntime",
    "CaptureEvidence",
    "CaptureResult",
    "ComparisonEvidence",
    "ComparisonResult",
    "DefectError",
    "Evidence",
    "Fault",
    "InputError",
    "Normalization",
    "OutputError",
    "ReaError",
    "Scenario",
    "SecretRefusedError",
    "SessionSettings",
    "Stop",
    "UnavailableError",
    "Verified",
    "__version__",
    "capture",
    "capture_sync",
    "compare",
    "evidence_bytes",
    "read_evidence",
    "read_scenario",
    "verify",
    "write_document",
]

_HOMES: Final[dict[str, str]] = {
    "BrowserOperationError": "contracts.runtime.errors",
    "BrowserRuntime": "session.runtime",
    "CaptureEvidence": "contracts.capture_evidence",
    "CaptureResult": "contracts.capture",
    "ComparisonEvidence": "contracts.comparison_evidence",
    "ComparisonResult": "contracts.comparison",
    "DefectError": "errors",
    "Evidence": "contracts.evidence",
    "Fault": "errors",
    "InputError": "errors",
    "Normalization": "contracts.normalization",
    "OutputError": "errors",
    "ReaError": "errors",
    "Scenario": "contracts.scenario",
    "SecretRefusedError": "errors",
    "SessionSettings": "contracts.runtime.settings",
    "Stop": "capture.stop",
    "UnavailableError": "errors",
    "Verified": "workflows.verify",
    "capture": "workflows.capture",
    "capture_sync": "workflows.capture",
    "compare": "workflows.compare",
    "evidence_bytes": "evidence.envelope",
    "read_evidence": "workflows.reading",
    "read_scenario": "workflows.reading",
    "verify": "workflows.verify",
    "write_document": "evidence.writing",
}
"""Public names and the modules they come from."""


class _LazyPackage(ModuleType):
    """This package: public names are loaded on first use, and no room takes the place of one.

    Python's import system makes each submodule an attribute of its package, which would turn
    ``rea_capture.compare`` into a module as soon as anything imports the room of that name.
    """

    def __getattr__(self, name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{self.__name__}.{_HOMES[name]}"), name)
        super().__setattr__(name, value)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *__all__})


sys.modules[__name__].__class__ = _LazyPackage
