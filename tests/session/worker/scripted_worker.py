"""``rea browser serve`` as it is, but for its sessions, which are scripted: a program to be started.

Its argument is a file that the events of the sessions are written to.

Below: ``scripted``, the command line. Above: the tests that need a worker of its own process.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = str(Path(__file__).resolve().parents[3])


class EventFile(list[str]):
    """Events that others can read as they come."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path

    def append(self, event: str) -> None:
        with open(self._path, "a", encoding="utf-8") as file:
            file.write(f"{event}\n")


def argv(events: Path) -> tuple[str, ...]:
    """What starts this program."""
    return (sys.executable, str(Path(__file__).resolve()), str(events))


def main() -> None:
    sys.path[0] = ROOT
    from rea_capture.cli import main as rea
    from rea_capture.session.worker.browsers import Browsers
    from tests.session.worker.scripted import Browserless

    browserless = Browserless(events=EventFile(sys.argv.pop()))
    # The sessions are the only thing that is another.
    setattr(Browsers, "warm_up", lambda _: None)  # noqa: B010 - a method in its place, for mypy
    setattr(Browsers, "open", lambda _, settings: browserless.open(settings))  # noqa: B010 - as above
    rea(["browser", "serve"])


if __name__ == "__main__":
    main()
