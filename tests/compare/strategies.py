"""Generated captures: small, varied, and with network graphs of every shape.

Below: ``tests.builders``, hypothesis. Above: the laws of comparison.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.comparison import Rule
from rea_capture.contracts.events import AnyEvent, EventKind
from rea_capture.contracts.selection import EVENT_FAMILIES
from tests import builders as make

UNAVAILABLE_BODIES = (make.unavailable(), make.unavailable("body-size-limit"))
WORDS = ("shop", "cart", "42", "total 42", 'quo"te', "über", "line\nbreak", "")
PATHS = ("/", "/cart", "/shop?id=42", "/a/b?x=shop&y=1")


def artifact_states() -> dict[str, st.SearchStrategy[Any]]:
    """For each artifact, strategies of captured values."""
    texts = st.sampled_from(WORDS).map(make.text)
    return {
        "screenshot": st.integers(0, 2).map(make.screenshot),
        "dom": texts,
        "accessibility": texts,
        "url": st.sampled_from(PATHS).map(make.location),
        "history": st.sampled_from(PATHS).map(make.history),
        "storage": st.sampled_from(WORDS).map(lambda word: make.storage(["sid"], basket=word)),
    }


@st.composite
def steps(draw: st.DrawFn, *, complete: bool) -> list[Any]:
    """Two to four steps; with ``complete``, nothing is missing."""
    made = []
    for index in range(draw(st.integers(2, 4))):
        states = {}
        for name, captured in artifact_states().items():
            incomplete = [] if complete else [st.just(make.missing()), st.just(make.truncated())]
            choice = draw(st.one_of(st.none(), captured, *incomplete))
            if choice is not None:
                states[name] = choice
        path = draw(st.sampled_from(PATHS))
        if index == 0:
            made.append(make.start(after=path, **states))
            continue
        status = (
            "completed"
            if complete
            else draw(st.sampled_from(("completed", "completed", "failed", "cancelled")))
        )
        action = draw(st.sampled_from(("click", "fill")))
        made.append(make.step(f"s{index}", index, action=action, status=status, after=path, **states))
    return made


@st.composite
def transactions(draw: st.DrawFn, step_count: int, *, sound: bool) -> list[list[AnyEvent]]:
    """Zero to six transactions, each a list of events in order; with ``sound``, every ancestry is known."""
    made: list[list[AnyEvent]] = []
    count = draw(st.integers(0, 6))
    for transaction_id in range(1, count + 1):
        step = draw(st.integers(0, step_count - 1))
        landed = draw(st.integers(step, step_count - 1))
        earlier = st.integers(1, transaction_id - 1) if transaction_id > 1 else st.none()
        anyone = st.integers(1, count + 2)
        after = draw(st.one_of(st.none(), earlier, *([] if sound else [anyone])))
        state = "root" if sound else draw(st.sampled_from(("root", "root", "root", "unknown", None)))
        events = make.transaction(
            transaction_id,
            step,
            address=draw(st.sampled_from(PATHS)),
            status=draw(st.sampled_from((200, 302, 404))),
            after=after,
            state=state,
            landed=landed,
        )
        if draw(st.booleans()):
            bodies = (b"42", b"shop", *(() if sound else UNAVAILABLE_BODIES))
            events.append(make.content(transaction_id, landed, body=draw(st.sampled_from(bodies))))
        if not sound and draw(st.integers(0, 9)) == 0:
            events.pop(0)
        if not sound and draw(st.integers(0, 9)) == 0:
            events.append(events[0])
        made.append(events)
    return made


@st.composite
def interleaved(draw: st.DrawFn, lanes: Sequence[Sequence[AnyEvent]]) -> list[AnyEvent]:
    """One order of receipt: each lane keeps its own order, and steps follow one another."""
    order = [index for index, lane in enumerate(lanes) for _ in lane]
    order = draw(st.permutations(order))
    waiting = [iter(lane) for lane in lanes]
    received = [next(waiting[index]) for index in order]
    return sorted(received, key=lambda event: event.step_index)


def others(step_count: int, *, sound: bool = True) -> st.SearchStrategy[list[AnyEvent]]:
    """Events outside the network, in order of receipt."""
    step = st.integers(0, step_count - 1)
    word = st.sampled_from(WORDS)
    one = st.one_of(
        st.builds(make.console, word, step),
        st.builds(make.page_error, word, step),
        st.builds(make.websocket, st.just("websocket-opened"), step),
        st.builds(make.frame, word, step, truncated=st.just(False) if sound else st.booleans()),
        st.builds(make.lifecycle, st.just("frame-navigated"), step, address=st.sampled_from(PATHS)),
        st.builds(make.download, word, step),
    )
    return st.lists(one, max_size=5).map(lambda events: sorted(events, key=lambda event: event.step_index))


@st.composite
def captures(draw: st.DrawFn, *, sound: bool | None = None) -> CaptureResult:
    """A capture. ``sound`` True: eligible and comparable; None: anything goes."""
    everything = bool(sound)
    made = draw(steps(complete=everything or draw(st.booleans())))
    lanes = [*draw(transactions(len(made), sound=everything)), draw(others(len(made), sound=everything))]
    events = draw(interleaved(lanes))
    arguments: dict[str, Any] = {"families": EVENT_FAMILIES}
    if not everything:
        arguments |= draw(_shortcomings(events))
        events = arguments.pop("events")
    return make.capture(made, events, **arguments)


@st.composite
def _shortcomings(draw: st.DrawFn, events: Sequence[AnyEvent]) -> dict[str, Any]:
    """Builder arguments that take something away from a capture, or nothing."""
    arguments: dict[str, Any] = {"events": list(events)}
    if draw(st.integers(0, 5)) == 0:
        arguments["families"] = None
    if draw(st.integers(0, 3)) == 0:
        arguments["missing"] = (draw(st.sampled_from(("events", "popups", "workers"))),)
    if events and draw(st.integers(0, 3)) == 0:
        dropped = draw(st.integers(0, len(events) - 1))
        arguments |= without_event(events, dropped)
    return arguments


def without_event(events: Sequence[AnyEvent], dropped: int) -> dict[str, Any]:
    """Builder arguments for a capture that saw ``events`` and did not keep the one at ``dropped``."""
    event = events[dropped]
    kind: EventKind = event.kind
    transaction_id = getattr(event, "transaction_id", None)
    return {
        "events": [*events[:dropped], *events[dropped + 1 :]],
        "skipped": (dropped + 1,),
        "omitted": make.omissions(
            {kind: 1}, transactions=None if transaction_id is None else {transaction_id: (kind,)}
        ),
    }


def rules(*, max_size: int = 4) -> st.SearchStrategy[list[Rule]]:
    """Caller rules with unique ids; matches that occur in the captures, and in JSON's own text."""
    literal = st.sampled_from(("42", "shop", "total", '"', "\\", "über", "\n", "request", "http", "1", "s"))
    return st.lists(
        st.builds(
            Rule,
            rule_id=st.text("abc12", min_size=1, max_size=3),
            artifacts=st.lists(
                st.sampled_from(
                    ("action_state", "dom", "accessibility", "url", "history", "storage", "events")
                ),
                min_size=1,
                max_size=4,
                unique=True,
            ).map(tuple),
            match=literal,
            replacement=st.sampled_from(("", "X", "shop", "42", '"')),
        ),
        max_size=max_size,
        unique_by=lambda rule: rule.rule_id,
    )
