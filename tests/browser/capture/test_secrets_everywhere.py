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
from typing import Any
from urllib.parse import quote, quote_plus, unquote, unquote_plus

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rea_capture.contracts.reading import read_scenario
from rea_capture.evidence import evidence_bytes
from rea_capture.workflows.capture import capture
from tests.browser.capture.conftest import ALL_ARTIFACTS, ALL_FAMILIES, css, scenario_document, secret
from tests.loopback import Answer, Loopback, Seen, serving

SPREADER = (Path(__file__).parent / "spreader.html").read_text()


def echo(_: BaseHTTPRequestHandler, request: Seen) -> Answer:
    """Send back what came, in body, header and media type."""
    coded = request.headers.get("x-coded", "")
    media = request.headers.get("content-type", "text/plain")
    return Answer(request.body, media, headers=[("X-Echo", coded), ("Set-Cookie", f"echo={coded}")])


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


async def spread(loopback: Loopback, chromium: str, values: list[str]) -> tuple[bytes, list[str]]:
    loopback.route("/", SPREADER)
    loopback.route("/echo", echo)
    loopback.route("/plain", "<p>plain")
    loopback.route("/worker.js", Answer("postMessage(1)", "text/javascript"))
    loopback.route("/file", file_answer)
    names = [f"s{n}" for n in range(len(values))]
    one, two, *_ = names
    query = [{"name": "q", "value": secret(one)}]
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
        query=query,
        storage={"local_storage": seeds, "session_storage": seeds},
        secrets=[{"secret_id": name, "environment_variable": f"REA_TEST_{name}"} for name in names],
        capture={
            "after_each_step": ALL_ARTIFACTS,
            "events": ALL_FAMILIES,
            "network": {"request_body": True, "response_body": True, "header_values": True},
        },
    )  # fmt: skip
    told: list[str] = []
    async with asyncio.timeout(120):
        evidence = await capture(
            read_scenario(json.dumps(document).encode()),
            executable_path=chromium,
            environ={f"REA_TEST_{name}": value for name, value in zip(names, values, strict=True)},
            progress=told.append,
        )
    statuses = [step.status for step in evidence.normalized_result.steps]
    assert statuses == ["completed"] * 5 + ["failed"], [
        step.error for step in evidence.normalized_result.steps
    ]
    return evidence_bytes(evidence), told


@settings(
    max_examples=6,
    deadline=None,
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(values=st.lists(SECRET_TEXT, min_size=2, max_size=2, unique=True))
def test_no_spelling_of_a_secret_is_left_in_the_evidence(chromium_path: str, values: list[str]) -> None:
    with serving() as loopback:
        data, told = asyncio.run(spread(loopback, chromium_path, values))
    assert b"[REDACTED:s0]" in data
    assert b"[REDACTED:s1]" in data
    kept = list(strings_of(json.loads(data))) + told
    for value in values:
        forms = {form for form in spellings(value) if len(form) >= 4}
        for text in kept:
            for seen in decodings(text):
                for form in forms:
                    assert form not in seen, (form, text[:300])


def test_screenshots_paint_over_what_shows_a_secret_and_say_so(chromium_path: str) -> None:
    with serving() as loopback:
        data, _ = asyncio.run(spread(loopback, chromium_path, ['pa"ss & <word>', "correct horse battery"]))
    limitations = json.loads(data)["normalized_result"]["limitations"]
    assert any("painted over" in sentence for sentence in limitations)
