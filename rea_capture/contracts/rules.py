"""What must hold between the parts of an input: unique names, declared secrets.

The rules read plain JSON, of any shape, so that a document that is also wrong in other ways still
gets every fault reported at once.

Below: ``json_text``, ``urls``, ``errors``. Above: ``scenario``, ``normalization``, ``reading``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_core import PydanticCustomError

from rea_capture.contracts.json_text import pointer_of
from rea_capture.contracts.urls import origin_of
from rea_capture.errors import Fault


@dataclass(frozen=True, slots=True)
class RuleViolations:
    """Faults that carry their own pointers through pydantic's single-error validators."""

    faults: Sequence[Fault]

    def as_pydantic(self) -> PydanticCustomError:
        """The error to raise; :func:`rea_capture.contracts.reading.faults_of` unpacks it."""
        message = "; ".join(str(fault) for fault in self.faults).replace("{", "{{").replace("}", "}}")
        return PydanticCustomError("rules", message, {"faults": tuple(self.faults)})


def scenario_faults(document: Any) -> list[Fault]:
    """Every broken rule of a scenario document."""
    secrets = _objects(document, "secrets")
    faults = [
        *_duplicates(_objects(document, "actions"), "/actions", "step_id"),
        *_duplicates(secrets, "/secrets", "secret_id"),
        *_duplicates(secrets, "/secrets", "environment_variable"),
    ]
    storage = document.get("storage") if isinstance(document, dict) else None
    for kind in ("local_storage", "session_storage"):
        areas = _objects(storage, kind)
        faults += _duplicates(areas, f"/storage/{kind}", "origin", same_as=origin_of)
        for index, area in areas:
            faults += _duplicates(_objects(area, "entries"), f"/storage/{kind}/{index}/entries", "name")
    declared = {secret.get("secret_id") for _, secret in secrets if isinstance(secret.get("secret_id"), str)}
    faults += (
        Fault(f"{pointer}/secret_id", f"secret {secret_id!r} is not declared; add it to /secrets")
        for pointer, secret_id in _secret_references(document, "")
        if secret_id not in declared
    )
    return faults


def rule_set_faults(document: Any) -> list[Fault]:
    """Every broken rule of a normalization document (``{"rules": [...]}``)."""
    return list(_duplicates(_objects(document, "rules"), "/rules", "rule_id"))


def _objects(document: Any, key: str) -> list[tuple[int, dict[str, Any]]]:
    items = document.get(key) if isinstance(document, dict) else None
    if not isinstance(items, list | tuple):
        return []
    return [(index, item) for index, item in enumerate(items) if isinstance(item, dict)]


def _duplicates(
    items: Iterable[tuple[int, dict[str, Any]]],
    pointer: str,
    key: str,
    same_as: Callable[[str], str | None] = lambda name: name,
) -> Iterator[Fault]:
    """A fault for each name that was there before; names are the same when ``same_as`` of them is."""
    first: dict[str, int] = {}
    for index, item in items:
        name = item.get(key)
        if not isinstance(name, str):
            continue
        compared = same_as(name) or name
        if compared in first:
            yield Fault(
                f"{pointer}/{index}/{key}",
                f"{name!r} is already used at {pointer}/{first[compared]}; it must be unique",
            )
        else:
            first[compared] = index


def _secret_references(document: Any, pointer: str) -> Iterator[tuple[str, str]]:
    if isinstance(document, dict):
        secret_id = document.get("secret_id")
        if document.get("source") == "secret" and isinstance(secret_id, str):
            yield pointer, secret_id
        for key, value in document.items():
            yield from _secret_references(value, pointer + pointer_of((key,)))
    elif isinstance(document, list | tuple):
        for index, value in enumerate(document):
            yield from _secret_references(value, f"{pointer}/{index}")
