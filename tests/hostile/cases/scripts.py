"""Scripts that do not stop, ask without end, or take their renderer down.

Below: ``case``. Above: ``table``.
"""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler
from typing import Final

from tests.hostile.case import Case, click, goto, page, wait_for
from tests.hostile.looking import Result
from tests.hostile.site import Site, silence
from tests.loopback import Answer, Seen

EVERY_ARTIFACT: Final = frozenset({"screenshot", "dom", "accessibility", "url", "history", "storage"})
_AFTER_LOAD: Final = "addEventListener('load', () => setTimeout(() => {{ {} }}, 50))"
_LOOP: Final = _AFTER_LOAD.format("for (;;);")
_KILLED_MID_READING_S: Final = 2.0
"""After the font was asked for: the second a step waits for requests is over, the picture is not."""


def _killed_in_an_action(site: Site) -> str:
    def kill(_: BaseHTTPRequestHandler, __: Seen) -> Answer:
        site.kill_renderers()
        return Answer()

    site.serve("/kill", kill)
    return site.serve(
        "/", "<p>x<script>addEventListener('load', () => setTimeout(() => fetch('/kill'), 300))</script>"
    )


def _killed_in_a_picture(site: Site) -> str:
    def font(connection: BaseHTTPRequestHandler, seen: Seen) -> None:
        threading.Timer(_KILLED_MID_READING_S, site.kill_renderers).start()
        silence(connection, seen)

    site.serve("/font.woff2", font)
    return site.serve(
        "/",
        "<p>x<script>addEventListener('load', () => setTimeout(() => {"
        "const s = document.createElement('style');"
        "s.textContent = `@font-face{font-family:N;src:url(/font.woff2)} p{font-family:N}`;"
        "document.head.append(s); }, 50))</script>",
    )


def _was_killed(result: Result) -> None:
    assert result.site.kills


def _console_storm(result: Result) -> None:
    events = result.capture["events"]
    seen = len(result.events("console")) + sum(
        row["count"] for row in events["omissions"]["by_kind"] if row["kind"] == "console"
    )
    assert seen >= 10_000, seen


def _font_is_asked_for(result: Result) -> None:
    assert result.site.hits("/never.woff2") == 1
    assert result.artifact("dom")["state"] == "captured"


CASES: Final = (
    Case(
        "alerts, one after another",
        page(
            "<p>x<script>let n = 0; addEventListener('load', () => setInterval(() => alert(n++), 0))</script>"
        ),
        may_miss=EVERY_ARTIFACT,
        says=(r"dialog of type alert", r"more limitations were not kept|alert \('3'\)"),
    ),
    Case(
        "alerts in a loop that never ends",
        page(f"<p>x<script>{_AFTER_LOAD.format('for (;;) alert(1)')}</script>"),
        missing=EVERY_ARTIFACT,
        may_miss=EVERY_ARTIFACT,
        says=(r"dialog of type alert \('1'\)", r"did not answer within 5000 ms"),
    ),
    Case(
        "beforeunload in a chain of frames",
        page(
            "<button id=go>b</button><script>onbeforeunload = e => e.preventDefault()</script>"
            "<iframe src=/one></iframe>",
            one="<script>onbeforeunload = e => e.preventDefault()</script><iframe src=/two></iframe>",
            two="<script>onbeforeunload = e => e.preventDefault()</script>",
            next="<p>next",
        ),
        actions=(click(), goto("HERE/next")),
        statuses=("completed", "completed", "failed"),
        missing=frozenset({"action"}),
        says=(r"beforeunload",),
    ),
    Case(
        "for (;;) in the main frame",
        page(f"<p>x<script>{_LOOP}</script>"),
        missing=EVERY_ARTIFACT,
        says=(r"did not answer within 5000 ms",),
    ),
    Case(
        "for (;;) in a child frame",
        page("<p>x<iframe src=/child></iframe>", child=f"<script>{_LOOP}</script>"),
        missing=EVERY_ARTIFACT,
        says=(r"did not answer within 5000 ms",),
    ),
    Case(
        "for (;;) in a child frame of another site",
        page("<p>x<iframe src=THERE/child></iframe>", child=f"<script>{_LOOP}</script>"),
        may_miss=EVERY_ARTIFACT,
    ),
    Case(
        "for (;;) in a worker",
        page("<p>x<script>new Worker(URL.createObjectURL(new Blob(['for (;;);'])))</script>"),
    ),
    Case(
        "a renderer killed in an action",
        _killed_in_an_action,
        actions=(wait_for("#never", 5_000),),
        statuses=("completed", "failed"),
        missing=EVERY_ARTIFACT | {"action"},
        says=(r"page crashed",),
        holds=_was_killed,
    ),
    Case(
        "a renderer killed while its picture is taken",
        _killed_in_a_picture,
        missing=frozenset({"screenshot"}),
        may_miss=EVERY_ARTIFACT,
        says=(r"crash",),
        holds=_was_killed,
    ),
    Case(
        "a memory hog",
        page(
            "<p>x",
            bomb="<script>const hog = []; for (;;) hog.push(new Array(1e7).fill(Math.random()))</script>",
        ),
        actions=(goto("HERE/bomb", 20_000),),
        statuses=("completed", "failed"),
        missing=EVERY_ARTIFACT | {"action"},
        says=(r"page crashed|Timeout 20000ms",),
    ),
    Case(
        "document.write without end, in turns",
        page(
            "<p>x<script>let n = 0; const again = () => { document.open();"
            "document.write(`<p>${n++}<script>setTimeout(() => again(), 0)<` + `/script>`);"
            "document.close() };"
            "addEventListener('load', () => setTimeout(again, 50))</script>"
        ),
        may_miss=EVERY_ARTIFACT,
    ),
    Case(
        "document.write in a loop that never ends",
        page(f"<p>x<script>{_AFTER_LOAD.format('for (;;) document.write(1)')}</script>"),
        missing=EVERY_ARTIFACT,
        says=(r"did not answer within 5000 ms|crash",),
    ),
    Case(
        "10,000 console lines in a second",
        page(
            "<p>x<script>let n = 0; addEventListener('load', () => { const t = setInterval(() => {"
            "for (let i = 0; i < 100; i++) console.log('line', n++);"
            "if (n >= 10500) { clearInterval(t); document.body.id = 'done' } }, 5) })</script>"
        ),
        actions=(wait_for("#done", 20_000),),
        truncated=frozenset({"events"}),
        may_miss=frozenset({"frames"}),
        holds=_console_storm,
    ),
    Case(
        "a font that never arrives",
        lambda site: (
            site.serve("/never.woff2", silence),
            site.serve(
                "/",
                "<script>addEventListener('load', () => { const s = document.createElement('style');"
                "s.textContent = `@font-face{font-family:N;src:url(/never.woff2)} p{font-family:N}`;"
                "document.head.append(s); });</script><p>text",
            ),
        )[1],
        missing=frozenset({"screenshot"}),
        says=(r"font",),
        holds=_font_is_asked_for,
    ),
)
