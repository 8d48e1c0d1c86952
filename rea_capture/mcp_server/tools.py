"""One function a tool: the arguments of a call in, an answer out.

Importing this brings the contracts and the workflows, so it is done with the first call. Work that takes the
processor runs in a thread, so that captures under way are not held up.

Below: workflows, ``captures``, ``store``, ``paging``, ``answers``. Above: ``server``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from rea_capture.errors import CommandLineError, Fault, InputError
from rea_capture.mcp_server import catalogue
from rea_capture.mcp_server.answers import Answer, captured, compared
from rea_capture.mcp_server.arguments import json_bytes, read_arguments
from rea_capture.mcp_server.browsing.sessions import BrowserSessions
from rea_capture.mcp_server.browsing.tools import SESSION_TOOLS, SessionAnswer, SessionTool
from rea_capture.mcp_server.captures import Captures
from rea_capture.mcp_server.limits import MAX_WORKERS
from rea_capture.mcp_server.messages import ReadArguments, TargetsArguments, VerifiedAnswer, VerifyArguments
from rea_capture.mcp_server.paging import page_of
from rea_capture.mcp_server.progress import Report
from rea_capture.mcp_server.refusals import EvidenceGoneError
from rea_capture.mcp_server.store import EvidenceStore
from rea_capture.workflows.compare import compare_input
from rea_capture.workflows.targets import list_targets
from rea_capture.workflows.verify import verify

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Workshop:
    """What the tools share for the life of a server."""

    captures: Captures
    store: EvidenceStore
    inline_bytes: int
    sessions: BrowserSessions
    workers: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(MAX_WORKERS))
    """Not the threads of ``anyio``: the place of a call that is cancelled would be given away there while its
    thread goes on."""

    async def in_thread(self, work: Callable[[], T]) -> T:
        """What ``work`` gives, when its turn has come.

        Nobody waits for that of a cancelled call: it is not begun, or its thread ends by itself.
        """
        return await asyncio.get_running_loop().run_in_executor(self.workers, work)

    def close(self) -> None:
        """Begin nothing any more, and delete what was kept."""
        self.workers.shutdown(wait=False, cancel_futures=True)
        self.store.close()


async def _capture(workshop: Workshop, arguments: dict[str, Any], report: Report) -> Answer:
    evidence = await workshop.captures.run(_taken(arguments), report)
    work = workshop.in_thread(lambda: captured(evidence, workshop.store, workshop.inline_bytes))
    keeping = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(keeping)
    except asyncio.CancelledError:
        keeping.add_done_callback(lambda done: _given_up(workshop.store, evidence.evidence_id, done))
        raise


def _taken(arguments: dict[str, Any]) -> bytes:
    """``arguments`` as JSON. They are emptied: both at a time are a lot of memory."""
    data = json_bytes(arguments)
    arguments.clear()
    return data


def _given_up(store: EvidenceStore, evidence_id: str, done: asyncio.Future[Answer]) -> None:
    """Keep nothing of a call that was cancelled while what it had captured was being kept."""
    if not done.cancelled():
        done.exception()  # looked at, so that the loop does not report it as forgotten
    store.drop(evidence_id)


async def _compare(workshop: Workshop, arguments: dict[str, Any], _: Report) -> Answer:
    gone: list[EvidenceGoneError] = []

    def stored(evidence_id: str) -> bytes:
        try:
            return workshop.store.data(evidence_id)
        except EvidenceGoneError as error:
            gone.append(error)
            raise

    def work() -> Answer:
        try:
            evidence = compare_input(_taken(arguments), stored)
        except InputError as error:
            if 0 < len(error.faults) == len(gone):  # nothing else is wrong, and there is something to do
                raise EvidenceGoneError(error.message, error.faults) from None
            raise
        return compared(evidence, workshop.store, workshop.inline_bytes)

    return await workshop.in_thread(work)


async def _verify(workshop: Workshop, arguments: dict[str, Any], _: Report) -> Answer:
    def work() -> Answer:
        asked = read_arguments(arguments, VerifyArguments)
        if (asked.document is None) is (asked.evidence_id is None):
            fault = Fault("", "must have document or evidence_id, and not both")
            raise InputError(f"the call is not valid: {fault}", [fault])
        if asked.evidence_id is not None:
            found = verify(workshop.store.data(asked.evidence_id))
        else:
            with _below("/document"):
                found = verify(json_bytes(asked.document))
        return Answer(
            VerifiedAnswer(
                capture=found.capture,
                evidence_id=found.evidence_id,
                kind=found.kind,
                normalized_result_sha256=found.normalized_result_sha256,
            )
        )

    return await workshop.in_thread(work)


async def _list_targets(workshop: Workshop, arguments: dict[str, Any], _: Report) -> Answer:
    def work() -> Answer:
        asked = read_arguments(arguments, TargetsArguments)
        try:
            return Answer(list_targets(asked.cdp_endpoint))
        except CommandLineError as error:  # there is no command line here
            fault = Fault("/cdp_endpoint", error.message.removeprefix("ENDPOINT "))
            raise InputError(f"the call is not valid: {fault}", [fault]) from None

    return await workshop.in_thread(work)


async def _read(workshop: Workshop, arguments: dict[str, Any], _: Report) -> Answer:
    def work() -> Answer:
        asked = read_arguments(arguments, ReadArguments)
        data = workshop.store.data(asked.evidence_id)
        return Answer(page_of(data, asked.evidence_id, asked.pointer, asked.offset, asked.length))

    return await workshop.in_thread(work)


@contextmanager
def _below(member: str) -> Iterator[None]:
    """Faults of what is read inside are below ``member``."""
    try:
        yield
    except InputError as error:
        faults = [Fault(member + fault.pointer, fault.message) for fault in error.faults]
        raise InputError(error.message, faults) from None


Tool = Callable[["Workshop", dict[str, Any], Report], Awaitable[Answer | SessionAnswer]]


def _of_session(tool: SessionTool) -> Tool:
    return lambda workshop, arguments, _: tool(workshop.sessions, arguments)


TOOLS: Final[Mapping[str, Tool]] = {
    catalogue.CAPTURE: _capture,
    catalogue.COMPARE: _compare,
    catalogue.VERIFY: _verify,
    catalogue.TARGETS: _list_targets,
    catalogue.READ: _read,
    **{name: _of_session(tool) for name, tool in SESSION_TOOLS.items()},
}
"""Every tool by its name."""
