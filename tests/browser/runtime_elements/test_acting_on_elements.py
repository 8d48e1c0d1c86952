"""Each action, done once, and what is said of it."""

from __future__ import annotations

import pytest
from playwright.async_api import Page

from rea_capture.browser.runtime import acting
from rea_capture.contracts.runtime.budgets import Budget
from rea_capture.contracts.runtime.operations import ActionName
from tests.browser.runtime_elements.hands import Hands, elsewhere
from tests.loopback import Loopback


async def value(page: Page, selector: str) -> str:
    """What the input holds now."""
    held: str = await page.locator(selector).evaluate("each => each.value ?? each.innerText")
    return held


@pytest.mark.parametrize(
    ("html", "given"),
    [
        ("<input id=x aria-label=x value=old>", "new"),
        ("<input id=x aria-label=x type=password value=old>", "pässwörd ✓"),
        ("<input id=x aria-label=x>", ""),
        ("<input id=x aria-label=x type=email>", "a@b.test"),
        ("<input id=x aria-label=x type=number>", "1.50"),
        ("<input id=x aria-label=x type=date>", "2024-02-29"),
        ("<input id=x aria-label=x type=color>", "#00ff00"),
        ("<input id=x aria-label=x type=range>", "70"),
        ("<textarea id=x aria-label=x>old</textarea>", "a\n\n b"),
        ("<div id=x contenteditable aria-label=x>old</div>", "a  b"),
        ("<div id=x contenteditable aria-label=x></div>", "a\nb\n\nc"),
        ("<div id=x contenteditable=plaintext-only aria-label=x>old</div>", "a\nb"),
    ],
)
async def test_a_fill_is_verified_by_the_exact_value(page: Page, hands: Hands, html: str, given: str) -> None:
    await page.set_content(html)
    assert await hands.do("fill", "x", given) == "value"
    if "div" not in html:
        assert await value(page, "#x") == given


@pytest.mark.parametrize(
    ("html", "given"),
    [
        ("<input aria-label=x maxlength=3>", "four"),
        ("<input aria-label=x type=date>", "29.2.2024"),
        ("<input aria-label=x type=range max=9>", "70"),
        ("<input aria-label=x type=color>", "green"),
        ("<input aria-label=x oninput='value = value.toUpperCase()'>", "abc"),
        ("<input aria-label=x onfocus='other.focus()'><input id=other>", "abc"),
        ("<input aria-label=x oninput=this.remove()>", "abc"),
        ("<textarea aria-label=x></textarea>", "a\r\nb"),
    ],
)
async def test_a_fill_that_is_not_held_exactly_is_unknown_and_tells_no_value(
    page: Page, hands: Hands, html: str, given: str
) -> None:
    await page.set_content(html)
    await hands.look()
    failed = await hands.refused("fill", hands.ref("x"), given)
    assert (failed.code, failed.phase, failed.mutation_state) == ("verification_failed", "verify", "unknown")
    assert failed.retry == "after_observe"
    assert given.strip() not in failed.model_dump_json()


@pytest.mark.parametrize("given", ["g", "Green", " Dark  green "])
async def test_an_option_is_selected_by_value_or_label(page: Page, hands: Hands, given: str) -> None:
    label = "Dark green" if "Dark" in given else "Green"
    await page.set_content(f"<select aria-label=x><option value=r>Red<option value=g>{label}</select>")
    assert await hands.do("select", "x", given) == "state"
    assert await value(page, "select") == "g"


async def test_a_page_that_selects_something_else_is_not_verified(page: Page, hands: Hands) -> None:
    await page.set_content(
        "<select aria-label=x onchange='selectedIndex = 0'><option>a<option>b<option>c</select>"
    )
    await hands.look()
    failed = await hands.refused("select", hands.ref("x"), "b")
    assert (failed.code, failed.mutation_state) == ("verification_failed", "unknown")


async def test_a_checkbox_is_checked_and_unchecked_and_stays_where_it_is(page: Page, hands: Hands) -> None:
    await page.set_content(
        "<input type=checkbox aria-label=x onclick='window.clicks = (window.clicks ?? 0) + 1'>"
    )
    for action, clicks in (("check", 1), ("check", 1), ("uncheck", 2), ("uncheck", 2)):
        assert await hands.do(action, "x") == "state"  # type: ignore[arg-type]  # a literal each
        assert await page.evaluate("window.clicks") == clicks


async def test_a_switch_that_changes_a_moment_later_is_verified(page: Page, hands: Hands) -> None:
    await page.set_content(
        "<i role=switch aria-checked=false tabindex=0"
        " onclick=\"setTimeout(() => this.ariaChecked = 'true', 100)\">x</i>"
    )
    assert await hands.do("check", "x") == "state"


async def test_a_checkbox_that_refuses_is_not_verified(page: Page, hands: Hands) -> None:
    await page.set_content("<input type=checkbox aria-label=x onclick='return false'>")
    await hands.look()
    failed = await hands.refused("check", hands.ref("x"))
    assert (failed.code, failed.mutation_state) == ("verification_failed", "unknown")


async def test_click_press_and_hover_are_done_once_and_not_called_verified(page: Page, hands: Hands) -> None:
    await page.set_content(
        "<button>x</button><script>window.seen = []; for (const kind of ['click', 'keydown', 'mouseenter'])"
        "document.querySelector('button').addEventListener(kind, event => seen.push(event.key ?? kind))"
        "</script>"
    )
    assert await hands.do("hover", "x") is None
    assert await hands.do("press", "x", "Control+b") is None
    assert await hands.do("click", "x") is None
    assert await page.evaluate("seen") == ["mouseenter", "Control", "b", "click"]


async def test_elements_in_frames_and_shadow_roots_are_acted_on(
    page: Page, hands: Hands, loopback: Loopback, other_loopback: Loopback
) -> None:
    other_loopback.route("/far", "<input aria-label=far>")
    await page.goto(
        loopback.route(
            "/",
            f"<my-box></my-box><iframe src={elsewhere(other_loopback)}/far></iframe>"
            "<script>customElements.define('my-box', class extends HTMLElement { constructor() { super();"
            "this.attachShadow({mode: 'open'}).innerHTML = '<input aria-label=near>'}})</script>",
        )
    )
    assert await hands.do("fill", "near", "a") == "value"
    assert await hands.do("fill", "far", "b") == "value"
    assert await page.frames[1].locator("input").input_value() == "b"


@pytest.mark.parametrize(
    ("html", "action", "given", "code", "says"),
    [
        ("<input type=file aria-label=x>", "click", None, "unsupported", "takes files"),
        ("<input type=file aria-label=x>", "fill", "a", "unsupported", "takes files"),
        ("<div contenteditable aria-label=x>a <b>b</b></div>", "fill", "a", "unsupported", "formatted"),
        ("<button>x</button>", "fill", "a", "unsupported", "cannot be filled"),
        ("<input type=checkbox aria-label=x>", "fill", "a", "unsupported", "cannot be filled"),
        ("<button>x</button>", "select", "a", "unsupported", "list of options"),
        ("<button>x</button>", "check", None, "unsupported", "cannot be checked"),
        ("<input type=radio checked aria-label=x>", "uncheck", None, "unsupported", "radio"),
        ("<p style='cursor:pointer'>x</p>", "press", "Enter", "not_actionable", "focus"),
        ("<button disabled>x</button>", "press", "Enter", "not_actionable", "disabled"),
        ("<button>x</button>", "press", "Return", "invalid_request", "name of a key"),
        ("<input aria-label=x>", "fill", None, "invalid_request", "needs a value"),
        ("<input type=number aria-label=x>", "fill", "many", "invalid_request", "numbers"),
    ],
)
async def test_what_cannot_be_done_is_refused_at_once_and_not_attempted(
    page: Page, hands: Hands, html: str, action: ActionName, given: str | None, code: str, says: str
) -> None:
    await page.set_content(html)
    await hands.look()
    failed = await hands.refused(action, hands.ref("x"), given)
    assert (failed.code, failed.mutation_state) == (code, "not_attempted")
    assert says in failed.message


@pytest.mark.parametrize(
    ("html", "then", "action", "says"),
    [
        ("<button>x</button>", "button.hidden = true", "click", "not visible"),
        ("<button>x</button>", "button.disabled = true", "click", "not enabled"),
        ("<button>x</button>",
         "document.body.insertAdjacentHTML('beforeend', '<p style=position:fixed;inset:0>')",
         "click", "covers it"),
        ("<input aria-label=x readonly>", "1", "fill", "not editable"),
        ("<select aria-label=x><option>a</select>", "1", "select", "no option"),
    ],
)  # fmt: skip
async def test_what_cannot_be_acted_on_in_time_was_not_attempted(
    page: Page,
    hands: Hands,
    monkeypatch: pytest.MonkeyPatch,
    html: str,
    then: str,
    action: ActionName,
    says: str,
) -> None:
    monkeypatch.setattr(acting, "VERIFICATION", Budget(500, 500))
    await page.set_content(f"{html}<script>window.button = document.querySelector('button')</script>")
    await page.evaluate("document.addEventListener('click', () => { window.clicked = true }, true)")
    await hands.look()
    await page.evaluate(then)
    failed = await hands.refused(action, hands.ref("x"), "b")
    assert (failed.code, failed.mutation_state) == ("not_actionable", "not_attempted")
    assert says in failed.message
    assert await page.evaluate("window.clicked") is None


@pytest.mark.parametrize("disabled", ["", "disabled"])
@pytest.mark.parametrize(
    ("html", "action", "given"),
    [
        ("<input id=x aria-label=x {} oninput=busy()>", "fill", "b"),
        ("<input id=x aria-label=x {} placeholder='element is not ready' oninput=busy()>", "fill", "b"),
        ("<select id=x aria-label=x {} title='element is not ready' onchange=busy()>"
         "<option>a<option>b</select>", "select", "b"),
        ("<input id=x aria-label=x placeholder='element is not ready' onkeydown=busy()>", "press", "b"),
    ],
)  # fmt: skip
async def test_what_was_done_to_a_page_that_hangs_on_it_is_unknown(
    page: Page,
    hands: Hands,
    monkeypatch: pytest.MonkeyPatch,
    html: str,
    action: ActionName,
    given: str,
    disabled: str,
) -> None:
    monkeypatch.setattr(acting, "VERIFICATION", Budget(900, 900))
    await page.set_content(
        html.format(disabled)
        + "<script>busy = () => { const at = Date.now(); while (Date.now() - at < 1800); }</script>"
    )
    await hands.look()
    await page.evaluate("setTimeout(() => { document.getElementById('x').disabled = false }, 150)")
    failed = await hands.refused(action, hands.ref("x"), given)
    assert (failed.code, failed.mutation_state) == ("timeout", "unknown")


async def test_an_element_that_becomes_enabled_in_time_is_clicked(page: Page, hands: Hands) -> None:
    await page.set_content("<button disabled onclick='document.title = `done`'>x</button>")
    await page.evaluate("setTimeout(() => { document.querySelector('button').disabled = false }, 300)")
    await hands.do("click", "x")
    assert await page.title() == "done"


async def test_a_click_that_something_gets_in_the_way_of_is_unknown_and_reaches_nothing(
    page: Page, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acting, "VERIFICATION", Budget(700, 700))
    await page.set_content(
        "<button onclick='document.title = `clicked`' onpointermove=cover()>x</button>"
        "<script>cover = () => document.body.insertAdjacentHTML('beforeend',"
        "'<p onclick=document.title=`other` style=position:fixed;inset:0>')</script>"
    )
    await hands.look()
    failed = await hands.refused("click", hands.ref("x"))
    assert (failed.code, failed.mutation_state) == ("timeout", "unknown")
    assert await page.title() == ""


async def test_a_click_that_leaves_the_document_is_done(page: Page, hands: Hands, loopback: Loopback) -> None:
    loopback.route("/next", "<title>next</title>")
    await page.goto(loopback.route("/", "<a href=/next>x</a>"))
    assert await hands.do("click", "x") is None
    await page.wait_for_url("**/next")


async def test_a_hostile_page_cannot_make_another_element_be_acted_on(page: Page, hands: Hands) -> None:
    await page.set_content("<input id=a aria-label=x><input id=b>")
    await page.evaluate(
        "for (const name of ['querySelector', 'querySelectorAll', 'matches', 'getBoundingClientRect'])"
        "Element.prototype[name] = () => document.getElementById('b');"
        "Object.defineProperty(HTMLInputElement.prototype, 'value', {get: () => 'yes', set() {}})"
    )
    assert await hands.do("fill", "x", "abc") == "value"
    await page.evaluate("delete HTMLInputElement.prototype.value")
    assert (await hands.refused("fill", hands.ref("x"), None)).mutation_state == "not_attempted"


async def test_a_value_never_stands_in_an_error(
    page: Page, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acting, "VERIFICATION", Budget(200, 200))
    await page.set_content("<input aria-label=x disabled><select aria-label=y><option>a</select>")
    await hands.look()
    for action, name in (("fill", "x"), ("select", "y")):
        failed = await hands.refused(action, hands.ref(name), "open-sesame")  # type: ignore[arg-type]
        assert "sesame" not in failed.model_dump_json()


async def test_an_option_that_is_not_there_is_answered_with_those_that_are(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = Hands(page, {"word": "open-sesame"})
    monkeypatch.setattr(acting, "VERIFICATION", Budget(200, 200))
    await page.set_content("<select aria-label=x><option>Red<option>open-sesame<option>Light  blue</select>")
    await hands.look()
    failed = await hands.refused("select", hands.ref("x"), "Green")
    assert failed.message == (
        "The element could not be acted on within 200 ms: it has no option of that label or value; "
        "it has 'Red', '[REDACTED:word]' and 'Light blue'."
    )
