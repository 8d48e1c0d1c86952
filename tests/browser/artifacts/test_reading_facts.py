"""``url``, ``history`` and ``storage`` are what the document itself says."""

from __future__ import annotations

import hashlib

import pytest
from playwright.async_api import BrowserContext, Page

from tests.browser.artifacts.looks import Attach, reason, value
from tests.loopback import Answer, Loopback


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


async def test_url_is_what_the_document_says_with_secrets_as_references(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    await page.goto(loopback.route("/a", "x") + "?z=1&b=s3cr%20et#top")
    url = value((await (await attach(key="s3cr et")).read({"url"})).artifacts, "url")
    assert url.url == f"{loopback.origin}/a?z=1&b=[REDACTED:key]#top"
    assert url.origin == loopback.origin
    assert url.query_parameter_names == ("b", "z")
    assert url.redacted is True


async def test_url_follows_the_history_api(page: Page, attach: Attach, loopback: Loopback) -> None:
    await page.goto(loopback.route("/a", "<script>history.pushState(0, '', '/b#c')</script>"))
    artifacts = (await (await attach()).read({"url", "history"})).artifacts
    assert value(artifacts, "url").url == f"{loopback.origin}/b#c"
    history = value(artifacts, "history")
    assert history.current_url == value(artifacts, "url")
    assert history.length == 3  # about:blank, /a, /b#c
    assert [(entry.type, entry.name) for entry in history.navigation_entries] == [
        ("navigate", f"{loopback.origin}/a")
    ]


async def test_navigation_entries_hide_user_information_and_secrets(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    url = loopback.route("/a", "x") + "?t=topsecret"
    await page.goto(url.replace("127.0.0.1", "user:pass@127.0.0.1"))
    await page.reload()
    artifacts = (await (await attach(token="topsecret")).read({"history"})).artifacts
    (entry,) = value(artifacts, "history").navigation_entries
    assert (entry.type, entry.name) == ("reload", f"{loopback.origin}/a?t=[REDACTED:token]")


async def test_storage_holds_digests_sorted_and_no_secret(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    html = """<script>
    localStorage.setItem('z', ''); localStorage.setItem('a', 'caf\\u00e9');
    localStorage.setItem('token-topsecret', 'Bearer topsecret');
    localStorage.setItem('key', 'k'); localStorage.setItem('length', 'l');
    localStorage.setItem('getItem', 'g');
    sessionStorage.setItem('half', 'a\\ud800b');</script>"""
    cookies = [("Set-Cookie", "b=2; HttpOnly; SameSite=Strict"), ("Set-Cookie", "a=topsecret; Path=/a")]
    await page.goto(loopback.route("/a", Answer(html, headers=cookies)))
    storage = value((await (await attach(token="topsecret")).read({"storage"})).artifacts, "storage")
    assert [(entry.name, entry.value_state, entry.value_sha256) for entry in storage.local_storage] == [
        ("a", "hashed", digest("café")),
        ("getItem", "hashed", digest("g")),
        ("key", "hashed", digest("k")),
        ("length", "hashed", digest("l")),
        ("token-[REDACTED:token]", "redacted-secret", None),
        ("z", "hashed", digest("")),
    ]
    (half,) = storage.session_storage
    assert half.value_sha256 == digest("a\N{REPLACEMENT CHARACTER}b")
    assert [
        (each.name, each.path, each.http_only, each.same_site, each.value_state, each.value_sha256)
        for each in storage.cookies
    ] == [
        ("a", "/a", False, "Lax", "redacted-secret", None),
        ("b", "/", True, "Strict", "hashed", digest("2")),
    ]
    assert {each.domain for each in storage.cookies} == {"127.0.0.1"}


async def test_cookies_are_those_of_the_page_url_only(
    context: BrowserContext, page: Page, attach: Attach, loopback: Loopback
) -> None:
    await context.add_cookies(
        [
            {"name": "mine", "value": "1", "domain": "127.0.0.1", "path": "/"},
            {"name": "other-path", "value": "1", "domain": "127.0.0.1", "path": "/elsewhere"},
            {"name": "other-host", "value": "1", "domain": "example.test", "path": "/"},
        ]
    )
    await page.goto(loopback.route("/a", "<script>history.pushState(0, '', '/elsewhere/b')</script>"))
    storage = value((await (await attach()).read({"storage"})).artifacts, "storage")
    assert [cookie.name for cookie in storage.cookies] == ["mine", "other-path"]


async def test_partitioned_cookies_are_read(page: Page, attach: Attach, loopback: Loopback) -> None:
    headers = [("Set-Cookie", "chip=1; Secure; SameSite=None; Partitioned; Path=/")]
    url = loopback.route("/", Answer("x", headers=headers)).replace("127.0.0.1", "localhost")
    await page.goto(url)
    (cookie,) = value((await (await attach()).read({"storage"})).artifacts, "storage").cookies
    assert (cookie.name, cookie.same_site, cookie.secure) == ("chip", "None", True)


@pytest.mark.parametrize("kind", ["data", "sandbox", "blank"])
async def test_denied_storage_is_missing_and_says_why(
    page: Page, attach: Attach, loopback: Loopback, kind: str
) -> None:
    sandbox = [("Content-Security-Policy", "sandbox")]
    urls = {
        "data": "data:text/html,<p>x",
        "sandbox": loopback.route("/", Answer("<p>x", headers=sandbox)),
        "blank": "about:blank",
    }
    await page.goto(urls[kind])
    reading = await (await attach()).read({"url", "history", "storage", "dom", "accessibility", "screenshot"})
    assert reason(reading.artifacts, "storage").startswith("the page may not use storage: ")
    assert value(reading.artifacts, "url").url.rstrip("/") == urls[kind].rstrip("/")
    assert value(reading.artifacts, "history").length >= 1
    assert "<html>" in value(reading.artifacts, "dom").text
    assert value(reading.artifacts, "accessibility").text.startswith("- ")
    assert value(reading.artifacts, "screenshot").height == 300


async def test_a_page_that_replaced_the_built_in_functions_is_read_all_the_same(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    html = """<!DOCTYPE html><p>true</p><script>
    localStorage.setItem('a', '1');
    const lie = () => 'lie';
    for (const [owner, name] of [[Storage, 'getItem'], [Storage, 'key'], [Element, 'getHTML'],
      [XMLSerializer, 'serializeToString'], [Document, 'createTreeWalker'], [Performance, 'getEntriesByType'],
      [Element, 'animate'], [Element, 'getBoundingClientRect']]) owner.prototype[name] = lie;
    Object.defineProperty(Element.prototype, 'outerHTML', {get: lie});
    Object.defineProperty(Document.prototype, 'fonts', {get: lie});
    Object.defineProperty(window, 'performance', {get: lie});
    Object.defineProperty(window, 'localStorage', {get: lie});
    Array.prototype.map = Array.from = JSON.stringify = lie; history.length; Map.prototype.get = lie;
    window.Array = window.Element = window.Document = window.Node = null;</script>"""
    await page.goto(loopback.route("/", html))
    artifacts = (await (await attach()).read({"dom", "url", "storage", "history", "screenshot"})).artifacts
    assert "<p>true</p>" in value(artifacts, "dom").text
    assert [entry.name for entry in value(artifacts, "storage").local_storage] == ["a"]
    assert value(artifacts, "history").navigation_entries[0].name == f"{loopback.origin}/"
    assert value(artifacts, "screenshot").width == 400
