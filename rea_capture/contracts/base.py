"""What all contract models share: strictness, frozenness, and the field types.

Two kinds of model, for two kinds of document. An *input* (scenario, comparison input) is a pydantic
``BaseModel`` (``inputs``): small, with defaults, worth good errors. A *record* (everything inside Evidence)
is a frozen dataclass with slots, since a capture may hold a hundred thousand of them.

Nothing here, and nothing that a record needs, imports pydantic, which takes longer than comparing two
captures of ten thousand events does: what pydantic is to know of a type is said with :class:`Constraint`.

Below: limits. Above: the other contract files.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Annotated, Any, Final, TypeVar, cast, dataclass_transform

from rea_capture.limits import MAX_SAFE_INTEGER, MAX_TIMER_MS

T = TypeVar("T")

MAX_SHOWN_ITEMS: Final = 16
MAX_SHOWN_CHARACTERS: Final = 400
"""What the ``repr`` of a record shows of a list and of a text."""

STRICT: Final = {"extra": "forbid", "strict": True, "allow_inf_nan": False, "defer_build": True}
"""How pydantic reads records, and inputs too. Validators are built when they are first used."""


class Constraint:
    """What ``Annotated`` says to pydantic of a type, in the words of ``Field``: ``ge``, ``pattern``, ….

    ``Field`` itself is made when pydantic asks, which it does when it builds a validator. ``then`` is called
    with a value that was found valid, and gives what is kept.
    """

    def __init__(self, *, then: Callable[[Any], Any] | None = None, **said: Any) -> None:
        self._said = said
        self._then = then

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        from pydantic import AfterValidator, Field  # noqa: PLC0415 - see above

        after = () if self._then is None else (AfterValidator(self._then),)
        return handler(Annotated[source, Field(**self._said), *after])


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(dataclasses.field,))
def record(cls: type[T]) -> type[T]:
    """Make ``cls`` a frozen, slotted record.

    Fields are declared in ascending order, so that writing them in order is writing them in the
    order of RFC 8785. Types are checked strictly where a document is read and by mypy where a record
    is made; what ``__post_init__`` demands is checked always. Raises ``TypeError`` at import when the
    order is wrong.
    """
    return _record(cls, slots=True)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(dataclasses.field,))
def record_with_absent_fields(*absent: str) -> Callable[[type[T]], type[T]]:
    """As :func:`record`, for the few records in which a field may be absent.

    An absent field reads as ``None`` and is not written: it has a class default of ``None`` and is
    taken out of the instance, whose ``__dict__`` is what gets written.
    """

    def decorate(cls: type[T]) -> type[T]:
        check = getattr(cls, "__post_init__", None)

        def leave_out(self: Any) -> None:
            for name in absent:
                if self.__dict__.get(name, self) is None:
                    del self.__dict__[name]
            if check is not None:
                check(self)

        cls.__post_init__ = leave_out  # type: ignore[attr-defined]  # dataclasses look it up by name
        return _record(cls, slots=False)

    return decorate


def _record(cls: type[T], *, slots: bool) -> type[T]:
    names = list(cls.__annotations__)
    if names != sorted(names):
        raise TypeError(f"fields of {cls.__name__} are not in ascending order: {names}")
    # One set of methods serves all records: generating them for each would cost every command that
    # reads a document more than the rest of the imports together.
    made: Any = dataclasses.dataclass(frozen=True, slots=slots, kw_only=True, repr=False, eq=False)(cls)
    made.__pydantic_config__ = STRICT
    made.__repr__, made.__eq__, made.__hash__ = _shown, _equal, _hashed
    return cast("type[T]", made)


def _values(record: Any) -> tuple[Any, ...]:
    return tuple(getattr(record, name) for name in record.__dataclass_fields__)


def _shown(self: Any) -> str:
    fields = ", ".join(f"{name}={_short(getattr(self, name))}" for name in self.__dataclass_fields__)
    return f"{type(self).__name__}({fields})"


def _short(value: Any) -> str:
    # A capture is asked for its repr where nobody expects it (by asyncio.run, of its result) and may
    # hold a hundred thousand events.
    if isinstance(value, tuple) and len(value) > MAX_SHOWN_ITEMS:
        return f"<{len(value)} items>"
    if isinstance(value, str) and len(value) > MAX_SHOWN_CHARACTERS:
        return f"{value[:MAX_SHOWN_CHARACTERS]!r}…"
    return repr(value)


def _equal(self: Any, other: object) -> bool:
    return _values(self) == _values(other) if type(other) is type(self) else NotImplemented


def _hashed(self: Any) -> int:
    return hash((type(self), _values(self)))


MAX_NAME_CHARACTERS: Final = 200
"""Longest name of a step, a secret, a variable, a key or a target. A longer one is a mistake."""

Identifier = Annotated[str, Constraint(pattern=r"^[A-Za-z][A-Za-z0-9._-]*$", max_length=MAX_NAME_CHARACTERS)]
"""The name by which a scenario and its evidence call a step or a secret."""

SafeInteger = Annotated[int, Constraint(ge=0, le=MAX_SAFE_INTEGER)]
PositiveSafeInteger = Annotated[int, Constraint(ge=1, le=MAX_SAFE_INTEGER)]
SchemaVersion = Annotated[int, Constraint(ge=2, le=2, json_schema_extra={"const": 2})]
"""The version of the wire, 2. Not ``Literal[2]``, which takes ``2.0`` for it: 2.0 is equal to 2."""
TimeoutMs = Annotated[int, Constraint(ge=1, le=MAX_TIMER_MS)]
Sha256Hex = Annotated[str, Constraint(pattern=r"^[0-9a-f]{64}$")]
EvidenceId = Annotated[str, Constraint(pattern=r"^ev_[0-9a-f]{64}$")]
_DATE: Final = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_TIME: Final = r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}"
TimestampMs = Annotated[str, Constraint(pattern=f"^{_DATE}T{_TIME}Z$")]
"""RFC 3339, UTC, with milliseconds. The digits are ASCII, which not every reader takes a ``\\d`` for."""
