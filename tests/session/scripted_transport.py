"""A way to a worker that is none: it answers as it is told to, and remembers what it was asked."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from rea_capture.contracts.runtime.errors import (
    BrowserErrorCode,
    BrowserErrorDetails,
    BrowserOperationError,
    MutationState,
)
from rea_capture.contracts.runtime.frames import OpenRequest, OpenResult
from rea_capture.contracts.runtime.operations import BrowserOperation, CaptureEvidenceOperation
from rea_capture.contracts.runtime.policy import OperationContext
from rea_capture.contracts.runtime.results import (
    ArtifactPayload,
    CaptureEvidencePayload,
    CloseResult,
    ObserveResult,
    OperationResult,
    ReadResult,
    Tab,
)
from rea_capture.contracts.runtime.settings import SessionSettings
from rea_capture.session.runtime import BrowserRuntime

TAB = Tab(tab_id="t1", document_id="d1", title="", url="about:blank", origin=None, selected=True)
OBSERVED = ObserveResult(tab=TAB, elements=(), omitted=0)
READ = ReadResult(tab=TAB, text="", omitted_characters=0)

Answer = OperationResult | BrowserOperationError | Callable[[], Awaitable[OperationResult]]


def failure(
    code: BrowserErrorCode, op: str = "observe", mutation_state: MutationState = "not_attempted"
) -> BrowserOperationError:
    return BrowserOperationError(
        BrowserErrorDetails(
            operation=op,
            phase="execute",
            code=code,
            message=f"it failed with {code}",
            recovery="",
            retry="never",
            mutation_state=mutation_state,
        )
    )


def evidence(*data: bytes, byte_length: int | None = None) -> CaptureEvidencePayload:
    artifacts = tuple(
        ArtifactPayload(
            kind="diagnostics",
            content_type="application/json",
            data_base64=base64.b64encode(each).decode(),
            byte_length=len(each) if byte_length is None else byte_length,
        )
        for each in data
    )
    return CaptureEvidencePayload(status="complete", artifacts=artifacts, limitations=())


async def never() -> OperationResult:
    await asyncio.Event().wait()
    raise AssertionError


@dataclass
class Scripted:
    """``answers`` are by operation; those without one are answered like a good worker's."""

    answers: dict[str, Answer] = field(default_factory=dict)
    opening: BrowserOperationError | None = None
    asked: list[tuple[BrowserOperation, OperationContext | None]] = field(default_factory=list)
    opened_with: OpenRequest | None = None
    under_way: int = 0
    most_under_way: int = 0
    cancelled: list[str] = field(default_factory=list)
    closed: int = 0
    begun: asyncio.Event = field(default_factory=asyncio.Event)

    async def open(self, request: OpenRequest) -> OpenResult:
        self.opened_with = request
        if self.opening is not None:
            raise self.opening
        return OpenResult(session_id="s1", product="chromium", version="1", tab=TAB)

    async def dispatch(
        self, session_id: str, operation: BrowserOperation, context: OperationContext | None = None
    ) -> OperationResult:
        assert session_id == "s1"
        self.asked.append((operation, context))
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        self.begun.set()
        try:
            await asyncio.sleep(0)
            return await self._answer(operation)
        except asyncio.CancelledError:
            self.cancelled.append(operation.op)
            raise
        finally:
            self.under_way -= 1

    async def close(self) -> None:
        self.closed += 1

    def ops(self) -> list[str]:
        return [operation.op for operation, _ in self.asked]

    async def _answer(self, operation: BrowserOperation) -> OperationResult:
        answer = self.answers.get(operation.op)
        if isinstance(answer, BrowserOperationError):
            raise answer
        if callable(answer):
            return await answer()
        if answer is not None:
            return answer
        if isinstance(operation, CaptureEvidenceOperation):
            return evidence(b"{}")
        usual: dict[str, OperationResult] = {"observe": OBSERVED, "read": READ, "close": CloseResult()}
        if operation.op in usual:
            return usual[operation.op]
        raise failure("unsupported", operation.op)


async def opened(worker: Scripted, folder: Path, **options: Any) -> BrowserRuntime:
    return await BrowserRuntime.open(
        SessionSettings(), transport=worker, artifact_folder=folder / "artifacts", **options
    )


async def failed(call: Any) -> BrowserErrorDetails:
    with pytest.raises(BrowserOperationError) as caught:
        await call
    return caught.value.details
