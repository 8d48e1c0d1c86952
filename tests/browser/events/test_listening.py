"""Listeners on stand-ins: the bound on owners, and pages of a context that is not ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.async_api import Browser

from rea_capture.browser.events import EventObserver
from rea_capture.browser.events.downloads import Downloads
from rea_capture.browser.events.listening import Listening
from rea_capture.browser.events.pages import PageListener
from rea_capture.browser.events.sockets import SocketListener
from tests.browser.events.support import observing
from tests.capture.recording.support import items, recorder_for
from tests.loopback import Loopback


class _Emitter:
    """Something that carries listeners."""

    url = "http://site.test/"

    def __init__(self) -> None:
        self.listeners: dict[str, list[Callable[[Any], None]]] = {}

    def on(self, event: str, f: Callable[[Any], None]) -> None:
        self.listeners.setdefault(event, []).append(f)

    def remove_listener(self, event: str, f: Callable[[Any], None]) -> None:
        self.listeners[event].remove(f)

    def emit(self, event: str, value: Any) -> None:
        for listener in list(self.listeners.get(event, ())):
            listener(value)

    def count(self) -> int:
        return sum(map(len, self.listeners.values()))


def test_nothing_that_a_handler_raises_leaves_its_listener() -> None:
    recorder, limitations = recorder_for(["console"])
    listening, owner = Listening(recorder), _Emitter()

    def broken(_: object) -> None:
        raise RuntimeError("a defect")

    listening.on(owner, "x", "something", broken)
    owner.emit("x", None)
    assert limitations.sentences() == ("Something could not be recorded (RuntimeError).",)


def test_a_stopped_listener_hears_nothing_even_from_an_event_under_way() -> None:
    recorder, _ = recorder_for(["console"])
    listening, owner = Listening(recorder), _Emitter()
    heard: list[str] = []

    def hear_and_stop(value: str) -> None:
        heard.append(value)
        listening.stop()

    listening.on(owner, "x", "something", hear_and_stop)
    listening.on(owner, "x", "something", heard.append)
    owner.emit("x", "a")
    owner.emit("x", "b")
    assert heard == ["a"]
    assert owner.count() == 0


def test_an_owner_that_is_gone_makes_room_for_another() -> None:
    recorder, _ = recorder_for(["console"])
    listening, first = Listening(recorder, max_owners=1), _Emitter()
    listening.on(first, "x", "something", lambda _: None)
    assert not listening.has_room()
    listening.release(first)
    assert listening.has_room()
    assert first.count() == 0


def test_sockets_beyond_the_bound_are_counted_and_their_messages_stated_as_a_gap() -> None:
    recorder, limitations = recorder_for(["websockets"])
    sockets = SocketListener(recorder, Listening(recorder, max_owners=1), shows_empty=False)
    first: Any = _Emitter()
    second: Any = _Emitter()
    sockets.opened(first)
    sockets.opened(second)
    second.emit("framesent", "unheard")
    first.emit("framesent", "heard")
    assert [event.kind for event in items(recorder)] == ["websocket-opened", "websocket-frame-sent"]
    (row,) = recorder.events().omissions.by_kind
    assert (row.kind, row.count, row.reasons) == ("websocket-opened", 1, ("listener-limit",))
    assert recorder.step_sections(0) == ({"events", "websockets"}, {"events", "websockets"})
    assert any("messages of later WebSockets" in sentence for sentence in limitations.sentences())
    first.emit("close", first)
    third: Any = _Emitter()
    sockets.opened(third)
    assert items(recorder)[-1].kind == "websocket-opened", "a closed one made room"


def test_popups_and_workers_beyond_the_bound_are_counted_and_stated_as_a_gap() -> None:
    recorder, limitations = recorder_for(["popups", "workers"])
    context: Any = _Emitter()
    root: Any = _Emitter()
    listening = Listening(recorder, max_owners=2)
    downloads = Downloads(recorder, lambda _: True)
    PageListener(root, recorder, listening, owns_context=True).attach(context, downloads)
    context.emit("page", _Emitter())
    root.emit("worker", _Emitter())
    reasons = {row.kind: row.count for row in recorder.events().omissions.by_kind}
    assert reasons == {"popup-opened": 1, "worker-created": 1}
    assert recorder.step_sections(0)[0] == {"events", "popups", "workers"}
    assert len(limitations.sentences()) == 2


async def test_in_a_shared_context_only_the_root_page_and_its_popups_are_observed(
    browser: Browser, loopback: Loopback
) -> None:
    loopback.route("/popup", "<title>popup</title>")
    mine = loopback.route("/mine", "<script>console.log('mine'); window.open('/popup')</script>")
    foreign = loopback.route("/foreign", "<script>console.log('foreign'); window.open('/popup')</script>")
    async with observing(browser) as shared:
        recorder, _ = recorder_for(["network", "console", "popups"])
        root, other = shared.page, await shared.context.new_page()
        observer = EventObserver.attach(
            shared.context, root, recorder=recorder, owns_context=False, private_console=lambda _: False
        )
        await other.goto(foreign)
        await root.goto(mine)
        await shared.until(lambda: bool(items(recorder, "popup-opened")))
        await observer.finish()
        assert [event.text for event in items(recorder, "console")][:1] == ["mine"]
        assert "foreign" not in repr(recorder.events())
        assert len(items(recorder, "popup-opened")) == 1
        assert [event.url.url for event in items(recorder, "request")][:1] == [mine]
