"""What a restricted session keeps from being sent, whoever asks. The other origin counts its requests."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Playwright

from rea_capture.browser.runtime.live import LiveSession
from rea_capture.browser.runtime.opening import open_live
from rea_capture.contracts.runtime.settings import LaunchSettings, SessionSettings
from tests.browser.runtime.asking import click, close_popups, expect, failed, go, popup, read, reload, tabs
from tests.loopback import Answer, Loopback

ON_CLICK = {
    "link": "<a href='{there}/link'>Do it</a>",
    "link in a new tab": "<a href='{there}/blank' target=_blank>Do it</a>",
    "link that is redirected": "<a href='/to-there'>Do it</a>",
    "link that is redirected twice": "<a href='/to-to-there'>Do it</a>",
    "link of script": "<a href='javascript:void(location=`{there}/script`)'>Do it</a>",
    "location": "<button onclick='location = `{there}/location`'>Do it</button>",
    "location of a popup": "<button onclick='window.open(``).location = `{there}/o`'>Do it</button>",
    "form": "<form method=post action='{there}/form'><input name=x value=1><button>Do it</button></form>",
    "form that is redirected": "<form method=post action='/keep-to-there'><button>Do it</button></form>",
    "form in a new tab": "<form target=_blank action='{there}/form2'><button>Do it</button></form>",
    "popup": "<button onclick='window.open(`{there}/popup`)'>Do it</button>",
    "popup that is redirected": "<button onclick='window.open(`/to-there`)'>Do it</button>",
    "popup without opener": "<button onclick='window.open(`{there}/no`, ``, `noopener`)'>Do it</button>",
    "no opener, redirected": "<button onclick='window.open(`/to-there`, ``, `noopener`)'>Do it</button>",
}
"""What a page does when somebody clicks."""

SPECULATION = """<script type=speculationrules>
  {{"%s": [{{"urls": ["{there}/%s"], "eagerness": "immediate"}}]}}</script>"""

BY_ITSELF = {
    "meta refresh": "<meta http-equiv=refresh content='0;url={there}/meta'>",
    "frame": "<iframe src='{there}/frame'></iframe>",
    "frame that is redirected": "<iframe src='/to-there'></iframe>",
    "frame in a frame": "<iframe srcdoc='<iframe src={there}/deep></iframe>'></iframe>",
    "object": "<object data='{there}/object' type='text/html'></object>",
    "prefetch": SPECULATION % ("prefetch", "early"),
    "prerender": SPECULATION % ("prerender", "earlier"),
    "prefetch that is redirected": SPECULATION.replace("{there}/%s", "/to-there?%s") % ("prefetch", "x"),
    "refresh header": "",
}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def session_for_the_site(
    driver: Playwright, chromium_path: str, site: Loopback, forbidden: Loopback
) -> AsyncIterator[LiveSession]:
    """A session for the site alone."""
    site.route("/to-there", Answer(status=302, headers=[("Location", f"{forbidden.origin}/there")]))
    site.route("/keep-to-there", Answer(status=307, headers=[("Location", f"{forbidden.origin}/there")]))
    site.route("/to-to-there", Answer(status=301, headers=[("Location", "/to-there")]))
    settings = SessionSettings(
        browser=LaunchSettings(executable_path=chromium_path), allowed_origins=(site.origin,)
    )
    session = await open_live(driver, settings, environ=os.environ)
    yield session
    assert forbidden.targets() == [], "a document of the other origin was asked for"
    assert await session.close() == ()


@pytest_asyncio.fixture(loop_scope="session")
async def restricted(session_for_the_site: LiveSession) -> AsyncIterator[LiveSession]:
    """It, with one tab."""
    yield session_for_the_site
    await close_popups(session_for_the_site)


@pytest.mark.parametrize("how", ON_CLICK)
async def test_a_click_that_leads_elsewhere_is_refused_and_sends_nothing(
    how: str, restricted: LiveSession, site: Loopback, forbidden: Loopback
) -> None:
    start = site.route("/start", "<title>Start</title>" + ON_CLICK[how].format(there=forbidden.origin))
    before = (await go(restricted, start, (site.origin,))).tab
    details = await failed(click(restricted, "Do it", (site.origin,)), "origin_refused")
    assert (details.phase, details.mutation_state) == ("policy", "unknown")
    assert forbidden.origin in details.message
    assert forbidden.targets() == []
    after = (await read(restricted, (site.origin,))).tab
    assert (after.url, after.document_id) == (before.url, before.document_id)


@pytest.mark.parametrize("how", BY_ITSELF)
async def test_a_page_that_leads_elsewhere_by_itself_sends_nothing(
    how: str, restricted: LiveSession, site: Loopback, forbidden: Loopback
) -> None:
    page = f"<title>Start</title>{BY_ITSELF[how].format(there=forbidden.origin)}<p>here</p>"
    refresh = [("Refresh", f"0;url={forbidden.origin}/refresh")] if how == "refresh header" else []
    start = site.route("/itself", Answer(page, headers=refresh))
    site.route("/after", "<title>After</title>")
    await go(restricted, start, (site.origin,))
    await expect(restricted, (site.origin,), kind="text", value="here", wait="bounded")
    await go(restricted, f"{site.origin}/after", (site.origin,))
    assert forbidden.targets() == []


@pytest.mark.parametrize("path", ["/to-there", "/to-to-there", "/keep-to-there"])
async def test_a_navigation_that_is_redirected_elsewhere_leaves_the_page_where_it_was(
    path: str, restricted: LiveSession, site: Loopback, forbidden: Loopback
) -> None:
    before = (await go(restricted, site.route("/here", "<title>Here</title>"), (site.origin,))).tab
    details = await failed(go(restricted, site.origin + path, (site.origin,)), "origin_refused")
    assert details.mutation_state == "unknown"
    assert (await read(restricted, (site.origin,))).tab == before
    assert forbidden.targets() == []


async def test_a_navigation_elsewhere_is_refused_before_anything_is_begun(
    restricted: LiveSession, site: Loopback, forbidden: Loopback
) -> None:
    before = (await go(restricted, site.route("/here", "<title>Here</title>"), (site.origin,))).tab
    seen = len(site.seen)
    details = await failed(go(restricted, f"{forbidden.origin}/x", (site.origin,)), "origin_refused")
    assert (details.phase, details.mutation_state) == ("policy", "not_attempted")
    assert (await read(restricted, (site.origin,))).tab == before
    assert len(site.seen) == seen


async def test_a_popup_that_was_refused_is_closed_and_said_to_who_waits_for_it(
    restricted: LiveSession, site: Loopback, forbidden: Loopback
) -> None:
    may_open = threading.Event()

    def wait(_: object, __: object) -> Answer:
        may_open.wait(10)
        return Answer("")

    site.route("/wait", wait)
    opens = f"fetch(`/wait`).then(() => window.open(`{forbidden.origin}/late`))"
    await go(restricted, site.route("/later", f"<button onclick='{opens}'>Later</button>"), (site.origin,))
    count = len((await tabs(restricted, (site.origin,))).tabs)
    await click(restricted, "Later", (site.origin,))
    may_open.set()
    details = await failed(popup(restricted, (site.origin,)), "origin_refused")
    assert details.mutation_state == "not_attempted"
    assert len((await tabs(restricted, (site.origin,))).tabs) == count


async def test_a_popup_within_the_site_comes_up(restricted: LiveSession, site: Loopback) -> None:
    site.route("/inside", "<title>Inside</title>")
    await go(
        restricted,
        site.route("/opens", "<button onclick='window.open(`/inside`)'>Open</button>"),
        (site.origin,),
    )
    acted = await click(restricted, "Open", (site.origin,))
    came = await popup(restricted, (site.origin,))
    assert (came.title, came.url) == ("Inside", f"{site.origin}/inside")
    assert acted.popups == (came.tab_id,)


async def test_a_document_that_a_page_makes_itself_is_of_its_origin(
    restricted: LiveSession, site: Loopback
) -> None:
    makes = "window.open(window.URL.createObjectURL(new Blob([`<p>Report</p>`], { type: `text/html` })))"
    await go(restricted, site.route("/makes", f"<button onclick='{makes}'>Make</button>"), (site.origin,))
    acted = await click(restricted, "Make", (site.origin,))
    came = await popup(restricted, (site.origin,))
    assert ((came.tab_id,), came.origin) == (acted.popups, site.origin)
    assert came.url.startswith(f"blob:{site.origin}/")
    assert (await read(restricted, (site.origin,), tab=came.tab_id)).text == "Report"
    assert [tab.tab_id for tab in (await tabs(restricted, (site.origin,))).tabs][1:] == [came.tab_id]
    narrowed = ("http://127.0.0.1:1",)
    await failed(read(restricted, narrowed, tab=came.tab_id), "origin_refused")


async def test_a_frame_elsewhere_is_said_to_who_reads(
    restricted: LiveSession, site: Loopback, forbidden: Loopback
) -> None:
    await go(
        restricted, site.route("/framed", f"<iframe src='{forbidden.origin}/f'></iframe>"), (site.origin,)
    )
    said = (await read(restricted, (site.origin,))).limitations
    assert any("A frame was to show" in each and forbidden.origin in each for each in said)


async def test_a_service_worker_cannot_redirect_a_document_elsewhere(
    restricted: LiveSession, site: Loopback, forbidden: Loopback
) -> None:
    script = f"""
      oninstall = () => skipWaiting();
      onactivate = event => event.waitUntil(clients.claim());
      onfetch = event => {{
        if (event.request.url.endsWith('/by-worker'))
          event.respondWith(Response.redirect('{forbidden.origin}/worker'));
      }};"""
    site.route("/worker.js", Answer(script, content_type="text/javascript"))
    page = """<p id=p>waiting</p><script>
      navigator.serviceWorker.oncontrollerchange = () => p.textContent = 'controlled';
      navigator.serviceWorker.register('/worker.js');</script>"""
    await go(restricted, site.route("/registers", page), (site.origin,))
    await expect(restricted, (site.origin,), kind="text", value="controlled", wait="bounded")
    await failed(go(restricted, f"{site.origin}/by-worker", (site.origin,)), "origin_refused")
    assert forbidden.targets() == []


async def test_going_back_to_a_page_that_a_call_may_not_see_sends_nothing(
    shared: LiveSession, site: Loopback, forbidden: Loopback
) -> None:
    back = "<title>Back</title><button onclick='history.back()'>Back</button>"
    await go(shared, forbidden.route("/before", Answer("before", headers=[("Cache-Control", "no-store")])))
    await go(shared, site.route("/back", back))
    asked = len(forbidden.seen)
    await failed(click(shared, "Back", (site.origin,)), "origin_refused")
    assert len(forbidden.seen) == asked
    assert (await read(shared)).tab.title == "Back"
    forbidden.seen.clear()


async def test_what_a_call_is_narrowed_to_does_not_stick(
    shared: LiveSession, site: Loopback, forbidden: Loopback
) -> None:
    await go(shared, site.route("/narrow", f"<a href='{forbidden.route('/wide', 'wide')}'>Wide</a>"))
    await failed(click(shared, "Wide", (site.origin,)), "origin_refused")
    assert forbidden.targets() == []
    await click(shared, "Wide", postcondition={"kind": "text", "value": "wide"})
    assert forbidden.targets() == ["GET /wide"]
    details = await failed(read(shared, (site.origin,)), "origin_refused")
    assert details.mutation_state == "not_attempted"
    await failed(reload(shared, (site.origin,)), "origin_refused")
    assert (await tabs(shared, (site.origin,))).omitted == 1
    await go(shared, f"{site.origin}/narrow", (site.origin,))
    forbidden.seen.clear()


async def test_a_redirect_that_comes_after_the_call_is_still_held_to_it(
    shared: LiveSession, site: Loopback, forbidden: Loopback
) -> None:
    is_asked, may_answer = threading.Event(), threading.Event()

    def slow(_: object, __: object) -> Answer:
        is_asked.set()
        may_answer.wait(10)
        return Answer(status=302, headers=[("Location", f"{forbidden.origin}/slow")])

    site.route("/slow", slow)
    asks = "<title>Slow</title><p id=p></p><button onclick='location = `/slow`'>Go</button>"
    await go(shared, site.route("/asks", asks))
    clicking = asyncio.ensure_future(click(shared, "Go", (site.origin,)))
    assert await asyncio.to_thread(is_asked.wait, 10)
    clicking.cancel()
    await asyncio.gather(clicking, return_exceptions=True)
    may_answer.set()
    await expect(shared, kind="title", value="Slow")
    await go(shared, f"{site.origin}/asks")
    assert forbidden.targets() == []
