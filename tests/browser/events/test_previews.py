"""What a console leaves out of values is said, as a real browser writes it, and not of whole texts."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, ConsoleMessage

from rea_capture.browser.events.console import ABRIDGED_LIMITATION, ERROR_LIMITATION
from rea_capture.browser.events.previews import shows_less
from tests.browser.events.support import observing
from tests.loopback import Loopback

LESS = """1n
new Map([["a", 1]])
new Set([1])
new WeakMap
Promise.resolve(1)
new Uint8Array([1, 2])
new ArrayBuffer(8)
new Proxy({}, {})
new URL("http://a/b?c")
new Headers({a: "1"})
new Response("x")
new (class Foo$Bar { x = 1 })
new Intl.DateTimeFormat()
new Map().entries()
"a".matchAll(/a/g)
new Boolean(false)
new DOMException("m", "AbortError")
new Error("e", {cause: 1})
Object.assign(new Error("e"), {stack: "Error: e", code: 1})
new AggregateError([1], "x")
window
location
document
document.body
document.createTextNode("x")
document.querySelectorAll("p")
Array(200).fill(1)
({a: 1, b: 2, c: 3, d: 4, e: 5, f: 6})
({a: {b: 1}})
({a: [1, 2]})
({a: new (class Foo {})})
({a: new Map()})
({a: () => 1})
({get a() { return 1 }})
({a: document})
({a: document.body, b: 1})
({a: "x".repeat(200)})
[[1, 2]]
[{a: 1}]
[() => 1, 2]
[1, new Map([[1, 2]])]
[new Error("q", {cause: 1})]""".splitlines()

WHOLE = """1
NaN
true
null
""
"Saved the form."
"went on\u2026"
"[vite] connected."
"see: Object, or Map(1)"
Symbol("a")
/x/g
new Date(0)
() => 1
({})
[]
({a: 1, b: "two words", c: null, d: true})
[1, 2, 3, 4, 5, 6, 7]
[1, , 3, "a b"]
JSON.stringify({a: {b: [1, "x"]}, c: null, d: true, e: {}, f: 1, g: 2})
JSON.stringify({"a": 1, "b": {"c": [2, 3]}}, null, 1)""".splitlines()


@pytest.mark.parametrize(("expressions", "is_said"), [(LESS, True), (WHOLE, False)], ids=["less", "whole"])
async def test_a_value_that_is_shown_in_part_is_told_from_one_that_is_whole(
    browser: Browser, loopback: Loopback, expressions: list[str], is_said: bool
) -> None:
    page = await browser.new_page()
    shown: list[list[str]] = []

    def logged(message: ConsoleMessage) -> None:
        if message.args:  # the browser's own have none
            shown.append([str(argument) for argument in message.args])

    page.on("console", logged)
    calls = ";\n".join(f"console.log({expression})" for expression in expressions)
    await page.goto(loopback.route("/", f"<p>1<p>2<script>{calls}</script>"))
    for _ in range(100):
        if len(shown) >= len(expressions):
            break
        await page.title()
    await page.close()
    assert len(shown) == len(expressions)
    said = {expression: shows_less(only) for expression, (only,) in zip(expressions, shown, strict=True)}
    assert {expression for expression, less in said.items() if less is not is_said} == set(), shown


@pytest.mark.parametrize(
    ("logged", "stated"), [("'two words', 1", ()), ("'a', new Map", (ABRIDGED_LIMITATION,))]
)
async def test_a_capture_says_that_values_were_logged_in_part(
    browser: Browser, loopback: Loopback, logged: str, stated: tuple[str, ...]
) -> None:
    start = loopback.route("/", f"<script>console.log({logged}); console.log('two words')</script>")
    async with observing(browser, "console") as seen:
        await seen.page.goto(start)
        await seen.until(lambda: len(seen.items("console")) >= 2)
        assert seen.stated() == stated
        assert seen.missing() == set()


@pytest.mark.parametrize(
    "thrown", ["{a: 1}", "new Error('x', {cause: 'a'})", "new AggregateError([1], 'x')", "document.body"]
)
async def test_a_capture_says_what_page_errors_leave_out(
    browser: Browser, loopback: Loopback, thrown: str
) -> None:
    start = loopback.route("/", f"<script>throw {thrown}</script>")
    async with observing(browser, "page-errors") as seen:
        await seen.page.goto(start)
        await seen.until(lambda: bool(seen.items("page-error")))
        assert seen.stated() == (ERROR_LIMITATION,)


def test_a_long_text_is_looked_at_in_no_time() -> None:
    assert shows_less("[" + "a, " * 300_000 + "]")
    assert not shows_less("{" + "a: " * 300_000 + "1}")
    assert not shows_less("x" * 1_000_000 + " ")
