"""What is read of a page, and what of it is expected."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from rea_capture.browser.runtime.live import LiveSession
from rea_capture.contracts.runtime.budgets import MAX_READ_CHARACTERS
from rea_capture.contracts.runtime.operations import AssertRequest, CloseTabRequest, TextAssertion
from tests.browser.runtime.asking import click, expect, failed, go, popup, read, tabs
from tests.browser.runtime.conftest import OpenSession
from tests.loopback import Answer, Loopback

VISIBLE = """<title>  The   title </title>
<h1>Orders</h1><p>One <b>bold</b>er\n  line</p><p style='text-transform:uppercase'>shout</p>
<ul><li>first</li><li>second</li></ul><table><tr><td>a</td><td>b</td></tr></table>
<pre>kept   apart</pre>before<br>after<div id=host></div>
<script>host.attachShadow({mode: 'open'}).innerHTML = '<p>in a shadow</p><slot></slot>'</script>"""

HIDDEN = {
    "not displayed": "<p style='display:none'>Secret words</p>",
    "hidden": "<p style='visibility:hidden'>Secret words</p>",
    "hidden by attribute": "<p hidden>Secret words</p>",
    "transparent": "<div style='opacity:0'><p>Secret words</p></div>",
    "beside the page": "<p style='position:absolute;left:-9999px'>Secret words</p>",
    "clipped": "<p style='position:absolute;width:1px;height:1px;overflow:hidden'>Secret words</p>",
    "closed details": "<details><summary>More</summary>Secret words</details>",
    "skipped": "<div style='content-visibility:hidden'>Secret words</div>",
    "text field": "<input value='Secret words'>",
    "password": "<input type=password value='Secret words'>",
    "placeholder": "<input placeholder='Secret words'>",
    "text area": "<textarea>Secret words</textarea>",
    "options": "<select><option>Secret words</option></select>",
    "editable": "<div contenteditable>Secret words</div>",
    "script": "<script>'Secret words'</script><style>/* Secret words */</style>",
    "no script": "<noscript>Secret words</noscript>",
    "template": "<template>Secret words</template>",
    "comment": "<!-- Secret words -->",
    "attribute": "<p title='Secret words' data-x='Secret words'>x</p>",
    "frame": "<iframe srcdoc='Secret words'></iframe>",
    "fallback": "<canvas>Secret words</canvas><video>Secret words</video><object>Secret words</object>",
}


async def test_text_is_read_as_it_is_rendered(shared: LiveSession, site: Loopback) -> None:
    await go(shared, site.route("/", VISIBLE))
    seen = await read(shared)
    assert seen.text.split("\n") == [
        "Orders",
        "One bolder line",
        "SHOUT",
        "first",
        "second",
        "a\tb",
        "kept   apart",
        "before",
        "after",
        "in a shadow",
    ]
    assert (seen.omitted_characters, seen.limitations) == (0, ())
    assert (seen.tab.title, seen.tab.url, seen.tab.origin) == ("The title", f"{site.origin}/", site.origin)


@pytest.mark.parametrize("how", HIDDEN)
async def test_what_nobody_sees_is_not_read(how: str, shared: LiveSession, site: Loopback) -> None:
    await go(shared, site.route("/", f"<p>Shown</p>{HIDDEN[how]}<p>and this</p>"))
    seen = await read(shared)
    assert "Secret" not in seen.text
    assert seen.text.startswith("Shown")
    assert seen.text.endswith("and this")
    await failed(expect(shared, kind="text", value="Secret words"), "assertion_failed")


async def test_what_is_beyond_the_bound_is_counted_and_still_looked_at(
    shared: LiveSession, site: Loopback
) -> None:
    await go(shared, site.route("/", f"<p>{'x' * 300_000}</p><p>the end</p>"))
    seen = await read(shared)
    assert seen.text == "x" * MAX_READ_CHARACTERS
    assert seen.omitted_characters == 300_000 + len("\nthe end") - MAX_READ_CHARACTERS
    await expect(shared, kind="text", value="x the end")


async def test_frames_and_editable_regions_are_counted_not_read(shared: LiveSession, site: Loopback) -> None:
    regions = "<iframe srcdoc=x></iframe><iframe srcdoc=y></iframe><p contenteditable>z</p>"
    await go(shared, site.route("/", regions))
    assert (await read(shared)).limitations == (
        "2 visible frames were left out: frames are not read.",
        "1 editable region was left out: what inputs hold is not read.",
    )


async def test_a_page_cannot_change_what_is_read_of_it(shared: LiveSession, site: Loopback) -> None:
    lies = """<p id=p>true</p><script>
      Object.defineProperty(document, 'title', { get: () => 'a lie' });
      Range.prototype.getClientRects = () => [];
      window.getComputedStyle = () => ({ display: 'none' });
      Object.defineProperty(Text.prototype, 'data', { get: () => 'a lie' });</script>"""
    await go(shared, site.route("/", f"<title>true</title>{lies}"))
    seen = await read(shared)
    assert (seen.text, seen.tab.title) == ("true", "true")


@pytest.mark.parametrize(
    "assertion",
    [
        {"kind": "url", "value": "{here}/page?a=1"},
        {"kind": "url", "match": "origin", "value": "{here}"},
        {"kind": "title", "value": "A page"},
        {"kind": "title", "match": "contains", "value": "pag"},
        {"kind": "text", "value": "two\n  words"},
    ],
)
async def test_what_holds_is_said_to_hold(
    assertion: dict[str, Any], shared: LiveSession, site: Loopback
) -> None:
    site.route("/page", "<title>A page</title><p>two   <i>words</i></p>")
    await go(shared, f"{site.origin}/page?a=1")
    filled = {name: value.replace("{here}", site.origin) for name, value in assertion.items()}
    await expect(shared, **filled)


@pytest.mark.parametrize(
    ("assertion", "said"),
    [
        ({"kind": "url", "value": "http://127.0.0.1/page"}, "it is 'http://127.0.0.1:"),
        (
            {"kind": "url", "match": "origin", "value": "http://127.0.0.1:1"},
            "its origin is http://127.0.0.1:",
        ),
        ({"kind": "title", "value": "A pag"}, "it is 'A page'"),
        ({"kind": "title", "match": "contains", "value": "Page"}, "it is 'A page'"),
        ({"kind": "text", "value": "other words"}, "it begins 'two words'"),
    ],
)
async def test_what_does_not_hold_is_told_with_what_is_there_instead(
    assertion: dict[str, Any], said: str, shared: LiveSession, site: Loopback
) -> None:
    await go(shared, site.route("/page", "<title>A page</title><p>two   words</p>"))
    details = await failed(expect(shared, **assertion), "assertion_failed")
    assert said in details.message
    assert (details.phase, details.mutation_state, details.retry) == ("verify", "not_attempted", "safe")


async def test_an_assertion_waits_for_what_comes_and_not_for_longer(
    shared: LiveSession, site: Loopback
) -> None:
    comes = "<p id=p>not yet</p><script>setTimeout(() => p.textContent = 'done', 300)</script>"
    await go(shared, site.route("/", comes))
    await failed(expect(shared, kind="text", value="done"), "assertion_failed")
    await expect(shared, kind="text", value="done", wait="bounded")
    loop = asyncio.get_running_loop()
    begun = loop.time()
    await failed(expect(shared, kind="text", value="never", wait="bounded"), "assertion_failed")
    assert 3.0 <= loop.time() - begun < 4.5


async def test_a_bounded_read_waits_for_the_document(shared: LiveSession, site: Loopback) -> None:
    late = "<p>here</p><script>setTimeout(() => location = '/late', 0)</script>"
    site.route("/late", "<p>late</p>")
    await go(shared, site.route("/", late))
    await expect(shared, kind="text", value="late", wait="bounded")
    assert (await read(shared, wait="bounded")).text == "late"


async def test_a_page_that_hangs_times_out_and_is_still_listed_and_closed(
    open_session: OpenSession, site: Loopback
) -> None:
    live = await open_session()
    may_hang = threading.Event()

    def wait(_: object, __: object) -> Answer:
        may_hang.wait(10)
        return Answer("")

    site.route("/wait", wait)
    hangs = "fetch('/wait').then(() => { for (;;); })"
    site.route("/hangs", f"<title>Hangs</title><script>{hangs}</script>")
    opens = "<button onclick='window.open(`/hangs`, ``, `noopener`)'>Open</button>"
    await go(live, site.route("/opens", opens))
    await click(live, "Open")
    hung = (await popup(live)).tab_id
    may_hang.set()
    details = await failed(expect(live, kind="text", value="never", wait="bounded", tab=hung), "timeout")
    assert details.mutation_state == "not_attempted"
    assert [tab.title for tab in (await tabs(live)).tabs] == ["", "Hangs"]
    assert (await live.close_tab(CloseTabRequest(tab=hung), "*")).closed == hung
    assert (await read(live)).tab.url == f"{site.origin}/opens"


async def test_a_read_that_is_cancelled_leaves_the_session_usable(
    shared: LiveSession, site: Loopback
) -> None:
    await go(shared, site.route("/", "<p>here</p>"))
    assertion = TextAssertion(kind="text", value="never")
    request = AssertRequest(assertion=assertion, wait="bounded")
    waiting = asyncio.ensure_future(shared.assert_(request, "*"))  # noqa: PT009 - not unittest's
    reading = asyncio.ensure_future(read(shared))
    assert (await reading).text == "here"
    waiting.cancel()
    assert isinstance((await asyncio.gather(waiting, return_exceptions=True))[0], asyncio.CancelledError)
    assert (await read(shared)).text == "here"


async def test_a_secret_is_shown_nowhere_once_it_is_known(open_session: OpenSession, site: Loopback) -> None:
    secret = "hunter2 & zebra"
    live = await open_session()
    page = f"<title>{secret}</title><h1>{secret}</h1><script>alert('{secret}')</script>"
    site.route("/hunter2", Answer(page.replace("&", "&amp;", 2)))
    live.redact("password", secret)
    live.redact("empty", "")
    await go(live, f"{site.origin}/hunter2?q=hunter2+%26+zebra")
    seen = await read(live)
    listed = await tabs(live)
    details = await failed(expect(live, kind="title", value="x"), "assertion_failed")
    request = AssertRequest(assertion=TextAssertion(kind="text", value=secret), wait="none")
    held = await live.assert_(request, "*")  # noqa: PT009 - not unittest's
    for said in (seen.wire(), listed.wire(), details.wire(), held.wire(), live.limitations):
        assert "zebra" not in str(said)
        assert "[REDACTED:password]" in str(said)
    assert seen.text == "[REDACTED:password]"


async def test_a_value_that_cannot_be_kept_secret_is_refused(shared: LiveSession) -> None:
    async def learn() -> None:
        shared.redact("short", "x")

    details = await failed(learn(), "credential_unavailable")
    assert "short" in details.message


async def test_user_names_in_addresses_are_never_shown(shared: LiveSession, site: Loopback) -> None:
    site.route("/user", "<p>with user</p>")
    with_user = site.origin.replace("http://", "http://somebody:pass@")
    await go(shared, site.route("/", f"<script>location = '{with_user}/user'</script>"))
    await expect(shared, kind="text", value="with user", wait="bounded")
    tab = (await read(shared)).tab
    assert (tab.url, tab.origin) == (f"{site.origin}/user", site.origin)


@pytest.mark.parametrize(
    "name",
    ["childNodes", "shadowRoot", "nodeType", "localName", "tagName", "checkVisibility", "isContentEditable",
     "getBoundingClientRect", "children", "assignedNodes"],
)  # fmt: skip
async def test_a_control_of_any_name_hides_nothing_of_its_form(
    shared: LiveSession, site: Loopback, name: str
) -> None:
    await go(shared, site.route("/", f"<form><input name={name}><p>Payment accepted</p></form>"))
    seen = await read(shared)
    assert (seen.text, seen.limitations) == ("Payment accepted", ())


@pytest.mark.parametrize("name", ["title", "readyState", "createRange", "documentElement"])
async def test_a_form_of_any_name_hides_nothing_of_its_document(
    shared: LiveSession, site: Loopback, name: str
) -> None:
    await go(shared, site.route("/", f"<title>Shop</title><form name={name}></form><p>here</p>"))
    seen = await read(shared, wait="bounded")
    assert (seen.text, seen.tab.title) == ("here", "Shop")
