"""Which transactions of a step are paired, in which order they are told, and in which bounds."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from rea_capture.compare.explain import bounds as bounds_of_the_whole
from rea_capture.compare.explain.events.changes import MAX_TRANSACTIONS
from rea_capture.compare.explain.events.pairing import MAX_SCORED_PAIRS, paired
from rea_capture.compare.explain.events.step_events import MAX_REDIRECTS, StepEvents
from rea_capture.compare.explain.events.transactions import events_explanation
from rea_capture.contracts.events import AnyEvent
from tests import builders as make
from tests.compare.explain.explained_events import NONE, explained, fields, indexed, joined, only

# Pairing


def test_a_changed_status_is_one_change_and_stands_apart_from_the_fields() -> None:
    explanation = explained(make.transaction(), make.transaction(7, status=500))
    change = only(explanation)
    assert (change.before_status, change.after_status, change.fields) == (200, 500, ())
    assert (change.before_id, change.after_id) == (1, 7)
    assert change.words == "GET http://shop.test/api: status 200 → 500"
    assert explanation.summary == "1 request changed (1 in status: 200 → 500)."


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("/list?page=1", "/list?page=2"),
        ("/app.3f9ac1.js", "/app.77b0d2.js"),
        ("/item/1/photos/2", "/item/8/photos/9"),
        ("/shop/items/popular/first", "/shop/items/popular/last"),
        ("http://old.test/api/cart", "http://new.test/api/cart"),
        ("/before", "/after"),
    ],
)
def test_a_changed_url_is_one_change_and_not_two_rows(before: str, after: str) -> None:
    change = only(explained(make.transaction(address=before), make.transaction(address=after)))
    assert change.change == "changed"
    assert fields(change) == [("request", "url", f'"{change.before_url}"', f'"{change.after_url}"')]
    assert change.words == f"GET {change.before_url}: URL → {change.after_url}"


def test_urls_are_paired_by_their_likeness() -> None:
    before = joined(
        make.transaction(1, address="/shop/basket/items/first"),
        make.transaction(2, address="/user/profile/photo"),
    )
    after = joined(
        make.transaction(1, address="/user/profile/picture"),
        make.transaction(2, address="/shop/basket/items/last"),
        make.transaction(3, address="/unlike/anything"),
    )
    explanation = explained(before, after)
    assert {(change.before_id, change.after_id) for change in explanation.network.items} == {
        (1, 2),
        (2, 1),
        (None, 3),
    }
    assert explanation.summary == "1 request added, 2 changed."


def test_another_method_is_another_transaction() -> None:
    post = [make.request(method="POST"), make.outcome(method="POST")]
    explanation = explained([make.request(), make.outcome()], post)
    assert [(change.change, change.words) for change in explanation.network.items] == [
        ("removed", "GET http://shop.test/api removed (fetch, status 200)"),
        ("added", "POST http://shop.test/api added (fetch, status 200)"),
    ]
    assert explanation.summary == "1 request added, 1 removed."


def test_of_several_with_one_url_those_that_sent_the_same_are_paired() -> None:
    def asked(transaction_id: int, query: bytes, answer: bytes) -> list[AnyEvent]:
        return [
            *make.transaction(transaction_id, address="/graphql"),
            make.content(transaction_id, phase="request", body=query),
            make.content(transaction_id, body=answer),
        ]

    explanation = explained(
        joined(asked(1, b"cart", b"1"), asked(2, b"user", b"1")),
        joined(asked(1, b"user", b"2"), asked(2, b"cart", b"2")),
    )
    assert {(change.before_id, change.after_id) for change in explanation.network.items} == {(1, 2), (2, 1)}
    assert all(
        one.field.startswith("response.body.") for row in explanation.network.items for one in row.fields
    )


def test_those_alike_are_paired_first_and_their_order_is_no_change() -> None:
    urls = [f"/{name}" for name in "abcde"]
    before = joined(*(make.transaction(place, address=url) for place, url in enumerate(urls, 1)))
    after = joined(
        *(make.transaction(place, address=url) for place, url in enumerate([*urls[1:], urls[0]], 1))
    )
    explanation = explained(before, after)
    assert explanation.network.items == ()
    assert explanation.network.reordered == 1
    assert explanation.summary == "1 request alike in another order, which is no change."


def test_most_telling_transactions_come_first() -> None:
    before = joined(
        make.transaction(1, address="/same-but-a-header"),
        make.transaction(2, address="/item?n=1"),
        make.transaction(3, address="/fails"),
    )
    changed = dataclasses.replace(make.request(1, address="/same-but-a-header"), header_names=("accept",))
    after = joined(
        [changed, *make.transaction(1, address="/same-but-a-header")[1:]],
        make.transaction(2, address="/item?n=2"),
        make.transaction(3, address="/fails", status=500),
        [dataclasses.replace(make.request(4, address="/new"), resource_type="image")],
    )
    told = [change.words for change in explained(before, after).network.items]
    assert told == [
        "GET http://shop.test/fails: status 200 → 500",
        "GET http://shop.test/new added (image)",
        "GET http://shop.test/item?n=1: URL → http://shop.test/item?n=2",
        "GET http://shop.test/same-but-a-header: 1 field differs: request.header_names",
    ]


def test_urls_that_have_half_in_common_are_no_pair() -> None:
    before, after = (
        joined(*(make.transaction(place, address=url) for place, url in enumerate(urls, 1)))
        for urls in (("/about", "/contact"), ("/blog", "/terms"))
    )
    assert explained(before, after).summary == "2 requests added, 2 removed."


# Redirects


def chain(*hops: tuple[str, int]) -> list[AnyEvent]:
    return joined(
        *(
            make.transaction(place, address=url, status=status, after=place - 1 or None)
            for place, (url, status) in enumerate(hops, 1)
        )
    )


def test_a_changed_redirect_is_told_and_what_it_led_to_is_paired_by_its_way() -> None:
    explanation = explained(
        chain(("/login", 302), ("/home", 200)), chain(("/login", 301), ("/welcome-page", 200))
    )
    login, landing = explanation.network.items
    assert login.words == "GET http://shop.test/login: status 302 → 301"
    assert (landing.before_url, landing.after_url) == (
        "http://shop.test/home",
        "http://shop.test/welcome-page",
    )
    assert landing.redirected_from == ("http://shop.test/login",)


def test_what_differs_only_in_what_led_to_it_says_so() -> None:
    explanation = explained(chain(("/login", 302), ("/home", 200)), chain(("/login", 301), ("/home", 200)))
    landing = explanation.network.items[1]
    assert landing.fields == ()
    assert (
        landing.words == "GET http://shop.test/home: alike itself, and redirected from requests that differ"
    )


def test_a_long_chain_keeps_its_first_urls() -> None:
    before, after = (
        chain(*((f"/{n}", 302) for n in range(3_000)), ("/end", status)) for status in (200, 404)
    )
    change = only(explained(before, after))
    assert change.redirected_from == tuple(f"http://shop.test/{n}" for n in range(MAX_REDIRECTS))


@pytest.mark.parametrize("predecessor", [1, 2, 9])
def test_an_ancestry_that_ends_nowhere_is_explained_all_the_same(predecessor: int) -> None:
    before = joined(make.transaction(1, after=predecessor), make.transaction(2, address="/b", after=1))
    after = joined(make.transaction(1), make.transaction(2, address="/b", after=1))
    assert explained(before, after).network.changed == 2
    assert explained(before, before).network.changed == 0


# Attribution


def test_transactions_are_in_the_order_of_their_requests() -> None:
    events = indexed([make.outcome("response", 2), make.request(1), make.request(2)])
    assert [one.transaction_id for one in events.transactions(1)] == [1, 2]


def test_a_request_that_is_told_twice_belongs_to_the_first_step() -> None:
    steps = [make.start(), make.step(), make.step("next", 2)]
    events = StepEvents.of(make.capture(steps, [make.request(1, 1), make.request(1, 2)]), NONE)
    assert [len(events.transactions(at)) for at in range(3)] == [0, 1, 0]


def test_a_transaction_belongs_to_the_step_of_its_request() -> None:
    steps = [make.start(), make.step(), make.step("next", 2)]
    before, after = (
        StepEvents.of(make.capture(steps, make.transaction(1, 1, status=status, landed=2)), NONE)
        for status in (200, 500)
    )
    assert events_explanation(before, after, 1, 1).network.changed == 1
    assert events_explanation(before, after, 2, 2).summary == "Nothing differs."


def test_without_its_request_a_transaction_belongs_to_each_step_that_received_some_of_it() -> None:
    steps = [make.start(), make.step(), make.step("next", 2)]
    parts = [make.outcome("response", 5, 1), make.outcome("request-finished", 5, 2)]
    events = StepEvents.of(make.capture(steps, parts), NONE)
    assert [[one.transaction_id for one in events.transactions(at)] for at in range(3)] == [[], [5], [5]]
    (first,), (second,) = events.transactions(1), events.transactions(2)
    assert first.fingerprint != second.fingerprint


# Bounds


def many(count: int, **changes: Any) -> list[AnyEvent]:
    return joined(*(make.transaction(number, **changes) for number in range(1, count + 1)))


def test_thousands_of_transactions_of_one_url_are_counted_and_few_are_shown() -> None:
    explanation = explained(many(3_000), many(3_000, status=500))
    network = explanation.network
    assert (network.changed, len(network.items), network.omitted) == (
        3_000,
        MAX_TRANSACTIONS,
        3_000 - MAX_TRANSACTIONS,
    )
    assert explanation.summary == "3,000 requests changed (3,000 in status: 200 → 500)."


def test_several_changed_statuses_are_counted_each() -> None:
    before = joined(*(make.transaction(number, address=f"/{name}") for number, name in enumerate("abc", 1)))
    after = joined(
        *(
            make.transaction(number, address=f"/{name}", status=404 if name == "b" else 500)
            for number, name in enumerate("abc", 1)
        )
    )
    assert explained(before, after).summary == (
        "3 requests changed (3 in status: 200 → 500 in 2 and 200 → 404 in 1)."
    )


def unlike(count: int, letters: str) -> list[AnyEvent]:
    def word(number: int) -> str:
        return "".join(letters[int(digit)] for digit in f"{number:04}")

    return joined(*(make.transaction(n, address=f"/{word(n)}/{word(n)}z") for n in range(1, count + 1)))


def test_likeness_is_looked_for_among_few_and_given_up_among_many() -> None:
    side = int(MAX_SCORED_PAIRS**0.5)
    for count, unscored in ((side, False), (side + 1, True)):
        one, other = (indexed(unlike(count, letters)) for letters in ("ghijklmnop", "qrstuvwxyG"))
        pairing = paired(one.transactions(1), other.transactions(1))
        assert pairing.unscored is unscored
        assert len(pairing.added) == len(pairing.removed) == count


def test_giving_up_is_said() -> None:
    side = int(MAX_SCORED_PAIRS**0.5) + 1
    explanation = explained(unlike(side, "ghijklmnop"), unlike(side, "qrstuvwxyG"))
    assert explanation.summary == (
        f"{side} requests added, {side} removed; too many requests differ to pair them all."
    )


def test_the_steps_of_one_comparison_share_their_looks_for_likeness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds_of_the_whole, "MAX_EXPLAINED_PAIRS", 100)
    whole = bounds_of_the_whole.Bounds()
    one, other = (indexed(unlike(8, letters)) for letters in ("ghijklmnop", "qrstuvwxyG"))
    said = ["too many" in events_explanation(one, other, 1, 1, bounds=whole).summary for _ in range(3)]
    assert said == [False, True, True]
    assert not whole.has_taken("pairs", 37)
    assert whole.has_taken("pairs", 36)
