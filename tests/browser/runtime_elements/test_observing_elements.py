"""What an observation lists: visible, interactive, named, in order, and no value of any input."""

from __future__ import annotations

import pytest
from playwright.async_api import Page

from rea_capture.browser.runtime import looking
from rea_capture.contracts.runtime.budgets import (
    MAX_ELEMENT_NAME_CHARACTERS,
    MAX_OBSERVED_ELEMENTS,
    Budget,
)
from rea_capture.contracts.runtime.errors import BrowserOperationError
from tests.browser.runtime_elements.hands import Hands, elsewhere
from tests.loopback import Answer, Loopback


@pytest.mark.parametrize(
    ("html", "role", "name"),
    [
        ("<button>Go <b>now</b></button>", "button", "Go now"),
        ("<a href=/x>There</a>", "link", "There"),
        ("<a href=/x><img alt=Home src=data:></a>", "link", "Home"),
        ("<label>Name <input></label>", "textbox", "Name"),
        ("<label for=i>Word</label><input id=i type=password>", "textbox", "Word"),
        ("<input placeholder=Search type=search>", "searchbox", "Search"),
        ("<input type=number aria-label=Count>", "spinbutton", "Count"),
        ("<input type=range title=Loudness>", "slider", "Loudness"),
        ("<input type=submit>", "button", "Submit"),
        ("<input type=button value=Press>", "button", "Press"),
        ("<input list=l aria-label=Town><datalist id=l></datalist>", "combobox", "Town"),
        ("<label><input type=checkbox> Agree</label>", "checkbox", "Agree"),
        ("<select aria-label=Color><option>Red</select>", "combobox", "Color"),
        ("<select multiple aria-label=Colors><option>Red</select>", "listbox", "Colors"),
        ("<textarea aria-label=Notes></textarea>", "textbox", "Notes"),
        ("<div contenteditable aria-label=Text>held</div>", "textbox", "Text"),
        ("<details><summary>More</summary>x</details>", "button", "More"),
        ("<span role=switch tabindex=0>Dark</span>", "switch", "Dark"),
        ("<div role='nonsense menuitem'>Save</div>", "menuitem", "Save"),
        ("<p onclick=1>Card</p>", "generic", "Card"),
        ("<p style='cursor:pointer'>Card <i>inside</i></p>", "generic", "Card inside"),
        ("<i id=a>One</i><i id=b>Two</i><button aria-labelledby='b a'>x</button>", "button", "Two One"),
        ("<button aria-label='  Close\n dialog '>x</button>", "button", "Close dialog"),
        ("<button><span hidden>no</span><span aria-hidden=true>no</span>yes</button>", "button", "yes"),
        ("<button><div>a</div><div>b</div>c<br>d</button>", "button", "a b c d"),
        ("<svg width=9 height=9 style='cursor:pointer' aria-label=Icon><rect width=9 height=9 /></svg>",
         "generic", "Icon"),
    ],
)  # fmt: skip
async def test_an_element_has_a_role_and_a_name(
    page: Page, hands: Hands, html: str, role: str, name: str
) -> None:
    await page.set_content(html)
    assert await hands.names() == [(role, name)]


@pytest.mark.parametrize(
    "html",
    [
        "<button hidden>x</button>",
        "<button style='display:none'>x</button>",
        "<button style='visibility:hidden'>x</button>",
        "<div style='content-visibility:hidden'><button>x</button></div>",
        "<details><summary style='display:none'></summary><button>x</button></details>",
        "<button style='width:0;height:0;padding:0;border:0'></button>",
        "<input type=hidden value=x>",
        "<div inert><button>x</button></div>",
        "<template><button>x</button></template>",
        "<a>no link</a><p>text</p><label>only text</label>",
    ],
)
async def test_what_is_hidden_or_cannot_be_acted_on_is_not_listed(
    page: Page, hands: Hands, html: str
) -> None:
    await page.set_content(html)
    assert await hands.names() == []


@pytest.mark.parametrize(
    ("html", "state"),
    [
        ("<button disabled>x</button>", {"disabled": True}),
        ("<fieldset disabled><button>x</button></fieldset>", {"disabled": True}),
        ("<div aria-disabled=true><button>x</button></div>", {"disabled": True}),
        ("<input type=checkbox checked aria-label=x>", {"checked": "true"}),
        ("<i role=checkbox aria-checked=mixed tabindex=0>x</i>", {"checked": "mixed"}),
        ("<button aria-expanded=false>x</button>", {"expanded": False}),
        ("<details open><summary>x</summary></details>", {"expanded": True}),
        ("<div role=tab aria-selected=true>x</div>", {"selected": True}),
        ("<button aria-pressed=mixed>x</button>", {"pressed": "mixed"}),
        ("<input required readonly aria-label=x>", {"required": True, "readonly": True}),
        ("<button autofocus>x</button><script>document.querySelector('button').focus()</script>",
         {"focused": True}),
    ],
)  # fmt: skip
async def test_an_element_has_its_state(page: Page, hands: Hands, html: str, state: object) -> None:
    await page.set_content(html)
    assert await hands.state("x") == state


async def test_no_value_of_an_input_is_in_a_list(page: Page, hands: Hands) -> None:
    await page.set_content(
        "<input id=p type=password value=hidden-a><input id=q type=hidden value=hidden-b>"
        "<button aria-labelledby='p q'>Fallback</button>"
        "<label>Flash <input value=hidden-c> times <textarea>hidden-d</textarea>"
        "<select><option>hidden-e</select><b contenteditable>hidden-f</b>"
        "<i role=textbox>hidden-g</i><input type=checkbox></label>"
        "<div contenteditable>hidden-h</div><div role=combobox tabindex=0>hidden-i</div>"
    )
    seen = await hands.look()
    assert len(seen) == 10
    assert "hidden-" not in repr(seen)
    assert ("button", "Fallback") in [(each.role, each.name) for each in seen]
    assert ("textbox", "Flash times") in [(each.role, each.name) for each in seen]


async def test_elements_stand_in_the_order_of_the_document_through_shadow_roots_and_frames(
    page: Page, hands: Hands, loopback: Loopback, other_loopback: Loopback
) -> None:
    other_loopback.route("/far", "<button>far</button>")
    loopback.route("/near", f"<button>near</button><iframe src={elsewhere(other_loopback)}/far></iframe>")
    await page.goto(
        loopback.route(
            "/",
            "<button>first</button><my-box><b slot=s><button>slotted</button></b></my-box>"
            "<iframe src=/near></iframe><iframe hidden src=/near></iframe><button>last</button>"
            "<script>customElements.define('my-box', class extends HTMLElement { constructor() { super();"
            "this.attachShadow({mode: 'open'}).innerHTML ="
            "'<button>before</button><slot name=s></slot><button>after</button>'}})</script>",
        )
    )
    order = ["first", "before", "slotted", "after", "near", "far", "last"]
    for _ in range(2):
        assert [name for _, name in await hands.names()] == order
    (far,) = [
        frame for frame in page.frames if frame.url.endswith("/far") and frame.parent_frame is not None
    ][:1]
    session = await page.context.new_cdp_session(far)  # which only a frame of another process has
    await session.detach()


async def test_a_closed_shadow_root_is_said_to_be_left_out(page: Page, hands: Hands) -> None:
    await page.set_content(
        "<my-box></my-box><script>customElements.define('my-box', class extends HTMLElement {"
        "constructor() { super();"
        "this.attachShadow({mode: 'closed'}).innerHTML = '<button>x</button>'}})</script>"
    )
    assert await hands.look() == []
    assert hands.seen is not None
    assert hands.seen.limitations == (
        "1 custom element may hold more in closed shadow roots, which are not looked into.",
    )


async def test_a_list_is_bounded_and_counts_the_rest(page: Page, hands: Hands) -> None:
    await page.set_content("<script>document.write('<button>b</button>'.repeat(10000))</script>")
    seen = await hands.look()
    assert hands.seen is not None
    assert (len(seen), hands.seen.omitted) == (MAX_OBSERVED_ELEMENTS, 10_000 - MAX_OBSERVED_ELEMENTS)
    assert len({each.ref for each in seen}) == len(seen)


async def test_elements_of_frames_count_towards_the_bound(page: Page, hands: Hands) -> None:
    many = "<button>inner</button>" * 150
    await page.set_content(f"<iframe srcdoc='{many}'></iframe>" + "<button>outer</button>" * 150)
    names = [name for _, name in await hands.names()]
    assert hands.seen is not None
    assert names == ["inner"] * 150 + ["outer"] * 50
    assert hands.seen.omitted == 100


async def test_a_name_is_bounded_however_long(page: Page, hands: Hands) -> None:
    await page.set_content("<script>document.write(`<button>${'x'.repeat(1 << 20)}</button>`)</script>")
    ((_, name),) = await hands.names()
    assert (len(name), name[-1]) == (MAX_ELEMENT_NAME_CHARACTERS, "…")


async def test_what_nobody_would_see_in_a_name_is_written_out(page: Page, hands: Hands) -> None:
    await page.set_content("<button aria-label='a&#x202e;b&#x200b;c&#7;'>x</button>")
    assert await hands.names() == [("button", "a\\u202eb\\u200bc\\x07")]


async def test_secrets_are_redacted_in_names_before_these_are_shortened(page: Page) -> None:
    hands = Hands(page, {"word": "open-sesame"})
    text = "x" * (MAX_ELEMENT_NAME_CHARACTERS - 5)
    await page.set_content(f"<button>{text}open-sesame</button><button>say open-sesame</button>")
    (_, cut), (_, whole) = await hands.names()
    assert whole == "say [REDACTED:word]"
    assert "open" not in cut


async def test_a_hostile_page_cannot_change_what_is_seen(page: Page, hands: Hands) -> None:
    await page.set_content(
        "<form><input name=tabIndex aria-label=a><input name=getAttribute aria-label=b>"
        "<input name=ownerDocument aria-label=c><input name=parentNode aria-label=d></form>"
        "<img name=createElementNS><img name=activeElement><img name=documentElement><button>e</button>"
        "<script>for (const owner of [Element, Node, HTMLElement, HTMLInputElement, Document])"
        "for (const name of Object.getOwnPropertyNames(owner.prototype)) {"
        "try { Object.defineProperty(owner.prototype, name, {get() { throw new Error('no') }}) } catch {} }"
        "JSON.stringify = Map.prototype.get = WeakMap.prototype.get = () => { throw new Error('no') };"
        "</script>"
    )
    assert [name for _, name in await hands.names()] == ["a", "b", "c", "d", "e"]


async def test_a_page_that_forbids_all_scripts_is_observed_all_the_same(
    page: Page, hands: Hands, loopback: Loopback
) -> None:
    policy = [("content-security-policy", "default-src 'none'; sandbox; require-trusted-types-for 'script'")]
    url = loopback.route(
        "/", Answer("<button>x</button><iframe srcdoc='<button>y'></iframe>", headers=policy)
    )
    await page.goto(url)
    assert [name for _, name in await hands.names()] == ["x", "y"]


async def test_observing_changes_nothing_that_scripts_can_see(page: Page, hands: Hands) -> None:
    await page.set_content(
        "<button>x</button><input value=y><script>window.seen = [];"
        "new MutationObserver(all => seen.push(...all.map(each => each.type)))"
        ".observe(document, {subtree: true, childList: true, attributes: true, characterData: true});"
        "for (const kind of ['focus', 'blur', 'scroll', 'click', 'mousemove', 'selectionchange'])"
        "addEventListener(kind, () => seen.push(kind), true)</script>"
    )
    before = await page.content()
    await hands.look()
    assert await page.evaluate("new Promise(done => setTimeout(() => done(seen)))") == []
    assert await page.content() == before


async def test_a_page_that_hangs_is_a_timeout_and_touches_nothing(
    page: Page, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "READ_WAIT", Budget(300, 300))
    await page.set_content("<button>x</button>")
    await page.evaluate("setTimeout(() => { const end = Date.now() + 800; while (Date.now() < end); })")
    with pytest.raises(BrowserOperationError) as caught:
        await hands.look()
    assert (caught.value.details.code, caught.value.details.mutation_state) == ("timeout", "not_attempted")


async def test_a_document_without_elements_has_none(page: Page, hands: Hands) -> None:
    await page.evaluate("document.documentElement.remove()")
    assert await hands.look() == []


async def test_the_title_comes_along_whatever_the_page_calls_its_parts(page: Page, hands: Hands) -> None:
    await page.set_content("<title> Hello   there </title><img name=title><p>x")
    await hands.look()
    assert hands.seen is not None
    assert hands.seen.title == await hands.elements.title(page, 5_000) == "Hello there"


async def test_a_frame_that_hangs_is_counted_and_the_rest_is_there(
    page: Page,
    hands: Hands,
    loopback: Loopback,
    other_loopback: Loopback,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(looking, "FRAME_MS", 300)
    other_loopback.route(
        "/far",
        "<button>far</button><script>onmessage = () => { parent.postMessage('hangs', '*');"
        "setTimeout(() => { const end = Date.now() + 1500; while (Date.now() < end); }) }</script>",
    )
    await page.goto(
        loopback.route("/", f"<button>near</button><iframe src={elsewhere(other_loopback)}/far></iframe>")
    )
    await page.evaluate(
        "new Promise(hangs => { onmessage = hangs; frames[0].postMessage('hang', '*') }).then(() => null)"
    )
    assert [name for _, name in await hands.names()] == ["near"]
    assert hands.seen is not None
    assert hands.seen.limitations == ("The elements of 1 frame could not be read.",)


async def test_more_frames_than_are_looked_into_are_counted(
    page: Page, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "FRAME_MS", 15_000)
    await page.set_content("<iframe srcdoc='<button>x</button>'></iframe>" * (looking.MAX_FRAMES + 3))
    assert len(await hands.look()) == looking.MAX_FRAMES
    assert hands.seen is not None
    assert hands.seen.limitations == ("The elements of 3 frames could not be read.",)


async def test_names_that_take_long_to_find_do_not_keep_a_look_from_ending(page: Page, hands: Hands) -> None:
    await page.set_content(
        "<div id=d hidden></div><script>d.innerHTML = '<i> </i>'.repeat(4000);"
        "const button = `<button aria-labelledby='${'d '.repeat(16)}' title=x></button>`;"
        "document.body.insertAdjacentHTML('beforeend', button.repeat(200))</script>"
    )
    assert await hands.names() == [("button", "x")] * MAX_OBSERVED_ELEMENTS
