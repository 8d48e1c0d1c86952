"""Frames of every kind, workers that nobody sees, and storage that does not fit.

Below: ``case``. Above: ``table``.
"""

from __future__ import annotations

from typing import Final

from tests.hostile.case import ARTIFACTS, Case, page, pause, wait_for
from tests.hostile.looking import Result
from tests.hostile.site import Site
from tests.loopback import Answer

EVERY_ARTIFACT: Final = frozenset(ARTIFACTS)
_SEED: Final = {
    "origin": "HERE",
    "entries": [
        {"name": "large", "value": {"source": "literal", "value": "x" * 6_000_000}},
        {"name": "small", "value": {"source": "literal", "value": "y"}},
    ],
}


def _service_worker(site: Site) -> str:
    script = (
        "oninstall = () => skipWaiting(); onactivate = e => e.waitUntil(clients.claim());"
        "onfetch = e => { const url = e.request.url;"
        "if (url.includes('/made')) e.respondWith(new Response('made up'));"
        "else if (url.includes('/passed')) e.respondWith(fetch('/behind')) }"
    )
    site.serve("/sw.js", Answer(script, "text/javascript"))
    site.serve("/behind", Answer("from behind", "text/plain"))
    return site.serve(
        "/",
        "<p>x<script>addEventListener('load', async () => { await navigator.serviceWorker.register('/sw.js');"
        "await new Promise(done => { if (navigator.serviceWorker.controller) done();"
        "navigator.serviceWorker.addEventListener('controllerchange', done) });"
        "for (let n = 0; n < 20; n++) { await fetch('/made?' + n); await fetch('/passed?' + n) }"
        "document.body.id = 'done' })</script>",
    )


def _shared_worker(site: Site) -> str:
    script = "onconnect = e => fetch('/data').then(r => r.text()).then(t => e.ports[0].postMessage(t))"
    site.serve("/w.js", Answer(script, "text/javascript"))
    site.serve("/data", Answer("data", "text/plain"))
    return site.serve(
        "/",
        "<p>x<script>const w = new SharedWorker('/w.js');"
        "w.port.onmessage = () => document.body.id = 'done'</script>",
    )


def _frames_are_told(result: Result) -> None:
    assert result.events("frame-attached")
    assert result.says(r"child frame|frames")


def _cookies(site: Site) -> str:
    secure = "; Secure; Path=/"
    partitioned = f"{secure}; SameSite=None; Partitioned"
    third = (f"parted=1{partitioned}", f"third=1{secure}; SameSite=None")
    first = (f"__Host-a=1{secure}", "__Host-bad=1; Secure; Path=/in", f"own=1{partitioned}", "plain=1")
    site.serve("/child", Answer("<p>child", headers=[("Set-Cookie", cookie) for cookie in third]))
    headers = [("Set-Cookie", cookie) for cookie in first]
    return site.serve("/", Answer("<p>x<iframe src=THERE/child></iframe>", headers=headers))


def _cookies_are_kept(result: Result) -> None:
    names = {cookie["name"] for cookie in result.artifact("storage")["value"]["cookies"]}
    assert {"__Host-a", "plain"} <= names
    assert not {"__Host-bad", "third", "parted"} & names


CASES: Final = (
    Case(
        "frames without src, with srcdoc, in a sandbox, of another site",
        page(
            "<p>x<iframe></iframe><iframe srcdoc='<p>in srcdoc'></iframe><iframe sandbox src=/child></iframe>"
            "<iframe sandbox=allow-scripts srcdoc='<script>console.log(1)</script>'></iframe>"
            "<iframe src=THERE/child></iframe>",
            child="<p>child",
        ),
        may_miss=frozenset({"events"}),
        holds=_frames_are_told,
    ),
    Case(
        "frames added and removed every 100 ms",
        page(
            "<p>x<script>setInterval(() => { document.querySelector('iframe')?.remove();"
            "const f = document.createElement('iframe');"
            "f.src = Math.random() < .5 ? '/child' : 'THERE/child'; document.body.append(f) }, 100)</script>",
            child="<p>child",
        ),
        actions=(pause(1_000),),
        may_miss=EVERY_ARTIFACT | {"events"},
        goes_on=True,
        holds=_frames_are_told,
    ),
    Case(
        "a shared worker that talks and asks",
        _shared_worker,
        actions=(wait_for("#done"),),
        missing=frozenset({"events", "workers"}),
        says=(r"shared worker ran",),
    ),
    Case(
        "a service worker that answers and asks",
        _service_worker,
        actions=(wait_for("#done", 10_000),),
        scenario={"environment": {"service_workers": "allow"}},
        may_miss=frozenset({"events", "workers"}),
    ),
    Case(
        "session storage seeds of 6 MB",
        page("<p>x<script>document.title = sessionStorage.length</script>"),
        scenario={"storage": {"session_storage": [_SEED]}},
        may_miss=EVERY_ARTIFACT,
        says=(r"seed|refused",),
    ),
    Case(
        "__Host- and partitioned cookies",
        _cookies,
        may_miss=frozenset({"events"}),
        holds=_cookies_are_kept,
    ),
)
