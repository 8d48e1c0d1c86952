"""``rea serve-mcp`` as a process whose every trace can be looked for, and whose pipes a test writes by hand.

Below: the package. Above: the tests of this folder.
"""

from __future__ import annotations

import json
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from mcp.client.stdio import StdioServerParameters

from tests.browser.cleanup.command import content, pids, wait_until

PATIENCE_S: Final = 90
MAX_END_S: Final = 15.0
"""Ten for what runs, and what a busy machine takes to end a process."""

VERSION: Final = "2025-11-25"
SERVE: Final = (sys.executable, "-m", "rea_capture", "serve-mcp")


class Place:
    """Folders of one server and of those after it; every process that is started has their names."""

    def __init__(self, folder: Path, chromium: str) -> None:
        # Not in ``folder``, whose path is too long for the browser's sockets.
        self.temporary = Path(tempfile.mkdtemp(prefix="rct-", dir="/tmp"))
        self.state = folder / "state"
        self.environ = {
            **os.environ,
            "TMPDIR": str(self.temporary),
            "XDG_STATE_HOME": str(self.state),
            "REA_EXECUTABLE_PATH": chromium,
        }

    def parameters(self, *arguments: str, env: Mapping[str, str] | None = None) -> StdioServerParameters:
        """What a client of the library needs to start a server here."""
        return StdioServerParameters(
            command=SERVE[0], args=[*SERVE[1:], *arguments], env={**self.environ, **(env or {})}
        )

    def leftovers(self, *, beside: int | None = None) -> list[str]:
        """Files in the temporary folder, records, and processes that were given the folder.

        ``beside`` is a server that goes on, which is not counted.
        """
        records = self.state / "rea-capture/launches"
        kept = [str(path) for path in records.iterdir()] if records.exists() else []
        processes = [path for path in self.processes() if path.split("/")[2] != str(beside)]
        return [*os.listdir(self.temporary), *kept, *processes]

    def processes(self) -> list[str]:
        """Processes that have the temporary folder in their environment or arguments."""
        files = (Path(f"/proc/{pid}/{name}") for pid in pids() for name in ("environ", "cmdline"))
        return [str(path) for path in files if str(self.temporary).encode() in content(path)]

    def browsers(self) -> list[str]:
        """Those of them that are a browser."""
        return [path for path in self.processes() if path.endswith("cmdline")]

    def remove(self) -> None:
        """End what still runs, and delete the folder."""
        for path in self.processes():
            pid = int(path.split("/")[2])
            if pid != os.getpid():
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue
        shutil.rmtree(self.temporary, ignore_errors=True)


class Pipes:
    """A server over pipes, to which a test writes lines."""

    def __init__(
        self, place: Place, *arguments: str, command: tuple[str, ...] = SERVE, stdout: int = subprocess.PIPE
    ) -> None:
        self.place = place
        self.process = subprocess.Popen(
            [*command, *arguments],
            env=place.environ,
            stdin=subprocess.PIPE,
            stdout=stdout,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.seen: list[dict[str, Any]] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        if self.process.stdout is not None:
            with self.process.stdout as stdout:
                for line in stdout:
                    self._lines.put(line)

    def send(self, *messages: bytes | dict[str, Any]) -> None:
        """Write ``messages``, one a line."""
        assert self.process.stdin is not None
        for message in messages:
            data = message if isinstance(message, bytes) else json.dumps(message).encode()
            self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def initialize(self) -> None:
        """The handshake."""
        client = {"name": "test", "version": "1"}
        parameters = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": client}
        self.send(request("initialize", "init", parameters))
        assert self.answer("init")["result"]["protocolVersion"] == VERSION
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def answer(self, request_id: Any, within_s: float = PATIENCE_S) -> dict[str, Any]:
        """The response to ``request_id``; every other message is kept in ``seen``."""
        return self.wait_for(
            lambda message: "method" not in message and message.get("id") == request_id, within_s
        )

    def wait_for(self, wanted: Any, within_s: float = PATIENCE_S) -> dict[str, Any]:
        """The first message that ``wanted`` holds of, of those to come."""
        deadline = time.monotonic() + within_s
        while True:
            line = self._lines.get(timeout=max(0.01, deadline - time.monotonic()))
            message: dict[str, Any] = json.loads(line)
            assert message["jsonrpc"] == "2.0"
            self.seen.append(message)
            if wanted(message):
                return message

    def progress(self, token: Any) -> list[dict[str, Any]]:
        """The progress that was seen of one call."""
        return [
            message["params"]
            for message in self.seen
            if message.get("method") == "notifications/progress"
            and message["params"]["progressToken"] == token
        ]

    def hang_up(self) -> None:
        """Close standard input, as a client that goes away does."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def ended(self, within_s: float = MAX_END_S) -> tuple[int, str]:
        """Status and standard error, when it has ended in time."""
        assert self.process.stderr is not None
        status = self.process.wait(within_s)
        return status, self.process.stderr.read().decode()

    def kill(self) -> None:
        """End it at once, as ``kill -9`` does."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join(MAX_END_S)
        for stream in (self.process.stdin, self.process.stderr):
            assert stream is not None
            with suppress(BrokenPipeError):
                stream.close()


def request(method: str, request_id: Any, parameters: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A JSON-RPC request."""
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": dict(parameters or {})}


def call(tool: str, request_id: Any, arguments: Any, **meta: Any) -> dict[str, Any]:
    """The call of a tool; its progress has the id as token."""
    parameters = {"name": tool, "arguments": arguments, "_meta": {"progressToken": request_id, **meta}}
    return request("tools/call", request_id, parameters)


def cancelled(request_id: Any) -> dict[str, Any]:
    """The notification that a call is not wanted any more."""
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": request_id}}


def answered(address: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
    """Status and body of the answer of the server over HTTP at ``address``."""
    parts = urlsplit(address)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE_S)
    accepted = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    try:
        connection.request("POST", parts.path, body, {**accepted, **headers})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def opened(address: str) -> dict[str, str]:
    """The headers of a new session."""
    parts = urlsplit(address)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE_S)
    accepted = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    with closing(connection):
        connection.request("POST", parts.path, hello(), accepted)
        answer = connection.getresponse()
        assert (answer.status, bool(answer.read())) == (200, True)
        session = {"Mcp-Session-Id": str(answer.headers["Mcp-Session-Id"]), "MCP-Protocol-Version": VERSION}
    begun = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    assert answered(address, json.dumps(begun).encode(), session)[0] == 202
    return session


def hello() -> bytes:
    """What begins a session."""
    client = {"name": "test", "version": "1"}
    parameters = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": client}
    return json.dumps(request("initialize", 1, parameters)).encode()


@contextmanager
def served_http(
    place: Place, *arguments: str, command: tuple[str, ...] = SERVE
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server over HTTP: its process, and its address."""
    process = subprocess.Popen(
        [*command, "--http", "0", *arguments], env=place.environ, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/mcp", line)
        assert found, line
        yield process, found[0]
    finally:
        process.terminate()
        try:
            process.wait(MAX_END_S)
        finally:
            process.kill()
            process.wait()
            process.stderr.close()


def wait_until_nothing_is_left(place: Place, *, beside: int | None = None) -> None:
    """Wait, for a bounded time, until nothing of any server here is left, but of the one ``beside``."""
    wait_until(lambda: not place.leftovers(beside=beside), "nothing is left")
