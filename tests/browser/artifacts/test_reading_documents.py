"""``dom`` and ``accessibility`` hold what the document says, and name what they leave out."""

from __future__ import annotations

import hashlib

import pytest
from playwright.async_api import Page

from tests.browser.artifacts.looks import Attach, reason, value
from tests.loopback import Answer, Loopback


async def test_a_plain_document_reads_as_the_driver_spells_it(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    html = """<!DOCTYPE html><!--before--><html lang='a"b&amp;c' class=x><head><title>T</title></head><body>
    <p title="&lt;&nbsp;">a&nbsp;&lt;<template><i>t</i></template><form><input name=getHTML>
    <input name=tagName></form><img name=documentElement><img name=doctype><noscript><b>n</b></noscript>"""
    await page.goto(loopback.route("/", html))
    artifacts = (await (await attach()).read({"dom"})).artifacts
    dom = value(artifacts, "dom")
    expected = await page.evaluate(
        """() => {
          const root = Object.getOwnPropertyDescriptor(Document.prototype, 'documentElement')
            .get.call(document);
          return '<!DOCTYPE html><!--before-->' + root.outerHTML;
        }"""
    )
    assert dom.text == expected
    assert dom.sha256 == hashlib.sha256(dom.text.encode()).hexdigest()
    assert dom.bytes == len(dom.text.encode())
    assert artifacts.url.state == artifacts.screenshot.state == "not_requested"


async def test_open_shadow_roots_are_spelled_declaratively_however_deep(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    html = """<!DOCTYPE html><body><my-card>light</my-card><script>
    const outer = document.querySelector('my-card').attachShadow({mode: 'open', delegatesFocus: true});
    outer.innerHTML = '<slot></slot><section></section>';
    const inner = outer.querySelector('section').attachShadow({mode: 'open'});
    inner.innerHTML = '<b>deep</b>'; inner.querySelector('b').textContent = 'now';</script>"""
    await page.goto(loopback.route("/", html))
    reading = await (await attach()).read({"dom", "accessibility"})
    assert (
        '<my-card><template shadowrootmode="open" shadowrootdelegatesfocus=""><slot></slot><section>'
        '<template shadowrootmode="open"><b>now</b></template></section></template>light</my-card>'
    ) in value(reading.artifacts, "dom").text
    assert "now" in value(reading.artifacts, "accessibility").text
    assert reading.notes == ()


async def test_closed_roots_and_child_frames_are_named(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    loopback.route("/child", "<p>inside")
    html = """<!DOCTYPE html><input value=1><video controls></video><details>d</details>
    <a-one></a-one><b-two></b-two><div></div><section></section>
    <iframe src=/child></iframe><iframe srcdoc="<p>doc"></iframe><iframe></iframe><script>
    document.querySelector('a-one').attachShadow({mode: 'closed'}).innerHTML = 'only text';
    document.querySelector('b-two').attachShadow({mode: 'open'}).innerHTML = '<i></i><div id=in></div>';
    document.querySelector('b-two').shadowRoot.querySelector('div').attachShadow({mode: 'closed'})
      .innerHTML = '<p>hidden</p>';
    document.querySelector('section').attachShadow({mode: 'closed'});</script>"""
    await page.goto(loopback.route("/", html))
    reading = await (await attach()).read({"dom", "accessibility"})
    held = (
        "does not hold the content of 2 closed shadow roots (a-one and div) and 3 child frames "
        f"(about:blank, about:srcdoc and {loopback.origin}/child)."
    )
    assert reading.notes == (f"dom {held}", f"accessibility {held}")
    text = value(reading.artifacts, "dom").text
    assert "<p>hidden</p></template>" not in text
    assert "inside" not in text


async def test_a_note_is_redacted_and_bounded(page: Page, attach: Attach, loopback: Loopback) -> None:
    frames = "".join(f'<iframe src="/child?{index}={"x" * 300}&t=topsecret"></iframe>' for index in range(40))
    loopback.route("/child", "x")
    await page.goto(loopback.route("/", frames))
    reading = await (await attach(token="topsecret")).read({"dom"})
    (note,) = reading.notes
    assert "40 child frames" in note
    assert "and 32 more" in note
    assert "topsecret" not in note
    assert len(note) <= 1_000


async def test_frames_of_another_site_are_counted_too(page: Page, attach: Attach, loopback: Loopback) -> None:
    other = loopback.route("/child", "<p>elsewhere").replace("127.0.0.1", "localhost")
    await page.goto(loopback.route("/", f"<iframe src='{other}'></iframe>"))
    reading = await (await attach()).read({"dom"})
    assert reading.notes == (f"dom does not hold the content of 1 child frame ({other}).",)


@pytest.mark.parametrize(
    ("content_type", "body", "dom", "accessibility"),
    [
        (
            "image/svg+xml",
            '<svg xmlns="http://www.w3.org/2000/svg"><text>hi &amp; ho</text></svg>',
            None,
            "hi & ho",
        ),
        (
            "application/xhtml+xml",
            '<html xmlns="http://www.w3.org/1999/xhtml"><head></head><body><p>x<br /></p></body></html>',
            None,
            "paragraph: x",
        ),
        ("application/xml", "<a><b>xml text</b></a>", "xml text", "xml text"),
        ("text/plain", "plain & simple", "plain &amp; simple", "plain & simple"),
        ("text/html", "<frameset><frame src='about:blank'></frameset>", "<frameset><frame", "iframe"),
    ],
)
async def test_documents_of_other_kinds_have_a_text(
    page: Page,
    attach: Attach,
    loopback: Loopback,
    content_type: str,
    body: str,
    dom: str | None,
    accessibility: str,
) -> None:
    await page.goto(loopback.route("/", Answer(body, content_type)))
    artifacts = (await (await attach()).read({"dom", "accessibility"})).artifacts
    assert (body if dom is None else dom) in value(artifacts, "dom").text
    assert accessibility in value(artifacts, "accessibility").text


async def test_a_document_without_body_or_root_is_read_honestly(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    await page.goto(loopback.route("/", "<!DOCTYPE html><p>x"))
    reader = await attach()
    await page.evaluate("document.body.remove()")
    without_body = (await reader.read({"dom", "accessibility"})).artifacts
    assert value(without_body, "dom").text == "<!DOCTYPE html><html><head></head></html>"
    assert value(without_body, "accessibility").text == "- document"
    await page.evaluate("document.documentElement.remove()")
    without_root = (await reader.read({"dom", "accessibility"})).artifacts
    assert value(without_root, "dom").text == "<!DOCTYPE html>"
    assert reason(without_root, "accessibility") == "the document has no element"


async def test_a_replaced_root_element_and_a_rewritten_document_are_current(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    await page.goto(loopback.route("/", "<!DOCTYPE html><p>old"))
    reader = await attach()
    await page.evaluate(
        """() => {
          const root = document.createElement('main-root');
          root.attachShadow({mode: 'open'}).innerHTML = '<b>shadow</b>';
          root.append('light');
          document.documentElement.replaceWith(root);
        }"""
    )
    replaced = value((await reader.read({"dom"})).artifacts, "dom").text
    expected = '<main-root><template shadowrootmode="open"><b>shadow</b></template>light</main-root>'
    assert replaced == f"<!DOCTYPE html>{expected}"
    await page.evaluate("document.open(); document.write('<p>written'); document.close()")
    written = value((await reader.read({"dom"})).artifacts, "dom").text
    assert written == "<html><head></head><body><p>written</p></body></html>"


async def test_a_page_that_rewrites_itself_all_the_time_is_read(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    html = """<p>x<script>setInterval(() => {
      document.open(); document.write('<p>again</p>'); document.close(); }, 1)</script>"""
    await page.goto(loopback.route("/", html), wait_until="commit")
    artifacts = (await (await attach()).read({"dom", "accessibility", "url", "screenshot"})).artifacts
    assert value(artifacts, "url").url == f"{loopback.origin}/"
    assert "<html>" in value(artifacts, "dom").text
    assert artifacts.accessibility.state == "captured"
    assert value(artifacts, "screenshot").width == 400


async def test_lone_surrogates_become_replacement_characters_and_nul_survives(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    await page.goto(loopback.route("/", "<!DOCTYPE html><p>"))
    await page.evaluate("document.querySelector('p').textContent = 'a\\ud800b\\u0000c\\ud83d\\ude00'")
    artifacts = (await (await attach()).read({"dom", "accessibility"})).artifacts
    assert "<p>a\N{REPLACEMENT CHARACTER}b\0c\N{GRINNING FACE}</p>" in value(artifacts, "dom").text
    assert "\N{REPLACEMENT CHARACTER}" in value(artifacts, "accessibility").text


async def test_secrets_are_references_in_both_texts(page: Page, attach: Attach, loopback: Loopback) -> None:
    html = "<!DOCTYPE html><p title='pa&quot;ss&amp;word'>pa\"ss&amp;word</p><button>pa\"ss&amp;word</button>"
    await page.goto(loopback.route("/", html))
    artifacts = (await (await attach(pw='pa"ss&word')).read({"dom", "accessibility"})).artifacts
    for name in ("dom", "accessibility"):
        text = value(artifacts, name).text
        assert "[REDACTED:pw]" in text
        assert "ss&" not in text
        assert value(artifacts, name).sha256 == hashlib.sha256(text.encode()).hexdigest()


async def test_ten_megabytes_of_document_are_read_whole(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    await page.goto(loopback.route("/", f"<!DOCTYPE html><p hidden>{'0123456789abcde ' * 655_360}</p>"))
    artifacts = (await (await attach(timeout_ms=30_000)).read({"dom", "url"})).artifacts
    assert value(artifacts, "dom").bytes > 10 * 1024 * 1024
    assert value(artifacts, "url").url == f"{loopback.origin}/"


async def test_a_document_that_changes_under_the_read_is_read_again(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    html = """<p>x<script>
    const count = Number(location.search.slice(1));
    if (count < 6) setTimeout(() => location.replace('/?' + (count + 1)), 30);</script>"""
    await page.goto(loopback.route("/", html), wait_until="commit")
    reader = await attach()
    for _ in range(4):
        artifacts = (await reader.read({"dom", "url", "history"})).artifacts
        assert value(artifacts, "url").url.startswith(loopback.origin)
        assert artifacts.dom.state == "captured"
    await page.wait_for_url("**/?6")
    at_rest = (await reader.read({"dom", "url"})).artifacts
    assert "html" in value(at_rest, "dom").text
    assert value(at_rest, "url").url.endswith("/?6")
