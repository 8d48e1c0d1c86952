"""Servers that take their time: what a navigation leaves behind, and what a short credential costs."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from rea_capture.browser.runtime import live as live_module
from rea_capture.browser.runtime.live import LiveSession
from rea_capture.contracts.runtime.budgets import Budget
from tests.browser.runtime.asking import failed, go, read
from tests.browser.runtime.conftest import OpenSession
from tests.loopback import Answer, Loopback


@pytest.fixture
def released() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


async def test_after_a_navigation_that_took_too_long_the_page_is_as_it_was_and_answers(
    shared: LiveSession, site: Loopback, monkeypatch: pytest.MonkeyPatch, released: threading.Event
) -> None:
    await go(shared, site.route("/here", "<title>Here</title><p>still here</p>"))
    monkeypatch.setattr(live_module, "NAVIGATION", Budget(300, 300))

    def late(_: object, __: object) -> Answer:
        released.wait(30)
        return Answer("<p>late</p>")

    site.route("/late", late)
    details = await failed(go(shared, f"{site.origin}/late"), "timeout")
    assert details.mutation_state == "unknown"
    # Whatever is sent to a page that is being left would wait for the other one.
    assert (await read(shared)).text == "still here"


async def test_what_a_short_credential_costs_is_said(open_session: OpenSession) -> None:
    live = await open_session()
    live.redact("pin", "471")
    assert [each for each in live.limitations if "'pin' is short" in each]
