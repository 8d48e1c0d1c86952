"""Where in a document a validator's location is.

A location names branches of unions too, which are no part of the document, and such a name may be that of a
key as well. So it is followed through the schema that it was made by, which knows one from the other.

Below: the standard library. Above: ``reading``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

Part = str | int

_INNER: Final = ("schema", "json_schema", "lax_schema")
"""What a schema that only wraps another has that one under."""


@dataclass(slots=True)
class Place:
    """``path`` is into the document. ``union`` is where the first union without a tag is; ``branch``, which
    of its kinds was tried."""

    path: list[Part] = field(default_factory=list)
    union: tuple[Part, ...] | None = None
    branch: Part | None = None


def place_of(schema: Any, location: Sequence[Part]) -> Place:
    """The place that ``location``, of an error of ``schema``, means."""
    place = Place()
    definitions: dict[str, Any] = {}
    here = schema
    for position, part in enumerate(location):
        here = _unwrapped(here, definitions)
        kind = here.get("type") if isinstance(here, Mapping) else None
        if kind == "tagged-union":
            here = _tagged(here["choices"], part)
        elif kind == "union":
            if place.union is None:
                place.union, place.branch = tuple(place.path), part
            here = _labelled(here["choices"], part)
        elif kind == "dict" and location[position + 1 :] == ("[key]",):
            place.path.append(part)
            break
        else:
            place.path.append(part)
            here = _below(here, kind, part)
    return place


def _unwrapped(schema: Any, definitions: dict[str, Any]) -> Any:
    while isinstance(schema, Mapping):
        kind = schema.get("type")
        if kind == "definitions":
            definitions.update({each["ref"]: each for each in schema["definitions"]})
        if kind == "definition-ref":
            schema = definitions.get(schema["schema_ref"])
            continue
        inner = next((schema[name] for name in _INNER if name in schema), None)
        if inner is None:
            return schema
        schema = inner
    return schema


def _tagged(choices: Mapping[Any, Any], tag: Part) -> Any:
    found = choices.get(tag)
    return found if isinstance(found, Mapping) else choices.get(found)


def _labelled(choices: Sequence[Any], label: Part) -> Any:
    """The choice that pydantic calls ``label``: a class by its name, others by what they are."""
    schemas = [each[0] if isinstance(each, tuple) else each for each in choices]
    named = [each for each in schemas if getattr(each.get("cls"), "__name__", None) == label]
    return next(iter(named or [each for each in schemas if each["type"] in str(label)]), None)


def _below(schema: Any, kind: Any, part: Part) -> Any:
    if kind == "model-fields":
        pairs = [(name, each) for name, each in schema["fields"].items()]
    elif kind == "dataclass-args":
        pairs = [(each["name"], each) for each in schema["fields"]]
    elif kind == "dict":
        return schema.get("values_schema")
    elif kind in ("list", "tuple"):
        items = schema.get("items_schema")
        return (
            items[min(part, len(items) - 1)] if isinstance(items, list) and isinstance(part, int) else items
        )
    else:
        return None
    return next((each for name, each in pairs if part in (name, each.get("validation_alias"))), None)
