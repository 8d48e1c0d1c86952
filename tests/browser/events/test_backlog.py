"""Pages that do more than can be told: what is counted, what is not heard, and what is said of it."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace
from typing import Any

import pytest

from rea_capture.browser.events import backlog
from rea_capture.browser.events.console import MAX_LAG_MS, MIN_FLOOD_MESSAGES, ConsoleListener
from rea_capture.browser.events.listening import Listening
from rea_capture.capture.recorder import EventRecorder
from tests.browser.events.test_listening import _Emitter as Emitter
from tests.capture.recording.support import recorder_for

PAGE = "http://site.test/"


ROOT: Any = SimpleNamespace(url=PAGE, frames=[], workers=[])


def _listened_to(recorder: EventRecorder) -> Emitter:
    context: Any = Emitter()
    ConsoleListener(recorder, ROOT, lambda _: True, None).attach(context, Listening(recorder))
    return context  # type: ignore[no-any-return]


def _log(context: Emitter, times: int, *, lag_ms: float) -> None:
    for _ in range(times):
        context.emit(
            "console",
            SimpleNamespace(
                text="again",
                type="log",
                args=["again"],
                location={"url": PAGE},
                page=ROOT,
                worker=None,
                timestamp=time.time() * 1000 - lag_ms,
            ),
        )


def _counted(recorder: EventRecorder) -> int:
    return sum(row.count for row in recorder.events().omissions.by_kind)


def test_an_event_without_room_is_counted_and_never_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder, _ = recorder_for(["console"], max_events=2)
    context = _listened_to(recorder)
    _log(context, 2, lag_ms=0)
    monkeypatch.setattr(recorder, "_observed", None)  # whoever would look into one would fail
    _log(context, 48, lag_ms=0)
    assert _counted(recorder) == 48
    assert recorder.last_sequence == 50
    assert recorder.step_sections(0) == (set(), {"events"}), "no fault, and nothing missing"


def test_a_page_that_logs_faster_than_can_be_told_is_not_listened_to_any_more() -> None:
    recorder, limitations = recorder_for(["console"], max_events=1)
    context = _listened_to(recorder)
    _log(context, 2 * MIN_FLOOD_MESSAGES, lag_ms=10 * MAX_LAG_MS)
    assert context.listeners["console"] == []
    assert _counted(recorder) == MIN_FLOOD_MESSAGES
    assert recorder.step_sections(0) == ({"events"}, {"events"})
    assert any("not even counted" in sentence for sentence in limitations.sentences())


def test_a_page_that_logs_much_in_time_is_counted_to_the_end() -> None:
    recorder, _ = recorder_for(["console"], max_events=1)
    context = _listened_to(recorder)
    _log(context, 2 * MIN_FLOOD_MESSAGES, lag_ms=0)
    assert _counted(recorder) == 2 * MIN_FLOOD_MESSAGES - 1
    assert recorder.step_sections(0) == (set(), {"events"})


def test_word_that_comes_late_is_heard_while_there_is_room() -> None:
    recorder, _ = recorder_for(["console"], max_events=5 * MIN_FLOOD_MESSAGES)
    context = _listened_to(recorder)
    _log(context, 2 * MIN_FLOOD_MESSAGES, lag_ms=10 * MAX_LAG_MS)
    assert recorder.events().retained == 2 * MIN_FLOOD_MESSAGES


def _page(answer: asyncio.Future[Any]) -> Any:
    async def cookies(_: str) -> Any:
        return await answer

    return SimpleNamespace(context=SimpleNamespace(cookies=cookies))


async def test_what_was_not_told_by_the_end_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backlog, "BACKLOG_TIMEOUT_MS", 20)
    recorder, limitations = recorder_for(["network"])
    never: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    await asyncio.wait_for(backlog.tell_backlog(_page(never), recorder), 10)
    assert recorder.step_sections(0) == ({"events"}, set())
    assert any("still telling" in sentence for sentence in limitations.sentences())


async def test_nothing_is_missing_once_the_browser_has_answered() -> None:
    recorder, limitations = recorder_for(["network"])
    answered: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    answered.set_result([])
    await asyncio.wait_for(backlog.tell_backlog(_page(answered), recorder), 10)
    assert recorder.step_sections(0) == (set(), set())
    assert limitations.sentences() == ()
