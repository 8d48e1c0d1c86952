"""One browser session of a worker: one operation after the other, in the order in which they came.

Below: ``live``, ``adapters``, ``credentials``, ``redaction``. Above: ``worker``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any, Final

from rea_capture.contracts.runtime.base import RuntimeModel
from rea_capture.contracts.runtime.failing import failure
from rea_capture.contracts.runtime.operations import (
    ActOperation,
    ActRequest,
    BrowserOperation,
    CloseOperation,
    NarrowOriginPolicyOperation,
)
from rea_capture.contracts.runtime.policy import OperationContext, OriginPolicy, narrowed
from rea_capture.contracts.runtime.results import ActResult, CloseResult, NarrowOriginPolicyResult
from rea_capture.contracts.runtime.settings import SessionSettings
from rea_capture.errors import SecretRefusedError
from rea_capture.redaction import NO_SECRETS, Redactor
from rea_capture.session.worker.attempt import Attempt
from rea_capture.session.worker.choosing import chosen
from rea_capture.session.worker.deadlines import CLOSE_MS, StuckError, deadline_ms, whatever_comes, within
from rea_capture.session.worker.live import Live
from rea_capture.session.worker.secret_values import check_value, secret_id_for, value_of

Call = Callable[[Any, OriginPolicy], Coroutine[Any, Any, RuntimeModel]]

STUCK: Final = "the session did not come to rest in its time and was closed"


class Session:
    """A live session with its settings. ``redactor`` knows what was resolved for it so far."""

    def __init__(
        self, session_id: str, live: Live, settings: SessionSettings, environ: Mapping[str, str], folder: Path
    ) -> None:
        self.session_id = session_id
        self.turn = asyncio.Lock()
        self.redactor = NO_SECRETS
        self.is_closed = False
        self._live = live
        self._settings = settings
        self._environ = environ
        self._folder = folder
        self._secrets: dict[str, str] = {}

    async def perform(
        self, operation: BrowserOperation, context: OperationContext | None, attempt: Attempt
    ) -> RuntimeModel:
        """The result of ``operation``, when its turn has come.

        Raises :class:`BrowserOperationError`, ``TimeoutError`` and ``CancelledError``; the operation is over
        then, and ``attempt`` says what is known of it.
        """
        async with self.turn:
            if self.is_closed:
                if isinstance(operation, CloseOperation):
                    return CloseResult()
                raise failure(operation.op, "request", "session_closed", "the session is closed")
            if isinstance(operation, CloseOperation):  # which goes nowhere, whatever its context
                attempt.begins()
                return CloseResult(problems=await self.close())
            policy = self._policy(operation, context)
            try:
                return await self._performed(operation, policy, attempt)
            except StuckError:
                await self.close()
                raise failure(
                    operation.op,
                    "execute",
                    "timeout",
                    STUCK,
                    attempt.mutation_state,
                    advice_of="session_closed",
                ) from None

    async def close(self) -> tuple[str, ...]:
        """End the session, cancelled or not; what went wrong with it. Takes :data:`CLOSE_MS` at most."""
        self.is_closed = True
        try:
            return await whatever_comes(within(self._live.close(), CLOSE_MS))
        except (TimeoutError, StuckError, asyncio.CancelledError):
            return (f"The session did not end within {CLOSE_MS:,} ms.",)

    def _policy(self, operation: BrowserOperation, context: OperationContext | None) -> OriginPolicy:
        base = self._settings.allowed_origins
        policy = base if context is None else narrowed(base, context.allowed_origins)
        if policy is None:
            said = "the context and the session's policy have no origin in common"
            raise failure(operation.op, "policy", "origin_refused", said)
        return policy

    async def _performed(
        self, operation: BrowserOperation, policy: OriginPolicy, attempt: Attempt
    ) -> RuntimeModel:
        match operation:
            case NarrowOriginPolicyOperation():
                return _context(policy, operation)
            case ActOperation():
                return await self._act(operation, policy, attempt)
            case _:
                call: Call = getattr(self._live, _METHODS.get(operation.op, operation.op))
                attempt.begins()
                return await within(call(operation.request, policy), deadline_ms(operation))

    async def _act(self, operation: ActOperation, policy: OriginPolicy, attempt: Attempt) -> ActResult:
        request = operation.request
        check_value(request.step, self._settings.credentials)
        adapter = None
        if request.step.ref is None:
            ref, document_id, adapter = await chosen(
                request, policy, self._live, self._settings, self.redactor
            )
            step = request.step.model_copy(update={"ref": ref, "document_id": document_id})
            request = ActRequest(tab=request.tab, step=step)
        value = self._value(request)
        attempt.begins()
        result = await within(self._live.act(request, policy, value), deadline_ms(operation))
        return result if adapter is None else result.model_copy(update={"adapter": adapter})

    def _value(self, request: ActRequest) -> str | None:
        """The text for the step, resolved now; from here on nothing shows it where it was a credential."""
        name, value = value_of(request.step, self._settings.credentials, self._environ, self._folder)
        if name is not None and value is not None:
            secret_id = secret_id_for(name, value, self._secrets)
            secrets = {**self._secrets, secret_id: value}
            self.redactor, self._secrets = _redactor_of(secrets), secrets
            self._live.redact(secret_id, value)
        return value


def _redactor_of(secrets: Mapping[str, str]) -> Redactor:
    reason = ""
    try:
        return Redactor(secrets)
    except SecretRefusedError as error:  # it names the secret, and not its value
        reason = error.message
    raise failure("act", "resolve", "credential_unavailable", reason)


_METHODS: Final = {
    "assert": "assert_",
    "listTabs": "list_tabs",
    "selectTab": "select_tab",
    "waitPopup": "wait_popup",
    "closeTab": "close_tab",
    "captureEvidence": "capture_evidence",
}
"""What the live session calls an operation, where it is another name than that of the wire."""


def _context(policy: OriginPolicy, operation: NarrowOriginPolicyOperation) -> NarrowOriginPolicyResult:
    """What ``policy`` and what is asked for both allow; the session's own policy stays as it is."""
    both = narrowed(policy, operation.request.allowed_origins)
    if both is None:
        said = "the session's policy allows none of the origins that are asked for"
        raise failure(operation.op, "policy", "origin_refused", said)
    return NarrowOriginPolicyResult(context=OperationContext(allowed_origins=both))
