"""Requests of the runtime from what a program in Python says: a request itself, or its fields by keyword.

What is wrong with them is an error like any other, and shows no value: one may be a password.

Below: ``contracts``. Above: ``runtime``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from rea_capture.contracts.reading import faults_of, summary
from rea_capture.contracts.runtime.base import RuntimeModel
from rea_capture.contracts.runtime.errors import BrowserOperationError
from rea_capture.contracts.runtime.failing import failure
from rea_capture.contracts.runtime.operation_table import OPERATION_TABLE
from rea_capture.contracts.runtime.operations import BrowserOperation
from rea_capture.errors import Fault

Model = TypeVar("Model", bound=RuntimeModel)


def operation_of(op: str, request: RuntimeModel) -> BrowserOperation:
    """``request`` under the name of its operation."""
    operation: BrowserOperation = OPERATION_TABLE[op].asked(op=op, request=request)
    return operation


def made(op: str, model: type[Model], request: Model | None, **fields: Any) -> Model:
    """``request``, else a ``model`` of those ``fields`` that are not None; lists may stand for tuples.

    Raises :class:`BrowserOperationError` with ``invalid_request``, also when both are given.
    """
    said = {name: value for name, value in fields.items() if value is not None}
    if request is not None:
        if said:
            faults = [Fault("", f"a request is given, and its fields beside it: {', '.join(said)}")]
            raise invalid_request(op, faults)
        if not isinstance(request, model):
            raise invalid_request(op, [Fault("", f"must be a {model.__name__}")])
        return request
    faults = []
    try:
        return model.model_validate(_frozen(said))
    except ValidationError as error:
        faults = faults_of(error, _plain(said), model)
    raise invalid_request(op, faults)


def invalid_request(op: str, faults: list[Fault], *, what: str = "request") -> BrowserOperationError:
    """The error for a request with ``faults``."""
    return failure(op, "request", "invalid_request", summary(what, faults), faults=faults)


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _frozen(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return tuple(_frozen(each) for each in value)
    return value


def _plain(said: Mapping[str, Any]) -> dict[str, Any]:
    """``said`` as a document in which pointers can be found."""
    return {name: each.wire() if isinstance(each, RuntimeModel) else each for name, each in said.items()}
