"""A process that has imported what ``rea`` imports, and becomes one ``rea`` after another by forking.

Each is a process of its own with the streams, the environment, the folder and the arguments it was asked for,
and runs ``main`` as ``python -m rea_capture`` does. What is spared is the start of an interpreter and the
imports, which take longer than most commands do. Tests of just these start a fresh interpreter.

Below: the package. Above: ``running``.
"""

from __future__ import annotations

import atexit
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
PROGRAM: Final = "import sys; from tests.cli.warm import serve; serve(int(sys.argv[1]))"
ONE_THREAD: Final = {"OPENBLAS_NUM_THREADS": "1"}
"""A process with threads had better not fork, and those of NumPy's library have nothing to do here."""

KEPT: Final = {"HOME", "PATH", "VIRTUAL_ENV"}

IMPORTED: Final = (
    "rea_capture.cli.capture_command", "rea_capture.cli.clean_command", "rea_capture.cli.compare_command",
    "rea_capture.cli.doctor_command", "rea_capture.cli.explain_command", "rea_capture.cli.explaining",
    "rea_capture.cli.failures", "rea_capture.cli.report_command", "rea_capture.cli.schema_command",
    "rea_capture.cli.verify_command", "rea_capture.compare.explain.text.text",
    "rea_capture.compare.explain.pixels.pixels", "rea_capture.compare.explain.values.values",
    "rea_capture.compare.explain.events.transactions", "rea_capture.report.html.page",
    "rea_capture.workflows.compare", "rea_capture.workflows.report", "rea_capture.workflows.schema",
    "rea_capture.workflows.verify", "rich.console",
)  # fmt: skip
"""Most of what commands import; the rest they import themselves, as always."""


@cache
def warm_process() -> Warm:
    """The one of this process, which ends with it."""
    return Warm()


class Warm:
    """The process that forks. It serves one order at a time, over a line of JSON each way."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._ours, theirs = socket.socketpair()
        self._answers = self._ours.makefile("rb")
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(theirs.fileno())],
            env=_plain_environment(),
            cwd=ROOT,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        theirs.close()
        atexit.register(self.end)

    def end(self) -> None:
        """End it."""
        self._answers.close()
        self._ours.close()
        self._process.wait()

    def run(
        self,
        arguments: Sequence[str | bytes],
        stdin: bytes,
        env: Mapping[str, str],
        cwd: Path | None,
        timeout_s: float,
    ) -> tuple[int, bytes, bytes]:
        """Status, standard output and standard error of one ``rea`` with pipes for streams.

        Raises ``subprocess.TimeoutExpired`` when it had to be killed.
        """
        order = {
            "arguments": [os.fsdecode(each) for each in arguments],
            "env": dict(env),
            "cwd": str(cwd or Path.cwd()),
        }
        with self._turn:
            return self._ran(order, stdin, timeout_s)

    def _ran(self, order: Mapping[str, Any], stdin: bytes, timeout_s: float) -> tuple[int, bytes, bytes]:
        (its_in, our_in), (our_out, its_out), (our_err, its_err) = os.pipe(), os.pipe(), os.pipe()
        socket.send_fds(self._ours, [b"\0"], [its_in, its_out, its_err])
        for descriptor in (its_in, its_out, its_err):
            os.close(descriptor)
        self._ours.sendall(json.dumps(order).encode() + b"\n")
        pid = int(self._answers.readline())
        killing = threading.Timer(timeout_s, os.kill, [pid, signal.SIGKILL])
        killing.start()
        said: dict[int, bytes] = {}
        workers = [
            threading.Thread(target=_feed, args=[our_in, stdin]),
            *(threading.Thread(target=_drain, args=[each, said]) for each in (our_out, our_err)),
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        status = int(self._answers.readline())
        killing.cancel()
        if status == -signal.SIGKILL:
            raise subprocess.TimeoutExpired(["rea", *order["arguments"]], timeout_s)
        return status, said[our_out], said[our_err]


def _plain_environment() -> dict[str, str]:
    """What an interpreter wants to know, and nothing of the test that happens to be the first."""
    names = (name for name in os.environ if name.startswith(("PYTHON", "LANG", "LC_")) or name in KEPT)
    return {**{name: os.environ[name] for name in names}, **ONE_THREAD, "PYTHONPATH": str(ROOT)}


def _feed(descriptor: int, data: bytes) -> None:
    with open(descriptor, "wb") as stream, suppress(BrokenPipeError):
        stream.write(data)


def _drain(descriptor: int, said: dict[int, bytes]) -> None:
    with open(descriptor, "rb") as stream:
        said[descriptor] = stream.read()


def serve(descriptor: int) -> None:
    """Fork one ``rea`` for each order, until none can come any more. In what is forked, be ``rea``."""
    for name in IMPORTED:
        importlib.import_module(name)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's, which is for the tests; they end us
    with socket.socket(fileno=descriptor) as orders:
        while (order := _next(orders)) is not None:
            pid = os.fork()
            if pid == 0:
                break
            for each in order[1]:
                os.close(each)
            orders.sendall(b"%d\n" % pid)
            status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            orders.sendall(b"%d\n" % status)
    if order is not None:
        _be_rea(*order)


def _next(orders: socket.socket) -> tuple[Mapping[str, Any], Sequence[int]] | None:
    message, streams, *_ = socket.recv_fds(orders, 1, 3)
    if not message:
        return None
    with orders.makefile("rb", buffering=0) as lines:
        return json.loads(lines.readline()), streams


def _be_rea(order: Mapping[str, Any], streams: Sequence[int]) -> None:
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.environ.clear()
    os.environ.update(order["env"])
    os.chdir(order["cwd"])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    from rea_capture.cli import main

    sys.argv = ["rea", *order["arguments"]]
    main()
