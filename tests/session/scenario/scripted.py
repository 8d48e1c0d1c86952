"""A session that a test scripts, files for it, and programs that write a log that all of them share."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rea_capture.contracts.runtime.errors import BrowserErrorCode, BrowserErrorDetails, BrowserOperationError
from rea_capture.contracts.runtime.frames import OpenResult
from rea_capture.contracts.runtime.operations import (
    ActOperation,
    AssertOperation,
    BrowserOperation,
    CaptureEvidenceOperation,
    CloseTabOperation,
    ListTabsOperation,
    NavigateOperation,
    ObserveOperation,
    ReadOperation,
    ReloadOperation,
    SelectTabOperation,
    WaitPopupOperation,
)
from rea_capture.contracts.runtime.policy import OperationContext
from rea_capture.contracts.runtime.results import (
    ActResult,
    AssertResult,
    CaptureEvidenceResult,
    CloseTabResult,
    ListTabsResult,
    NavigateResult,
    ObserveResult,
    OperationResult,
    ReadResult,
    SelectTabResult,
    Tab,
    WaitPopupResult,
)
from rea_capture.contracts.runtime.run_report import RunReport
from rea_capture.contracts.runtime.scenario_file import ScenarioFile
from rea_capture.session.scenario.allowance import Allowance
from rea_capture.session.scenario.environment import place_of
from rea_capture.session.scenario.reading import read_scenario_file
from rea_capture.session.scenario.running import run_scenario

FIRST = "tab-first"
PAGE = "http://127.0.0.1:4310"
_APPEND = "import sys; open(sys.argv[1], 'a').write(sys.argv[2] + '\\n')"


def tab(tab_id: str = FIRST, **changes: Any) -> Tab:
    """A tab as an answer has it."""
    values: dict[str, Any] = {
        "tab_id": tab_id,
        "document_id": "d1",
        "title": "A page",
        "url": PAGE,
        "origin": PAGE,
        "selected": True,
    }
    return Tab(**{**values, **changes})


def refused(
    code: BrowserErrorCode = "assertion_failed", message: str = "it does not hold"
) -> BrowserOperationError:
    """A failure of the runtime."""
    return BrowserOperationError(
        BrowserErrorDetails(
            operation="read", phase="verify", code=code, message=message, recovery="Look again.",
            retry="after_observe", mutation_state="not_attempted",
        )
    )  # fmt: skip


Answer = OperationResult | BrowserOperationError | Callable[[BrowserOperation], Awaitable[OperationResult]]


@dataclass
class ScriptedBrowsing:
    """Answers every operation with something plausible, or with what ``answers`` has for its name."""

    log: Path
    answers: dict[str, Answer] = field(default_factory=dict)
    requests: list[tuple[BrowserOperation, OperationContext | None]] = field(default_factory=list)
    opening: BrowserOperationError | None = None
    problems: tuple[str, ...] = ()

    async def open(self) -> OpenResult:
        note(self.log, "open")
        if self.opening is not None:
            raise self.opening
        return OpenResult(session_id="s1", product="Scripted", version="1.0", tab=tab(url="about:blank"))

    async def dispatch(
        self, operation: BrowserOperation, context: OperationContext | None = None
    ) -> OperationResult:
        note(self.log, operation.op)
        self.requests.append((operation, context))
        answer = self.answers.get(operation.op)
        if isinstance(answer, BrowserOperationError):
            raise answer
        if callable(answer):
            return await answer(operation)
        return usual_answer(operation) if answer is None else answer

    async def close_browser(self) -> tuple[str, ...]:
        note(self.log, "close browser")
        return self.problems

    async def close_store(self) -> None:
        note(self.log, "close store")


def usual_answer(operation: BrowserOperation) -> OperationResult:
    """What a page that does as it is asked would answer."""
    match operation:
        case ObserveOperation():
            return ObserveResult(tab=tab(), elements=(), omitted=0)
        case ActOperation():
            return ActResult(tab=tab(), action="click", ref="r1", mutation_state="unknown")
        case ReadOperation():
            return ReadResult(tab=tab(), text="text of the page", omitted_characters=0)
        case AssertOperation():
            return AssertResult(tab=tab(), assertion=operation.request.assertion)
        case NavigateOperation() | ReloadOperation():
            return NavigateResult(tab=tab(), status=200)
        case ListTabsOperation():
            return ListTabsResult(tabs=(tab(), tab("tab-second")), omitted=0, matched="tab-second")
        case SelectTabOperation():
            return SelectTabResult(tab=tab(operation.request.tab))
        case WaitPopupOperation():
            return WaitPopupResult(tab=tab("tab-popup", selected=False))
        case CloseTabOperation():
            return CloseTabResult(closed=operation.request.tab, selected=tab())
        case CaptureEvidenceOperation():
            return CaptureEvidenceResult(status="complete", artifacts=(), limitations=())
    raise AssertionError(operation)


async def forever(_: BrowserOperation) -> OperationResult:
    """An operation that never ends by itself."""
    await asyncio.Event().wait()
    raise AssertionError


def note(log: Path, line: str) -> None:
    """Add ``line`` to the log."""
    with log.open("a") as file:
        file.write(f"{line}\n")


def noted(log: Path) -> list[str]:
    """The lines of the log."""
    return log.read_text().splitlines() if log.exists() else []


def python(code: str, *arguments: str, **more: Any) -> dict[str, Any]:
    """A command of a file that runs ``code``; ``arguments`` are its ``sys.argv[1:]``."""
    return {"command": sys.executable, "args": ["-I", "-S", "-c", code, *arguments], **more}


def noting(log: Path, line: str, **more: Any) -> dict[str, Any]:
    """A command of a file that adds ``line`` to the log."""
    return python(_APPEND, str(log), line, **more)


def document(*operations: Mapping[str, Any], **members: Any) -> bytes:
    """A scenario file; one operation when none are given."""
    return json.dumps(
        {"version": 1, "id": "scenario", "operations": list(operations) or [{"op": "read"}], **members}
    ).encode()


def file_of(*operations: Mapping[str, Any], **members: Any) -> ScenarioFile:
    """As :func:`document`, read."""
    return read_scenario_file(document(*operations, **members))


async def run(
    file: ScenarioFile,
    browsing: ScriptedBrowsing,
    *,
    environ: Mapping[str, str] | None = None,
    folder: Path | None = None,
    allowance: Allowance | None = None,
) -> RunReport:
    """Run ``file`` in the folder of the log."""
    place = place_of(file, folder or browsing.log.parent, environ or {})
    return await run_scenario(file, browsing=browsing, place=place, allowance=allowance)


def statuses(report: RunReport) -> dict[str, str]:
    """What became of each phase."""
    return {each.phase: each.status for each in report.phases}
