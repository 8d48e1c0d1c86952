"""Handles of tabs and documents, lists, popups, selection, and how tabs end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from rea_capture.browser.runtime import tabs as tabs_module
from rea_capture.browser.runtime.live import LiveSession
from rea_capture.contracts.runtime.errors import BrowserOperationError
from rea_capture.contracts.runtime.operations import (
    CloseTabRequest,
    IndexPredicate,
    NavigateRequest,
    OriginPredicate,
    SelectTabRequest,
)
from tests.browser.runtime.asking import click, close_popups, expect, failed, go, popup, read, reload, tabs
from tests.browser.runtime.conftest import OpenSession
from tests.loopback import Loopback

OPENS = "<title>Opens</title><button onclick='window.open(`/one`)'>One</button>"


@pytest_asyncio.fixture(loop_scope="session")
async def live(shared: LiveSession, site: Loopback) -> AsyncIterator[LiveSession]:
    """A session with one tab, at a page that opens others."""
    site.route("/one", "<title>One</title><button onclick='window.close()'>Close</button>")
    await go(shared, site.route("/opens", OPENS))
    yield shared
    await close_popups(shared)


async def test_a_tab_keeps_its_handle_and_each_document_has_its_own(
    live: LiveSession, site: Loopback
) -> None:
    first = (await read(live)).tab
    again = (await reload(live)).tab
    there = (await go(live, f"{site.origin}/one")).tab
    within = (await go(live, f"{site.origin}/one#part")).tab
    assert first.tab_id == again.tab_id == there.tab_id == within.tab_id
    assert len({first.document_id, again.document_id, there.document_id}) == 3
    assert within.document_id == there.document_id
    assert within.url == f"{site.origin}/one#part"
    assert (await read(live)).tab == within


async def test_a_step_within_the_document_keeps_its_handle(live: LiveSession, site: Loopback) -> None:
    pushes = "<button onclick='history.pushState(0, ``, `/pushed`)'>Push</button>"
    before = (await go(live, site.route("/pushes", pushes))).tab
    acted = await click(live, "Push")
    assert (acted.tab.document_id, acted.tab.url) == (before.document_id, f"{site.origin}/pushed")


async def test_handles_cannot_be_guessed(live: LiveSession, open_session: OpenSession) -> None:
    other = await open_session()
    tab, another = await live.selected_tab(), await other.selected_tab()
    handles = {tab.tab_id, tab.document_id, another.tab_id, another.document_id}
    assert len(handles) == 4
    assert all(len(handle) == 16 for handle in handles)
    await failed(read(other, tab=tab.tab_id), "unknown_tab")


async def test_popups_are_listed_after_their_openers_and_never_selected(live: LiveSession) -> None:
    opener = await live.selected_tab()
    acted = [await click(live, "One"), await click(live, "One")]
    listed = (await tabs(live)).tabs
    assert [tab.tab_id for tab in listed] == [opener.tab_id, *acted[0].popups, *acted[1].popups]
    assert [tab.selected for tab in listed] == [True, False, False]
    assert [tab.opener for tab in listed] == [None, opener.tab_id, opener.tab_id]
    assert (await live.selected_tab()).tab_id == opener.tab_id


async def test_each_popup_is_given_once_oldest_first(live: LiveSession) -> None:
    first, second = await click(live, "One"), await click(live, "One")
    assert ((await popup(live)).tab_id,) == first.popups
    given = await popup(live)
    assert (given.tab_id,) == second.popups
    assert (given.title, given.selected) == ("One", False)
    begun = asyncio.get_running_loop().time()
    details = await failed(popup(live), "no_popup")
    assert 5.0 <= asyncio.get_running_loop().time() - begun < 6.5
    assert (details.mutation_state, details.retry) == ("not_attempted", "safe")


async def test_a_popup_that_comes_while_it_is_waited_for_is_given(live: LiveSession, site: Loopback) -> None:
    later = "<button onclick='setTimeout(() => window.open(`/one`), 400)'>Later</button>"
    await go(live, site.route("/later", later))
    assert (await click(live, "Later")).popups == ()
    assert (await popup(live)).title == "One"


async def test_a_popup_is_of_the_tab_that_opened_it(live: LiveSession, site: Loopback) -> None:
    opener = await live.selected_tab()
    came = await popup_by_click(live)
    await live.select_tab(SelectTabRequest(tab=came.tab_id), "*")
    await go(live, f"{site.origin}/opens")
    inner = await popup_by_click(live)
    assert inner.opener == came.tab_id
    await click_in(live, opener.tab_id)
    assert (await popup(live, opener=opener.tab_id)).opener == opener.tab_id


async def test_a_list_has_what_the_policy_allows_and_counts_the_rest(
    live: LiveSession, site: Loopback, forbidden: Loopback
) -> None:
    elsewhere = forbidden.route("/elsewhere", "<title>Elsewhere</title>")
    came = await popup_by_click(live)
    await go(live, elsewhere, tab=came.tab_id)
    here = await tabs(live, (site.origin,))
    assert ([tab.title for tab in here.tabs], here.omitted) == (["Opens"], 1)
    there = await tabs(live, (forbidden.origin,))
    assert ([tab.title for tab in there.tabs], there.omitted) == (["Elsewhere"], 1)
    assert (await tabs(live)).omitted == 0
    details = await failed(
        live.select_tab(SelectTabRequest(tab=came.tab_id), (site.origin,)), "origin_refused"
    )
    assert details.mutation_state == "not_attempted"


async def test_a_list_picks_what_its_predicate_says_and_selects_nothing(
    live: LiveSession, forbidden: Loopback, site: Loopback
) -> None:
    came = await popup_by_click(live)
    await go(live, forbidden.route("/elsewhere", "x"), tab=came.tab_id)
    of_origin = OriginPredicate(kind="origin", origin=forbidden.origin)
    assert (await tabs(live, select=of_origin)).matched == came.tab_id
    assert (await tabs(live, select=IndexPredicate(kind="index", index=1))).matched == came.tab_id
    assert (await live.selected_tab()).tab_id != came.tab_id
    await failed(tabs(live, select=IndexPredicate(kind="index", index=2)), "unknown_tab")
    await click(live, "One")
    of_site = OriginPredicate(kind="origin", origin=site.origin)
    details = await failed(tabs(live, select=of_site), "unknown_tab")
    assert "2 listed tabs" in details.message


async def test_closing_the_selected_tab_selects_its_opener(live: LiveSession) -> None:
    opener = await live.selected_tab()
    came = await popup_by_click(live)
    await live.select_tab(SelectTabRequest(tab=came.tab_id), "*")
    closed = await live.close_tab(CloseTabRequest(tab=came.tab_id), "*")
    assert closed.closed == came.tab_id
    assert closed.selected is not None
    assert (closed.selected.tab_id, closed.selected.selected) == (opener.tab_id, True)
    await failed(read(live, tab=came.tab_id), "unknown_tab")


async def test_a_tab_that_closes_itself_selects_its_opener(live: LiveSession) -> None:
    opener = await live.selected_tab()
    came = await popup_by_click(live)
    await live.select_tab(SelectTabRequest(tab=came.tab_id), "*")
    details = await failed(click(live, "Close"), "unknown_tab")
    assert details.mutation_state == "unknown"
    assert (await live.selected_tab()).tab_id == opener.tab_id


async def test_no_tab_is_selected_by_itself_when_one_without_opener_is_closed(
    open_session: OpenSession, site: Loopback
) -> None:
    live = await open_session()
    site.route("/one", "<title>One</title>")
    first = (await go(live, site.route("/opens", OPENS))).tab
    came = await popup_by_click(live)
    closed = await live.close_tab(CloseTabRequest(tab=first.tab_id), "*")
    assert closed.selected is None
    assert "No tab is selected" in (await failed(read(live), "unknown_tab")).message
    assert (await read(live, tab=came.tab_id)).tab.title == "One"
    await live.select_tab(SelectTabRequest(tab=came.tab_id), "*")
    assert (await read(live)).tab.tab_id == came.tab_id


async def test_without_any_tab_there_is_nothing_but_another_session(open_session: OpenSession) -> None:
    live = await open_session()
    only = await live.selected_tab()
    assert (await live.close_tab(CloseTabRequest(tab=only.tab_id), "*")).selected is None
    listed = await tabs(live)
    assert (listed.tabs, listed.omitted) == ((), 0)
    details = await failed(go(live, "http://127.0.0.1:1/"), "unknown_tab")
    assert (details.message, details.recovery) == (
        "The session has no tab any more.",
        "Close this session and open another one.",
    )


async def test_tabs_beyond_the_bound_are_closed(
    live: LiveSession, site: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tabs_module, "MAX_TABS", 3)
    opens = "for (let n = 0; n < 5; n++) window.open(`about:blank`); p.textContent = `done`"
    many = f"<p id=p></p><button onclick='{opens}'>Many</button>"
    await go(live, site.route("/many", many))
    await click(live, "Many")
    await expect(live, kind="text", value="done", wait="bounded")
    listed = await tabs(live)
    assert (len(listed.tabs), listed.omitted) == (3, 0)
    assert any("more than 3 tabs" in each for each in live.limitations)


async def test_a_page_that_crashes_is_gone_and_can_be_closed(
    open_session: OpenSession, site: Loopback
) -> None:
    live = await open_session()
    site.route("/one", "<title>One</title>")
    opens = "<button onclick='window.open(`/one`, ``, `noopener`)'>One</button>"
    opener = (await go(live, site.route("/apart", opens))).tab
    came = await popup_by_click(live)
    crashing = live.navigate(NavigateRequest.model_construct(tab=came.tab_id, url="chrome://crash"), "*")
    await asyncio.gather(crashing, return_exceptions=True)  # whichever of both it tells of
    await crashed(live, came.tab_id)
    details = await failed(read(live, tab=came.tab_id), "browser_gone")
    assert (details.message, details.mutation_state) == ("The page crashed.", "not_attempted")
    assert (await read(live)).tab.tab_id == opener.tab_id
    await live.close_tab(CloseTabRequest(tab=came.tab_id), "*")
    assert len((await tabs(live)).tabs) == 1


async def test_dialogs_are_dismissed_and_told(live: LiveSession, site: Loopback) -> None:
    asks = "<p id=p>asking</p><script>p.textContent = String(confirm('Really?'))</script>"
    await go(live, site.route("/asks", asks))
    assert (await read(live)).text == "false"
    assert any("Really?" in each for each in live.limitations)


async def test_a_download_is_cancelled_and_told(live: LiveSession, site: Loopback) -> None:
    offers = "<a download=x.txt href='data:text/plain,content'>Get</a>"
    await go(live, site.route("/offers", offers))
    await click(live, "Get", postcondition={"kind": "text", "value": "Get"})
    await expect(live, kind="text", value="Get")
    assert any("download" in each for each in live.limitations)


async def popup_by_click(live: LiveSession) -> Any:
    await click(live, "One")
    return await popup(live)


async def click_in(live: LiveSession, tab: str) -> None:
    await live.select_tab(SelectTabRequest(tab=tab), "*")
    await click(live, "One")


async def crashed(live: LiveSession, tab: str) -> None:
    """Wait until it is known that a page is no more."""
    async with asyncio.timeout(10):
        while True:
            try:
                await read(live, tab=tab)
            except BrowserOperationError as error:
                if error.details.code == "browser_gone":
                    return
