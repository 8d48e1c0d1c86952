"""Transactions: identity, ancestry, outcomes, and what is left open at the end."""

from __future__ import annotations

from tests.capture.recording.support import URL, Key, complete, items, recorder_for, send


def test_a_transaction_is_told_in_request_response_and_end() -> None:
    recorder, _ = recorder_for(["network"])
    complete(recorder, send(recorder, method="POST"), status=201)
    request, response, finished = items(recorder)
    assert [event.kind for event in items(recorder)] == ["request", "response", "request-finished"]
    assert {event.transaction_id for event in items(recorder)} == {1}
    assert {event.method for event in items(recorder)} == {"POST"}
    assert {event.url.url for event in items(recorder)} == {URL}
    assert [event.status for event in items(recorder)] == [None, 201, 201]
    assert request.redirected_from_transaction_id is None
    assert request.redirected_from_transaction_state == "root"
    assert request.header_names == ("accept", "x-b")
    assert response.header_names == ("content-type",)
    assert finished.header_names == ("accept", "x-b")


def test_header_names_are_lower_case_sorted_and_unique() -> None:
    recorder, _ = recorder_for(["network"])
    send(recorder, header_names=["Zeta", "alpha", "ALPHA"])
    assert items(recorder)[0].header_names == ("alpha", "zeta")


def test_requests_of_one_url_stay_apart() -> None:
    recorder, _ = recorder_for(["network"])
    first, second = send(recorder), send(recorder)
    recorder.network.failed(first, "net::ERR_FAILED")
    complete(recorder, second)
    (failed,) = items(recorder, "request-failed")
    (finished,) = items(recorder, "request-finished")
    assert (failed.transaction_id, failed.failure) == (1, "net::ERR_FAILED")
    assert (finished.transaction_id, finished.failure) == (2, None)


def test_a_redirect_is_linked_by_the_request_object_and_not_by_its_url() -> None:
    recorder, _ = recorder_for(["network"])
    first, decoy = send(recorder), send(recorder)
    complete(recorder, first, status=302)
    complete(recorder, decoy)
    send(recorder, redirected_from=first)
    assert items(recorder, "request")[-1].redirected_from_transaction_id == 1
    assert items(recorder, "request")[-1].redirected_from_transaction_state is None


def test_a_predecessor_outside_the_capture_is_unknown() -> None:
    recorder, _ = recorder_for(["network"])
    send(recorder, redirected_from=Key())
    assert items(recorder)[0].redirected_from_transaction_id is None
    assert items(recorder)[0].redirected_from_transaction_state == "unknown"


def test_a_response_whose_request_was_not_observed_begins_a_transaction() -> None:
    recorder, _ = recorder_for(["network"])
    key = Key()
    assert not recorder.network.knows(key)
    recorder.network.adopt(key, method="GET", url=URL, resource_type="script", header_names=())
    assert recorder.network.knows(key)
    complete(recorder, key)
    assert [event.kind for event in items(recorder)] == ["response", "request-finished"]


def test_outcomes_of_unknown_or_ended_requests_are_not_heard() -> None:
    recorder, _ = recorder_for(["network"])
    recorder.network.response(Key(), status=200, header_names=())
    recorder.network.finished(Key())
    key = send(recorder)
    complete(recorder, key)
    recorder.network.failed(key, "late")
    assert len(items(recorder)) == 3


def test_requests_under_way_at_the_end_are_unfinished_in_the_order_they_were_sent() -> None:
    recorder, _ = recorder_for(["network"])
    keys = [send(recorder) for _ in range(4)]
    complete(recorder, keys[1])
    recorder.network.response(keys[2], status=200, header_names=())
    recorder.begin_step(5)
    recorder.end_observation()
    unfinished = items(recorder, "request-unfinished")
    assert [event.transaction_id for event in unfinished] == [1, 3, 4]
    assert [event.status for event in unfinished] == [None, 200, None]
    assert {event.reason for event in unfinished} == {"capture-ended"}
    assert {event.step_index for event in unfinished} == {5}
    assert recorder.step_sections(5) == (set(), set())


def test_a_failure_without_a_text_says_so() -> None:
    recorder, _ = recorder_for(["network"])
    recorder.network.failed(send(recorder), None)
    assert items(recorder, "request-failed")[0].failure == "unknown failure"
