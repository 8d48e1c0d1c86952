"""Folders of a worker's own, so that whatever it leaves can be looked for.

Below: ``served``. Above: the tests that have a real browser.
"""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from contextlib import suppress
from pathlib import Path


class Places:
    """Its temporary folder is in the environment or the arguments of every process that it sets off."""

    def __init__(self, folder: Path) -> None:
        # Not in ``folder``, whose path is too long for the browser's sockets, which would then be elsewhere.
        self.temporary = Path(tempfile.mkdtemp(prefix="rbs-", dir="/tmp"))
        self.state = folder / "state"

    @property
    def environ(self) -> dict[str, str]:
        return {"TMPDIR": str(self.temporary), "XDG_STATE_HOME": str(self.state)}

    def processes(self) -> dict[int, str]:
        """Command lines of the processes that were given the temporary folder."""
        found = {}
        for pid in (int(name) for name in os.listdir("/proc") if name.isdigit()):
            if str(self.temporary).encode() in _content(pid, "environ") + _content(pid, "cmdline"):
                found[pid] = _content(pid, "cmdline").replace(b"\0", b" ").decode()
        return found

    def browsers(self) -> list[int]:
        """Process ids of the browsers themselves."""
        lines = self.processes().items()
        return [pid for pid, line in lines if "--user-data-dir=" in line and "--type=" not in line]

    def leftovers(self) -> list[str]:
        """Processes, files in the temporary folder, and records of launches."""
        records = self.state / "rea-capture/launches"
        kept = [str(path) for path in records.iterdir()] if records.exists() else []
        return [*os.listdir(self.temporary), *kept, *self.processes().values()]

    def clear(self) -> None:
        """End and delete whatever is left."""
        for pid in self.processes():
            if pid != os.getpid():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        shutil.rmtree(self.temporary, ignore_errors=True)


def _content(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""
