"""Running ``rea`` as people and programs do: as a process, with real streams.

Below: the package, ``warm``. Above: the tests of the command line.
"""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tests.cli.warm import warm_process

ROOT = Path(__file__).resolve().parents[2]
COMMAND = (sys.executable, "-m", "rea_capture")
WAIT_S = 60
"""No command here takes a second on an idle machine; a busy one gets a minute."""


@dataclass(frozen=True)
class Run:
    """How a process ended and what it wrote."""

    status: int
    stdout: bytes
    stderr: bytes

    @property
    def document(self) -> Any:
        """The JSON document on standard output."""
        return json.loads(self.stdout)

    @property
    def error(self) -> Any:
        """The one JSON error on standard error, when standard output is empty."""
        assert self.stdout == b""
        lines = self.stderr.splitlines()
        assert len(lines) == 1, self.stderr
        body = json.loads(lines[0])
        assert set(body) == {"error"}
        assert set(body["error"]) == {"code", "message", "details", "recovery"}
        assert body["error"]["recovery"].endswith(".")
        assert all(set(detail) - {"file"} == {"pointer", "message"} for detail in body["error"]["details"])
        return body["error"]

    @property
    def pointers(self) -> list[str]:
        """The pointers of that error."""
        return [detail["pointer"] for detail in self.error["details"]]


def environment(changes: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a run: ours, without what would change the answer."""
    kept = {name: value for name, value in os.environ.items() if name != "REA_EXECUTABLE_PATH"}
    return {**kept, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "200", **(changes or {})}


def rea(
    *arguments: str | bytes,
    stdin: bytes = b"",
    stdout: int | IO[bytes] = subprocess.PIPE,
    stderr: int | IO[bytes] = subprocess.PIPE,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Run:
    """Run ``rea`` with pipes for streams, unless told otherwise.

    What differs from other runs in its arguments alone is forked from a process that has the imports. A
    capture is not: it starts its browser driver while it imports the rest.
    """
    captures = arguments[:1] == ("capture-browser-scenario",)
    if env is None and stdout == stderr == subprocess.PIPE and not captures:
        return Run(*warm_process().run(arguments, stdin, environment(), cwd, WAIT_S))
    return rea_afresh(*arguments, stdin=stdin, stdout=stdout, stderr=stderr, env=env, cwd=cwd)


def rea_afresh(
    *arguments: str | bytes,
    stdin: bytes = b"",
    stdout: int | IO[bytes] = subprocess.PIPE,
    stderr: int | IO[bytes] = subprocess.PIPE,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Run:
    """Run ``rea`` in an interpreter of its own, for tests of its start and of its streams."""
    done = subprocess.run(
        [*COMMAND, *arguments],
        input=stdin,
        stdout=stdout,
        stderr=stderr,
        env=environment(env),
        cwd=cwd,
        timeout=WAIT_S,
        check=False,
    )
    return Run(done.returncode, done.stdout or b"", done.stderr or b"")


def through_shell(script: str, *arguments: str) -> Run:
    """Run ``script``, in which ``rea`` is the command and ``$1`` the first of ``arguments``."""
    prelude = 'rea() { "$REA_PYTHON" -m rea_capture "$@"; }\n'
    done = subprocess.run(
        ["/bin/sh", "-c", prelude + script, "sh", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment({"REA_PYTHON": sys.executable}),
        timeout=WAIT_S,
        check=False,
    )
    return Run(done.returncode, done.stdout, done.stderr)


def rea_on_terminal(*arguments: str, env: Mapping[str, str] | None = None) -> tuple[int, str]:
    """Run ``rea`` on a terminal of its own. Returns the status and all that the terminal was sent."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (50, 200))
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=environment(env)
    )
    os.close(theirs)
    try:
        text = _all_of(ours)
        return process.wait(WAIT_S), text.decode()
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def _all_of(descriptor: int) -> bytes:
    pieces: list[bytes] = []
    while True:
        try:
            piece = os.read(descriptor, 65536)
        except OSError:  # Linux reports the end of a terminal as an error
            piece = b""
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)


def written(path: Path, data: bytes) -> str:
    """``data`` in a file at ``path``; the path as an argument."""
    path.write_bytes(data)
    return str(path)


def json_text(value: Any) -> bytes:
    """``value`` as compact JSON."""
    return json.dumps(value, separators=(",", ":")).encode()


def lines_of(values: Sequence[str]) -> str:
    """``values`` as a terminal shows them."""
    return "".join(f"{value}\r\n" for value in values)
