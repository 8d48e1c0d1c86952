"""A session as one object: opened with what is configured, asked in order, its artifacts kept, closed once.

Below: ``calls``, ``store``, ``configuration``, ``failure_evidence``, ``transport``. Above: ``runtime``, which
has a method for each operation.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from rea_capture.capture.finishing import finished
from rea_capture.contracts.runtime.base import RuntimeModel
from rea_capture.contracts.runtime.budgets import FAILURE_EVIDENCE
from rea_capture.contracts.runtime.errors import BrowserErrorDetails, BrowserOperationError
from rea_capture.contracts.runtime.failing import failure
from rea_capture.contracts.runtime.frames import OpenRequest, OpenResult
from rea_capture.contracts.runtime.operations import (
    BrowserOperation,
    CaptureEvidenceOperation,
    CaptureEvidenceRequest,
    CloseOperation,
)
from rea_capture.contracts.runtime.policy import OperationContext
from rea_capture.contracts.runtime.results import (
    ArtifactOwner,
    CaptureEvidencePayload,
    CaptureEvidenceResult,
    CloseResult,
    FailureEvidence,
    OperationResult,
)
from rea_capture.contracts.runtime.settings import SessionSettings
from rea_capture.session.asking import made
from rea_capture.session.calls import SessionCalls
from rea_capture.session.configuration import configuration_for
from rea_capture.session.failure_evidence import evidence_operation
from rea_capture.session.store import PrivateArtifactStore, default_root
from rea_capture.session.transport.protocol import BrowserTransport

Result = TypeVar("Result", bound=RuntimeModel)


class DrivenSession:
    """See the module."""

    def __init__(
        self,
        opened: OpenResult,
        calls: SessionCalls,
        *,
        artifact_folder: Path | None,
        failure_run_id: str | None,
    ) -> None:
        self._opened = opened
        self._calls = calls
        self._artifact_folder = artifact_folder
        self._failure_run_id = failure_run_id
        self._store: PrivateArtifactStore | None = None
        self._store_is_closed = False

    @classmethod
    async def open(
        cls,
        settings: SessionSettings | Mapping[str, Any] | None = None,
        *,
        transport: BrowserTransport | None = None,
        artifact_folder: Path | str | None = None,
        failure_run_id: str | None = None,
        python: str | None = None,
    ) -> Self:
        """A new session with a browser of its own.

        :class:`SessionSettings` are taken as they are. A mapping, by the names of the wire, is what this call
        says; the project's and the user's files and the environment say the rest (``configuration``).
        Without ``transport`` a worker process is started, which ends with the session; ``python`` is the
        interpreter for it, by default the one that runs this. A ``transport`` that is given stays open.
        ``artifact_folder`` is where the store is (see ``store.default_root``).
        With ``failure_run_id`` every operation that fails leaves evidence under that run, which the error
        has as ``evidence``.
        """
        if failure_run_id is not None:
            made("open", CaptureEvidenceRequest, None, run_id=failure_run_id)
        given, folder = _settings(settings, artifact_folder)
        is_own = transport is None
        transport = _worker_process(python) if transport is None else transport
        try:
            opened = await transport.open(OpenRequest(settings=given, configured=True))
        except BaseException:
            if is_own:
                await finished(transport.close())
            raise
        calls = SessionCalls(transport, opened.session_id, is_own=is_own)
        return cls(opened, calls, artifact_folder=folder, failure_run_id=failure_run_id)

    @property
    def session_id(self) -> str:
        """What the session is called, opaque."""
        return self._opened.session_id

    @property
    def opened(self) -> OpenResult:
        """The session as it was when it was opened: the browser, its first tab, and what it cannot do."""
        return self._opened

    async def dispatch(
        self, operation: BrowserOperation, context: OperationContext | None = None
    ) -> OperationResult:
        """The result of any ``operation``; of ``captureEvidence``, what is in the store."""
        if isinstance(operation, CloseOperation):
            return await self.close()
        async with self._calls.turn:
            try:
                return await self._done(operation, context)
            except BrowserOperationError as error:
                error.evidence = await self._evidence_of(operation, context, error.details)
                raise

    async def close(self) -> CloseResult:
        """End the session, its browser and, where it is this session's own, the worker; close the store.

        What is under way ends with ``session_closed``. Best effort, bounded, and done once: ``problems`` says
        what could not be taken down.
        """
        result = await self.close_browser()
        await self.close_store()
        return result

    async def close_browser(self) -> CloseResult:
        """As :meth:`close`, and the store stays open."""
        return await self._calls.close()

    async def close_store(self) -> None:
        """Remove what was begun to be kept and not finished; what is kept stays."""
        self._store_is_closed = True
        if self._store is not None:
            await finished(asyncio.to_thread(self._store.close))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _done(self, operation: BrowserOperation, context: OperationContext | None) -> OperationResult:
        result = await self._calls.result(operation, context)
        if not isinstance(operation, CaptureEvidenceOperation):
            return result
        return await self._kept(operation, expected(operation.op, result, CaptureEvidencePayload))

    async def _kept(
        self, operation: CaptureEvidenceOperation, payload: CaptureEvidencePayload
    ) -> CaptureEvidenceResult:
        request = operation.request
        owner = ArtifactOwner(session_id=self.session_id, run_id=request.run_id, operation=request.operation)

        def keep() -> CaptureEvidenceResult:
            artifacts = self._opened_store().keep_all(owner, payload.artifacts)
            return CaptureEvidenceResult(
                status=payload.status,
                artifacts=artifacts,
                diagnostics=payload.diagnostics,
                limitations=payload.limitations,
            )

        return await finished(asyncio.to_thread(keep))

    def _opened_store(self) -> PrivateArtifactStore:
        if self._store is None:
            self._store = PrivateArtifactStore(self._artifact_folder or default_root())
            if self._store_is_closed:
                self._store.close()
        return self._store

    async def _evidence_of(
        self, failed: BrowserOperation, context: OperationContext | None, details: BrowserErrorDetails
    ) -> FailureEvidence | None:
        """What could be kept of ``failed`` in its budget, if that is asked for. Raises for no failure."""
        if self._failure_run_id is None or self._calls.is_closed:
            return None
        operation = evidence_operation(failed, details, self._failure_run_id)
        if operation is None:
            return None
        task = asyncio.ensure_future(self._done(operation, context))
        try:
            await asyncio.wait({task}, timeout=FAILURE_EVIDENCE.default_ms / 1000)
        finally:
            task.cancel()  # when it is not done; the worker stops it, and nobody waits for that here
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
        if task.done() and not task.cancelled() and task.exception() is None:
            kept = task.result()
            if isinstance(kept, CaptureEvidenceResult):
                return FailureEvidence(
                    status=kept.status, artifacts=kept.artifacts, mutation_state=details.mutation_state
                )
        return FailureEvidence(status="unavailable", mutation_state=details.mutation_state)


def _settings(
    settings: SessionSettings | Mapping[str, Any] | None, artifact_folder: Path | str | None
) -> tuple[SessionSettings, Path | None]:
    """What to open a session with, and where its artifacts go if somebody says."""
    gone = False
    try:
        folder = Path.cwd()
    except FileNotFoundError:
        gone = True
    if gone:  # outside the handler: no error hangs behind this one
        raise failure("open", "startup", "unavailable", "the working folder does not exist any more")
    wanted = None if artifact_folder is None else Path(os.path.abspath(artifact_folder))
    if isinstance(settings, SessionSettings):
        return settings, wanted
    effective = configuration_for(settings or {}, folder=folder, environ=os.environ)
    return effective.settings, wanted or effective.artifact_folder


def _worker_process(python: str | None) -> BrowserTransport:
    from rea_capture.session.transport.process import ProcessTransport  # noqa: PLC0415 - as needed

    return ProcessTransport(python=python)


def expected(op: str, result: OperationResult, kind: type[Result]) -> Result:
    if isinstance(result, kind):
        return result
    raise failure(
        op, "transport", "defect", f"the worker answered {op} with a {type(result).__name__}", "unknown"
    )
