"""A second signal ends a server at once, whatever has hung; what is left of it, the next one removes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tests.browser.capture.conftest import pause, scenario_document
from tests.browser.cleanup.command import children, content, wait_until
from tests.loopback import Loopback
from tests.mcp_server.serving import (
    PATIENCE_S,
    Pipes,
    Place,
    answered,
    call,
    opened,
    served_http,
    wait_until_nothing_is_left,
)

Serving: TypeAlias = Callable[[Place, dict[str, Any]], AbstractContextManager[subprocess.Popen[Any]]]

APART_S = 1.0
"""Between the two signals; a browser that does not answer is given longer than that and what is below."""

AT_ONCE_S = 2.0


@contextmanager
def over_pipes(place: Place, capture: dict[str, Any]) -> Iterator[subprocess.Popen[Any]]:
    """A server that has been asked for ``capture``."""
    server = Pipes(place)
    try:
        server.initialize()
        server.send(capture)
        yield server.process
    finally:
        server.kill()


@contextmanager
def over_http(place: Place, capture: dict[str, Any]) -> Iterator[subprocess.Popen[Any]]:
    """The same over HTTP."""
    with served_http(place) as (process, address):
        session = opened(address)

        def post() -> None:
            with suppress(HTTPException, OSError):  # the server is killed
                answered(address, json.dumps(capture).encode(), session)

        thread = threading.Thread(target=post, daemon=True)
        thread.start()
        yield process
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def browser_of(place: Place) -> int:
    """Process id of the browser itself."""
    mine = (path for path in place.browsers() if b"--user-data-dir=" in content(Path(path)))
    (found,) = [int(path.split("/")[2]) for path in mine if b"--type=" not in content(Path(path))]
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("serving", [over_pipes, over_http])
def test_it_ends_at_once_and_the_next_start_leaves_nothing(
    place: Place, loopback: Loopback, serving: Serving, number: signal.Signals
) -> None:
    page = loopback.route("/", "<script>addEventListener('load', () => fetch('/here'))</script>")
    scenario = scenario_document(page, [pause("long", 600_000)])
    with serving(place, call("capture_browser_scenario", 1, scenario)) as process:
        wait_until(lambda: "GET /here" in loopback.targets(), "the page")
        os.kill(browser_of(place), signal.SIGSTOP)  # it is given seconds to close, and the server waits
        process.send_signal(number)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(APART_S)
        began = time.monotonic()
        process.send_signal(number)
        assert process.wait(PATIENCE_S) == -number
        assert time.monotonic() - began < AT_ONCE_S
        wait_until(lambda: not children(process.pid), "the end of its children")
    assert place.leftovers()  # nobody was there to remove it
    following = Pipes(place)
    try:
        following.initialize()
        wait_until_nothing_is_left(place, beside=following.process.pid)
        following.hang_up()
        assert following.ended() == (0, "")
    finally:
        following.kill()
    assert place.leftovers() == []
