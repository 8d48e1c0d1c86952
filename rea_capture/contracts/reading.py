"""The door for JSON documents: bytes in, a frozen model or every fault out.

    1. The bytes are UTF-8 JSON of bounded depth, without byte order mark, duplicate keys or NaN.
    2. The model accepts them, strictly.
    3. The rules between parts hold.

Below: pydantic, when a validator is needed, ``locating``, ``rules``, ``json_text``. Above: whoever reads a
document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from pydantic_core import SchemaValidator, ValidationError

from rea_capture.contracts.json_text import (
    crowded_object_faults,
    duplicate_key_faults,
    has_more_values,
    plain_json,
    pointer_of,
    value_count,
)
from rea_capture.contracts.locating import Place, place_of
from rea_capture.contracts.rules import scenario_faults
from rea_capture.errors import Fault, InputError
from rea_capture.limits import MAX_FAULTS, MAX_SCENARIO_VALUES, MAX_VALUES_FULLY_TOLD
from rea_capture.wording import subject

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from rea_capture.contracts.scenario import Scenario

_SPLIT: Final = "make several scenarios of it"


@cache
def adapter(model: Any) -> TypeAdapter[Any]:
    """The validator of ``model``, built once."""
    from pydantic import TypeAdapter  # noqa: PLC0415 - capture Evidence in its usual form needs none

    return TypeAdapter(model)


def read_scenario(data: bytes) -> Scenario:
    """The scenario in ``data``. Raises :class:`InputError` with every fault."""
    from rea_capture.contracts.scenario import Scenario  # noqa: PLC0415 - comparing needs none

    refuse_large_scenario(data)
    document = plain_json(data, what="scenario")
    crowded = crowded_object_faults(document, MAX_FAULTS)  # no object of a scenario has a tenth of it
    if crowded:
        raise InputError(summary("scenario", crowded), crowded)
    scenario = validated(data, document, Scenario, what="scenario", rules=lambda: scenario_faults(document))
    assert isinstance(scenario, Scenario)
    return scenario


def refuse_large_scenario(data: bytes, *, beside: int = 0) -> None:
    """Raise :class:`InputError` if ``data``, a scenario and ``beside`` values around it, has too many values.

    That is known without reading it, which may take a hundred times its size.
    """
    if has_more_values(data, MAX_SCENARIO_VALUES + beside):
        fault = Fault("", f"has more than {MAX_SCENARIO_VALUES:,} values (MAX_SCENARIO_VALUES); {_SPLIT}")
        raise InputError(summary("scenario", [fault]), [fault])


def validated(
    data: bytes, document: Any, model: Any, *, what: str, rules: Callable[[], Iterable[Fault]] = tuple
) -> Any:
    """``data`` as ``model``; ``document`` is the same as plain JSON and serves to find pointers.

    Raises :class:`InputError`, naming ``what``, with the faults of the model and of ``rules``.
    """
    faults = duplicate_key_faults(document)
    if len(faults) > MAX_FAULTS:
        raise InputError(summary(what, faults), faults)
    large = value_count(document) > MAX_VALUES_FULLY_TOLD
    value = None
    try:
        value = (_frugal(model) if large else adapter(model)).validate_json(
            data, by_alias=True, by_name=False
        )
    except ValidationError as error:
        found = _of_large(error, document, model) if large else [*faults_of(error, document, model), *rules()]
        faults = list(dict.fromkeys([*faults, *found]))
    if faults:
        raise InputError(summary(what, faults), _told(faults))
    return value


@cache
def _frugal(model: Any) -> SchemaValidator:
    """As :func:`adapter`, but it leaves each list at its first fault, so that there are never many."""
    schema: Any = _failing_fast(_schema(model))
    return SchemaValidator(schema)


@cache
def _schema(model: Any) -> Any:
    """What the validator of ``model`` follows."""
    checker = adapter(model)
    checker.rebuild(force=True)  # it may not have been needed so far
    return checker.core_schema


def _failing_fast(schema: Any) -> Any:
    if isinstance(schema, list | tuple):
        return type(schema)(map(_failing_fast, schema))
    if not isinstance(schema, dict):
        return schema
    made = {key: value if key == "metadata" else _failing_fast(value) for key, value in schema.items()}
    return {**made, "fail_fast": True} if schema.get("type") in {"list", "tuple", "set"} else made


def _of_large(error: ValidationError, document: Any, model: Any) -> list[Fault]:
    about = f"has more than {MAX_VALUES_FULLY_TOLD:,} values (MAX_VALUES_FULLY_TOLD), so that"
    if error.error_count() > MAX_FAULTS:  # unknown fields, of which an object may have any number
        return [Fault("", f"{about} its {error.error_count():,} faults are not told one by one")]
    return [
        *faults_of(error, document, model),
        Fault("", f"{about} only the first fault of each list is told"),
    ]


def _told(faults: list[Fault]) -> list[Fault]:
    if len(faults) <= MAX_FAULTS:
        return faults
    more = Fault("", f"has {len(faults) - MAX_FAULTS:,} more faults (MAX_FAULTS)")
    return [*faults[:MAX_FAULTS], more]


def summary(what: str, faults: Sequence[Fault]) -> str:
    """One sentence that counts ``faults`` and shows the first."""
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    return f"{subject(what)} is not valid: {faults[0]}{more}"


def faults_of(error: ValidationError, document: Any, model: Any) -> list[Fault]:
    """The faults in a pydantic error of ``model``, with JSON Pointers into ``document``.

    Of a union without a tag, only what the branches say that are of the value's kind; where none is, what
    each would take is one sentence.
    """
    items = error.errors(include_url=False, include_input=False)
    placed = [(item, place_of(_schema(model), item["loc"])) for item in items]
    meant = {_branch(place) for item, place in placed if not _is_of_another_kind(item, place)}
    unions = {branch[0] for branch in meant}
    faults: dict[Fault, None] = {}
    others: dict[str, list[str]] = {}
    for item, place in placed:
        if place.union is not None and _branch(place) not in meant:
            if place.union not in unions:
                others.setdefault(pointer_of(place.path), []).append(
                    _sentence(item["type"], item.get("ctx", {}))
                )
            continue
        faults.update(dict.fromkeys(_of_item(item, place, document)))
    return [*faults, *(Fault(pointer, _either(sentences)) for pointer, sentences in others.items())]


def _branch(place: Place) -> tuple[Any, Any]:
    return place.union, place.branch


def _is_of_another_kind(item: Any, place: Place) -> bool:
    """Whether the value is nothing that this branch of a union is about."""
    kind = item["type"]
    return tuple(place.path) == place.union and (kind.endswith("_type") or kind in _OF_ANOTHER_KIND)


_OF_ANOTHER_KIND: Final = frozenset({"literal_error", "none_required"})


def _either(sentences: Sequence[str]) -> str:
    first, *more = dict.fromkeys(sentences)
    return " or ".join([first, *(each.removeprefix("must be ") for each in more)])


def _of_item(item: Any, place: Place, document: Any) -> Sequence[Fault]:
    context = item.get("ctx", {})
    path = place.path
    if item["type"] == "rules":
        found: Sequence[Fault] = context["faults"]
        return found
    if item["type"] == "too_short" and context.get("actual_length") == 0 and _at(document, path):
        return ()  # every item was refused, and each has a fault of its own
    if item["type"].startswith("union_tag"):  # a function that tells the tag is called as the field is
        path = [*path, str(context["discriminator"]).strip("'()")]
    return (Fault(pointer_of(path), _sentence(item["type"], context)),)


def _at(document: Any, path: Sequence[str | int]) -> Any:
    for part in path:
        try:
            document = document[part]
        except (LookupError, TypeError):
            return None
    return document


_REQUIRED: Final = "this field is required"
_UNKNOWN: Final = "this field is unknown; remove it or correct its name"

SENTENCES: Final[dict[str, str]] = {
    "bool_type": "must be true or false",
    "dataclass_type": "must be an object",
    "dict_type": "must be an object",
    "extra_forbidden": _UNKNOWN,
    "finite_number": "must be a finite number",
    "float_type": "must be a number",
    "greater_than_equal": "must be at least {ge}",
    "int_parsing_size": "must be an integer that other programs can read",
    "int_type": "must be an integer",
    "less_than_equal": "must be at most {le}",
    "literal_error": "must be {expected}",
    "missing": _REQUIRED,
    "missing_argument": _REQUIRED,
    "missing_keyword_only_argument": _REQUIRED,
    "model_type": "must be an object",
    "none_required": "must be null",
    "string_pattern_mismatch": "must match the pattern {pattern}",
    "string_too_long": "must have at most {max_length} character(s)",
    "string_too_short": "must have at least {min_length} character(s)",
    "string_type": "must be a string",
    "string_unicode": "must be text without lone surrogates",
    "too_long": "must have at most {max_length} item(s), not {actual_length}",
    "too_short": "must have at least {min_length} item(s), not {actual_length}",
    "tuple_type": "must be an array",
    "unexpected_keyword_argument": _UNKNOWN,
    "union_tag_invalid": "must be one of {expected_tags}",
    "union_tag_not_found": _REQUIRED,
    "value_error": "{error}",
}
"""What each kind of pydantic error says, with its context filled in; a test fails when the contracts can
raise another kind."""


def _sentence(kind: str, context: dict[str, Any]) -> str:
    return SENTENCES[kind].format_map(context) if kind in SENTENCES else f"is not valid ({kind})"
