"""More of everything than anybody would want to keep.

Below: ``case``. Above: ``table``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from tests.browser.events.websocket_server import BINARY, TEXT, ServerSocket
from tests.hostile.case import ARTIFACTS, Case, click, page, pause, wait_for
from tests.hostile.looking import Result
from tests.hostile.site import Site
from tests.loopback import Answer

EVERY_ARTIFACT: Final = frozenset(ARTIFACTS)
_TO_LISTEN: Final = (
    "<p>x<script>const s = new WebSocket('ws://' + location.host + '/socket');"
    "s.onclose = () => document.body.id = 'done'</script>"
)
FLOOD_FRAMES: Final = 5_000
LARGE_FRAME_BYTES: Final = 30 * 1024 * 1024


def _kept_and_dropped(result: Result, kind: str) -> int:
    rows = [row for row in result.capture["events"]["omissions"]["by_kind"] if row["kind"] == kind]
    return len(result.events(kind)) + sum(int(row["count"]) for row in rows)


def _downloads(site: Site) -> str:
    site.serve(
        "/file", Answer(b"x" * 100_000, "application/zip", headers=[("Content-Disposition", "attachment")])
    )
    return site.serve(
        "/",
        "<button id=go>b</button><script>document.getElementById('go').onclick = () => {"
        "for (let n = 0; n < 50; n++) { const a = document.createElement('a'); a.href = '/file?' + n;"
        "a.download = `f${n}.zip`; document.body.append(a); a.click() } }</script>",
    )


def _downloads_are_told(result: Result) -> None:
    assert _kept_and_dropped(result, "download-cancelled") >= 1


def _flood(socket: ServerSocket) -> None:
    for n in range(FLOOD_FRAMES):
        socket.send(TEXT, b"message %d" % n)
    socket.send(8, b"\x03\xe8")


def _odd_frames(socket: ServerSocket) -> None:
    for payload in (b"", b"\x00", bytes(range(256)) * 256):
        socket.send(BINARY, payload)
    socket.send(TEXT, b"")
    socket.send(8, b"\x03\xe8")


def _large_frames(socket: ServerSocket) -> None:
    socket.send(TEXT, b"a" * LARGE_FRAME_BYTES)
    socket.send(BINARY, b"b" * LARGE_FRAME_BYTES)
    socket.send(8, b"\x03\xe8")


def _sockets(talk: Callable[[ServerSocket], None]) -> Callable[[Site], str]:
    def serve(site: Site) -> str:
        site.serve_socket("/socket", talk)
        return site.serve("/", _TO_LISTEN)

    return serve


def _flood_is_counted(result: Result) -> None:
    assert _kept_and_dropped(result, "websocket-frame-received") == FLOOD_FRAMES


def _odd_frames_are_told(result: Result) -> None:
    frames = result.events("websocket-frame-received")
    sizes = sorted((frame["payload_type"], frame["payload_bytes"]) for frame in frames)
    assert sizes == [("binary", 1), ("binary", 65_536)]
    assert result.says(r"WebSocket messages without any content; 2 such messages came or went")


def _large_frames_are_cut(result: Result) -> None:
    frames = {frame["payload_type"]: frame for frame in result.events("websocket-frame-received")}
    assert {frame["payload_bytes"] for frame in frames.values()} == {LARGE_FRAME_BYTES}
    assert frames["text"]["truncated"]
    assert len(frames["text"]["payload_text"]) <= 65_536
    assert frames["binary"]["payload_text"] is None


def _viewport_only(result: Result) -> None:
    picture = result.artifact("screenshot")
    assert picture["state"] == "captured"
    assert (picture["value"]["width"], picture["value"]["height"]) == (1280, 720)


def _requests(count: int, timeout_ms: int) -> Case:
    def serve(site: Site) -> str:
        site.serve("/x", Answer(b"x", "text/plain"))
        return site.serve(
            "/",
            "<p>x<script>addEventListener('load', async () => { let n = 0; const worker = async () => {"
            f"while (n < {count}) await fetch('/x?' + n++).catch(String) }};"
            "await Promise.all(Array.from({length: 6}, worker)); document.body.id = 'done' })</script>",
        )

    def holds(result: Result) -> None:
        assert _kept_and_dropped(result, "request") >= count
        assert result.capture["events"]["omissions"]["network_transaction_range"] is not None

    return Case(
        f"{count:,} requests",
        serve,
        actions=(wait_for("#done", timeout_ms),),
        missing=frozenset(),
        truncated=frozenset({"events"}),
        holds=holds,
    )


def _text_of(megabytes: int) -> Case:
    return Case(
        f"a text of {megabytes} MB",
        page(
            "<p id=t><script>addEventListener('load', () => setTimeout(() => {"
            f"document.getElementById('t').textContent = 'x'.repeat({megabytes}e6) }}, 50))</script>"
        ),
        actions=(pause(2_000),),
        may_miss=EVERY_ARTIFACT,
    )


CASES: Final = (
    Case(
        "200,000 elements",
        page(
            "<p>x<script>addEventListener('load', () => { const d = document.createElement('div');"
            "d.innerHTML = '<i>x</i>'.repeat(2e5); document.body.append(d);"
            "document.body.id = 'done' })</script>"
        ),
        actions=(wait_for("#done", 10_000),),
        may_fail=True,
        may_miss=EVERY_ARTIFACT | {"action"},
    ),
    replace(_text_of(20), full=_text_of(100)),
    Case(
        "a page 30,000 pixels high and wide",
        page(
            "<style>div{width:30000px;height:30000px;background:linear-gradient(45deg,red,blue)}</style><div>x</div>"
        ),
        holds=_viewport_only,
    ),
    Case(
        "50 downloads at once",
        _downloads,
        actions=(click(),),
        may_miss=frozenset({"events"}),
        holds=_downloads_are_told,
    ),
    replace(
        _requests(1_200, 60_000),
        # The browser's log of so many is longer than can be read in time.
        full=replace(_requests(50_000, 1_500_000), may_miss=frozenset({"events"})),
    ),
    Case(
        "a flood of WebSocket messages",
        _sockets(_flood),
        actions=(wait_for("#done", 20_000),),
        holds=_flood_is_counted,
    ),
    Case(
        "empty and binary WebSocket messages",
        _sockets(_odd_frames),
        actions=(wait_for("#done"),),
        missing=frozenset({"events", "websockets"}),
        holds=_odd_frames_are_told,
    ),
    Case(
        "WebSocket messages of 30 MB",
        _sockets(_large_frames),
        actions=(wait_for("#done", 20_000),),
        truncated=frozenset({"events", "websockets"}),
        holds=_large_frames_are_cut,
    ),
)
