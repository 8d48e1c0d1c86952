"""Moments of a capture at which something happens to it.

Below: ``command``. Above: the tests of this folder.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any, Final

from tests.browser.capture.conftest import pause, scenario_document
from tests.browser.cleanup.command import TICKING, Capture, Starts, wait_until
from tests.loopback import Answer, Loopback, Seen

LONG_WAIT: Final[list[dict[str, Any]]] = [pause("long", 600_000), pause("never", 1)]
TICKS: Final = 20
"""Each is a tenth of a second after the load event; the start's step is over by then."""


def in_an_action(start: Starts, loopback: Loopback, **parts: Any) -> Capture:
    """A capture that is in its first action, which takes ten minutes."""
    run = start(scenario_document(loopback.route("/", TICKING), LONG_WAIT, **parts))
    wait_until(lambda: loopback.targets().count("GET /tick") >= TICKS, "ticks")
    return run


def with_a_page(start: Starts, loopback: Loopback) -> Capture:
    """A capture whose page has loaded; whether its start is over is not known."""
    run = start(scenario_document(loopback.route("/", TICKING), LONG_WAIT))
    wait_until(lambda: "GET /tick" in loopback.targets(), "a tick")
    return run


@contextmanager
def in_a_navigation(start: Starts, loopback: Loopback) -> Iterator[Capture]:
    """A capture whose start page is not answered until the block ends."""
    release = threading.Event()

    def late(_: BaseHTTPRequestHandler, __: Seen) -> Answer:
        release.wait(60)
        return Answer("late")

    run = start(scenario_document(loopback.route("/", late), LONG_WAIT))
    try:
        wait_until(lambda: "GET /" in loopback.targets(), "the request")
        yield run
    finally:
        release.set()
