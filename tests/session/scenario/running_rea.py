"""``rea browser run`` as a process with everything of its own, and what is left of it.

Below: ``tests.cli.running``. Above: the tests of the command with a real browser.
"""

from __future__ import annotations

import json
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.cli.running import COMMAND, Run, environment, rea


@dataclass(frozen=True)
class Home:
    """A folder in which a run has its file, its log, its state and its temporary files."""

    folder: Path
    executable: str

    @property
    def log(self) -> Path:
        return self.folder / "log"

    @property
    def environ(self) -> dict[str, str]:
        """Every process of a run has ``TMPDIR`` from here: it is one of those that programs get."""
        return {"XDG_STATE_HOME": str(self.folder / "state"), "TMPDIR": str(self.folder / "tmp")}

    def written(self, file: dict[str, Any]) -> str:
        """The path of ``file``."""
        (self.folder / "tmp").mkdir(exist_ok=True)
        path = self.folder / "scenario.json"
        path.write_text(json.dumps({"version": 1, "id": "scenario", **file}))
        return str(path)

    def run(self, file: dict[str, Any], *options: str, env: dict[str, str] | None = None) -> Run:
        """Run ``file`` to its end."""
        arguments = (self.written(file), "--executable-path", self.executable, *options)
        return rea("browser", "run", *arguments, env={**self.environ, **(env or {})})

    def started(self, file: dict[str, Any], *options: str) -> subprocess.Popen[bytes]:
        """Start a run of ``file``."""
        arguments = (self.written(file), "--executable-path", self.executable, *options)
        return subprocess.Popen(
            [*COMMAND, "browser", "run", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(self.environ),
        )

    def processes(self) -> list[str]:
        """The command lines of the processes that belong to runs here."""
        mark = f"TMPDIR={self.folder / 'tmp'}".encode()
        found = []
        for each in Path("/proc").iterdir():
            with suppress(OSError):
                if each.name.isdigit() and mark in (each / "environ").read_bytes().split(b"\0"):
                    found.append(
                        (each / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                    )
        return found

    def texts(self) -> bytes:
        """All bytes that are kept in the state of the runs here."""
        return b"".join(path.read_bytes() for path in (self.folder / "state").rglob("*") if path.is_file())

    def profiles(self) -> list[str]:
        """What is left of browsers in the state and in the folder of temporary files."""
        state = [path for path in (self.folder / "state").rglob("*") if "artifacts" not in path.parts]
        files = [path for path in state if path.is_file() and path.suffix not in {".lock", ""}]
        return sorted(path.name for path in [*files, *(self.folder / "tmp").iterdir()])
