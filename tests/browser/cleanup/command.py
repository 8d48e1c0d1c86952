"""``rea capture-browser-scenario`` as a process whose every trace can be looked for.

It gets a temporary folder and a state folder of its own, and the name of the first is in the environment
or the arguments of every process that it sets off.

Below: the package. Above: the tests of this folder.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from rea_capture.evidence import parse

PATIENCE_S: Final = 90
MAX_END_S: Final = 10.0
"""After a signal everything is over within this."""

REA: Final = (sys.executable, "-m", "rea_capture")
TICKING: Final = "<script>addEventListener('load', () => setInterval(() => fetch('/tick'), 100))</script>"
"""A page that asks for something every tenth of a second, once it has loaded."""


class Capture:
    """A capture as a process of its own session."""

    def __init__(
        self,
        document: dict[str, Any],
        executable: str,
        folder: Path,
        *,
        output: str | None = None,
        limits: dict[int, int] | None = None,
        environ: dict[str, str] | None = None,
        flags: Sequence[str] = (),
    ) -> None:
        self.output = Path(output) if output else folder / "capture.json"
        # Not in ``folder``, whose path is too long for the browser's sockets, which would then be elsewhere.
        self.temporary = Path(tempfile.mkdtemp(prefix="rct-", dir="/tmp"))
        self.state = folder / "state"
        self.environ = {
            **os.environ,
            "TMPDIR": str(self.temporary),
            "XDG_STATE_HOME": str(self.state),
            **(environ or {}),
        }

        where = [] if output == "-" else ["--output", str(self.output)]
        self.process = subprocess.Popen(
            [
                *_limited(limits or {}),
                "capture-browser-scenario",
                json.dumps(document),
                "--executable-path",
                executable,
                *where,
                *flags,
            ],
            env=self.environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def ended(self, within_s: float = PATIENCE_S) -> tuple[int, bytes, str]:
        """Status, standard output and standard error, when it has ended in time."""
        out, err = self.process.communicate(timeout=within_s)
        return self.process.returncode, out, err.decode()

    def evidence(self) -> dict[str, Any]:
        """What it wrote, verified."""
        data = self.output.read_bytes()
        parse(data, "the capture")
        result: dict[str, Any] = json.loads(data)["normalized_result"]
        return result

    def rea(self, *arguments: str) -> Any:
        """What another command says, in the same environment."""
        done = subprocess.run(
            [*REA, *arguments], env=self.environ, capture_output=True, timeout=PATIENCE_S, check=True
        )
        return json.loads(done.stdout)

    def browser(self) -> int:
        """Process id of the browser itself, of all the processes that have its profile."""
        profile = b"--user-data-dir=" + str(self.temporary).encode()
        lines = {pid: content(Path(f"/proc/{pid}/cmdline")) for pid in pids()}
        (found,) = [pid for pid, line in lines.items() if profile in line and b"--type=" not in line]
        return found

    def driver(self) -> int:
        """Process id of the browser driver."""
        (found,) = [
            pid
            for pid in children(self.process.pid)
            if b"run-driver" in content(Path(f"/proc/{pid}/cmdline"))
        ]
        return found

    def leftovers(self) -> list[str]:
        """Files in the temporary folder, records, and processes that were given the folder."""
        records = self.state / "rea-capture/launches"
        kept = [str(path) for path in records.iterdir()] if records.exists() else []
        return [*os.listdir(self.temporary), *kept, *self.processes()]

    def processes(self) -> list[str]:
        """Processes that were given the temporary folder: ours, the driver's and the browser's."""
        files = (Path(f"/proc/{pid}/{name}") for pid in pids() for name in ("environ", "cmdline"))
        return [str(path) for path in files if str(self.temporary).encode() in content(path)]

    def kill(self) -> None:
        """End whatever of it still runs."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()
        for path in self.processes():
            pid = int(path.split("/")[2])
            if pid != os.getpid():
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue
        shutil.rmtree(self.temporary, ignore_errors=True)


Starts = Callable[..., Capture]


def _limited(limits: dict[int, int]) -> list[str]:
    """The command, started under ``limits`` (of ``resource``)."""
    if not limits:
        return [*REA]
    program = (
        "import os, resource, sys\n"
        f"for kind, value in {limits!r}.items(): resource.setrlimit(kind, (value, value))\n"
        f"os.execv(sys.executable, [*{list(REA)!r}, *sys.argv[1:]])"
    )
    return [sys.executable, "-c", program]


def pids() -> list[int]:
    """Every process there is."""
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def children(pid: int) -> list[int]:
    """The children of ``pid``."""
    return [each for each in pids() if _parent(each) == pid]


def content(path: Path) -> bytes:
    """What the file holds; nothing when it has gone."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def cpu_ticks(pid: int) -> int:
    """How long ``pid`` has been computing, in hundredths of a second."""
    fields = content(Path(f"/proc/{pid}/stat")).rpartition(b")")[2].split()
    return int(fields[11]) if fields else 0


def wait_until(holds: Callable[[], object], what: str) -> None:
    """Wait until ``holds`` does, for a bounded time."""
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline, f"not in time: {what}"
        time.sleep(0.02)


def _parent(pid: int) -> int | None:
    fields = content(Path(f"/proc/{pid}/stat")).rpartition(b")")[2].split()
    return int(fields[1]) if fields else None
