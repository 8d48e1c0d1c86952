"""Random secrets, spread by a real page through every channel it has, are nowhere in the Evidence."""

from __future__ import annotations

import asyncio
import base64
import html
import json
import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, quote_plus, unquote, unquote_plus

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rea_capture.contracts.reading import read_scenario
from rea_capture.evidence import evidence_bytes, parse
from rea_capture.workflows.capture import capture
from tests.browser.capture.conftest import ALL_ARTIFACTS, ALL_FAMILIES, css, scenario_document, secret
from tests.browser.events.websocket_server import CLOSE, ServerSocket
from tests.browser.kept_driver import KeptDriver
from tests.cli.running import rea_on_terminal
from tests.loopback import Answer, Loopback, Seen, serving

SPREADER: Final = (Path(__file__).parent / "spreader.html").read_text()
POPUP: Final = "<script>onload = () => opener.postMessage('shown', '*')</script><p>popup"

CHANNELS: Final = {
    "console", "page-error", "request", "response", "request-finished", "request-failed", "network-content",
    "websocket-opened", "websocket-frame-sent", "websocket-frame-received", "websocket-closed",
    "frame-navigated", "frame-detached", "worker-created", "worker-closed",
    "popup-opened", "popup-closed", "download-cancelled",
}  # fmt: skip
"""Kinds of events that the page makes, each at least once with a secret in it."""

NAMEABLE: Final = "hunter2-correct-horse"
"""A secret that can be part of a host name and of an element's name."""
AWKWARD: Final = 'pa"ss & <word>'

FUZZING: Final = settings.default is settings.get_profile("fuzz")
"""With the profile ``fuzz`` the examples are random; else the same few every time."""


def echo(_: BaseHTTPRequestHandler, request: Seen) -> Answer:
    """Send back what came, in body, header and media type."""
    coded = request.headers.get("x-coded", "")
    media = request.headers.get("content-type", "text/plain")
    return Answer(request.body, media, headers=[("X-Echo", coded), ("Set-Cookie", f"echo={coded}")])


def socket_echo(connection: BaseHTTPRequestHandler, _: Seen) -> None:
    """Send back every message, and a close for a close."""
    socket = ServerSocket(connection)
    while True:
        opcode, payload = socket.receive()
        socket.send(opcode, payload)
        if opcode == CLOSE:
            return


def hang_up(_: BaseHTTPRequestHandler, __: Seen) -> None:
    """End the connection without an answer."""


def file_answer(_: BaseHTTPRequestHandler, request: Seen) -> Answer:
    """A download whose name is the query."""
    name = request.target.partition("=")[2]
    disposition = f"attachment; filename*=UTF-8''{name.replace('+', '%20')}"
    return Answer(b"data", "application/octet-stream", headers=[("Content-Disposition", disposition)])


SECRET_TEXT = st.text(
    alphabet=st.sampled_from("abzXY019\"'&<>\\/%+ =;:#?\n\té漢😀{}[]`$-_."), min_size=4, max_size=24
).filter(lambda text: len("".join(text.split())) >= 4)


def spellings(value: str) -> Iterator[str]:
    """Forms of ``value`` that a reader could turn back into it."""
    collapsed = " ".join(value.split())
    for text in {value, value.strip(), collapsed}:
        yield text
        yield from (quote(text), quote(text, safe=""), quote_plus(text))
        yield from (html.escape(text), html.escape(text, quote=False))
        yield from (json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1])


def strings_of(value: Any) -> Iterator[str]:
    """Every string of a document, keys included, and the text of every body."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            if key == "content" and isinstance(item, str):
                yield base64.b64decode(item).decode("utf-8", "replace")
            elif key not in {"data_base64", "sha256"}:
                yield from strings_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings_of(item)
    elif isinstance(value, str):
        yield value


def decodings(text: str) -> Iterator[str]:
    """``text`` and what the usual decoders make of it."""
    yield text
    yield from (unquote(text), unquote_plus(text), unquote(unquote(text)), html.unescape(text))
    yield re.sub(r"\\(.)", r"\1", text)
    yield " ".join(text.split())


def spreading(loopback: Loopback, values: list[str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Serve the page. Returns the scenario that makes it spread ``values``, and its environment."""
    loopback.route("/", SPREADER)
    loopback.route("/echo", echo)
    loopback.route("/hangs-up", hang_up)
    loopback.route("/plain", "<p>plain")
    loopback.route("/popup", POPUP)
    loopback.route("/socket", socket_echo)
    loopback.route("/host.js", Answer("0", "text/javascript"))
    loopback.route("/worker.js", Answer("console.log(location.search); postMessage(1)", "text/javascript"))
    loopback.route("/file", file_answer)
    names = [f"s{n}" for n in range(len(values))]
    one, two, *_ = names
    seeds = [{"origin": loopback.origin, "entries": [{"name": "seed", "value": secret(two)}]}]
    document = scenario_document(
        loopback.origin + "/",
        [
            {"step_id": "one", "action": "fill", "locator": css("#one"), "value": secret(one)},
            {"step_id": "two", "action": "fill", "locator": css("#two"), "value": secret(two)},
            {"step_id": "spread", "action": "click", "locator": css("#go")},
            {"step_id": "done", "action": "wait_for", "locator": css("#done"), "state": "attached",
             "timeout_ms": 30000},
            {"step_id": "fails", "action": "fill", "locator": css("#none"), "value": secret(one),
             "timeout_ms": 300},
        ],
        query=[{"name": "q", "value": secret(one)}],
        storage={"local_storage": seeds, "session_storage": seeds},
        secrets=[{"secret_id": name, "environment_variable": f"REA_TEST_{name}"} for name in names],
        capture={
            "after_each_step": ALL_ARTIFACTS,
            "events": ALL_FAMILIES,
            "network": {"request_body": True, "response_body": True, "header_values": True},
        },
    )  # fmt: skip
    return document, {f"REA_TEST_{name}": value for name, value in zip(names, values, strict=True)}


async def spread(
    loopback: Loopback, chromium: str, driver: KeptDriver, values: list[str]
) -> tuple[bytes, list[str]]:
    document, environ = spreading(loopback, values)
    told: list[str] = []
    async with asyncio.timeout(120):
        evidence = await capture(
            read_scenario(json.dumps(document).encode()),
            executable_path=chromium,
            environ=environ,
            driver=driver.lent(),
            progress=lambda news: told.append(str(news)),
        )
    return evidence_bytes(evidence), told


def assert_every_channel_was_used(result: dict[str, Any]) -> None:
    """The run went as it should, and each kind of event was seen to carry a secret, now a marker."""
    steps = result["steps"]
    assert [step["status"] for step in steps] == ["completed"] * 5 + ["failed"], [
        step["error"] for step in steps
    ]
    events = result["events"]["items"]
    carrying = {event["kind"] for event in events if any("[REDACTED:s" in text for text in strings_of(event))}
    assert carrying >= CHANNELS, CHANNELS - carrying
    assert "frame-attached" in {event["kind"] for event in events}
    dialogs = [text for text in result["limitations"] if "dialog of type" in text]
    for kind in ("alert", "confirm", "prompt"):
        assert any(f"type {kind} (" in text and "[REDACTED:s" in text for text in dialogs), dialogs


def assert_none_is_left(values: list[str], kept: list[str]) -> None:
    """No spelling of a value is in any of the texts."""
    for value in values:
        forms = {form for form in spellings(value) if len(form) >= 4}
        for text in kept:
            for seen in decodings(text):
                for form in forms:
                    assert form not in seen, (form, text[:300])


@settings(
    max_examples=200 if FUZZING else 6,
    deadline=None,
    derandomize=not FUZZING,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(values=st.lists(SECRET_TEXT, min_size=2, max_size=2, unique=True))
async def test_no_spelling_of_a_secret_is_left_in_the_evidence(
    chromium_path: str, kept_driver: KeptDriver, values: list[str]
) -> None:
    with serving() as loopback:
        data, told = await spread(loopback, chromium_path, kept_driver, values)
    assert b"[REDACTED:s0]" in data
    assert b"[REDACTED:s1]" in data
    document = json.loads(data)
    assert_every_channel_was_used(document["normalized_result"])
    assert_none_is_left(values, [*strings_of(document), *told])


def test_neither_the_document_nor_the_terminal_shows_a_secret(
    chromium_path: str, loopback: Loopback, tmp_path: Path
) -> None:
    values = [NAMEABLE, AWKWARD]
    document, environ = spreading(loopback, values)
    output = tmp_path / "capture.json"
    status, shown = rea_on_terminal(
        "capture-browser-scenario", json.dumps(document), "--executable-path", chromium_path,
        "--output", str(output), env=environ,
    )  # fmt: skip
    assert status == 0, shown
    parse(output.read_bytes(), "the capture")
    evidence = json.loads(output.read_bytes())
    result = evidence["normalized_result"]
    assert_every_channel_was_used(result)
    urls = {event["url"]["url"] for event in result["events"]["items"] if event["kind"] == "request"}
    assert any(url.startswith("http://[REDACTED:s0].localhost:") for url in urls)
    limitations = result["limitations"]
    assert any("x-[REDACTED:s0]" in sentence for sentence in limitations), limitations
    assert any("painted over" in sentence for sentence in limitations)
    assert "spread (click)" in shown
    assert "[REDACTED:" in shown
    assert_none_is_left(values, [*strings_of(evidence), shown, " ".join(shown.split())])
