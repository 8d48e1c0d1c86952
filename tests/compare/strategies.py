"""Generated captures: small, varied, and with network graphs of every shape.

Below: ``tests.builders``, hypothesis. Above: the laws of comparison.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.events import AnyEvent, EventKind
from rea_capture.contracts.network import NotExposed
from rea_capture.contracts.normalization import Rule
from rea_capture.contracts.selection import EVENT_FAMILIES, RecordedNetworkContent
from rea_capture.contracts.states import NOT_REQUESTED
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


def selections() -> st.SearchStrategy[RecordedNetworkContent]:
    """Selections of network content; half of them select none."""
    some = st.builds(
        make.network_content,
        request_body=st.booleans(),
        response_body=st.booleans(),
        header_values=st.booleans(),
    )
    return st.one_of(st.just(make.network_content()), some)


def contents(
    transaction_id: int, landed: int, wanted: RecordedNetworkContent, bodies: st.SearchStrategy[Any]
) -> st.SearchStrategy[list[AnyEvent]]:
    """The network content of one transaction that ``wanted`` selects."""
    headers: Any = (("accept", "shop"),) if wanted.header_values else NOT_REQUESTED
    phases = []
    for phase, body in (("request", wanted.request_body), ("response", wanted.response_body)):
        if body or wanted.header_values:
            phases.append(
                st.builds(
                    make.content,
                    st.just(transaction_id),
                    st.just(landed),
                    phase=st.just(phase),
                    body=bodies if body else st.just(NOT_REQUESTED),
                    headers=st.just(headers),
                )
            )
    return st.tuples(*phases).map(list)


@st.composite
def transactions(
    draw: st.DrawFn, step_count: int, *, sound: bool, wanted: RecordedNetworkContent | None = None
) -> list[list[AnyEvent]]:
    """Zero to six transactions, each a list of events in order, with the content that ``wanted`` selects.

    With ``sound``, every ancestry is known and every transaction whole.
    """
    wanted = wanted or make.network_content()
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
        bodies = (b"42", b"shop", *(() if sound else (*UNAVAILABLE_BODIES, NOT_REQUESTED, NotExposed())))
        events += draw(contents(transaction_id, landed, wanted, st.sampled_from(bodies)))
        made.append(events if sound else draw(damaged(events)))
    return made


@st.composite
def damaged(draw: st.DrawFn, events: Sequence[AnyEvent]) -> list[AnyEvent]:
    """The events of a transaction, now and then without some or with one of them twice."""
    damage = draw(st.sampled_from(("none",) * 6 + ("without one", "only the first", "one twice")))
    chosen = draw(st.integers(0, len(events) - 1))
    if damage == "without one":
        return [*events[:chosen], *events[chosen + 1 :]]
    if damage == "only the first":
        return list(events[:1])
    return [*events, events[chosen]] if damage == "one twice" else list(events)


@st.composite
def interleaved(draw: st.DrawFn, lanes: Sequence[Sequence[AnyEvent]]) -> list[AnyEvent]:
    """One order of receipt: each lane keeps its own order, and steps follow one another."""
    order = [index for index, lane in enumerate(lanes) for _ in lane]
    order = draw(st.permutations(order))
    waiting = [iter(lane) for lane in lanes]
    received = [next(waiting[index]) for index in order]
    return sorted(received, key=lambda event: event.step_index)


def frames(step: st.SearchStrategy[int]) -> st.SearchStrategy[AnyEvent]:
    """WebSocket messages: whole, cut, and cut without a word about it."""
    sizes = st.sampled_from(({}, {"payload_text": None}, {"payload_bytes": 4_000}))
    whole = st.builds(make.frame, st.sampled_from(WORDS), step, truncated=st.booleans())
    return st.builds(lambda frame, changes: dataclasses.replace(frame, **changes), whole, sizes)


def others(step_count: int, *, sound: bool = True) -> st.SearchStrategy[list[AnyEvent]]:
    """Events outside the network, in order of receipt."""
    step = st.integers(0, step_count - 1)
    word = st.sampled_from(WORDS)
    one = st.one_of(
        st.builds(make.console, word, step),
        st.builds(make.page_error, word, step),
        st.builds(make.websocket, st.just("websocket-opened"), step),
        st.builds(make.frame, word, step) if sound else frames(step),
        st.builds(make.lifecycle, st.just("frame-navigated"), step, address=st.sampled_from(PATHS)),
        st.builds(make.download, word, step),
    )
    return st.lists(one, max_size=5).map(lambda events: sorted(events, key=lambda event: event.step_index))


LIMITATIONS = ("A page opened a dialog of type alert ('Saved'); it was dismissed.", "Another.")


@st.composite
def captures(draw: st.DrawFn, *, sound: bool | None = None) -> CaptureResult:
    """A capture. ``sound`` True: eligible and comparable; None: anything goes."""
    everything = bool(sound)
    made = draw(steps(complete=everything or draw(st.booleans())))
    wanted = draw(selections())
    lanes = [
        *draw(transactions(len(made), sound=everything, wanted=wanted)),
        draw(others(len(made), sound=everything)),
    ]
    events = draw(interleaved(lanes))
    arguments: dict[str, Any] = {"families": EVENT_FAMILIES, "content_selection": wanted}
    if not everything:
        arguments["limitations"] = draw(st.lists(st.sampled_from(LIMITATIONS), max_size=2))
        arguments |= draw(_shortcomings(events))
        events = arguments.pop("events")
    return make.capture(made, events, **arguments)


@st.composite
def _shortcomings(draw: st.DrawFn, events: Sequence[AnyEvent]) -> dict[str, Any]:
    """Builder arguments that take something away from a capture, or nothing."""
    arguments: dict[str, Any] = {"events": list(events)}
    if draw(st.integers(0, 5)) == 0:
        arguments["families"] = draw(st.sampled_from((None, (), EVENT_FAMILIES[:3], EVENT_FAMILIES[2:])))
    if draw(st.integers(0, 5)) == 0:
        arguments["content_selection"] = draw(selections())
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
