"""A ref means one element of one document, or nothing."""

from __future__ import annotations

import re

from playwright.async_api import Page

from rea_capture.contracts.runtime.errors import BrowserOperationError
from tests.browser.runtime_elements.hands import Hands
from tests.loopback import Loopback


async def test_an_element_keeps_its_ref_while_it_lives(page: Page, hands: Hands) -> None:
    await page.set_content("<button>a</button><button>b</button>")
    first = [each.ref for each in await hands.look()]
    await page.evaluate("document.body.prepend(document.querySelectorAll('button')[1])")
    await page.evaluate("document.querySelectorAll('button')[0].textContent = 'renamed'")
    again = await hands.look()
    assert [each.ref for each in again] == first[::-1]
    assert again[0].name == "renamed"


async def test_a_ref_of_an_element_that_an_equal_one_replaced_is_refused(page: Page, hands: Hands) -> None:
    await page.set_content("<button onclick='document.title = `clicked`'>x</button>")
    await hands.look()
    ref = hands.ref("x")
    await page.evaluate("document.body.innerHTML = document.body.innerHTML")
    failed = await hands.refused("click", ref)
    assert (failed.code, failed.mutation_state, failed.retry) == (
        "not_actionable",
        "not_attempted",
        "after_observe",
    )
    assert await page.title() == ""
    await hands.look()
    assert hands.ref("x") != ref


async def test_an_element_that_moved_is_still_the_one_that_is_clicked(page: Page, hands: Hands) -> None:
    await page.set_content("<button id=a>a</button><button id=b>b</button>")
    await page.evaluate("document.addEventListener('click', event => { document.title = event.target.id })")
    await hands.look()
    ref = hands.ref("a")
    await page.evaluate("a.textContent = 'b'; b.textContent = 'a'; document.body.append(a)")
    await hands.act("click", ref)
    assert await page.title() == "a"


async def test_a_ref_is_refused_in_another_document_even_if_nobody_has_heard_of_it(
    page: Page, hands: Hands, loopback: Loopback
) -> None:
    url = loopback.route("/", "<button onclick='document.title = `clicked`'>x</button>")
    await page.goto(url)
    await hands.look()
    await page.goto(url)
    failed = await hands.refused("click", hands.ref("x"))
    assert (failed.code, failed.mutation_state) == ("stale_document", "not_attempted")
    assert await page.title() == ""


async def test_a_ref_is_refused_where_the_tab_is_known_to_show_another_document(
    page: Page, hands: Hands
) -> None:
    await page.set_content("<button>x</button>")
    await hands.look()
    failed = await hands.refused("click", hands.ref("x"), document_id="document-2")
    assert (failed.code, failed.mutation_state) == ("stale_document", "not_attempted")


async def test_a_ref_into_a_frame_is_refused_when_the_frame_shows_another_document(
    page: Page, hands: Hands, loopback: Loopback
) -> None:
    loopback.route("/inner", "<button>x</button>")
    await page.goto(loopback.route("/", "<iframe src=/inner></iframe>"))
    await hands.look()
    ref = hands.ref("x")
    await page.frames[1].goto(loopback.origin + "/inner")
    assert (await hands.refused("click", ref)).code == "stale_document"
    await hands.look()
    ref = hands.ref("x")
    await page.evaluate("document.querySelector('iframe').remove()")
    assert (await hands.refused("click", ref)).code == "stale_document"


async def test_refs_that_nobody_gave_are_unknown(page: Page, hands: Hands) -> None:
    await page.set_content("<button>x</button>")
    await hands.look()
    ref = hands.ref("x")
    assert re.fullmatch(r"e1-[0-9a-f]{16}", ref)
    for other in ("e2" + ref[2:], "e1-" + "0" * 16, "x", "button"):
        failed = await hands.refused("click", other)
        assert (failed.code, failed.mutation_state) == ("unknown_ref", "not_attempted")


async def test_a_ref_of_one_tab_is_unknown_in_another(page: Page, hands: Hands) -> None:
    await page.set_content("<button>x</button>")
    await hands.look()
    other = await page.context.new_page()
    try:
        failed = await Hands(other).refused("click", hands.ref("x"))
        assert failed.code == "unknown_ref"
    finally:
        await other.close()


async def test_a_page_that_navigates_when_it_is_touched_leaves_nobody_guessing(
    page: Page, hands: Hands, loopback: Loopback
) -> None:
    loopback.route("/next", "<title>next</title>")
    await page.goto(loopback.route("/", "<input aria-label=x onfocus='location = `/next`'>"))
    await hands.look()
    failed = await hands.refused("fill", hands.ref("x"), "abc")
    assert failed.mutation_state == "unknown"
    assert "abc" not in failed.model_dump_json()


async def test_a_tab_that_closes_when_it_is_clicked_is_said_to_be_gone_or_was_clicked(
    page: Page, loopback: Loopback
) -> None:
    async with page.context.expect_page() as coming:
        await page.evaluate("window.open('about:blank')")
    popup = await coming.value
    await popup.set_content("<button onclick='close()'>x</button>")
    hands = Hands(popup)
    await hands.look()
    outcome: tuple[str | None, str]
    try:
        outcome = await hands.act("click", hands.ref("x")), "unknown"
    except BrowserOperationError as error:
        outcome = error.details.code, error.details.mutation_state
    assert outcome in ((None, "unknown"), ("unknown_tab", "unknown"))
