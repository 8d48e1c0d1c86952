"""A line becomes a request, or the error that says everything that is wrong with it.

Below: ``contracts``. Above: ``worker``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final, Literal, NoReturn

from rea_capture.contracts.json_text import has_more_values, plain_json
from rea_capture.contracts.reading import validated
from rea_capture.contracts.runtime.base import RuntimeModel
from rea_capture.contracts.runtime.budgets import MAX_FRAME_BYTES
from rea_capture.contracts.runtime.errors import BrowserErrorDetails
from rea_capture.contracts.runtime.failing import failure
from rea_capture.contracts.runtime.frames import CancelRequest, Envelope, OpenRequest
from rea_capture.contracts.runtime.operations import OPERATIONS, BrowserOperation
from rea_capture.contracts.runtime.policy import OperationContext
from rea_capture.errors import Fault, InputError

MAX_REQUEST_VALUES: Final = 10_000
"""Values of one line, at every level. The largest settings have some five hundred."""

MAX_ID_CHARACTERS: Final = 128
"""Of an id that is told, as the frames have it."""

_WHAT: Final = "request"
_OF_THE_WORKER: Final = ("open", "cancel")


class OpenFrame(RuntimeModel):
    """``open``."""

    op: Literal["open"]
    request: OpenRequest = OpenRequest()


class CancelFrame(RuntimeModel):
    """``cancel``."""

    op: Literal["cancel"]
    request: CancelRequest


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked. ``session_id`` is set for every operation, and for nothing else."""

    id: str
    asked: OpenFrame | CancelFrame | BrowserOperation
    session_id: str | None = None
    context: OperationContext | None = None

    @property
    def op(self) -> str:
        return self.asked.op


class BadLineError(Exception):
    """A line that is no request. ``id`` is the one it has, if it can be read."""

    def __init__(self, frame_id: str | None, details: BrowserErrorDetails) -> None:
        super().__init__(details.message)
        self.id = frame_id
        self.details = details


def read_request(line: bytes | None) -> Request:
    """The request in ``line``, None for one that was too long to be read. Raises :class:`BadLineError`."""
    document: Any = None
    try:
        if line is None:
            _refuse(f"has more than {MAX_FRAME_BYTES:,} bytes (MAX_FRAME_BYTES)")
        if has_more_values(line, MAX_REQUEST_VALUES):
            _refuse(f"has more than {MAX_REQUEST_VALUES:,} values (MAX_REQUEST_VALUES)")
        document = plain_json(line, what=_WHAT)
        return _request(line, document)
    except InputError as error:
        told = failure(_op_of(document), "request", "invalid_request", error.message, faults=error.faults)
    except _UnknownOperationError as error:
        told = failure(None, "request", "unknown_operation", str(error), faults=[Fault("/op", "is unknown")])
    raise BadLineError(_id_of(document), told.details)


class _UnknownOperationError(Exception):
    """``op`` is none."""


def _request(line: bytes, document: Any) -> Request:
    envelope: Envelope = validated(line, document, Envelope, what=_WHAT)
    kind = {"open": OpenFrame, "cancel": CancelFrame}.get(envelope.op)
    if kind is None and envelope.op not in OPERATIONS:
        known = ", ".join((*_OF_THE_WORKER, *OPERATIONS))
        raise _UnknownOperationError(
            f"there is no operation {envelope.op[:MAX_ID_CHARACTERS]!r}; there are: {known}"
        )
    asked = {key: document[key] for key in ("op", "request") if key in document}
    frame = validated(json.dumps(asked).encode(), asked, kind or BrowserOperation, what=_WHAT)
    faults = list(_misplaced(envelope, is_operation=kind is None))
    if faults:
        raise InputError(f"the {_WHAT} is not valid: {faults[0]}", faults)
    return Request(envelope.id, frame, envelope.session_id, envelope.context)


def _misplaced(envelope: Envelope, *, is_operation: bool) -> list[Fault]:
    if is_operation:
        return [] if envelope.session_id is not None else [Fault("/sessionId", "this field is required")]
    present = {"/sessionId": envelope.session_id, "/context": envelope.context}
    return [
        Fault(at, f"{envelope.op} takes none; remove it")
        for at, value in present.items()
        if value is not None
    ]


def _refuse(message: str) -> NoReturn:
    raise InputError(f"the {_WHAT} is not valid: it {message}", [Fault("", message)])


def _op_of(document: Any) -> str | None:
    """The operation that a faulty ``document`` names, if it is one."""
    op = document.get("op") if isinstance(document, dict) else None
    return op if isinstance(op, str) and op in (*_OF_THE_WORKER, *OPERATIONS) else None


def _id_of(document: Any) -> str | None:
    """The id that a faulty ``document`` has, if it is one that can be told."""
    found = document.get("id") if isinstance(document, dict) else None
    if not isinstance(found, str) or not 0 < len(found) <= MAX_ID_CHARACTERS:
        return None
    return None if any("\ud800" <= sign <= "\udfff" for sign in found) else found
