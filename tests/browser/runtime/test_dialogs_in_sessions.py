"""Dialogs of pages: never in the way, never without a word."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from rea_capture.browser.runtime.live import LiveSession
from rea_capture.contracts.runtime.operations import CloseTabRequest
from tests.browser.runtime.asking import click, close_popups, failed, go, popup, read, reload, tabs
from tests.browser.runtime.conftest import OpenSession
from tests.loopback import Answer, Loopback

ASKS = "<button onclick='p.textContent = confirm(`Delete all?`)'>Delete</button><p id=p>there</p>"
STAYS = """<title>Stays</title><button>Touch</button><a href=/done>Leave</a>
<script>onbeforeunload = event => event.preventDefault()</script>"""


@pytest_asyncio.fixture(loop_scope="session")
async def live(shared: LiveSession, site: Loopback) -> AsyncIterator[LiveSession]:
    site.route("/done", "<title>Done</title>")
    yield shared
    await close_popups(shared)


@pytest.fixture
def stays(site: Loopback) -> str:
    """A page that asks before it is left, once it was touched."""
    return site.route("/stays", STAYS)


async def test_a_dialog_that_an_action_led_to_is_said_with_it(live: LiveSession, site: Loopback) -> None:
    await go(live, site.route("/asks", ASKS))
    acted = await click(live, "Delete")
    assert acted.limitations == ("A page opened a dialog of type confirm ('Delete all?'); it was dismissed.",)
    await go(live, site.route("/silent", "<button>Nothing</button>"))
    assert (await click(live, "Nothing")).limitations == ()


async def test_a_dialog_that_an_action_failed_with_is_in_its_error(live: LiveSession, site: Loopback) -> None:
    await go(live, site.route("/asks", ASKS))
    gone = {"kind": "text", "value": "true"}
    details = await failed(click(live, "Delete", postcondition=gone), "postcondition_failed")
    assert "does not contain" in details.message
    assert details.message.endswith(
        "A page opened a dialog of type confirm ('Delete all?'); it was dismissed."
    )


async def test_a_dialog_does_not_show_a_secret(open_session: OpenSession, site: Loopback) -> None:
    live = await open_session()
    live.redact("password", "hunter2zebra")
    await go(live, site.route("/says", "<button onclick='alert(`hunter2zebra`)'>Say</button>"))
    (said,) = (await click(live, "Say")).limitations
    assert "[REDACTED:password]" in said
    assert "zebra" not in said


async def test_a_page_that_asks_before_it_is_left_is_left_by_a_navigation(
    live: LiveSession, site: Loopback, stays: str
) -> None:
    await go(live, stays)
    await click(live, "Touch")
    assert (await go(live, f"{site.origin}/done")).tab.title == "Done"
    assert any("accepted, so the page was left" in each for each in live.limitations)


async def test_a_page_that_asks_before_it_is_left_is_loaded_again(live: LiveSession, stays: str) -> None:
    before = (await go(live, stays)).tab
    await click(live, "Touch")
    after = (await reload(live)).tab
    assert (after.title, after.document_id != before.document_id) == ("Stays", True)


async def test_a_page_that_asks_before_it_is_left_is_not_left_by_an_action(
    live: LiveSession, site: Loopback, stays: str
) -> None:
    await go(live, stays)
    await click(live, "Touch")
    acted = await click(live, "Leave")
    assert "so the page stayed where it was" in acted.limitations[0]
    assert (await read(live)).tab.title == "Stays"
    done = {"kind": "title", "value": "Done"}
    details = await failed(click(live, "Leave", postcondition=done), "postcondition_failed")
    assert "beforeunload" in details.message
    await go(live, f"{site.origin}/done")


async def test_a_page_that_asks_before_it_is_left_is_closed(live: LiveSession, site: Loopback) -> None:
    site.route("/stays", STAYS)
    await go(live, site.route("/opens", "<button onclick='window.open(`/stays`)'>Open</button>"))
    await click(live, "Open")
    came = await popup(live)
    await live.close_tab(CloseTabRequest(tab=came.tab_id), "*")
    assert len((await tabs(live)).tabs) == 1


async def test_a_navigation_that_leads_to_no_page_says_what_the_page_did(
    live: LiveSession, site: Loopback
) -> None:
    headers = [("Content-Disposition", "attachment; filename=x.bin")]
    offers = site.route("/offers", Answer("x", "application/octet-stream", headers=headers))
    details = await failed(go(live, offers), "navigation_failed")
    assert "A page offered a download; it was cancelled." in details.message
