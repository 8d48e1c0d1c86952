"""What the browser's log says, and what is made of it, without a browser."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from rea_capture.browser import log_lines
from rea_capture.browser.events.reported import Reported
from rea_capture.browser.network_log import LogUnreadableError, NetworkLog, Sent, read_network_log
from rea_capture.browser.sent_unseen import annotation, unseen

TYPES = {"REQUEST_ALIVE": 2, "URL_REQUEST_START_JOB": 12, "HTTP_TRANSACTION_SEND_REQUEST_HEADERS": 20}
TYPES |= {
    "HTTP_TRANSACTION_RESTART_AFTER_ERROR": 21,
    "WEBSOCKET_RECV_FRAME_HEADER": 22,
    "CORS_PREFLIGHT_URL_REQUEST": 120,
}
TYPES |= {"OF_NO_INTEREST": 3}
URL = "http://127.0.0.1:1/a"
PAGE = "http://127.0.0.1:1"
LOADER = annotation("blink_resource_loader")


def event(name: str, source: int, phase: int = 0, time: int = 1_000, **params: Any) -> dict[str, Any]:
    return {"params": params, "phase": phase, "source": {"id": source, "type": 1}, "time": str(time),
            "type": TYPES[name]}  # fmt: skip


def hop(source: int, url: str = URL, method: str = "GET", initiator: str = PAGE) -> dict[str, Any]:
    return event("URL_REQUEST_START_JOB", source, 1, url=url, method=method, initiator=initiator,
                 request_type="other")  # fmt: skip


def headers(source: int, time: int = 1_000) -> dict[str, Any]:
    return event("HTTP_TRANSACTION_SEND_REQUEST_HEADERS", source, time=time, headers=[])


def alive(source: int, phase: int) -> dict[str, Any]:
    return event("REQUEST_ALIVE", source, phase, traffic_annotation=LOADER, url=URL)


def sent_after_an_error(source: int, time: int) -> list[dict[str, Any]]:
    """The server had closed the connection that was kept."""
    return [event("HTTP_TRANSACTION_RESTART_AFTER_ERROR", source, net_error=-100), headers(source, time)]


def frame(size: int, opcode: int = 1, *, final: bool = True, deflated: bool = False) -> dict[str, Any]:
    return event("WEBSOCKET_RECV_FRAME_HEADER", 9, payload_length=size, opcode=opcode, final=final,
                 reserved1=deflated)  # fmt: skip


def log_file(
    folder: Path, events: Iterable[dict[str, Any]], end: str = '],\n"polledData": [{}]\n}\n'
) -> Path:
    """A log as Chromium writes one, one event on a line."""
    path = folder / "log.json"
    constants = {"logEventTypes": TYPES, "timeTickOffset": 500_000}
    lines = ",\n".join(json.dumps(one, separators=(",", ":")) for one in events)
    path.write_text(json.dumps({"constants": constants})[:-1] + ',\n"events": [\n' + lines + end)
    return path


def sent(**different: Any) -> Sent:
    facts: dict[str, Any] = {"at_s": 1.0, "method": "GET", "url": URL, "annotation": LOADER,
                             "initiator": PAGE, "kind": "other", "is_preflight": False,
                             "is_further": False}  # fmt: skip
    return Sent(**(facts | different))


def found(*requests: Sent, reported: Reported | None = None) -> list[str]:
    purposes = unseen(NetworkLog(sent=list(requests)), reported or Reported(), 2.0)
    return [purpose for _, purpose in purposes]


def test_each_hop_is_one_request_however_often_it_was_sent(tmp_path: Path) -> None:
    events = [alive(1, 1), hop(1), headers(1), hop(1, URL + "b"), headers(1), *sent_after_an_error(1, 2_000)]
    log = read_network_log(log_file(tmp_path, [*events, *sent_after_an_error(1, 3_000), hop(2), alive(1, 2)]))
    assert log.is_whole
    assert [(one.url[-1], one.at_s, one.is_further) for one in log.sent] == [
        ("a", 501.0, False),
        ("b", 501.0, False),
    ]
    assert {one.annotation for one in log.sent} == {LOADER}


def test_a_loader_that_is_begun_anew_for_another_origin_keeps_its_request(tmp_path: Path) -> None:
    """As recorded: the new loader begins, with the same number, before the old one ends."""
    events = [alive(1, 1), hop(1), headers(1), alive(1, 1), hop(1, URL + "b"), alive(1, 2), headers(1)]
    log = read_network_log(log_file(tmp_path, [*events, alive(1, 2)]))
    assert log.is_whole
    assert [one.url[-1] for one in log.sent] == ["a", "b"]
    assert {one.annotation for one in log.sent} == {LOADER}


def test_what_a_request_is_followed_up_with_is_more_than_one_request(tmp_path: Path) -> None:
    """As recorded of a body that the cache has in parts; one of the three is sent again."""
    events = [alive(1, 1), hop(1), headers(1), headers(1, 2_000), *sent_after_an_error(1, 2_500)]
    log = read_network_log(log_file(tmp_path, [*events, headers(1, 3_000), alive(1, 2)]))
    assert [(one.at_s, one.is_further) for one in log.sent] == [(501.0, False), (502.0, True), (503.0, True)]


def test_an_address_is_read_without_what_the_log_says_about_credentials(tmp_path: Path) -> None:
    log = read_network_log(log_file(tmp_path, [hop(1, URL + " (credentials redacted)"), headers(1)]))
    assert [one.url for one in log.sent] == [URL]


def test_a_preflight_is_known_by_the_request_it_is_for(tmp_path: Path) -> None:
    preflight = event("CORS_PREFLIGHT_URL_REQUEST", 1, source_dependency={"id": 2, "type": 1})
    log = read_network_log(log_file(tmp_path, [preflight, hop(2, method="OPTIONS"), headers(2)]))
    assert [one.is_preflight for one in log.sent] == [True]


@pytest.mark.parametrize(
    ("frames", "count"),
    [
        ([frame(0), frame(0, 2), frame(1)], 2),
        ([frame(0, final=False), frame(0, 0)], 1),
        ([frame(0, final=False), frame(1, 0, final=False), frame(0, 0)], 0),
        ([frame(1, deflated=True), frame(2, deflated=True), frame(3, deflated=True)], 2),
        ([frame(0, 8), frame(0, 9), frame(0, 10)], 0),
    ],
)
def test_messages_without_content_are_counted_and_control_frames_are_not(
    tmp_path: Path, frames: list[dict[str, Any]], count: int
) -> None:
    assert len(read_network_log(log_file(tmp_path, frames)).empty_messages_at_s) == count


def test_a_log_that_is_cut_tells_what_it_has_and_is_not_whole(tmp_path: Path) -> None:
    for end in (",\n", ',\n{"params":{"url":"http', '],\n"polledData": [{'):
        log = read_network_log(log_file(tmp_path, [hop(1), headers(1), event("OF_NO_INTEREST", 3)], end))
        assert (len(log.sent), log.is_whole) == (1, False)


@pytest.mark.parametrize("kept", [5, 20, 60])
def test_a_log_with_a_torn_line_is_not_whole_and_tells_what_it_has(tmp_path: Path, kept: int) -> None:
    """A disk that is full for a moment keeps the beginning of a line, and goes on with a later one."""
    path = log_file(tmp_path, [hop(1), headers(1), event("OF_NO_INTEREST", 3), hop(2), headers(2)])
    assert read_network_log(path).is_whole
    whole = path.read_bytes().splitlines(keepends=True)
    for torn in range(2, 7):
        path.write_bytes(b"".join([*whole[:torn], whole[torn][:kept], *whole[torn + 1 :]]))
        log = read_network_log(path)
        assert not log.is_whole
        assert len(log.sent) in (1, 2)


def test_a_log_that_has_an_end_without_its_beginning_is_not_whole(tmp_path: Path) -> None:
    assert not read_network_log(log_file(tmp_path, [hop(1), headers(1), alive(2, 2)])).is_whole


def test_an_event_that_holds_what_events_begin_with_is_no_torn_one(tmp_path: Path) -> None:
    log = read_network_log(log_file(tmp_path, [event("OF_NO_INTEREST", 1, inner={"params": 1}), hop(1)]))
    assert log.is_whole


def test_a_log_that_takes_too_long_to_read_is_not_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_lines, "MAX_READING_S", -1.0)
    assert not read_network_log(log_file(tmp_path, [hop(1), headers(1)])).is_whole


def test_a_log_without_the_beginning_of_what_was_sent_is_not_whole(tmp_path: Path) -> None:
    log = read_network_log(log_file(tmp_path, [headers(1)]))
    assert (log.sent, log.is_whole) == ([], False)


@pytest.mark.parametrize("text", ["", "{}", "no log\n", '{"constants":{"logEventTypes":{}},\n'])
def test_what_is_no_log_is_said_to_be_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "log.json"
    path.write_text(text)
    for unreadable in (path, tmp_path / "none"):
        with pytest.raises(LogUnreadableError):
            read_network_log(unreadable)


def test_a_request_is_matched_once_whatever_its_fragment_and_name() -> None:
    reported = Reported()
    reported.add("GET", "http://name:word@127.0.0.1:1/a#b")
    assert found(sent(), sent(), reported=reported) == ["of other kinds"]


@pytest.mark.parametrize(
    "own",
    [
        sent(annotation=annotation("favicon_loader")),
        sent(initiator="not an origin", annotation=annotation("update_client")),
        sent(annotation=60744935),
        sent(annotation=annotation("service_worker_update_checker")),
        sent(url="ws://127.0.0.1:1/a"),
        sent(at_s=3.0),
    ],
)
def test_what_no_page_has_a_part_in_or_comes_after_the_end_does_not_count(own: Sent) -> None:
    assert found(own) == []


def test_what_no_page_has_a_part_in_takes_no_report_from_a_page() -> None:
    reported = Reported()
    reported.add("GET", URL)
    assert found(sent(annotation=60744935), sent(), reported=reported) == []


def test_what_follows_up_a_request_is_never_one_that_was_reported() -> None:
    reported = Reported()
    for _ in range(2):  # the second was answered from memory
        reported.add("GET", URL)
    assert found(sent(), sent(is_further=True), reported=reported) == ["to complete another"]


def test_a_page_that_asks_for_an_icon_by_itself_is_told_why_no_event_tells_of_it() -> None:
    assert found(sent(url=f"{PAGE}/images/favicon.ico")) == ["for an address ending in /favicon.ico"]


def test_what_was_deferred_counts_after_the_end() -> None:
    assert found(sent(at_s=3.0, annotation=68163855)) == ["deferred with fetchLater"]


def test_a_preflight_counts_unless_it_is_stated_that_preflights_are_missing() -> None:
    assert found(sent(is_preflight=True)) == ["asking for permission (CORS preflights)"]
    explained = Reported()
    explained.explains_preflights = True
    assert found(sent(is_preflight=True), reported=explained) == []
