"""Events of pages: text at the door, families, frames of WebSockets, faults and gaps."""

from __future__ import annotations

import pytest

from rea_capture.capture.held import MAX_HELD_CHARACTERS, Address
from rea_capture.capture.recorder import MAX_WEBSOCKET_TEXT_CHARACTERS
from rea_capture.contracts.selection import EVENT_FAMILIES
from rea_capture.redaction import Redactor
from tests.capture.recording.support import items, recorder_for, send

SECRET = "correct horse"
REDACTOR = Redactor({"token": SECRET})


def test_events_are_numbered_from_one_and_carry_the_step_of_their_receipt() -> None:
    recorder, _ = recorder_for(["console"])
    assert recorder.last_sequence == 0
    recorder.begin_step(0)
    recorder.console("log", "a", None)
    recorder.begin_step(1)
    recorder.console("log", "b", "http://site.test/x.js")
    first, second = items(recorder)
    assert (first.sequence, first.step_index, first.url) == (1, 0, None)
    assert (second.sequence, second.step_index, second.url.url) == (2, 1, "http://site.test/x.js")
    assert recorder.last_sequence == 2


def test_a_family_that_is_not_selected_leaves_no_trace() -> None:
    recorder, _ = recorder_for(["downloads"])
    recorder.console("log", "a", None)
    recorder.page_error("boom", None)
    recorder.websocket_opened("ws://site.test/")
    recorder.lifecycle("it", "frame-attached", "")
    recorder.omit("worker-created")
    send(recorder)
    assert recorder.last_sequence == 0
    assert recorder.events().dropped == 0


def test_every_family_records_its_kinds() -> None:
    recorder, _ = recorder_for(EVENT_FAMILIES)
    recorder.console("error", "a", None)
    recorder.page_error("boom", "boom\n  at x")
    recorder.websocket_opened("ws://site.test/")
    recorder.websocket_frame_sent("ws://site.test/", "a")
    recorder.websocket_frame_received("ws://site.test/", b"\x00")
    recorder.websocket_closed("ws://site.test/")
    recorder.lifecycle(object(), "frame-attached", "", "")
    recorder.lifecycle("w", "worker-created", "http://site.test/w.js")
    recorder.lifecycle(object(), "popup-opened", "http://site.test/p", "help")
    recorder.download_cancelled("file.bin", "http://site.test/f")
    assert [event.kind for event in items(recorder)] == [
        "console",
        "page-error",
        "websocket-opened",
        "websocket-frame-sent",
        "websocket-frame-received",
        "websocket-closed",
        "download-cancelled",
        "frame-attached",
        "popup-opened",
        "worker-created",
    ]
    frame = items(recorder, "frame-attached")[0]
    assert (frame.url, frame.name) == (None, None)


def test_lone_surrogates_become_replacement_characters_and_nul_survives() -> None:
    recorder, _ = recorder_for(EVENT_FAMILIES)
    recorder.console("log", "a\ud800b\x00", None)
    recorder.page_error("\udfff", "\ud800")
    recorder.websocket_frame_sent("ws://site.test/\ud800", "\ud800")
    recorder.lifecycle(object(), "frame-navigated", "http://site.test/\udc00", "\ud83d\ude00")
    recorder.download_cancelled("\ud800", "http://site.test/")
    console, error, frame, download, navigated = items(recorder)
    assert console.text == "a\ufffdb\x00"
    assert (error.message, error.stack) == ("\ufffd", "\ufffd")
    assert frame.payload_text == "\ufffd"
    assert navigated.url.url == "http://site.test/\ufffd"
    assert navigated.name == "\U0001f600"
    assert download.suggested_filename == "\ufffd"


def test_secrets_are_taken_out_of_every_text() -> None:
    recorder, limitations = recorder_for(EVENT_FAMILIES, redactor=REDACTOR)
    recorder.console(SECRET, SECRET, f"http://site.test/{SECRET}")
    recorder.page_error(SECRET, SECRET)
    recorder.websocket_frame_received(f"ws://site.test/?t={SECRET}", SECRET)
    recorder.lifecycle(object(), "popup-opened", f"http://site.test/#{SECRET}", SECRET)
    recorder.download_cancelled(SECRET, f"http://site.test/{SECRET}")
    send(recorder, url=f"http://site.test/{SECRET}", header_names=[f"x-{SECRET}"])
    recorder.network.failed(send(recorder, method=SECRET), SECRET)
    recorder.gap({"events"}, SECRET)
    assert SECRET not in repr(recorder.events())
    assert repr(recorder.events()).count("[REDACTED:token]") >= 14
    assert SECRET not in repr(limitations.sentences())


def test_a_long_text_message_is_redacted_before_it_is_shortened() -> None:
    recorder, _ = recorder_for(["websockets"], redactor=REDACTOR)
    padding = "x" * (MAX_WEBSOCKET_TEXT_CHARACTERS - 5)
    recorder.begin_step(3)
    recorder.websocket_frame_sent("ws://site.test/", padding + SECRET + "é")
    (frame,) = items(recorder)
    assert frame.truncated
    assert len(frame.payload_text) == MAX_WEBSOCKET_TEXT_CHARACTERS
    assert frame.payload_text[len(padding) :] == "[REDA"
    assert frame.payload_bytes == len(padding) + len(SECRET) + 2
    assert recorder.step_sections(3) == (set(), {"events", "websockets"})


def test_a_text_message_of_exactly_the_bound_is_whole() -> None:
    recorder, _ = recorder_for(["websockets"])
    recorder.websocket_frame_sent("ws://site.test/", "y" * MAX_WEBSOCKET_TEXT_CHARACTERS)
    (frame,) = items(recorder)
    assert not frame.truncated
    assert recorder.step_sections(0) == (set(), set())


def test_a_binary_message_keeps_its_size_alone() -> None:
    recorder, _ = recorder_for(["websockets"])
    recorder.websocket_frame_received("ws://site.test/", b"\xff" * 300)
    (frame,) = items(recorder)
    assert (frame.payload_type, frame.payload_bytes, frame.payload_text) == ("binary", 300, None)


def test_a_gap_marks_its_sections_missing_in_the_current_step_and_is_stated_once() -> None:
    recorder, limitations = recorder_for(["frames"])
    recorder.begin_step(2)
    recorder.gap({"events", "frames"}, "Early frames are lost.")
    recorder.gap({"events", "frames"}, "Early frames are lost.")
    assert recorder.step_sections(2) == ({"events", "frames"}, set())
    assert recorder.step_sections(1) == (set(), set())
    assert limitations.sentences() == ("Early frames are lost.",)


class _UnprintableError(Exception):
    def __str__(self) -> str:
        raise ValueError("no text")


@pytest.mark.parametrize("error", [_UnprintableError(), ValueError(SECRET), RecursionError()])
def test_a_fault_is_stated_by_its_type_alone_and_never_raises(error: Exception) -> None:
    recorder, limitations = recorder_for(["console"], redactor=REDACTOR)
    recorder.fault("a console message", error)
    assert recorder.step_sections(0) == ({"events"}, set())
    assert limitations.sentences() == (f"A console message could not be recorded ({type(error).__name__}).",)


def test_a_fault_while_an_event_is_made_consumes_no_sequence_number() -> None:
    recorder, _ = recorder_for(["console"])
    with pytest.raises(AttributeError):
        recorder.console("log", 7, None)  # type: ignore[arg-type]  # what a broken driver might hand over
    recorder.console("log", "b", None)
    assert [event.sequence for event in items(recorder)] == [1]


def test_nothing_is_recorded_after_the_end_of_observation() -> None:
    recorder, _ = recorder_for(EVENT_FAMILIES)
    key = send(recorder)
    recorder.end_observation()
    last = recorder.last_sequence
    recorder.end_observation()
    recorder.console("log", "late", None)
    recorder.omit("popup-opened")
    recorder.network.response(key, status=200, header_names=())
    recorder.network.finished(key)
    send(recorder)
    recorder.network.adopt(key, method="GET", url="http://site.test/", resource_type="fetch", header_names=())
    assert recorder.last_sequence == last
    assert [event.kind for event in items(recorder)] == ["request", "request-unfinished"]


def test_an_event_without_a_listener_left_is_counted_and_truncates_its_sections() -> None:
    recorder, _ = recorder_for(["workers"])
    recorder.omit("worker-created")
    events = recorder.events()
    (row,) = events.omissions.by_kind
    assert (row.kind, row.count, row.reasons) == ("worker-created", 1, ("listener-limit",))
    assert recorder.step_sections(0) == (set(), {"events", "workers"})
    assert recorder.last_sequence == 1


def test_the_order_in_which_frames_and_workers_are_heard_of_leaves_no_trace() -> None:
    outer, inner = object(), object()
    told = [
        (outer, "frame-attached", ""),
        (outer, "frame-navigated", "http://site.test/b"),
        (inner, "frame-attached", ""),
        (inner, "frame-navigated", "http://site.test/a"),
        (inner, "frame-detached", "http://site.test/a"),
        ("worker", "worker-created", "http://site.test/w.js"),
    ]

    def recorded(order: list[int]) -> list[tuple[str, str | None]]:
        recorder, _ = recorder_for(EVENT_FAMILIES)
        recorder.begin_step(0)
        for index in order:
            source, kind, url = told[index]
            recorder.lifecycle(source, kind, url)  # type: ignore[arg-type]  # kinds from a table
        recorder.console("log", "ready", None)
        recorder.begin_step(1)
        recorder.console("log", "later", None)
        return [(event.kind, event.url.url if event.url else None) for event in items(recorder)]

    first = recorded([0, 1, 2, 3, 4, 5])
    assert first == recorded([5, 2, 0, 3, 4, 1])
    assert [kind for kind, _ in first] == [
        "console",
        "frame-attached",
        "frame-navigated",
        "frame-detached",
        "frame-attached",
        "frame-navigated",
        "worker-created",
        "console",
    ]


def test_two_blob_workers_are_told_in_the_same_order_whatever_their_random_names() -> None:
    def recorded(first: str, second: str) -> list[str]:
        recorder, _ = recorder_for(EVENT_FAMILIES)
        recorder.lifecycle("one", "worker-created", f"blob:http://site.test/{first}")
        recorder.lifecycle("two", "worker-created", f"blob:http://site.test/{second}")
        recorder.lifecycle("one", "worker-closed", f"blob:http://site.test/{first}")
        return [event.kind for event in items(recorder)]

    low, high = "0" * 8 + "-0000" * 3 + "-" + "0" * 12, "f" * 8 + "-ffff" * 3 + "-" + "f" * 12
    assert recorded(low, high) == recorded(high, low)


def test_observation_that_is_cut_short_misses_events_only_where_some_were_selected() -> None:
    recorder, _ = recorder_for(["console"])
    recorder.cut_short("the capture was stopped (SIGTERM)")
    assert recorder.step_sections(0)[0] == {"events"}
    recorder, _ = recorder_for([])
    recorder.cut_short("the capture was stopped (SIGTERM)")
    assert recorder.step_sections(0)[0] == set()


def test_what_workers_and_the_browser_log_is_told_in_an_order_free_of_chance() -> None:
    told = [("w1", "one"), ("w2", "two"), ("w1", "three"), ("net", "Failed to load resource: a")]

    def recorded(order: list[int]) -> list[str]:
        recorder, _ = recorder_for(["console"])
        for index in order:
            source, text = told[index]
            recorder.console("log", text, f"http://site.test/{source}.js", source=source)
        recorder.console("log", "of the page", None)
        return [event.text for event in items(recorder)]

    first = recorded([0, 1, 2, 3])
    assert first[0] == "of the page"
    assert first == recorded([3, 1, 0, 2])
    assert first.index("one") < first.index("three")


def test_sockets_popups_and_downloads_have_no_order_with_the_page() -> None:
    def recorded(order: list[int]) -> list[str]:
        recorder, _ = recorder_for(EVENT_FAMILIES)
        one, two = object(), object()
        tell = [
            lambda: recorder.websocket_opened("ws://site.test/1", source=one),
            lambda: recorder.websocket_frame_sent("ws://site.test/1", "hello", source=one),
            lambda: recorder.websocket_opened("ws://site.test/2", source=two),
            lambda: recorder.page_error("of a popup", None, source="popup"),
            lambda: recorder.console("log", "of a popup", None, source="popup"),
            lambda: recorder.download_cancelled("a.txt", "http://site.test/a"),
            lambda: recorder.download_cancelled("b.txt", "http://site.test/b"),
            lambda: recorder.console("log", "of the page", None),
        ]
        for index in order:
            tell[index]()
        return [repr(event) for event in items(recorder)]

    first = recorded([0, 1, 2, 3, 4, 5, 6, 7])
    assert first == recorded([7, 6, 2, 0, 3, 5, 1, 4])
    assert first != recorded([0, 1, 2, 4, 3, 5, 6, 7]), "what one source told stays in its order"


def test_the_page_s_own_messages_and_errors_stay_in_the_order_they_came() -> None:
    def recorded(*, error_first: bool) -> list[str]:
        recorder, _ = recorder_for(EVENT_FAMILIES)
        if error_first:
            recorder.page_error("boom", None)
        recorder.console("log", "z", None)
        recorder.console("log", "a", None)
        if not error_first:
            recorder.page_error("boom", None)
        return [event.kind for event in items(recorder)]

    assert recorded(error_first=True) == ["page-error", "console", "console"]
    assert recorded(error_first=False) == ["console", "console", "page-error"]


def test_what_is_held_is_bounded_in_characters() -> None:
    recorder, _ = recorder_for(["websockets"])
    long = "x" * MAX_WEBSOCKET_TEXT_CHARACTERS
    for _ in range(MAX_HELD_CHARACTERS // MAX_WEBSOCKET_TEXT_CHARACTERS):
        recorder.websocket_frame_received("ws://site.test/", long, source="socket")
    assert recorder.last_sequence > 0, "recorded before the step ended"


def test_the_random_part_of_a_blob_is_taken_out_of_what_scripts_say() -> None:
    blob = "blob:http://site.test:80/0f8fad5b-d9cb-469f-a165-70867728950e"
    recorder, _ = recorder_for(EVENT_FAMILIES)
    recorder.console("log", f"made {blob}, and blob:{'x' * 400}/", blob)
    recorder.page_error(f"in {blob}", f"Error\n    at f ({blob}:1:7)\n    at {blob}:2:1")
    console, error = items(recorder)
    assert console.text == f"made blob:http://site.test:80/[blob-id], and blob:{'x' * 400}/"
    assert error.message == "in blob:http://site.test:80/[blob-id]"
    assert error.stack.count("blob:http://site.test:80/[blob-id]") == 2
    assert "0f8fad5b" not in error.stack


def test_two_frames_with_one_address_are_told_in_an_order_free_of_chance() -> None:
    def recorded(*texts: str) -> list[str]:
        recorder, _ = recorder_for(["console"])
        address = Address()
        for number, text in enumerate(texts):
            address.is_shared |= number > 0  # the second is known of only when it says something
            recorder.console("log", text, "http://site.test/frame.js", source=address)
        return [event.text for event in items(recorder)]

    assert recorded("of one", "of two") == recorded("of two", "of one")


def test_one_frame_with_an_address_of_its_own_stays_in_order() -> None:
    recorder, _ = recorder_for(["console"])
    address = Address()
    recorder.console("log", "z", None, source=address)
    recorder.console("log", "a", None, source=address)
    assert [event.text for event in items(recorder)] == ["z", "a"]
