"""When a page or frame that ends is said to have perhaps done something unseen.

Where nothing was looked at, a document counts as one that may have spoken.
"""

from __future__ import annotations

import pytest

from rea_capture.browser.events.departures import Departures
from rea_capture.browser.events.last_words import Look
from rea_capture.contracts.selection import EventFamily
from tests.capture.recording.support import NO_CONTENT, recorder_for


@pytest.mark.parametrize(
    ("before", "after", "is_missed"),
    [
        ("http://a.test/1", "http://a.test/2", False),
        ("http://a.test/", "http://a.test:8080/", False),
        ("http://www.a.test/", "http://a.test/", False),
        ("http://a.test/", "about:blank", False),
        ("about:blank", "http://a.test/", False),
        ("", "http://a.test/", False),
        ("http://a.test/", "http://b.test/", True),
        ("http://a.test/", "https://a.test/", True),
        ("http://a.test/", "http://ba.test/", True),
        ("http://a.test/", "data:text/html,x", True),
        ("http://a.test/", "chrome-error://chromewebdata/", True),
    ],
)
def test_the_last_moment_of_a_document_is_lost_when_the_next_is_of_another_site(
    before: str, after: str, is_missed: bool
) -> None:
    recorder, limitations = recorder_for(["network"], NO_CONTENT)
    recorder.begin_step(0)
    departures = Departures(recorder)
    departures.shown("1", before)
    departures.shown("2", "http://other.test/")
    departures.shown("1", after)
    assert (recorder.step_sections(0)[0] == {"events"}) is is_missed
    assert any("another site" in sentence for sentence in limitations.sentences()) is is_missed


@pytest.mark.parametrize(
    ("url", "is_missed"), [("http://a.test/", True), ("about:blank", False), ("", False)]
)
def test_the_last_moment_of_a_document_is_lost_when_it_closes(url: str, is_missed: bool) -> None:
    recorder, _ = recorder_for(["console"], NO_CONTENT)
    recorder.begin_step(0)
    departures = Departures(recorder)
    departures.shown("1", url)
    departures.gone("1")
    departures.gone("of another kind")
    assert (recorder.step_sections(0)[0] == {"events"}) is is_missed


@pytest.mark.parametrize(("family", "has_ended"), [("frames", False), ("network", True)])
def test_nothing_is_missed_of_families_that_are_not_recorded_or_after_the_end(
    family: EventFamily, has_ended: bool
) -> None:
    recorder, limitations = recorder_for([family], NO_CONTENT)
    recorder.begin_step(0)
    if has_ended:
        recorder.end_observation()
    departures = Departures(recorder)
    departures.shown("1", "http://a.test/")
    departures.gone("1")
    assert recorder.step_sections(0)[0] == set()
    assert limitations.sentences() == ()


@pytest.mark.parametrize(
    ("last_look", "reason"),
    [
        (None, "whether it listens for its own end could not be asked"),
        (
            Look(frozenset({"unload", "pagehide"})),
            "it listens for its own end (pagehide, unload)",
        ),
        (Look(frozenset()), ""),
    ],
)
@pytest.mark.parametrize("end", ["left", "gone"])
def test_what_the_last_look_found_decides_whether_something_is_missed(
    last_look: Look | None, reason: str, end: str
) -> None:
    recorder, limitations = recorder_for(["network"], NO_CONTENT)
    recorder.begin_step(0)
    departures = Departures(recorder)
    followed = departures.shown("1", "http://a.test/")
    assert followed is not None
    followed.last_look = last_look
    if end == "left":
        departures.shown("1", "http://b.test/")
    else:
        departures.gone("1")
    assert (recorder.step_sections(0)[0] == {"events"}) is bool(reason)
    assert all(reason in sentence for sentence in limitations.sentences())


def test_a_look_at_an_earlier_document_says_nothing_of_a_later_one() -> None:
    recorder, _ = recorder_for(["network"], NO_CONTENT)
    recorder.begin_step(0)
    departures = Departures(recorder)
    first = departures.shown("1", "http://a.test/1")
    assert first is not None
    first.last_look = Look(frozenset())
    departures.shown("1", "http://a.test/2")
    departures.gone("1")
    assert recorder.step_sections(0)[0] == {"events"}


def test_a_look_at_a_document_says_nothing_of_the_next_at_the_same_address() -> None:
    recorder, _ = recorder_for(["network"], NO_CONTENT)
    recorder.begin_step(0)
    departures = Departures(recorder)
    followed = departures.shown("1", "http://a.test/")
    assert followed is not None
    assert departures.renewed("http://a.test/") == [], "it was not looked at yet"
    followed.last_look = Look(frozenset())
    assert departures.renewed("http://b.test/") == []
    assert departures.renewed("http://a.test/") == [followed]
    departures.gone("1")
    assert recorder.step_sections(0)[0] == {"events"}
