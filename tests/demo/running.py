"""Running the demo as its user does, in a process of its own.

Below: the demo. Above: ``conftest``, the tests that look at what the demo leaves behind.
"""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.project.tree import ROOT

DEMO_SECONDS = 300
"""Three captures take a few seconds; a loaded machine takes longer."""


@dataclass(frozen=True, slots=True)
class DemoRun:
    """The folder with the documents, what was said, and the browser that was used."""

    folder: Path
    words: str
    executable_path: str


def run_demo(executable_path: str, folder: Path) -> DemoRun:
    """Run the demo with its documents in ``folder``; it has to succeed without complaint."""
    ran = subprocess.run(
        [sys.executable, "-m", "rea_capture.demo", "--output", str(folder)],
        cwd=ROOT, capture_output=True, text=True, timeout=DEMO_SECONDS, check=False,
        env={**os.environ, "REA_EXECUTABLE_PATH": executable_path},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stderr == ""
    return DemoRun(folder, ran.stdout, executable_path)


def the_demo_run(executable_path: str, shared: Path) -> DemoRun:
    """The one run of a test session, below ``shared``; the first process that wants it makes it."""
    said = shared / "what the demo said.json"
    with (shared / "demo.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not said.exists():
            run = run_demo(executable_path, shared / "demo" / "made by the demo")
            said.write_text(json.dumps({**asdict(run), "folder": str(run.folder)}))
    told = json.loads(said.read_text())
    return DemoRun(Path(told["folder"]), told["words"], told["executable_path"])
