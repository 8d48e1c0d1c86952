"""Pages that never stay, lead round in circles, or lead where no browser goes.

Below: ``case``. Above: ``table``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from rea_capture.browser.driver import START_NAVIGATION_TIMEOUT_MS
from tests.hostile.case import ARTIFACTS, Case, click, goto, page, pause
from tests.hostile.looking import Result
from tests.hostile.site import Site, silence
from tests.loopback import Answer

EVERY_ARTIFACT: Final = frozenset(ARTIFACTS)


def _loop(site: Site) -> str:
    site.here.route("/", Answer(b"", None, 302, [("Location", f"{site.there.origin}/")]))
    site.there.route("/", Answer(b"", None, 302, [("Location", f"{site.here.origin}/")]))
    return f"{site.here.origin}/"


def _redirects_are_linked(result: Result) -> None:
    requests = [event for event in result.events("request") if event["resource_type"] == "document"]
    assert len(requests) == 20
    linked = [event["redirected_from_transaction_id"] for event in requests]
    assert linked == [None, *[event["transaction_id"] for event in requests[:-1]]]


def _the_request_is_unfinished(result: Result) -> None:
    (request,) = [event for event in result.events("request") if event["resource_type"] == "document"]
    assert result.site.hits("/") == 1
    assert request["transaction_id"] not in {event["transaction_id"] for event in result.events("response")}


def _nested_popups(site: Site) -> str:
    for n in range(3):
        site.serve(f"/to-{n}", Answer(b"", None, 302, [("Location", f"THERE/popup-{n}")]))
        site.serve(
            f"/popup-{n}",
            f"<p>popup {n}<script>open('HERE/to-{n + 1}', '_blank', 'noopener')</script>",
        )
    return site.serve("/", "<button id=go onclick=\"window.open('/to-0', '_blank', 'noopener')\">b</button>")


def _popups_are_told(result: Result) -> None:
    assert len(result.events("popup-opened")) >= 1
    assert result.missing >= {"events", "frames", "workers", "websockets"}


def _popups(count: int) -> Case:
    def holds(result: Result) -> None:
        opened = len(result.events("popup-opened"))
        assert opened == count or (1 <= opened < count and "action" in result.missing)

    return Case(
        f"{count} popups",
        page(
            "<button id=go>b</button><script>document.getElementById('go').onclick = () => {"
            f"for (let n = 0; n < {count}; n++) window.open('/popup?' + n) }}</script>",
            popup="<p>popup",
        ),
        actions=(click(timeout_ms=30_000),),
        may_fail=True,
        missing=frozenset({"events", "frames", "workers", "websockets"}),
        may_miss=EVERY_ARTIFACT | {"popups", "action"},
        says=(r"A popup becomes known once",),
        holds=holds,
    )


def _long_address_is_cut(result: Result) -> None:
    url = result.artifact("url")["value"]["url"]
    assert len(url) < 70_000
    assert url.startswith(result.site.here.origin)


def _idn(result: Result) -> None:
    assert result.capture["steps"][-1]["after_url"]["origin"].startswith("http://xn--bcher-kva.localhost:")


def _speaks_in_beacons(site: Site) -> str:
    site.serve("/beacon", Answer(b"", None, 204))
    site.serve("/next", "<p>next")
    return site.serve(
        "/",
        "<p>x<script>for (const kind of ['unload', 'pagehide', 'visibilitychange'])"
        "addEventListener(kind, () => { for (let n = 0; n < 20; n++)"
        "navigator.sendBeacon('/beacon?' + kind + n, 'x') }, true)</script>",
    )


def _beacons_are_seen_or_missed(result: Result) -> None:
    seen = [event for event in result.events("request") if "/beacon" in event["url"]["url"]]
    assert len(seen) >= result.site.hits("/beacon") or "events" in result.missing


def _no_blob_ids(result: Result) -> None:
    urls = [
        event["url"]["url"] for event in result.events("frame-navigated") + result.events("worker-created")
    ]
    blobs = [url for url in urls if url.startswith("blob:")]
    assert blobs
    assert all("[blob-id]" in url for url in blobs)


CASES: Final = (
    Case(
        "pages that navigate each other every 50 ms",
        page(
            "<p>one<script>setTimeout(() => location = '/two', 50)</script>",
            two="<p>two<script>setTimeout(() => location = '/', 50)</script>",
        ),
        actions=(pause(1_000),),
        may_miss=EVERY_ARTIFACT,
        goes_on=True,
    ),
    Case(
        "meta refresh after 0 seconds",
        page("<meta http-equiv=refresh content=0><p>x"),
        actions=(pause(1_000),),
        may_miss=EVERY_ARTIFACT,
        goes_on=True,
    ),
    Case(
        "a redirect loop over two ports",
        _loop,
        statuses=("failed", "cancelled"),
        missing=frozenset({"action"}),
        may_miss=EVERY_ARTIFACT,
        says=(r"ERR_TOO_MANY_REDIRECTS",),
        holds=_redirects_are_linked,
    ),
    Case(
        "a start page that is never answered",
        lambda site: site.serve("/", silence),
        statuses=("failed", "cancelled"),
        missing=frozenset({"action"}),
        may_miss=EVERY_ARTIFACT,
        says=(rf"Timeout {START_NAVIGATION_TIMEOUT_MS}ms exceeded", r"not executed: the run ended at step"),
        holds=_the_request_is_unfinished,
        page_ms=START_NAVIGATION_TIMEOUT_MS,
    ),
    replace(_popups(30), full=_popups(200)),
    Case(
        "nested noopener popups to redirects",
        _nested_popups,
        actions=(click(), pause(1_000)),
        statuses=("completed", "completed", "completed"),
        missing=frozenset({"events"}),
        may_miss=frozenset({"frames", "workers", "websockets", "popups"}),
        holds=_popups_are_told,
    ),
    Case(
        "beacons at unload",
        _speaks_in_beacons,
        actions=(goto("HERE/next", step_id="near"), goto("THERE/next", step_id="far")),
        statuses=("completed", "completed", "completed"),
        may_miss=frozenset({"events"}),
        holds=_beacons_are_seen_or_missed,
    ),
    Case(
        "a URL of 100 KB",
        page(
            "<p>x<script>addEventListener('load', () => { history.pushState(0, '', '#' + 'a'.repeat(1e5));"
            "fetch('/long?' + 'b'.repeat(1e5)).catch(String) })</script>"
        ),
        holds=_long_address_is_cut,
    ),
    Case(
        "data: and blob: URLs",
        page(
            "<p>x<iframe src='data:text/html,<p>in data'></iframe><script>"
            "const url = type => URL.createObjectURL(new Blob(['1'], {type}));"
            "const frame = document.createElement('iframe'); frame.src = url('text/html');"
            "document.body.append(frame);"
            "new Worker(url('text/javascript')); fetch('data:,x'); fetch(url('text/plain'));"
            "const img = new Image(); img.src = 'data:image/png;base64,' + 'A'.repeat(1e5);"
            "document.body.append(img)"
            "</script>"
        ),
        may_miss=frozenset({"events"}),
        holds=_no_blob_ids,
    ),
    Case(
        "a host with letters beyond ASCII",
        page("<p>x"),
        actions=(goto("http://b\u00fccher.localhost:PORT/"),),
        may_miss=frozenset({"events"}),
        holds=_idn,
    ),
    Case(
        "an unsafe port",
        page("<p>x<script>fetch('http://127.0.0.1:6667/').catch(String)</script>"),
        actions=(goto("http://127.0.0.1:6667/"),),
        statuses=("completed", "failed"),
        missing=frozenset({"action"}),
        may_miss=EVERY_ARTIFACT | {"events"},
        says=(r"ERR_UNSAFE_PORT",),
    ),
    Case(
        "401 with Basic",
        lambda site: (
            site.serve(
                "/in", Answer("<p>who?", status=401, headers=[("WWW-Authenticate", 'Basic realm="x"')])
            ),
            site.serve("/", "<p>x"),
        )[1],
        actions=(goto("HERE/in"),),
        statuses=("completed", "failed"),
        missing=frozenset({"action"}),
        may_miss=EVERY_ARTIFACT | {"events"},
        says=(r"ERR_INVALID_AUTH_CREDENTIALS",),
    ),
    Case(
        "a certificate nobody trusts",
        page("<p>x<img src=SECURE/pixel>"),
        actions=(goto("SECURE/"),),
        statuses=("completed", "failed"),
        missing=frozenset({"action"}),
        may_miss=EVERY_ARTIFACT | {"events"},
        says=(r"ERR_CERT_",),
    ),
)
