"""A worker as a process that one speaks to in lines.

Below: ``scripted_worker``. Above: the tests of ``rea browser serve``.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from tests.cli.running import environment

PATIENCE_S: Final = 40
"""For each answer and each end, on a machine that is busy."""


class Served:
    """A process that answers lines. Answers are taken in the order in which they come."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._count = 0
        self._kept: dict[Any, Any] = {}
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def hello(self) -> Any:
        """Its first line."""
        return self.next()

    def send(self, op: str, session: str | None = None, **more: Any) -> str:
        """Ask; the id of the request."""
        self._count += 1
        document: dict[str, Any] = {"id": str(self._count), "op": op}
        if session is not None:
            document["sessionId"] = session
        self.write(json.dumps({**document, **more}).encode() + b"\n")
        return str({**document, **more}["id"])

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def next(self) -> Any:
        """The next line, as a document."""
        line = self._lines.get(timeout=PATIENCE_S)
        assert line, "it says no more"
        return json.loads(line)

    def answer(self, frame_id: str) -> Any:
        """The answer to ``frame_id``, whichever come before it."""
        while frame_id not in self._kept:
            document = self.next()
            self._kept[document["id"]] = document
        return self._kept.pop(frame_id)

    def ask(self, op: str, session: str | None = None, **more: Any) -> Any:
        return self.answer(self.send(op, session, **more))

    def result(self, op: str, session: str | None = None, **more: Any) -> Any:
        """What is answered, which has to be a result."""
        answer = self.ask(op, session, **more)
        assert "result" in answer, answer
        return answer["result"]

    def end_input(self) -> None:
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.close()

    def status(self) -> int:
        """What it ends with."""
        return self.process.wait(PATIENCE_S)

    def rest(self) -> list[Any]:
        """All that it still says before it ends."""
        self.status()
        self._listener.join(PATIENCE_S)
        found = []
        while line := self._lines.get(timeout=PATIENCE_S):
            found.append(json.loads(line))
        return found

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(b"")


@contextmanager
def served(argv: Sequence[str], env: Mapping[str, str] | None = None, **options: Any) -> Iterator[Served]:
    """The process that ``argv`` starts, in a session of its own; killed at the end if it still runs."""
    process = subprocess.Popen(
        argv,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(env),
        start_new_session=True,
        **options,
    )
    made = Served(process)
    try:
        yield made
    finally:
        process.kill()
        process.wait()
        made.end_input()
        made._listener.join(PATIENCE_S)
        assert process.stdout is not None
        process.stdout.close()


def until(true: Callable[[], object], what: str) -> None:
    """Wait until ``true`` is."""
    ticks = threading.Event()
    for _ in range(int(PATIENCE_S / 0.02)):
        if true():
            return
        ticks.wait(0.02)
    raise AssertionError(f"waited in vain for {what}")


def runs(pid: int) -> bool:
    """Whether there is a process ``pid`` that is no zombie."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def children_of(pid: int) -> list[int]:
    """Every process below ``pid``."""
    parents: dict[int, list[int]] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError), open(f"/proc/{name}/stat", encoding="utf-8") as file:
            parents.setdefault(int(file.read().rpartition(")")[2].split()[1]), []).append(int(name))
    found, pending = [], [pid]
    while pending:
        below = parents.get(pending.pop(), [])
        found += below
        pending += below
    return found


def said(events: Path) -> list[str]:
    """The events that are in the file of scripted sessions by now."""
    return events.read_text().splitlines() if events.exists() else []


def has_begun(events: Path) -> bool:
    """Whether a navigation has."""
    return any("begin" in each for each in said(events))
