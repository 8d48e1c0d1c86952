"""Every kind of error that the contracts can raise has a sentence of ours."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import ValidationError

from rea_capture.contracts.reading import SENTENCES, adapter, faults_of
from rea_capture.contracts.schemas import SCHEMAS

ERRORS_OF_KIND = {
    "bool": {"bool_type"},
    "dataclass": {"dataclass_type"},
    "dataclass-args": {
        "missing",
        "missing_argument",
        "missing_keyword_only_argument",
        "unexpected_keyword_argument",
    },
    "dict": {"dict_type"},
    "float": {"float_type", "finite_number"},
    "function-after": {"value_error"},
    "int": {"int_type", "int_parsing_size"},
    "literal": {"literal_error"},
    "model": {"model_type"},
    "model-fields": {"missing", "extra_forbidden"},
    "none": {"none_required"},
    "str": {"string_type", "string_unicode"},
    "tagged-union": {"union_tag_invalid", "union_tag_not_found", "dict_type"},
    "tuple": {"tuple_type"},
}
"""What each kind of pydantic's core schema may say of JSON."""

ERRORS_OF_BOUND = {
    ("str", "pattern"): "string_pattern_mismatch",
    ("str", "min_length"): "string_too_short",
    ("str", "max_length"): "string_too_long",
    ("dict", "max_length"): "too_long",
    ("tuple", "min_length"): "too_short",
    ("tuple", "max_length"): "too_long",
    **{(number, "ge"): "greater_than_equal" for number in ("int", "float")},
    **{(number, "le"): "less_than_equal" for number in ("int", "float")},
}
BOUNDS = {"pattern", "min_length", "max_length", "ge", "gt", "le", "lt", "multiple_of"}
WITHOUT_ERRORS = {
    "any",
    "dataclass-field",
    "default",
    "definition-ref",
    "definitions",
    "model-field",
    "no-info",
    "nullable",
    "union",
}


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    """Every part of a core schema that has a kind."""
    if isinstance(schema, dict):
        if isinstance(schema.get("type"), str):
            yield schema
        for key, value in schema.items():
            if key != "metadata":
                yield from parts(value)
    elif isinstance(schema, list | tuple):
        for value in schema:
            yield from parts(value)


def errors_of(part: dict[str, Any]) -> set[str]:
    kind = part["type"]
    if kind in WITHOUT_ERRORS:
        return set()
    assert kind in ERRORS_OF_KIND, f"nobody has said which errors {kind!r} raises"
    return ERRORS_OF_KIND[kind] | {ERRORS_OF_BOUND[kind, bound] for bound in BOUNDS & part.keys()}


def possible_errors() -> set[str]:
    found: set[str] = set()
    for model in SCHEMAS.values():
        made = adapter(model)
        made.rebuild(force=True)
        for part in parts(made.core_schema):
            found |= errors_of(part)
    return found


def test_every_error_that_the_contracts_can_raise_has_a_sentence_and_no_sentence_is_for_another() -> None:
    assert possible_errors() == set(SENTENCES)


@pytest.mark.parametrize(
    ("document", "pointer", "sentence"),
    [
        (b"[]", "", "must be an object"),
        (b'{"actions":{}}', "/actions", "must be an array"),
        (b'{"actions":[]}', "/actions", "must have at least 1 item(s), not 0"),
        (b'{"actions":[1]}', "/actions/0", "must be an object"),
        (b'{"browser":{"mode":"launch","headless":1}}', "/browser/headless", "must be true or false"),
        (
            b'{"browser":{"mode":"launch","executable_path":""}}',
            "/browser/executable_path",
            "must have at least 1 character(s)",
        ),
        (
            b'{"browser":{"mode":"launch","executable_path":1}}',
            "/browser/executable_path",
            "must be a string",
        ),
        (b'{"command_timeout_ms":0}', "/command_timeout_ms", "must be at least 1"),
        (b'{"command_timeout_ms":"1"}', "/command_timeout_ms", "must be an integer"),
        (b'{"command_timeout_ms":2147483648}', "/command_timeout_ms", "must be at most 2147483647"),
        (
            b'{"environment":{"viewport":{"device_scale_factor":true}}}',
            "/environment/viewport/device_scale_factor",
            "must be a number",
        ),
        (
            b'{"environment":{"color_scheme":"pink"}}',
            "/environment/color_scheme",
            "must be 'light', 'dark' or 'no-preference'",
        ),
        (
            b'{"secrets":[{"secret_id":"1","environment_variable":"A"}]}',
            "/secrets/0/secret_id",
            "must match the pattern ^[A-Za-z][A-Za-z0-9._-]*$",
        ),
        (
            b'{"secrets":[{"secret_id":"' + b"a" * 201 + b'","environment_variable":"A"}]}',
            "/secrets/0/secret_id",
            "must have at most 200 character(s)",
        ),
    ],
)
def test_a_fault_is_said_in_our_words(document: bytes, pointer: str, sentence: str) -> None:
    with pytest.raises(ValidationError) as caught:
        adapter(SCHEMAS["scenario"]).validate_json(document)
    found = {
        fault.pointer: fault.message
        for fault in faults_of(caught.value, json.loads(document), SCHEMAS["scenario"])
    }
    assert found[pointer] == sentence
