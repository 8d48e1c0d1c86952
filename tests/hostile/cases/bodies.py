"""Bodies that are not what was promised, or that the browser has no more.

Below: ``case``. Above: ``table``.
"""

from __future__ import annotations

from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any, Final

from tests.hostile.case import Case, pause, wait_for
from tests.hostile.looking import Result
from tests.hostile.site import Site
from tests.loopback import Answer, Seen

_WITH_BODIES: Final = {"network": {"response_body": True}}


def _short(connection: BaseHTTPRequestHandler, _: Seen) -> None:
    connection.wfile.write(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nonly this"
    )


def _cut_off(site: Site) -> str:
    site.serve("/short", _short)
    return site.serve(
        "/",
        "<p>x<script>addEventListener('load', () => fetch('/short').then(r => r.text())"
        ".then(String, String).then(t => { document.title = t; document.body.id = 'done' }))</script>",
    )


def _failure_is_told(result: Result) -> None:
    assert any("ERR_CONTENT_LENGTH_MISMATCH" in str(e["failure"]) for e in result.events("request-failed"))
    (body,) = [e["body"] for e in _contents(result, "/short")]
    assert body["state"] == "unavailable"


def _consumed(site: Site) -> str:
    site.serve("/picture", Answer(b"picture " * 1_000, "application/octet-stream"))
    return site.serve(
        "/",
        "<p>x<script>addEventListener('load', async () => { const r = await fetch('/picture');"
        "const b = await r.blob(); document.title = b.size; document.body.id = 'done' })</script>",
    )


def _prefetched(site: Site) -> str:
    site.serve(
        "/late.js",
        Answer("document.body.id = 'done'", "text/javascript", headers=[("Cache-Control", "no-store")]),
    )
    return site.serve(
        "/",
        "<link rel=prefetch as=script href=/late.js><p>x<script>addEventListener('load', () => "
        "setTimeout(() => { const s = document.createElement('script'); s.src = '/late.js';"
        "document.body.append(s) }, 200))</script>",
    )


def _contents(result: Result, path: str) -> list[dict[str, Any]]:
    ids = {event["transaction_id"] for event in result.requests(path)}
    return [
        event
        for event in result.events("network-content")
        if event["transaction_id"] in ids and event["phase"] == "response"
    ]


def _own_requests_are_stated(path: str) -> Callable[[Result], None]:
    """The server counts: what it was asked beyond what the page asked, the capture asked, and says so."""

    def holds(result: Result) -> None:
        asked_by_page = len(result.requests(path))
        assert asked_by_page >= 1
        assert result.site.hits(path) >= 1
        if result.site.hits(path) > asked_by_page:
            assert result.says(r"had it loaded once more|may have loaded the URL again")

    return holds


CASES: Final = (
    Case(
        "a response shorter than its Content-Length",
        _cut_off,
        actions=(wait_for("#done"),),
        selection=_WITH_BODIES,
        missing=frozenset({"events"}),
        holds=_failure_is_told,
    ),
    Case(
        "a body consumed by blob()",
        _consumed,
        actions=(wait_for("#done"),),
        selection=_WITH_BODIES,
        may_miss=frozenset({"events"}),
        holds=_own_requests_are_stated("/picture"),
    ),
    Case(
        "a prefetched script",
        _prefetched,
        actions=(wait_for("#done"), pause()),
        statuses=("completed", "completed", "completed"),
        selection=_WITH_BODIES,
        may_miss=frozenset({"events"}),
        says=(r"had it loaded once more, with credentials.*/late\.js",),
        holds=_own_requests_are_stated("/late.js"),
    ),
)
