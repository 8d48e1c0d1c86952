"""What of a transaction differs, field by field, and what of other events, line by line."""

from __future__ import annotations

import dataclasses

import pytest

from rea_capture.canonical import sha256_hex
from rea_capture.compare.explain.events.changes import MAX_FIELDS
from rea_capture.compare.rules import Replacements
from rea_capture.contracts.events import AnyEvent
from rea_capture.contracts.explanation import FamilyDiff
from rea_capture.contracts.network import CapturedHeaders, HeaderItem
from tests import builders as make
from tests.compare.explain.explained_events import explained, fields, only

# Fields


def test_names_of_headers_and_their_values_differ_name_by_name() -> None:
    before = [
        *make.transaction()[:1],
        dataclasses.replace(make.outcome(), header_names=("etag", "vary")),
        make.content(headers=(("etag", "1"), ("link", "a"), ("link", "b"), ("vary", "*"))),
    ]
    after = [
        *make.transaction()[:1],
        dataclasses.replace(make.outcome(), header_names=("etag", "x-new")),
        make.content(headers=(("etag", "2"), ("link", "a"), ("x-new", "1"))),
    ]
    change = only(explained(before, after))
    assert fields(change) == [
        ("response", "header_names", '"vary"', None),
        ("response", "header_names", None, '"x-new"'),
        ("network-content", "response.headers.etag", '"1"', '"2"'),
        ("network-content", "response.headers.link", '["a","b"]', '"a"'),
        ("network-content", "response.headers.vary", '"*"', None),
        ("network-content", "response.headers.x-new", None, '"1"'),
    ]
    assert change.words.endswith(
        "6 fields differ: response.header_names, response.headers.etag, response.headers.link, "
        "response.headers.vary and 1 more"
    )


def test_a_header_of_credentials_shows_that_something_was_taken_out() -> None:
    def sent(*items: HeaderItem) -> list[AnyEvent]:
        headers = CapturedHeaders(items=items)
        return [*make.transaction(), dataclasses.replace(make.content(), headers=headers)]

    hidden = HeaderItem(name="authorization", redacted=True, value=None)
    change = only(explained(sent(), sent(hidden)))
    assert fields(change) == [
        ("network-content", "response.headers.authorization", None, '"[redacted]"'),
    ]


def test_a_header_of_which_something_was_taken_out_on_one_side_shows_which() -> None:
    def sent(redacted: bool) -> list[AnyEvent]:
        headers = CapturedHeaders(items=(HeaderItem(name="x-id", redacted=redacted, value="1"),))
        return [*make.transaction(), dataclasses.replace(make.content(), headers=headers)]

    ((event, field, before, after),) = fields(only(explained(sent(False), sent(True))))
    assert (event, field) == ("network-content", "response.headers.x-id")
    assert before == '[{"name":"x-id","redacted":false,"value":"1"}]'
    assert after == '[{"name":"x-id","redacted":true,"value":"1"}]'


def test_bodies_whose_digests_rules_make_alike_differ_by_their_content() -> None:
    bodies = (b"one", b"two")
    digests = [sha256_hex(body) for body in bodies]
    rules = Replacements(
        tuple((digest, "same") for digest in digests), tuple(digest.encode() for digest in digests)
    )
    before, after = ([*make.transaction(), make.content(body=body)] for body in bodies)
    assert fields(only(explained(before, after, rules))) == [
        ("network-content", "response.body.content", '"b25l"', '"dHdv"')
    ]


def test_a_body_differs_by_digest_and_size_and_is_not_shown() -> None:
    before, after = ([*make.transaction(), make.content(body=body)] for body in (b"one", b"three"))
    change = only(explained(before, after))
    assert [(one.event, one.field) for one in change.fields] == [
        ("network-content", "response.body.bytes"),
        ("network-content", "response.body.sha256"),
    ]
    assert "content" not in "".join(one.field for one in change.fields)


def test_a_request_that_failed_tells_the_failure_and_which_events_came() -> None:
    failed = [make.request(), make.outcome("request-failed", status=None, failure="net::ERR_FAILED")]
    change = only(explained(make.transaction(), failed))
    assert fields(change) == [
        ("response", "kind", '"response"', None),
        ("request-finished", "kind", '"request-finished"', None),
        ("request-failed", "kind", None, '"request-failed"'),
        ("request-failed", "failure", None, '"net::ERR_FAILED"'),
    ]
    assert change.words == (
        "GET http://shop.test/api: status 200 → none; failure none → net::ERR_FAILED; response removed; "
        "request-finished removed; request-failed added"
    )


def test_fields_beyond_the_bound_are_counted() -> None:
    before, after = (
        [*make.transaction(), make.content(headers=tuple((f"x-{n}", value) for n in range(50)))]
        for value in ("a", "b")
    )
    change = only(explained(before, after))
    assert (len(change.fields), change.omitted_fields) == (MAX_FIELDS, 50 - MAX_FIELDS)


def test_caller_rules_apply_before_anything_is_paired_or_shown() -> None:
    rules = Replacements((("4711", "ID"),), (b"4711",))
    assert (
        explained(make.transaction(address="/4711"), make.transaction(address="/ID"), rules).network.items
        == ()
    )
    change = only(
        explained(make.transaction(address="/4711"), make.transaction(address="/4711", status=500), rules)
    )
    assert (change.before_url, change.after_url) == ("http://shop.test/ID", "http://shop.test/ID")


def test_the_same_name_is_told_of_each_event_and_another_order_as_the_whole_list() -> None:
    def sent(names: tuple[str, ...]) -> list[AnyEvent]:
        outcomes = [make.outcome(), make.outcome("request-finished")]
        return [make.request(), *(dataclasses.replace(one, header_names=names) for one in outcomes)]

    assert fields(only(explained(sent(("a",)), sent(("a", "b"))))) == [
        ("response", "header_names", None, '"b"'),
        ("request-finished", "header_names", None, '"b"'),
    ]
    assert fields(only(explained(sent(("a", "b")), sent(("b", "a"))))) == [
        ("response", "header_names", '["a","b"]', '["b","a"]'),
        ("request-finished", "header_names", '["a","b"]', '["b","a"]'),
    ]


def test_a_status_that_is_not_the_last_is_a_field() -> None:
    before, after = (
        [make.request(), make.outcome(status=status), make.outcome("request-finished")]
        for status in (200, 206)
    )
    change = only(explained(before, after))
    assert (change.before_status, change.after_status) == (200, 200)
    assert fields(change) == [("response", "status", "200", "206")]


def lines(row: FamilyDiff) -> list[tuple[str, str]]:
    return [(line.change, line.text) for hunk in row.diff.hunks for line in hunk.lines]


# Other families


def test_each_other_family_is_a_difference_of_lines() -> None:
    before = [make.console("ready"), make.page_error("boom"), make.console("done", level="error")]
    after = [make.console("ready"), make.page_error("boom"), make.console("do\nne", level="error")]
    (row,) = (explanation := explained(before, after)).families
    assert row.family == "console"
    assert lines(row) == [
        ("context", "log: ready (http://shop.test/app.js)\n"),
        ("removed", "error: done (http://shop.test/app.js)\n"),
        ("added", "error: do\\nne (http://shop.test/app.js)\n"),
    ]
    assert explanation.summary == "1 console line added, 1 removed."
    assert not explanation.interleaved


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (make.page_error("boom"), "error: boom | Error: boom\n"),
        (make.frame("hello"), "sent: [5 bytes, text] hello (ws://shop.test/live)\n"),
        (make.frame("x", direction="received"), "received: [1 bytes, text] x (ws://shop.test/live)\n"),
        (make.binary_frame(9), "sent: [9 bytes, binary] (ws://shop.test/live)\n"),
        (make.websocket(), "websocket-opened (ws://shop.test/live)\n"),
        (make.lifecycle(address="/x"), "frame-navigated (http://shop.test/x)\n"),
        (make.lifecycle("popup-opened"), "popup-opened (http://shop.test/)\n"),
        (make.download("a.csv"), "cancelled: a.csv (http://shop.test/report)\n"),
    ],
)
def test_every_kind_of_event_is_one_line(event: AnyEvent, line: str) -> None:
    (row,) = explained([], [event]).families
    assert lines(row) == [("added", line)]


def test_what_a_line_does_not_show_is_shown_in_the_compared_form() -> None:
    quiet = make.console("ready")
    hidden = dataclasses.replace(quiet, url=dataclasses.replace(make.url("/app.js"), redacted=True))
    (row,) = explained([quiet], [hidden]).families
    (_, removed), (_, added) = lines(row)
    assert '"redacted":false' in removed
    assert '"redacted":true' in added


def test_only_the_order_between_families_is_said_to_be_that() -> None:
    explanation = explained([make.console(), make.frame()], [make.frame(), make.console()])
    assert explanation.interleaved
    assert explanation.families == ()
    assert explanation.summary == "Events of different kinds came in another order."
