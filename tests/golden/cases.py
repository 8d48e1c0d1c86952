"""The comparison cases kept under ``golden/``: two captures each, and rules where the case is about them.

A case is added here, written by ``python -m tests.golden.regenerate``, and read as a diff before it is
committed. A folder of a wire version is not edited once that version is released.

Below: ``tests.builders``. Above: ``regenerate`` and the test of the goldens.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.events import AnyEvent
from rea_capture.contracts.normalization import Normalization, Rule
from tests import builders as make

_NO_RULES: Final = Normalization()


@dataclass(frozen=True, slots=True)
class Case:
    """Inputs of one comparison."""

    before: CaptureResult
    after: CaptureResult
    normalization: Normalization = _NO_RULES


def _shop(total: str = "42", **changes: Any) -> CaptureResult:
    """The usual capture: start and one click, with every artifact, and two transactions."""
    everything: dict[str, Any] = {
        "screenshot": make.screenshot(),
        "dom": make.text(f"<main><p>Total {total}</p></main>"),
        "accessibility": make.text(f"- main:\n  - paragraph: Total {total}\n"),
        "url": make.location("/cart?id=7"),
        "history": make.history("/cart?id=7", 2),
        "storage": make.storage(["sid"], basket="2 items"),
    }
    steps = [make.start(url=make.location()), make.step("open-cart", after="/cart?id=7", **everything)]
    events = [*make.transaction(1, 0, address="/"), *make.transaction(2), make.console()]
    return make.capture(**{"steps": steps, "events": events, **changes})


def _unchanged() -> Case:
    return Case(_shop(), _shop())


def _dom_changed() -> Case:
    return Case(_shop(), _shop("43"))


def _everything(version: int) -> CaptureResult:
    """A capture in which each artifact shows ``version``, and the events do."""
    address = f"/v{version}?page={version}"
    states: dict[str, Any] = {
        "screenshot": make.screenshot(100 * version),
        "dom": make.text(f"<main class=v{version}><p>Version {version}</p></main>"),
        "accessibility": make.text(f"- main: Version {version}\n"),
        "url": make.location(address),
        "history": make.history(address, version),
        "storage": make.storage(["sid"], version=str(version)),
    }
    steps = [make.start(url=make.location()), make.step("open-cart", after=address, **states)]
    answer = make.transaction(1, status=200 if version == 1 else 500, address="/api")
    return make.capture(steps, [*answer, make.console(f"version {version}"), make.page_error("boom")])


def _every_artifact_changed() -> Case:
    return Case(_everything(1), _everything(2))


def _rules_make_equal() -> Case:
    rules = (
        Rule(rule_id="b-total", artifacts=("dom", "accessibility"), match="Total 43", replacement="Total N"),
        Rule(rule_id="a-total", artifacts=("accessibility", "dom"), match="Total 42", replacement="Total N"),
    )
    return Case(_shop(), _shop("43"), Normalization(rules=rules))


def _transactions(order: int, shift: int) -> list[AnyEvent]:
    """Twelve concurrent transactions; ``order`` seeds their order of receipt, ``shift`` their ids."""
    lanes = [
        make.transaction((number + shift) % 12 + 1, 1, address=f"/api/{number}", landed=1 + order % 2)
        for number in range(12)
    ]
    turns = [index for index, lane in enumerate(lanes) for _ in lane]
    random.Random(order).shuffle(turns)
    waiting = [iter(lane) for lane in lanes]
    received = [next(waiting[turn]) for turn in turns]
    return sorted(received, key=lambda event: event.step_index)


def _network_reordered() -> Case:
    steps = [make.start(), make.step("load"), make.step("wait", 2, action="wait_for")]
    return Case(make.capture(steps, _transactions(0, 0)), make.capture(steps, _transactions(1, 5)))


def _redirected(through: str) -> CaptureResult:
    """A redirect chain of three transactions that ends in the step after the one it began in."""
    steps = [make.start(), make.step("sign-in"), make.step("wait", 2, action="wait_for")]
    events = [
        *make.transaction(1, 1, address="/sign-in", status=302),
        *make.transaction(2, 1, address=through, status=302, after=1),
        *make.transaction(3, 2, address="/account", after=2),
    ]
    return make.capture(steps, events)


def _redirect_ancestry_changed() -> Case:
    return Case(_redirected("/session"), _redirected("/consent"))


def _predecessor_missing() -> Case:
    return Case(
        make.capture(events=make.transaction(2, after=1)),
        make.capture(events=make.transaction(1, state="root")),
    )


def _redirect_cycle() -> Case:
    events = [
        *make.transaction(1, after=3),
        *make.transaction(2, after=1),
        *make.transaction(3, after=2),
        *make.transaction(4, after=3),
    ]
    return Case(make.capture(events=events), make.capture(events=events))


def _step_added_at_end() -> Case:
    """The earlier last step had its ``at_end`` artifacts; now a later step has them."""
    at_end: dict[str, Any] = {"dom": make.text(), "url": make.location(), "storage": make.storage()}
    before = [make.start(), make.step("search", **at_end)]
    after = [make.start(), make.step("search"), make.step("sort", 2, **at_end)]
    return Case(make.capture(before), make.capture(after))


def _event_families_differ() -> Case:
    return Case(
        make.capture(events=[make.console()], families=["console"]),
        make.capture(events=[make.console()], families=["console", "network"]),
    )


def _older_capture() -> Case:
    older = make.capture(events=make.transaction(state=None), families=None)
    return Case(older, make.capture(events=make.transaction()))


def _limitations_differ() -> Case:
    """Nothing but the text of a dialog, which only a limitation tells, is not the same."""
    dialog = "A page opened a dialog of type alert ('{}'); it was dismissed."
    shared = "dom does not hold the content of 1 child frame (https://shop.example/help) (step open-cart)."
    return Case(
        _shop(limitations=[shared, dialog.format("Saved")]),
        _shop(limitations=[shared, dialog.format("Failed to save")]),
    )


def _context_mismatch() -> Case:
    after = make.capture(
        version="157.0.0.1",
        start_origin="https://shop.test",
        recorded_environment=make.environment(locale="de-DE", timezone="Europe/Berlin"),
    )
    return Case(make.capture(), after)


def _action_failed() -> Case:
    failed = make.step("pay", status="failed", error="No element matches css=#pay within 5000 ms.")
    capture = make.capture([make.start(), failed, make.step("leave", 2, status="cancelled")])
    return Case(capture, capture)


def _events_truncated() -> Case:
    events = [*make.transaction(1), make.console("one"), make.console("two")]
    steps = [make.start(url=make.location()), make.step(url=make.location(), truncated=("events",))]
    poorer = make.capture(
        steps,
        [events[0], events[1], events[3]],
        skipped=(3,),
        omitted=make.omissions({"request-finished": 1}, transactions={1: ("request-finished",)}),
    )
    return Case(make.capture(events=events), poorer)


def _content_unavailable() -> Case:
    """Both sides lost the same body and the same end of a message, and call themselves complete."""
    steps = [make.start(), make.step("load"), make.step("listen", 2, action="wait_for")]
    events = [
        *make.transaction(1),
        make.content(
            1,
            body=make.unavailable("body-size-limit"),
            headers=(("content-type", "application/json"),),
        ),
        make.frame("hel", 2, truncated=True),
    ]
    selection = make.network_content(response_body=True, header_values=True)
    capture = make.capture(steps, events, content_selection=selection)
    return Case(capture, capture)


def _steps_do_not_line_up() -> Case:
    before = [
        make.start(),
        make.step("twice"),
        make.step("twice", 2),
        make.step("gone", 3),
        make.step("same", 4),
    ]
    after = [make.start(), make.step("twice"), make.step("new", 2), make.step("same", 3, action="fill")]
    return Case(make.capture(before), make.capture(after))


CASES: Final[Mapping[str, Callable[[], Case]]] = {
    "action-failed": _action_failed,
    "content-unavailable": _content_unavailable,
    "context-mismatch": _context_mismatch,
    "dom-changed": _dom_changed,
    "every-artifact-changed": _every_artifact_changed,
    "event-families-differ": _event_families_differ,
    "events-truncated": _events_truncated,
    "limitations-differ": _limitations_differ,
    "network-reordered": _network_reordered,
    "older-capture": _older_capture,
    "predecessor-missing": _predecessor_missing,
    "redirect-ancestry-changed": _redirect_ancestry_changed,
    "redirect-cycle": _redirect_cycle,
    "rules-make-equal": _rules_make_equal,
    "step-added-at-end": _step_added_at_end,
    "steps-do-not-line-up": _steps_do_not_line_up,
    "unchanged": _unchanged,
}
"""Every case by the name of its folder."""
