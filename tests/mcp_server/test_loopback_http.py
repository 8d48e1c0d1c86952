"""Over HTTP a server is for this machine only, and for nobody who comes by another name."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest

from rea_capture.mcp_server.limits import MAX_MESSAGE_BYTES
from tests.browser.cleanup.command import wait_until
from tests.mcp_server.serving import PATIENCE_S, SERVE, VERSION, Place, request, served_http


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, chromium_path: str) -> Iterator[str]:
    """A server that these tests leave as it was."""
    place = Place(tmp_path_factory.mktemp("http"), chromium_path)
    with served_http(place) as (_, found):
        yield found
    left = place.leftovers()
    place.remove()
    assert left == []


def answered(address: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
    parts = urlsplit(address)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE_S)
    accepted = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    try:
        connection.request("POST", parts.path, body, {**accepted, **headers})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def hello() -> bytes:
    client = {"name": "test", "version": "1"}
    parameters = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": client}
    return json.dumps(request("initialize", 1, parameters)).encode()


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


def test_clients_that_vanish_make_room_for_others(place: Place) -> None:
    small = (
        "import sys\n"
        "import rea_capture.mcp_server.loopback as room\n"
        "room.MAX_SESSIONS, room.MAX_IDLE_SESSION_S = 2, 1.0\n"
        "from rea_capture.cli import main\n"
        "main(['serve-mcp', *sys.argv[1:]])\n"
    )
    with served_http(place, command=(sys.executable, "-c", small)) as (_, here):

        def admitted() -> bool:
            return answered(here, hello(), {})[0] == 200

        assert [admitted() for _ in range(3)] == [True, True, False]
        wait_until(admitted, "a session that was idle has ended")


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
