"""An explanation as lines of text leaves nothing out without a count."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rea_capture.contracts.explanation import EventsExplanation
from rea_capture.report.explained import MAX_ITEMS, parts
from tests.report.reported import events_explanation, text_diff, text_explanation


def network_lines(explanation: EventsExplanation) -> tuple[str, ...]:
    (part,) = (part for part in parts(explanation) if part.title == "Network")
    return part.lines


def with_network(**changes: object) -> EventsExplanation:
    """An explanation of one changed transaction, with ``changes`` to that."""
    explanation = events_explanation()
    (item,) = explanation.network.items
    item = replace(item, **changes)  # type: ignore[arg-type]  # of the fields' own types
    return replace(explanation, network=replace(explanation.network, items=(item,)))


def test_fields_that_the_document_has_not_are_counted() -> None:
    assert network_lines(with_network(omitted_fields=34))[-1] == "GET and 34 more fields"
    assert network_lines(with_network(omitted_fields=1))[-1] == "GET and 1 more field"


def test_what_led_to_a_transaction_is_told() -> None:
    lines = network_lines(with_network(redirected_from=("http://shop.test/a", "http://shop.test/b")))
    assert "GET redirected from http://shop.test/a -> http://shop.test/b" in lines


def test_transactions_are_counted_and_not_their_lines() -> None:
    explanation = events_explanation()
    (item,) = explanation.network.items
    many = replace(explanation.network, changed=MAX_ITEMS + 2, items=(item,) * (MAX_ITEMS + 2), omitted=3)
    lines = network_lines(replace(explanation, network=many))
    assert lines[-1] == "and 5 more"
    assert len(lines) == 2 * MAX_ITEMS + 1


@pytest.mark.parametrize(
    ("omitted", "said"), [(1, "... and 1 more line"), (1_234, "... and 1,234 more lines")]
)
def test_what_is_left_out_is_counted_as_everywhere_else(omitted: int, said: str) -> None:
    explanation = replace(text_explanation(), diff=text_diff(("+", "a"), omitted_lines=omitted))
    assert any(said in part.lines for part in parts(explanation))
