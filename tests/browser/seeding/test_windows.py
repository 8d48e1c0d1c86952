"""Windows a page opens are seeded before their first script, and never hang."""

from __future__ import annotations

import asyncio
import json

import pytest
from playwright.async_api import expect

from tests.browser.seeding.conftest import FIRST, WAIT_S, Lab, first

pytestmark = pytest.mark.asyncio(loop_scope="session")  # the browser is shared by all tests

SEEDED = ["seed", "session seed"]


@pytest.mark.parametrize("features", ["", "noopener", "popup,width=300,height=200"])
async def test_a_window_of_the_same_origin_has_its_own_session_seed(lab: Lab, features: str) -> None:
    await lab.seed({"a.test": {"a": "seed"}}, {"a.test": {"s": "session seed"}})
    await lab.goto("a.test")
    await lab.page.evaluate("() => { localStorage.a = 'application'; sessionStorage.s = 'application' }")
    popup = await lab.popup(f"window.open('/popup', '_blank', '{features}')")
    assert await first(popup) == ["application", "session seed"]
    await popup.evaluate("sessionStorage.s = 'popup'")
    await popup.reload()
    assert await first(popup) == ["application", "popup"]
    await lab.page.reload()
    assert await first(lab.page) == ["application", "application"]


@pytest.mark.parametrize("features", ["", "noopener"])
async def test_a_window_of_another_site_is_seeded(lab: Lab, features: str) -> None:
    await lab.seed({"b.test": {"a": "seed"}}, {"b.test": {"s": "session seed"}})
    await lab.goto("a.test")
    popup = await lab.popup(f"window.open('{lab.site.url('b.test')}', '_blank', '{features}')")
    assert await first(popup) == SEEDED
    assert lab.problems == []


async def test_windows_opened_by_windows_are_seeded(lab: Lab) -> None:
    await lab.seed({"b.test": {"a": "b"}, "c.test": {"a": "c"}}, {"b.test": {"s": "b"}, "c.test": {"s": "c"}})
    await lab.goto("a.test")
    middle = await lab.popup(f"window.open('{lab.site.url('b.test')}')")
    inner = await lab.popup(f"window.open('{lab.site.url('c.test')}', '_blank', 'noopener')", middle)
    assert [await first(middle), await first(inner)] == [["b", "b"], ["c", "c"]]


async def test_a_third_party_frame_in_a_window_is_seeded(lab: Lab) -> None:
    lab.site.pages["/popup"] = "<iframe name=inner src='http://c.test:{port}/inner'></iframe>"
    await lab.seed({"c.test": {"a": "seed"}}, {"c.test": {"s": "session seed"}})
    await lab.goto("a.test")
    popup = await lab.popup("window.open('/popup')")
    inner = popup.frame("inner")
    assert inner is not None
    assert await first(inner) == SEEDED


async def test_a_link_to_a_new_window_and_a_click_with_the_control_key_open_seeded_windows(lab: Lab) -> None:
    lab.site.pages["/links"] = "<a id=blank target=_blank href='/one'>one</a> <a id=plain href='/two'>two</a>"
    await lab.seed({"a.test": {"a": "seed"}}, {"a.test": {"s": "session seed"}})
    await lab.page.goto(lab.site.url("a.test", "/links"))
    for selector, modifiers in (("#blank", []), ("#plain", ["ControlOrMeta"])):
        async with lab.context.expect_page() as opening:
            await lab.page.click(selector, modifiers=modifiers)  # type: ignore[arg-type]  # a list of literals
        popup = await opening.value
        await popup.wait_for_load_state()
        assert await first(popup) == SEEDED


async def test_a_blank_window_runs_at_once_and_shares_its_opener_s_seed(lab: Lab) -> None:
    await lab.seed({"a.test": {"a": "seed"}}, {"a.test": {"s": "session seed"}})
    await lab.goto("a.test")
    seen = await asyncio.wait_for(
        lab.page.evaluate(
            "() => { const w = window.open('about:blank'); return [w.localStorage.a, w.sessionStorage.s] }"
        ),
        WAIT_S,
    )
    assert seen == SEEDED


@pytest.mark.parametrize("features", ["", "noopener"])
async def test_a_blob_document_in_a_window_has_its_origin_s_seed(lab: Lab, features: str) -> None:
    await lab.seed({"a.test": {"a": "seed"}}, {"a.test": {"s": "session seed"}})
    await lab.goto("a.test")
    blob = f"URL.createObjectURL(new Blob([{json.dumps(FIRST)}], {{type: 'text/html'}}))"
    popup = await lab.popup(f"window.open({blob}, '_blank', '{features}')")
    assert await first(popup) == SEEDED


async def test_a_blank_window_without_an_opener_is_no_problem_and_is_seeded_when_it_navigates(
    lab: Lab,
) -> None:
    await lab.seed({"a.test": {"a": "seed"}}, {"a.test": {"s": "session seed"}})
    await lab.goto("a.test")
    popup = await lab.popup("window.open('about:blank', '_blank', 'noopener')")
    await popup.goto(lab.site.url("a.test"))
    assert await first(popup) == SEEDED
    assert lab.problems == []


async def test_many_windows_opened_at_once_are_all_seeded(lab: Lab) -> None:
    lab.site.pages["/popup"] = FIRST + "<script>document.title = JSON.stringify(first)</script>"
    await lab.seed({"a.test": {"a": "seed"}}, {"a.test": {"s": "session seed"}})
    await lab.goto("a.test")
    await lab.page.evaluate("() => { for (let i = 0; i < 6; i++) window.open('/popup?' + i, '_blank') }")
    for count in range(1, 7):
        while len(lab.context.pages) < 1 + count:
            await lab.context.wait_for_event("page")
        await expect(lab.context.pages[count]).to_have_title('["seed","session seed"]')
    assert lab.problems == []


async def test_a_window_closed_while_it_loads_leaves_nothing_behind(lab: Lab) -> None:
    await lab.seed({"a.test": {"a": "seed"}}, {"b.test": {"s": "session seed"}})
    await lab.goto("a.test")
    for path in ("/", lab.site.url("b.test"), "about:blank"):
        await lab.page.evaluate(f"() => {{ const w = window.open('{path}'); setTimeout(() => w.close()) }}")
    assert await lab.goto("b.test") == [None, "session seed"]
    assert lab.problems == []
