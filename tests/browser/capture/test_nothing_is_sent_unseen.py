"""What the browser sends without a word of the driver is found in the browser's own log.

The server's own log is the witness: each page here makes a request that no event tells of. The capture says
how many there were and what for, and is incomplete in the step they were sent in.
"""

from __future__ import annotations

import shlex
import socket
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from rea_capture.browser.sent_unseen import NO_LOG_LIMITATION, UPDATES_LIMITATION
from rea_capture.contracts.capture import CaptureResult
from tests.browser.capture.conftest import RunScenario, css, pause
from tests.browser.capture.tls_site import reporting_site
from tests.browser.events.websocket_server import BINARY, CLOSE, TEXT, ServerSocket
from tests.loopback import Answer, Loopback, Seen

CLOSINGS = 3
ONE = "The browser sent 1 request that the driver did not report (1 {}); no event holds it."
TWO = "The browser sent 2 requests that the driver did not report (2 {}); no event holds them."
DEFERRED = ONE.format("deferred with fetchLater")
CLICK = {"step_id": "go", "action": "click", "locator": css("button")}
PAY = "{total: {label: 'a', amount: {currency: 'EUR', value: '1'}}}"


def page(script: str) -> str:
    return f"<!doctype html><button>go</button><script>{script}</script>"


def on_click(script: str) -> str:
    return page(f"document.querySelector('button').onclick = () => {{ {script} }}")


def unreported(result: CaptureResult) -> list[str]:
    """What the capture says it did not see of what was sent."""
    return [stated for stated in result.limitations if stated.startswith("The browser sent")]


def incomplete_steps(result: CaptureResult) -> list[str]:
    return [step.step_id for step in result.steps if step.completeness.missing_sections]


async def captured(
    run_scenario: RunScenario, url: str, wait_ms: int = 400, family: str = "network"
) -> CaptureResult:
    actions = [CLICK, pause("after", wait_ms), pause("last", 50)]
    return (await run_scenario(url, actions, capture={"events": [family]})).normalized_result


async def test_a_deferred_fetch_is_counted_when_it_is_sent_while_the_browser_closes(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    loopback.route("/later", "ok")
    url = loopback.route("/", on_click("fetchLater('/later', {method: 'POST', body: 'x'})"))
    for _ in range(CLOSINGS):  # a busy machine may end the browser before it has sent anything
        loopback.seen.clear()
        result = await captured(run_scenario, url)
        was_sent = "POST /later" in loopback.targets()
        assert unreported(result) == [DEFERRED] * was_sent
        assert incomplete_steps(result) == ["last"] * was_sent
        if was_sent:
            return
    pytest.fail("the browser never sent what was deferred")


async def test_the_manifest_of_a_payment_method_is_counted_in_its_step(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    loopback.route("/pay", Answer("{}", "application/json"))
    method = f"[{{supportedMethods: '{loopback.origin}/pay'}}]"
    url = loopback.route("/", on_click(f"new PaymentRequest({method}, {PAY}).canMakePayment()"))
    result = await captured(run_scenario, url, 1_500)
    asked = [target for target in loopback.targets() if target.endswith(" /pay")]
    assert asked
    assert unreported(result) == [
        f"The browser sent {len(asked)} request{'s' * (len(asked) > 1)} that the driver did not report "
        f"({len(asked)} for a payment method); no event holds {'them' if len(asked) > 1 else 'it'}."
    ]
    assert incomplete_steps(result) in (["go"], ["after"], ["go", "after"])


async def test_a_request_that_the_browser_repeats_by_itself_is_one_request(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    def hangs_up_once(connection: BaseHTTPRequestHandler, _: Seen) -> Answer | None:
        if loopback.targets().count("GET /lost") > 1:
            return Answer("ok")
        connection.connection.shutdown(socket.SHUT_RDWR)
        return None

    loopback.route("/first", "ok")
    loopback.route("/lost", hangs_up_once)
    fetches = "fetch('/first').then(r => r.text()).then(() => fetch('/lost'))"
    result = await captured(run_scenario, loopback.route("/", on_click(fetches)))
    assert loopback.targets().count("GET /lost") == 2
    assert unreported(result) == []
    assert result.completeness.status == "complete"


async def test_parts_that_the_cache_lacks_are_requests_that_follow_up_the_one_reported(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    content = "x" * 6_000

    def part(_: BaseHTTPRequestHandler, seen: Seen) -> Answer:
        first, last = map(int, seen.headers["range"].removeprefix("bytes=").split("-"))
        return Answer(
            content[first : last + 1],
            "text/plain",
            status=206,
            headers=[
                ("Content-Range", f"bytes {first}-{last}/{len(content)}"),
                ("ETag", '"a"'),
                ("Cache-Control", "max-age=600"),
            ],
        )

    loopback.route("/parts", part)
    fetches = "for (const r of ['1000-1999', '3000-3999', '0-5000'])"
    fetches += " await (await fetch('/parts', {headers: {range: 'bytes=' + r}})).arrayBuffer()"
    result = await captured(run_scenario, loopback.route("/", on_click(f"(async () => {{ {fetches} }})()")))
    assert loopback.targets().count("GET /parts") == 5
    assert unreported(result) == [TWO.format("to complete another")]
    assert "events" in result.completeness.missing_sections


@pytest.mark.parametrize("asks", [True, False])
async def test_a_request_that_is_repeated_with_a_password_is_counted_and_one_that_is_not_is_none(
    run_scenario: RunScenario, loopback: Loopback, asks: bool
) -> None:
    def guarded(_: BaseHTTPRequestHandler, seen: Seen) -> Answer:
        if not asks or "authorization" in seen.headers:
            return Answer("in")
        return Answer("out", status=401, headers=[("WWW-Authenticate", 'Basic realm="x"')])

    loopback.route("/guarded", guarded)
    script = "x = new XMLHttpRequest(); x.open('GET', '/guarded', true, 'name', 'word'); x.send()"
    result = await captured(run_scenario, loopback.route("/", on_click(script)))
    assert loopback.targets().count("GET /guarded") == 1 + asks
    assert unreported(result) == [ONE.format("to complete another")] * asks
    assert (result.completeness.status == "incomplete") is asks


@pytest.mark.parametrize(
    "page_part",
    [
        "<script>fetch('/go')</script>",
        "<script type=module src=/go></script>",
        "<img crossorigin src=/go>",
        "<script>fetch('/go', {method: 'POST', body: 'x'})</script>",
        "<script>x = new XMLHttpRequest; x.open('GET', '/go'); x.send()</script>",
        "<style>@font-face { font-family: q; src: url(/go) } p { font-family: q }</style><p>text",
    ],
)
async def test_a_redirect_to_another_origin_leaves_the_log_whole(
    run_scenario: RunScenario, loopback: Loopback, page_part: str
) -> None:
    elsewhere = loopback.origin.replace("127.0.0.1", "localhost") + "/there"
    loopback.route("/go", Answer("", status=307, headers=[("Location", elsewhere)]))
    loopback.route("/there", Answer("1", "text/javascript", headers=[("Access-Control-Allow-Origin", "*")]))
    result = await captured(run_scenario, loopback.route("/", f"<button>go</button>{page_part}"))
    assert [target for target in loopback.targets() if target.endswith(" /there")]
    assert [limit for limit in result.limitations if "log" in limit] == []
    assert unreported(result) == []
    assert result.completeness.status == "complete"


async def test_looks_for_a_new_service_worker_are_stated_and_not_counted(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    loopback.route("/worker.js", Answer("importScripts('/part.js')", "text/javascript"))
    loopback.route("/part.js", Answer("1", "text/javascript"))
    script = (
        "navigator.serviceWorker.register('/worker.js');"
        "navigator.serviceWorker.ready.then(r => { document.querySelector('button').onclick = async () => {"
        " await r.update(); document.body.id = 'looked' } })"
    )
    evidence = await run_scenario(
        loopback.route("/", page(script)),
        [
            pause("installed", 1_000),
            CLICK,
            {"step_id": "seen", "action": "wait_for", "locator": css("#looked")},
        ],
        capture={"events": ["network"]},
        environment={"service_workers": "allow"},
    )
    result = evidence.normalized_result
    assert loopback.targets().count("GET /worker.js") == 2
    assert unreported(result) == []
    assert UPDATES_LIMITATION in result.limitations
    assert result.completeness.status == "complete"


async def test_reports_of_the_reporting_api_are_counted(
    chromium_path: str, run_scenario: RunScenario, tmp_path: Path
) -> None:
    impatient = (
        tmp_path / "browser"
    )  # that does not wait a minute to report, and takes the site's certificate
    options = "--ignore-certificate-errors --short-reporting-delay"
    impatient.write_text(f'#!/bin/sh\nexec {shlex.quote(chromium_path)} {options} "$@"\n')
    impatient.chmod(0o700)
    with reporting_site(tmp_path) as (url, targets):
        browser = {"mode": "launch", "executable_path": str(impatient)}
        evidence = await run_scenario(
            url, [pause("after", 3_000)], capture={"events": ["network"]}, browser=browser
        )
    result = evidence.normalized_result
    assert "POST /reports" in targets
    assert "with reports" in unreported(result)[0]
    assert "events" in result.completeness.missing_sections


@pytest.mark.parametrize(("family", "status"), [("network", "incomplete"), ("console", "complete")])
async def test_a_browser_that_keeps_no_log_leaves_open_what_it_sent(
    chromium_path: str,
    run_scenario: RunScenario,
    loopback: Loopback,
    tmp_path: Path,
    family: str,
    status: str,
) -> None:
    silent = tmp_path / "browser"
    kept = 'for each do case $each in --log-net-log=*) ;; *) set -- "$@" "$each";; esac; shift; done'
    silent.write_text(f'#!/bin/sh\n{kept}\nexec {shlex.quote(chromium_path)} "$@"\n')
    silent.chmod(0o700)
    evidence = await run_scenario(
        loopback.route("/", "fine"),
        [pause("after", 50)],
        capture={"events": [family]},
        browser={"mode": "launch", "executable_path": str(silent)},
    )
    result = evidence.normalized_result
    assert result.completeness.status == status
    assert (NO_LOG_LIMITATION in result.limitations) is (status == "incomplete")


async def test_last_words_that_no_look_was_in_time_for_are_counted(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    loopback.route("/said", "ok")
    elsewhere = loopback.origin.replace("127.0.0.1", "localhost") + "/next"
    loopback.route("/next", "next")
    speaks = "addEventListener('pagehide', () => navigator.sendBeacon('/said', 'x'))"
    url = loopback.route("/", on_click(f"{speaks}; location = '{elsewhere}'"))
    result = await captured(run_scenario, url, 1_000)
    assert "POST /said" in loopback.targets()
    assert unreported(result) == [ONE.format("of other kinds")]
    assert "events" in result.completeness.missing_sections


async def test_an_icon_that_a_page_asks_for_itself_is_counted_and_one_for_the_tab_is_not(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    url = loopback.route("/", on_click("fetch('/favicon.ico')"))
    result = await captured(run_scenario, url)
    assert loopback.targets().count("GET /favicon.ico") == 2
    assert unreported(result) == [ONE.format("for an address ending in /favicon.ico")]
    assert any("end in /favicon.ico, whoever makes them" in limitation for limitation in result.limitations)


async def test_a_webtransport_session_is_counted(run_scenario: RunScenario, loopback: Loopback) -> None:
    url = loopback.route("/", on_click("new WebTransport('https://127.0.0.1:9/x').ready.catch(() => 0)"))
    result = await captured(run_scenario, url)
    assert "(1 for WebTransport)" in unreported(result)[0]
    assert incomplete_steps(result) == ["go"]


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(
            "i = new Image; i.onload = () => { document.body.append(Object.assign(new Image, {src: i.src}));"
            " fetch(i.src).then(() => fetch(i.src, {cache: 'reload'})) }; i.src = '/kept'",
            id="answers from memory and disk",
        ),
        pytest.param("setInterval(() => fetch('/kept', {cache: 'no-store'}), 20)", id="without end"),
        pytest.param("setInterval(() => navigator.sendBeacon('/kept', 'x'), 20)", id="beacons without end"),
        pytest.param(
            "document.body.insertAdjacentHTML('beforeend', `<iframe src='//u:p@HOST/kept#x'></iframe>"
            "<a id=a href='/kept?ä b#c' target=f>a</a><iframe name=f></iframe>`); a.click()",
            id="addresses that are spelt otherwise",
        ),
        pytest.param(
            "fetch('/moved'); fetch('http://127.0.0.1:9/').catch(() => 0)", id="redirects, refusals"
        ),
    ],
)
async def test_what_the_driver_reports_is_not_counted(
    run_scenario: RunScenario, loopback: Loopback, script: str
) -> None:
    picture = '<svg xmlns="http://www.w3.org/2000/svg"/>'
    loopback.route("/kept", Answer(picture, "image/svg+xml", headers=[("Cache-Control", "max-age=600")]))
    loopback.route("/moved", Answer("", status=302, headers=[("Location", "/kept?moved")]))
    url = loopback.route("/", on_click(script.replace("HOST", loopback.origin.removeprefix("http://"))))
    result = await captured(run_scenario, url)
    assert len(loopback.targets()) > 2, "the page did not do what this is about"
    assert not unreported(result)
    assert result.completeness.missing_sections == ()


async def test_websocket_messages_without_content_are_counted(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    def talks(connection: BaseHTTPRequestHandler, _: Seen) -> None:
        peer = ServerSocket(connection)
        for opcode, payload in ((TEXT, b""), (BINARY, b""), (TEXT, b"x")):
            peer.send(opcode, payload)
        assert [peer.receive() for _ in range(2)] == [(TEXT, b""), (TEXT, b"y")]
        peer.send(CLOSE, b"")

    loopback.route("/talk", talks)
    script = (
        "w = new WebSocket('ws://' + location.host + '/talk'); w.onopen = () => { w.send(''); w.send('y') }"
    )
    result = await captured(run_scenario, loopback.route("/", on_click(script)), family="websockets")
    kinds = [event.kind for event in result.events.items]
    assert kinds.count("websocket-frame-received") == 1
    assert kinds.count("websocket-frame-sent") == 1
    stated = [limitation for limitation in result.limitations if "without any content" in limitation]
    assert stated == [
        "The driver does not report WebSocket messages without any content; 3 such messages came or went, "
        "and no event tells of it."
    ]
    assert result.completeness.missing_sections == ("events", "websockets")
    assert incomplete_steps(result) == ["go"]


async def test_websockets_without_empty_messages_leave_a_capture_complete(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    def talks(connection: BaseHTTPRequestHandler, _: Seen) -> None:
        peer = ServerSocket(connection)
        peer.send(TEXT, b"x")
        peer.receive()
        peer.send(CLOSE, b"")

    loopback.route("/talk", talks)
    script = "w = new WebSocket('ws://' + location.host + '/talk'); w.onopen = () => w.send('y')"
    result = await captured(run_scenario, loopback.route("/", on_click(script)), family="websockets")
    assert {"websocket-frame-sent", "websocket-frame-received"} < {
        event.kind for event in result.events.items
    }
    assert result.completeness.missing_sections == ()
    assert not [limitation for limitation in result.limitations if "without any content" in limitation]


async def test_two_captures_of_one_page_say_the_same(run_scenario: RunScenario, loopback: Loopback) -> None:
    loopback.route("/pay", Answer("{}", "application/json"))
    method = f"[{{supportedMethods: '{loopback.origin}/pay'}}]"
    script = f"fetch('/favicon.ico'); new PaymentRequest({method}, {PAY}).canMakePayment()"
    url = loopback.route("/", on_click(script))
    results = [await captured(run_scenario, url, 1_500) for _ in range(2)]
    assert unreported(results[0]) == unreported(results[1]) != []
    assert results[0].limitations == results[1].limitations
