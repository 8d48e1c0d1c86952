"""The shape of capture Evidence as data: generated from the contracts, checked in, quick to load.

Importing the contracts takes several times as long as checking a large document. ``shape.json`` is
what they say about the shape of one, in pydantic-core's own terms and without their classes, so that a
document is checked with the same validator and without importing pydantic:

    plain_validator    gives plain JSON values, and imports none of the contracts either
    record_validator   gives the records of the contracts, whose own checks it runs

``python -m rea_capture.evidence.shape`` writes it again, and a test fails when that is due.

Below: pydantic-core; the contracts, to write it and to make records. Above: ``quick``, ``reading``.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import orjson
from pydantic_core import CoreConfig, SchemaValidator

_STRICT: Final = CoreConfig(strict=True, allow_inf_nan=False, extra_fields_behavior="forbid")

PATH: Final = Path(__file__).with_name("shape.json")


@cache
def plain_validator() -> SchemaValidator:
    """The validator of capture Evidence that gives plain JSON values. It checks no rule between fields."""
    return SchemaValidator(_shape(), _STRICT)


@cache
def record_validator() -> SchemaValidator:
    """The validator of capture Evidence that gives :class:`CaptureEvidence`, with all that records check.

    It accepts what the contracts accept but for null where a field may be absent, which no document in
    its canonical form has.
    """
    return SchemaValidator(_of_records(_shape()), _STRICT)


def _shape() -> Any:
    return orjson.loads(PATH.read_bytes())


def shape_bytes() -> bytes:
    """``shape.json`` as the contracts give it."""
    from rea_capture.contracts.capture_evidence import CaptureEvidence  # noqa: PLC0415 - writing only
    from rea_capture.contracts.reading import adapter  # noqa: PLC0415 - writing only

    shape = _plain(adapter(CaptureEvidence).core_schema)
    return orjson.dumps(shape, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)


def _plain(schema: Any) -> Any:  # noqa: PLR0911 - one return for each kind of schema
    """``schema`` with records as dictionaries; raises ``TypeError`` for what has no such form."""
    match schema["type"]:
        case "definitions":
            definitions = [_plain(one) for one in schema["definitions"]]
            return {"type": "definitions", "schema": _plain(schema["schema"]), "definitions": definitions}
        case "dataclass":
            fields = {field["name"]: _field(field["schema"]) for field in schema["schema"]["fields"]}
            ref = {"ref": _name(schema["ref"])} if "ref" in schema else {}
            return {"type": "typed-dict", "fields": fields, "extra_behavior": "forbid", **ref}
        case "tagged-union":
            choices = {tag: _plain(choice) for tag, choice in schema["choices"].items()}
            return {"type": "tagged-union", "discriminator": schema["discriminator"], "choices": choices}
        case "tuple" if schema.get("variadic_item_index") == 0 and len(schema["items_schema"]) == 1:
            return {"type": "list", "items_schema": _plain(schema["items_schema"][0])}
        case "nullable":
            return {"type": "nullable", "schema": _plain(schema["schema"])}
        case "function-after" if schema["schema"]["type"] == "float":
            return _number(schema["schema"])
        case "definition-ref":
            return {"type": "definition-ref", "schema_ref": _name(schema["schema_ref"])}
        case "literal" | "str" | "bool" | "int" | "none":
            return {key: value for key, value in schema.items() if key != "metadata"}
        case kind:
            raise TypeError(f"a record has a part of a kind that its shape cannot say: {kind}")


def _of_records(schema: Any) -> Any:  # noqa: PLR0911 - one return for each kind of schema
    """``schema``, a part of the shape, with records where it has objects and tuples where it has lists."""
    match schema["type"]:
        case "definitions":
            definitions = [_of_records(one) for one in schema["definitions"]]
            return {**schema, "schema": _of_records(schema["schema"]), "definitions": definitions}
        case "typed-dict":
            return _record_of(schema)
        case "list":
            items = _of_records(schema["items_schema"])
            return {"type": "tuple", "items_schema": [items], "variadic_item_index": 0}
        case "tagged-union":
            choices = {tag: _of_records(choice) for tag, choice in schema["choices"].items()}
            return {**schema, "choices": choices}
        case "nullable":
            return {**schema, "schema": _of_records(schema["schema"])}
        case "union":  # the form that ``_number`` gives
            from rea_capture.contracts.recorded_environment import plain_number  # noqa: PLC0415 - records only

            as_written = {"type": "no-info", "function": plain_number}
            return {"type": "function-after", "function": as_written, "schema": schema["choices"][1]}
        case _:
            return schema


def _record_of(schema: Any) -> Any:
    module, _, name = schema["ref"].rpartition(".")
    cls = getattr(import_module(module), name)
    fields = [
        {"type": "dataclass-field", "name": field, "kw_only": True, "schema": _value_of(said)}
        for field, said in schema["fields"].items()
    ]
    return {
        "type": "dataclass",
        "cls": cls,
        "ref": schema["ref"],
        "schema": {"type": "dataclass-args", "dataclass_name": name, "fields": fields},
        "fields": list(schema["fields"]),
        "post_init": hasattr(cls, "__post_init__"),
        "slots": "__slots__" in cls.__dict__,
        "config": _STRICT,
    }


def _value_of(field: Any) -> Any:
    schema = _of_records(field["schema"])
    return schema if field["required"] else {"type": "default", "schema": schema, "default": None}


def _name(reference: str) -> str:
    """``reference`` (``module.Record:address``) without what changes from one process to the next."""
    return reference.partition(":")[0]


def _field(schema: Any) -> Any:
    """A field; one that defaults to None may be absent, and is never null."""
    if schema["type"] != "default":
        return {"type": "typed-dict-field", "schema": _plain(schema), "required": True}
    if schema["default"] is not None:
        return {"type": "typed-dict-field", "schema": _plain(schema["schema"]), "required": True}
    inner = schema["schema"]
    if inner["type"] != "nullable":
        raise TypeError("a field that defaults to None cannot be None")
    return {"type": "typed-dict-field", "schema": _plain(inner["schema"]), "required": False}


def _number(schema: Any) -> Any:
    """A number that the contracts write as an integer where it is one."""
    bounds = {key: schema[key] for key in ("ge", "le") if key in schema}
    integer = {"type": "int", **{key: int(-(-bound // 1)) for key, bound in bounds.items()}}
    return {"type": "union", "choices": [integer, {"type": "float", **bounds}], "mode": "left_to_right"}


if __name__ == "__main__":
    PATH.write_bytes(shape_bytes())
