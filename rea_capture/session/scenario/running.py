"""A scenario file, run in its published order.

    1. The budget of the whole run begins.
    2. The setup hook; the fixture's server, and until it is ready; the reset hook.
    3. The session is opened, and its first tab goes to ``baseUrl``.
    4. The operations, until one fails.
    5. Whatever happened: the browser is closed, the cleanup hook runs while the server still answers, the
       server is stopped, and what was begun to be kept and not finished is given up.

What is in 5 has bounds of its own, so that it is done when the budget is used up, too.

Below: ``hooks``, ``server``, ``operations``, ``record``, ``allowance``, ``browsing``. Above: ``rea browser
run``.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from typing import Any, Final, TypeVar

from rea_capture.capture.finishing import finished
from rea_capture.contracts.runtime.budgets import FAILURE_EVIDENCE, TEARDOWN_MS
from rea_capture.contracts.runtime.errors import BrowserErrorDetails, BrowserOperationError, MutationState
from rea_capture.contracts.runtime.operations import BrowserOperation, NavigateOperation, NavigateRequest
from rea_capture.contracts.runtime.policy import OperationContext
from rea_capture.contracts.runtime.results import CaptureEvidenceResult, FailureEvidence
from rea_capture.contracts.runtime.run_report import RunPhase, RunReport
from rea_capture.contracts.runtime.scenario_file import FileOperation, Hook, ScenarioFile
from rea_capture.session.failure_evidence import evidence_operation
from rea_capture.session.scenario.allowance import Allowance, SpentError, StoppedError, bounded
from rea_capture.session.scenario.browsing import Browsing
from rea_capture.session.scenario.failing import RunFailedError, failure
from rea_capture.session.scenario.hooks import run_hook
from rea_capture.session.scenario.operations import context_of, mutation_of, name_of, request_of
from rea_capture.session.scenario.programs import Place
from rea_capture.session.scenario.record import Record
from rea_capture.session.scenario.server import Server
from rea_capture.session.scenario.tabs import Tabs

T = TypeVar("T")

MAX_CLEANUP_AFTER_STOP_MS: Final = 5_000
"""The cleanup hook's time when somebody asked the run to stop: whoever asked does not wait for long."""

CLOSING_S: Final = TEARDOWN_MS / 1000 + 2.0
"""For a session to be closed, which has a bound of its own, and some time beyond it."""

STORE_CLOSING_S: Final = 5.0


async def run_scenario(
    file: ScenarioFile,
    *,
    browsing: Browsing,
    place: Place,
    allowance: Allowance | None = None,
    run_id: str | None = None,
) -> RunReport:
    """Run ``file``. Never raises for what happens in the run; its report says it.

    ``allowance`` is how the run is stopped from outside; the budget is that of its making.
    """
    allowance = allowance or Allowance(file.budgets.timeout_ms)
    run = _Run(file, browsing, place, allowance, run_id or new_run_id())
    try:
        await run.forward()
    except _OverError:
        pass
    finally:
        await finished(run.back())
    return run.record.report()


def new_run_id() -> str:
    """A name for a run that no other has."""
    return f"run-{secrets.token_hex(8)}"


class _OverError(Exception):
    """A part failed, and it is recorded: the rest of the way forward is not run."""


class _Run:
    def __init__(
        self, file: ScenarioFile, browsing: Browsing, place: Place, allowance: Allowance, run_id: str
    ) -> None:
        self.record = Record(file, run_id, place.redactor)
        self._file = file
        self._browsing = browsing
        self._place = place
        self._allowance = allowance
        self._run_id = run_id
        declared = file.fixture.server if file.fixture is not None else None
        self._server = None if declared is None else Server(declared, place)
        self._initial = ""
        self._began_s: dict[RunPhase, float] = {}
        self._not_taken_down: BrowserErrorDetails | None = None

    async def forward(self) -> None:
        """Until the last operation. Raises :class:`_OverError` at the first failure."""
        hooks = self._file.hooks
        await self._hook("setup", hooks.setup)
        if self._server is not None:
            await self._phase("server", self._server.start)
        await self._hook("reset", hooks.reset)
        await self._phase("session", self._open)
        await self._all_operations()

    async def back(self) -> None:
        """Take down what there is, in the published order, whatever fails of it."""
        began_s = time.monotonic()
        async with AsyncExitStack() as last_to_first:
            last_to_first.push_async_callback(self._close_store)
            last_to_first.push_async_callback(self._stop_server)
            last_to_first.push_async_callback(self._clean_up)
            last_to_first.push_async_callback(self._close_browser)
        self.record.phase("shutdown", began_s, self._not_taken_down)

    async def _hook(self, name: RunPhase, hook: Hook | None) -> None:
        if hook is not None:
            timeout_ms = hook.timeout_ms
            await self._phase(name, lambda: run_hook(name, hook, self._place, timeout_ms=timeout_ms))

    async def _phase(self, phase: RunPhase, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        began_s = self._began_s[phase] = time.monotonic()
        error = await self._failure_of(work(), phase)
        if error is not None and phase != "server":
            await self._blame_server(awaited=True)
        output = error.output if isinstance(error, RunFailedError) else ()
        self.record.phase(phase, began_s, None if error is None else error.details, output)
        if error is not None:
            raise _OverError

    async def _blame_server(self, *, awaited: bool) -> BrowserErrorDetails | None:
        """Record that the server has ended, if it has, as the cause of what comes of it."""
        died = None if self._server is None else await self._server.death(awaited=awaited)
        if died is None:
            return None
        self.record.phase("server", self._began_s["server"], died.details, died.output)
        return died.details

    async def _failure_of(
        self, work: Coroutine[Any, Any, None], phase: RunPhase
    ) -> BrowserOperationError | None:
        try:
            await self._allowance.within(work)
        except BrowserOperationError as error:
            return error
        except (StoppedError, SpentError) as over:
            return self._given_up(over, f"the phase {phase}")
        return None

    def _given_up(
        self,
        over: StoppedError | SpentError,
        what: str,
        operation: str | None = None,
        mutation_state: MutationState = "not_attempted",
    ) -> RunFailedError:
        stopped = isinstance(over, StoppedError)
        used_up = f"the run's budget of {self._allowance.budget_ms} ms (budgets.timeoutMs) was used up"
        return failure(
            "cancelled" if stopped else "timeout",
            "execute",
            f"{f'the run was stopped by {over}' if stopped else used_up} during {what}",
            operation=operation,
            mutation_state=mutation_state,
        )

    async def _open(self) -> None:
        opened = await self._browsing.open()
        self.record.browser = f"{opened.product} {opened.version}"
        for sentence in opened.limitations:
            self.record.limitation(sentence)
        self._initial = opened.tab.tab_id
        if self._file.fixture is not None:
            request = NavigateRequest(url=self._file.fixture.base_url)
            await self._browsing.dispatch(NavigateOperation(op="navigate", request=request))

    async def _all_operations(self) -> None:
        began_s = time.monotonic()
        tabs = Tabs(self._file.operations, self._initial)
        error: BrowserErrorDetails | None = None
        for index, operation in enumerate(self._file.operations):
            if self._server is not None and self._server.died() is not None:
                break
            error = await self._one(index, operation, tabs)
            if error is not None:
                break
        error = await self._blame_server(awaited=error is not None) or error
        self.record.phase("operations", began_s, error)
        if error is not None:
            raise _OverError

    async def _one(self, index: int, operation: FileOperation, tabs: Tabs) -> BrowserErrorDetails | None:
        """Do operation ``index``. Its failure, which is recorded, unless it passed."""
        began_s, name = time.monotonic(), name_of(operation)
        asked: BrowserOperation | None = None
        context: OperationContext | None = None
        try:
            self._allowance.check()
            asked = request_of(operation, tabs, self._run_id)
            context = context_of(operation, self._file.settings.allowed_origins)
            result = await self._allowance.within(self._browsing.dispatch(asked, context))
        except BrowserOperationError as error:
            details = error.details
        except (StoppedError, SpentError) as over:
            state = "not_attempted" if asked is None else mutation_of(operation)
            details = self._given_up(over, f"operation {index}", name, state).details
        else:
            tabs.add(index, result)
            self.record.operation(index, began_s, result)
            return None
        evidence = None if asked is None else await self._evidence(asked, context, details)
        self.record.operation(index, began_s, None, details, evidence)
        return details

    async def _evidence(
        self, failed: BrowserOperation, context: OperationContext | None, details: BrowserErrorDetails
    ) -> FailureEvidence | None:
        """What can be kept of a failure in its own time, with what the operation was narrowed to.

        Whatever goes wrong with it is only that. What takes too long is stopped without being waited for.
        """
        operation = evidence_operation(failed, details, self._run_id)
        if operation is None:
            return None
        try:
            kept = await self._allowance.within(
                self._browsing.dispatch(operation, context), FAILURE_EVIDENCE.default_ms, giving_up_s=0
            )
        except (BrowserOperationError, StoppedError, SpentError):
            return FailureEvidence(status="unavailable", mutation_state=details.mutation_state)
        assert isinstance(kept, CaptureEvidenceResult)
        return FailureEvidence(
            status=kept.status, artifacts=kept.artifacts, mutation_state=details.mutation_state
        )

    async def _close_browser(self) -> None:
        problems = await self._taken_down(self._browsing.close_browser(), CLOSING_S, "the session")
        for problem in problems or ():
            self.record.limitation(problem)

    async def _close_store(self) -> None:
        await self._taken_down(self._browsing.close_store(), STORE_CLOSING_S, "the store of artifacts")

    async def _stop_server(self) -> None:
        said = None if self._server is None else await self._server.stop()
        if said is not None:
            self.record.limitation(said)

    async def _taken_down(self, work: Coroutine[Any, Any, T], timeout_s: float, what: str) -> T | None:
        try:
            return await bounded(work, timeout_s)
        except BrowserOperationError as error:
            problem = error.details
        except SpentError:
            problem = failure("timeout", "shutdown", f"{what} was not closed within {timeout_s:g} s").details
        self._not_taken_down = self._not_taken_down or problem
        return None

    async def _clean_up(self) -> None:
        """The cleanup hook, in its own time: of the budget, nothing may be left."""
        hook = self._file.hooks.cleanup
        if hook is None:
            return
        began_s, most_ms = time.monotonic(), hook.timeout_ms
        if self._allowance.stopped:
            most_ms = min(most_ms, MAX_CLEANUP_AFTER_STOP_MS)
        try:
            await run_hook("cleanup", hook, self._place, timeout_ms=most_ms, phase="shutdown")
        except RunFailedError as error:
            self.record.phase("cleanup", began_s, error.details, error.output)
        else:
            self.record.phase("cleanup", began_s)
