"""Pages that do what pages do, each with the step that sets it off, and nothing that changes.

Below: ``tests.loopback``. Above: ``__main__``.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Final

from tests.browser.events.websocket_server import ServerSocket
from tests.loopback import Answer, Loopback, Seen

JITTER_S: Final = 0.03
POLL_S: Final = 20.0
WORKER: Final = (
    "const make = text => new Worker(URL.createObjectURL(new Blob([text], {type: 'text/javascript'})));"
)
MISSING: Final = "<img src=/missing-1.png><img src=/missing-2.png>"


@dataclass(frozen=True, slots=True)
class Case:
    """A page, and what is done to it: ``click`` on ``#go`` or nothing."""

    name: str
    body: str
    clicks: bool = False
    races: bool = False
    """Whether the page races with the steps, which nobody can mend but the scenario."""


CASES: Final = (
    Case(
        "workers that log and fetch",
        f"""<script>{WORKER}
        for (const n of [1, 2]) make(`console.log('up', ${{n}});
          fetch('${{location.origin}}/jitter?${{n}}').then(r => r.text()).then(t => console.log('got', t));`);
        console.log('page');</script>""",
    ),
    Case(
        "a click starts two workers",
        f"""<button id=go>Go</button><script>{WORKER}
        go.onclick = () => [1, 2].forEach(n => make(`console.log('up', ${{n}}); postMessage(1)`)
          .onmessage = () => 0);</script>""",
        clicks=True,
    ),
    Case(
        "failed resources, messages and errors",
        f"""{MISSING}<script>console.log('a'); fetch('/missing.json').then(r => r.json());
        console.warn('b'); Promise.reject(new Error('c')); setTimeout(() => {{ throw new Error('d') }});
        console.log('e');</script>""",
    ),
    Case(
        "a click that fails in every way",
        """<button id=go>Go</button><script>go.onclick = () => { console.log('a');
        fetch('/missing.json').then(r => { console.log(r.status); throw new Error('b') });
        new Image().src = "/missing.png"; fetch("/dropped").catch(() => 0);
        console.log('c'); throw new Error('d') }
        </script>""",
        clicks=True,
    ),
    Case(
        "a click that opens a WebSocket",
        """<button id=go>Go</button><script>go.onclick = () => {
        const s = new WebSocket(`ws://${location.host}/echo`);
        s.onopen = () => s.send('hello'); s.onmessage = m => console.log(m.data) }</script>""",
        clicks=True,
    ),
    Case(
        "a WebSocket beside answers that are logged",
        """<button id=go>Go</button><script>go.onclick = () => {
        const s = new WebSocket(`ws://${location.host}/echo`), t = new WebSocket(`ws://${location.host}/echo?2`);
        s.onopen = () => s.send('hello'); t.onopen = () => t.send('there');
        fetch('/jitter').then(r => r.text()).then(t => console.log(t)) }</script>""",
        clicks=True,
    ),
    Case(
        "a click that fetches, and logs the answer",
        """<button id=go>Go</button><script>go.onclick = () =>
        fetch('/jitter').then(r => r.text()).then(t => console.log(t));</script>""",
        clicks=True,
    ),
    Case(
        "a click that fetches twice in a row, and shows the answer",
        """<button id=go>Go</button><p id=out></p><script>go.onclick = async () => {
        const first = await (await fetch('/jitter?1')).text(); out.textContent = first;
        out.textContent += await (await fetch('/jitter?2')).text(); console.log('shown') }</script>""",
        clicks=True,
    ),
    Case(
        "a click on a link to a page with messages and pictures",
        "<a id=go href=/arrival>Go</a><script>onpagehide = () => console.log('bye')</script>",
        clicks=True,
    ),
    Case(
        "a click that opens a popup",
        "<button id=go onclick=\"window.open('/arrival'); console.log('opened')\">Go</button>",
        clicks=True,
    ),
    Case(
        "frames of this and another origin that log",
        """<iframe src=/inner?1></iframe><iframe src=/inner?2></iframe><iframe src=OTHER/inner?3></iframe>
        <script>console.log('page'); onload = () => console.log('loaded');</script>""",
    ),
    Case(
        "a click that adds frames",
        """<button id=go>Go</button><script>
        go.onclick = () => ['/inner?1', '/inner?2', 'OTHER/inner?3'].forEach(u => {
        const f = document.createElement('iframe'); f.src = u; document.body.append(f) }); </script>""",
        clicks=True,
    ),
    Case(
        "a click that starts downloads",
        """<a id=go href=/file>Go</a><a id=b download=b.txt href=/file?2></a><script>
        go.onclick = () => { b.click(); console.log('taken') }</script>""",
        clicks=True,
    ),
    Case(
        "a click that asks and stores",
        """<button id=go>Go</button><p id=out></p><iframe src=/stores></iframe><script>
        onstorage = e => console.log('stored', e.key); go.onclick = () => {
        if (confirm('sure?')) return;
        frames[0].localStorage.setItem('k', 0); history.pushState(1, '', '#no') }
        </script>""",
        clicks=True,
    ),
    Case(
        "pictures loaded lazily, and a page that moves on by itself",
        """<button id=go>Go</button><div style=height:300px></div>
        <img loading=lazy src=/pic?1 width=50 height=50>
        <div style=height:9000px></div><img id=far loading=lazy src=/pic?2 width=50 height=50><script>
        go.onclick = () => { far.scrollIntoView(); history.pushState(1, '', '#far');
          requestAnimationFrame(() => console.log('framed')) }</script>""",
        clicks=True,
    ),
    Case(
        "a click that sends messages to workers and frames",
        f"""<button id=go>Go</button><iframe src=/listens></iframe><script>{WORKER}
        const w = make(`onmessage = e => {{ console.log('heard', e.data); fetch('${{location.origin}}/jitter')
          .then(r => r.text()).then(t => {{ console.log(t); throw new Error('worker') }}) }}`);
        go.onclick = () => {{ w.postMessage(1); frames[0].postMessage(2); console.log('sent') }}</script>""",
        clicks=True,
    ),
    Case(
        "frames with scripts from files",
        "<iframe src=/framed?1></iframe><iframe src=/framed?2></iframe><script>console.log('page')</script>",
    ),
    Case(
        "a click that moves on by script, through a redirect",
        """<button id=go>Go</button><script>go.onclick = async () => {
        await (await fetch('/jitter')).text(); location.href = '/moved' }</script>""",
        clicks=True,
    ),
    Case(
        "a click that submits a form",
        """<form action=/arrival method=post onsubmit="console.log('submitted')"><input name=a value=1>
        <button id=go>Go</button></form>""",
        clicks=True,
    ),
    Case(
        "an event source and a long poll",
        """<button id=go>Go</button><script>const s = new EventSource('/stream');
        s.onmessage = e => console.log(e.data); go.onclick = () => fetch('/poll').catch(() => 0)</script>""",
        clicks=True,
    ),
    Case(
        "scripts that load asynchronously, each logging",
        "<script async src=/async-1.js></script><script async src=/async-2.js></script>",
        races=True,
    ),
    Case(
        "a timer of 50 ms after load",
        "<script>onload = () => setTimeout(() => console.warn('late'), 50)</script>",
        races=True,
    ),
    Case(
        "a timer of 30 ms after a click",
        """<button id=go>Go</button><script>go.onclick = () =>
        setTimeout(() => { console.log('late'); history.pushState(1, '', '#late') }, 30)</script>""",
        clicks=True,
        races=True,
    ),
    Case(
        "answers at once, each logged as it comes",
        """<button id=go>Go</button><script>go.onclick = () => { for (const n of [1, 2, 3])
        fetch('/jitter?' + n).then(r => r.text()).then(t => console.log(t)) }</script>""",
        clicks=True,
        races=True,
    ),
)


def serve(site: Loopback, other: Loopback) -> dict[str, str]:
    """Put every page up. Returns the URL of each case by its name."""
    for loopback in (site, other):
        loopback.route("/inner", "<script>console.log('inner', location.search); 0</script>")
    site.route("/stores", "<p>stores</p>")
    site.route("/listens", "<script>onmessage = e => console.log('frame heard', e.data)</script>")
    site.route("/framed", "<script src=/framed.js></script>")
    site.route("/framed.js", Answer("console.log('framed', location.search); throw 1", "text/javascript"))
    site.route("/moved", Answer("", status=302, headers=[("Location", "/arrival")]))
    site.route("/stream", _stream)
    site.route("/poll", _poll)
    for n in (1, 2):
        site.route(f"/async-{n}.js", _script)
    site.route("/pic", Answer("<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml"))
    site.route("/file", Answer("data", "application/octet-stream"))
    site.route("/jitter", _jitter)
    site.route("/dropped", lambda *_: None)
    site.route("/echo", _echo)
    site.route(
        "/arrival",
        f"<title>Arrival</title>{MISSING}<script src=/script></script>"
        "<script>console.log('arrived')</script>",
    )
    site.route("/script", Answer("console.log('script')", "text/javascript"))
    return {
        case.name: site.route(
            f"/case/{n}",
            f"<!doctype html><title>{n}</title><body>{case.body.replace('OTHER', other.origin)}",
        )
        for n, case in enumerate(CASES)
    }


def _jitter(_: BaseHTTPRequestHandler, request: Seen) -> Answer:
    time.sleep(random.random() * JITTER_S)
    return Answer(f"answer to {request.target}", "text/plain")


def _script(_: BaseHTTPRequestHandler, request: Seen) -> Answer:
    time.sleep(random.random() * JITTER_S)
    return Answer(f"console.log({request.target!r})", "text/javascript")


def _stream(connection: BaseHTTPRequestHandler, _: Seen) -> None:
    connection.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: first\n\n")
    connection.wfile.flush()
    time.sleep(POLL_S)


def _poll(_: BaseHTTPRequestHandler, __: Seen) -> Answer:
    time.sleep(POLL_S)
    return Answer("polled", "text/plain")


def _echo(connection: BaseHTTPRequestHandler, _: Seen) -> None:
    socket = ServerSocket(connection)
    opcode, payload = socket.receive()
    socket.send(opcode, payload)
    socket.receive()
