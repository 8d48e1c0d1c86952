"""Over HTTP a server is for this machine only, and for nobody who comes by another name."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from rea_capture.mcp_server.limits import MAX_MESSAGE_BYTES
from tests.browser.cleanup.command import wait_until
from tests.mcp_server.serving import (
    PATIENCE_S,
    SERVE,
    VERSION,
    Place,
    answered,
    call,
    cancelled,
    hello,
    opened,
    request,
    served_http,
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, chromium_path: str) -> Iterator[str]:
    """A server that these tests leave as it was."""
    place = Place(tmp_path_factory.mktemp("http"), chromium_path)
    with served_http(place) as (_, found):
        yield found
    left = place.leftovers()
    place.remove()
    assert left == []


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost:{port}"}, 200),
        ({"Origin": "http://127.0.0.1:{port}"}, 200),
        ({"Host": "shop.example:{port}"}, 421),
        ({"Host": "127.0.0.1.shop.example:{port}"}, 421),
        ({"Host": "127.0.0.1"}, 421),
        ({"Origin": "http://shop.example"}, 403),
        ({"Origin": "http://localhost:1"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Content-Type": "text/plain"}, 400),
    ],
)
@pytest.mark.parametrize("version", [VERSION, "2026-07-28"])
def test_host_and_origin_have_to_be_those_of_the_server(
    address: str, headers: dict[str, str], status: int, version: str
) -> None:
    port = str(urlsplit(address).port)
    given = {name: value.replace("{port}", port) for name, value in headers.items()}
    body = hello() if version == VERSION else b"{}"
    found, _ = answered(address, body, {"MCP-Protocol-Version": version, **given})
    # The newer protocol has no such greeting; who is let in is told what is wrong with it.
    assert found == status if status != 200 or version == VERSION else found in {200, 400}


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/mcp", ["Host: {here}", "Origin: http://{here}", "Origin: http://shop.example"], 403),
        ("/mcp", ["Host: {here}", "Host: shop.example"], 400),
        ("/mcp/", ["Host: shop.example"], 421),
        ("/", ["Host: shop.example"], 421),
        ("/", ["Host: {here}"], 404),
    ],
)
def test_every_header_counts_on_every_path(address: str, path: str, headers: list[str], status: int) -> None:
    parts = urlsplit(address)
    lines = [f"GET {path} HTTP/1.1", *(each.replace("{here}", parts.netloc) for each in headers)]
    with socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE_S) as connection:
        connection.sendall("\r\n".join([*lines, "Connection: close", "", ""]).encode())
        answer = b"".join(iter(lambda: connection.recv(4096), b""))
    assert answer.startswith(f"HTTP/1.1 {status} ".encode())


def test_a_body_that_is_too_long_is_refused_by_the_name_of_the_limit(address: str) -> None:
    parts = urlsplit(address)
    connection = socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE_S)
    with connection:
        head = (
            f"POST /mcp HTTP/1.1\r\nHost: {parts.netloc}\r\nContent-Length: {MAX_MESSAGE_BYTES + 1}\r\n\r\n"
        )
        connection.sendall(head.encode())
        answer = b"".join(iter(lambda: connection.recv(4096), b""))
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert f"{MAX_MESSAGE_BYTES:,} are taken (MAX_MESSAGE_BYTES)".encode() in answer


def test_a_body_that_does_not_say_its_length_is_refused_too(address: str) -> None:
    body = b"x" * (MAX_MESSAGE_BYTES + 1)
    status, _ = answered(address, iter([body]), {})  # type: ignore[arg-type] # sent in chunks
    assert status == 413


@pytest.mark.parametrize("odd", [b"1.5", b"true", b"null", b"{}", b"1e2"])
def test_a_request_whose_id_is_none_is_answered(address: str, odd: bytes) -> None:
    body = b'{"jsonrpc": "2.0", "id": ' + odd + b', "method": "ping"}'
    status, answer = answered(address, body, {})
    assert (status, json.loads(answer)["error"]["code"]) == (400, -32600)
    assert b"an id has to be" in answer
    greeting = hello()[:-1] + b', "more": {"id": ' + odd + b"}}"
    assert answered(address, greeting, {})[0] == 200  # of something else


CALL = (
    b'{"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": '
    b'{"name": "read_evidence", "arguments": %b}}'
)


@pytest.mark.parametrize(
    ("body", "request_id", "code"),
    [
        (b"", None, -32700),
        (b"{", None, -32700),
        (b"[" * 5_000, None, -32700),
        (b"[]", None, -32600),
        (b'{"id": "x"}', "x", -32600),
        (b'{"jsonrpc": "2.0", "id": "\\ud800", "method": "ping"}', None, -32600),
    ],
)
@pytest.mark.parametrize("version", [VERSION, "2026-07-28"])
def test_what_is_no_message_is_answered_as_over_pipes(
    address: str, body: bytes, request_id: Any, code: int, version: str
) -> None:
    status, answer = answered(address, body, {"MCP-Protocol-Version": version})
    said = json.loads(answer)
    assert (status, said["id"], said["error"]["code"]) == (400, request_id, code)
    assert said["error"]["message"].startswith("a message is ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (b'{"evidence_id": NaN}', "NaN is not a JSON number"),
        (b'{"offset": -Infinity}', "Infinity is not a JSON number"),
        (b'{"evidence_id": "\\ud800"}', "surrogates not allowed"),
        (b'{"a":' * 300 + b"1" + b"}" * 300, "deeper than 128 levels"),
        (b'{"a": [' + b"{}," * 1_000_000 + b"{}]}", "has more than 1,000,000 values (MAX_CALL_VALUES)"),
    ],
)
def test_arguments_that_the_library_does_not_read_are_refused_in_the_words_of_the_tool(
    address: str, arguments: bytes, sentence: str
) -> None:
    session = opened(address)
    _, answer = answered(address, CALL.replace(b"%b", arguments), session)
    [data] = [line for line in answer.splitlines() if line.startswith(b"data: {")]
    result = json.loads(data.removeprefix(b"data: "))["result"]
    assert result["isError"] is True
    assert sentence in result["structuredContent"]["error"]["message"]


def test_an_id_that_is_under_way_in_its_session_is_not_used_again(
    address: str, tmp_path: Path, mute_browser: str
) -> None:
    session, other = opened(address), opened(address)
    scenario = {
        "browser": {"mode": "launch", "executable_path": mute_browser},
        "start_url": {"url": "http://127.0.0.1:9/"},
        "actions": [{"step_id": "wait", "action": "wait_for_timeout", "duration_ms": 1}],
        "command_timeout_ms": 600_000,
    }
    body = json.dumps(call("capture_browser_scenario", 7, scenario)).encode()
    thread = threading.Thread(target=answered, args=(address, body, session), daemon=True)
    thread.start()
    wait_until(Path(mute_browser + ".started").exists, "the browser is started")

    def ping(request_id: Any, headers: dict[str, str]) -> tuple[int, bytes]:
        return answered(address, json.dumps(request("ping", request_id)).encode(), headers)

    for same in (7, "7"):
        status, answer = ping(same, session)
        assert (status, json.loads(answer)["id"]) == (400, None)
        assert b"a request with this id is under way; ids are used once" in answer
    assert ping(7, other)[0] == ping(8, session)[0] == 200
    answered(address, json.dumps(cancelled(7)).encode(), session)
    thread.join(PATIENCE_S)
    assert not thread.is_alive()
    assert ping(7, session)[0] == 200


def test_a_new_client_gets_in_and_the_longest_idle_session_leaves(place: Place) -> None:
    small = (
        "import sys\n"
        "import rea_capture.mcp_server.loopback as room\n"
        "room.MAX_SESSIONS = 2\n"
        "from rea_capture.cli import main\n"
        "main(['serve-mcp', *sys.argv[1:]])\n"
    )
    ping = json.dumps(request("ping", 2)).encode()
    with served_http(place, command=(sys.executable, "-c", small)) as (process, here):
        first, second = opened(here), opened(here)
        assert answered(here, ping, first)[0] == 200  # so that the second is idle for longer
        third = opened(here)
        assert [answered(here, ping, each)[0] for each in (first, second, third)] == [200, 404, 200]
        assert process.stderr is not None
        assert "(MAX_SESSIONS); idle ones that have left to let others in: 1" in process.stderr.readline()


def test_a_new_client_is_told_when_all_sessions_have_calls_under_way(place: Place, mute_browser: str) -> None:
    small = (
        "import sys\n"
        "import rea_capture.mcp_server.loopback as room\n"
        "room.MAX_SESSIONS = 1\n"
        "from rea_capture.cli import main\n"
        "main(['serve-mcp', *sys.argv[1:]])\n"
    )
    scenario = {
        "browser": {"mode": "launch", "executable_path": mute_browser},
        "start_url": {"url": "http://127.0.0.1:9/"},
        "actions": [{"step_id": "wait", "action": "wait_for_timeout", "duration_ms": 1}],
        "command_timeout_ms": 600_000,
    }
    body = json.dumps(call("capture_browser_scenario", 7, scenario)).encode()
    with served_http(place, command=(sys.executable, "-c", small)) as (_, here):
        session = opened(here)
        thread = threading.Thread(target=answered, args=(here, body, session), daemon=True)
        thread.start()
        wait_until(Path(mute_browser + ".started").exists, "the browser is started")
        status, answer = answered(here, hello(), {})
        assert (status, json.loads(answer)["error"]["message"]) == (503, "Too many open sessions")
        answered(here, json.dumps(cancelled(7)).encode(), session)
        thread.join(PATIENCE_S)
        assert answered(here, hello(), {})[0] == 200


def test_a_session_that_is_idle_for_long_ends(place: Place) -> None:
    told = (
        "import logging\n"
        "import sys\n"
        "import rea_capture.mcp_server.loopback as room\n"
        "room.MAX_IDLE_SESSION_S = 0.5\n"
        "log = logging.getLogger('mcp.server.streamable_http_manager')\n"
        "log.addHandler(logging.StreamHandler())\n"
        "log.setLevel('INFO')\n"
        "from rea_capture.cli import main\n"
        "main(['serve-mcp', *sys.argv[1:]])\n"
    )
    with served_http(place, command=(sys.executable, "-c", told)) as (process, here):
        assert answered(here, hello(), {})[0] == 200
        assert process.stderr is not None
        assert any(line.endswith("idle timeout\n") for line in process.stderr)


def test_it_listens_on_the_loopback_address_only(address: str) -> None:
    port = urlsplit(address).port
    with open("/proc/net/tcp") as tcp, open("/proc/net/tcp6") as tcp6:
        lines = [line.split() for table in (tcp, tcp6) for line in table.readlines()[1:]]
    listening = {line[1] for line in lines if line[3] == "0A" and int(line[1].rpartition(":")[2], 16) == port}
    assert listening == {f"0100007F:{port:04X}"}


def test_a_port_that_is_taken_is_refused_in_one_line(place: Place) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [*SERVE, "--http", port], env=place.environ, capture_output=True, timeout=PATIENCE_S, check=False
        )
    error: Any = json.loads(done.stderr)["error"]
    assert (done.returncode, error["code"]) == (69, "unavailable")
    assert f"port {port} of 127.0.0.1" in error["message"]
