"""The network transactions of a step that came, went or changed, the most telling first.

Fields are compared of those that are shown, which are few; all are counted.

Below: ``pairing``, ``fields``, ``step_events``. Above: ``transactions``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from rea_capture.compare.explain.events.fields import field_changes
from rea_capture.compare.explain.events.pairing import Pairing
from rea_capture.compare.explain.events.step_events import StepEvents, StepTransaction
from rea_capture.compare.explain.shown_text import shown_text
from rea_capture.contracts.explanation import FieldChange, NetworkChanges, TransactionChange
from rea_capture.wording import counted, listed, shortened

MAX_TRANSACTIONS: Final = 100
"""Shown of one step; a page of five hundred requests that is another one altogether is told by counts."""

MAX_FIELDS: Final = 16
"""Shown of one transaction, whose events have some twenty fields and any number of headers."""

MAX_URL_CHARACTERS: Final = 500
"""Of a URL shown; the capture has the whole."""

MAX_METHOD_CHARACTERS: Final = 32
"""Of a method; the longest that is registered has 17."""

MAX_REDIRECT_CHARACTERS: Final = 200
"""Of each URL that led to a transaction; with all that is shown of it, some ten KiB for one."""

MAX_WORDS_CHARACTERS: Final = 200
"""Of a URL inside a sentence."""

MAX_NAMED_FIELDS: Final = 4
"""Named in a sentence; the fields stand beside it."""


@dataclass(frozen=True, slots=True)
class _Side:
    """One transaction and the events it is of."""

    of: StepTransaction
    events: StepEvents


_Row = tuple[_Side | None, _Side | None]


def network_changes(pairing: Pairing, before: StepEvents, after: StepEvents) -> NetworkChanges:
    """What became of the transactions in ``pairing``, those of one step of ``before`` and of ``after``."""
    rows = sorted(_rows(pairing, before, after), key=_telling)
    shown = tuple(_change(*row) for row in rows[:MAX_TRANSACTIONS])
    return NetworkChanges(
        added=len(pairing.added),
        changed=len(pairing.changed),
        items=shown,
        omitted=len(rows) - len(shown),
        removed=len(pairing.removed),
        reordered=pairing.reordered,
    )


def _rows(pairing: Pairing, before: StepEvents, after: StepEvents) -> Iterator[_Row]:
    yield from ((_Side(one, before), _Side(other, after)) for one, other in pairing.changed)
    yield from ((_Side(one, before), None) for one in pairing.removed)
    yield from ((None, _Side(one, after)) for one in pairing.added)


def _telling(row: _Row) -> tuple[object, ...]:
    """First what has another outcome, then what came and went, then another URL, then the rest.

    Within each, in the order of requests; alike whichever side is the first, but for two of one place.
    """
    before, after = row
    positions = sorted(side.of.position for side in row if side is not None)
    place = (positions[0], positions[-1], before is None)
    if before is None or after is None:
        return 1, *place
    one, other = before.of, after.of
    if (one.status, one.failure) != (other.status, other.failure):
        return 0, *place
    return (2 if one.url != other.url else 3), *place


def _change(before: _Side | None, after: _Side | None) -> TransactionChange:
    fields: tuple[FieldChange, ...] = ()
    change: Literal["added", "removed", "changed"] = "changed"
    if before is not None and after is not None:
        fields = field_changes(before.of, after.of, before.events.rules, after.events.rules)
    else:
        change = "added" if before is None else "removed"
    one = after or before
    assert one is not None
    return TransactionChange(
        after_id=None if after is None else after.of.transaction_id,
        after_status=None if after is None else after.of.status,
        after_url=_url(after),
        before_id=None if before is None else before.of.transaction_id,
        before_status=None if before is None else before.of.status,
        before_url=_url(before),
        change=change,
        fields=fields[:MAX_FIELDS],
        method=shortened(one.of.method, MAX_METHOD_CHARACTERS),
        omitted_fields=max(0, len(fields) - MAX_FIELDS),
        redirected_from=tuple(shortened(url, MAX_REDIRECT_CHARACTERS) for url in one.of.redirected_from),
        words=_words(before, after, fields),
    )


def _url(side: _Side | None) -> str | None:
    if side is None or side.of.url is None:
        return None
    return shortened(side.of.url, MAX_URL_CHARACTERS)


def _words(before: _Side | None, after: _Side | None, fields: tuple[FieldChange, ...]) -> str:
    """A sentence, without a full stop, on one line."""
    if before is not None and after is not None:
        return f"{_named(before.of)}: {'; '.join(_said(before.of, after.of, fields))}"
    side = after or before
    assert side is not None
    outcome = side.of.failure or (None if side.of.status is None else f"status {side.of.status}")
    told = ", ".join(filter(None, (_short(side.of.resource_type), _short(outcome))))
    return f"{_named(side.of)} {'added' if before is None else 'removed'}{f' ({told})' if told else ''}"


def _named(one: StepTransaction) -> str:
    return f"{_short(one.method) or 'a request'} {_short(one.url) or 'that is not in the capture'}"


def _said(before: StepTransaction, after: StepTransaction, fields: tuple[FieldChange, ...]) -> Iterator[str]:
    if before.status != after.status:
        yield f"status {_or_none(before.status)} → {_or_none(after.status)}"
    if before.failure != after.failure:
        yield f"failure {_or_none(before.failure)} → {_or_none(after.failure)}"
    if before.url != after.url:
        yield f"URL → {_or_none(after.url)}"
    for change in fields:
        if change.field == "kind":
            yield f"{change.event} {'added' if change.before is None else 'removed'}"
    named = [change for change in fields if change.field not in {"url", "failure", "kind"}]
    if named:
        names = listed(dict.fromkeys(map(_field_name, named)), MAX_NAMED_FIELDS)
        yield f"{counted(len(named), 'field')} {'differs' if len(named) == 1 else 'differ'}: {names}"
    elif not fields and before.status == after.status:
        yield "alike itself, and redirected from requests that differ"


def _field_name(change: FieldChange) -> str:
    name = change.field if change.event == "network-content" else f"{change.event}.{change.field}"
    return _short(name) or ""


def _or_none(value: int | str | None) -> str:
    return "none" if value is None else _short(str(value)) or "''"


def _short(text: str | None) -> str | None:
    return None if text is None else shown_text(text, MAX_WORDS_CHARACTERS)
