"""A worker's answer becomes the very result that belongs to the operation, or its error.

Below: ``contracts.runtime``. Above: ``framed``.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, Generic, TypeVar

from pydantic import ValidationError
from pydantic_core import from_json

from rea_capture.contracts.runtime.base import RuntimeModel
from rea_capture.contracts.runtime.errors import BrowserErrorDetails, BrowserOperationError
from rea_capture.contracts.runtime.frames import CancelResult, FrameId, OpenResult
from rea_capture.contracts.runtime.operation_table import OPERATION_TABLE

R = TypeVar("R", bound=RuntimeModel)

RESULT_OF: Final[dict[str, type[RuntimeModel]]] = {
    "open": OpenResult,
    "cancel": CancelResult,
    **{name: each.result for name, each in OPERATION_TABLE.items()},
}
"""What each operation is answered with by a worker."""


class Answer(RuntimeModel, Generic[R]):
    """An answer whose result is known to be ``R``."""

    id: FrameId
    result: R | None = None
    error: BrowserErrorDetails | None = None


class BadAnswerError(Exception):
    """A line that is no answer to what was asked."""


def answered_id(line: bytes) -> str:
    """The id of the request that ``line`` answers. Raises :class:`BadAnswerError`."""
    try:
        document = from_json(line)
    except ValueError:
        raise BadAnswerError from None
    frame_id = document.get("id") if isinstance(document, dict) else None
    if not isinstance(frame_id, str):
        raise BadAnswerError
    return frame_id


def result_in(line: bytes, op: str) -> RuntimeModel:
    """The result in ``line``, which answers ``op``.

    Raises :class:`BrowserOperationError` where it is an error, :class:`BadAnswerError` where it is neither.
    """
    answer = _answer(line, op)
    if answer.error is not None and answer.result is None:
        raise BrowserOperationError(answer.error)
    if answer.result is None or answer.error is not None:
        raise BadAnswerError
    result: RuntimeModel = answer.result
    return result


def _answer(line: bytes, op: str) -> Any:
    try:
        return _model(op).model_validate_json(line)
    except ValidationError:  # it would show what it found
        pass
    raise BadAnswerError


@cache
def _model(op: str) -> type[Answer[Any]]:
    generic: Any = Answer
    model: type[Answer[Any]] = generic[RESULT_OF[op]]
    return model
