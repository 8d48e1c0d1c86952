"""Whether processes live, waited for within a bound."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

from tests.session.scenario.scripted import noted

WITHIN_S = 10.0


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def holds(condition: Callable[[], object], within_s: float = WITHIN_S) -> bool:
    """Whether ``condition`` holds, within a bound."""
    deadline = time.monotonic() + within_s
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    return bool(condition())


async def until(condition: Callable[[], object]) -> bool:
    """As :func:`holds`, while the loop goes on."""
    return await asyncio.to_thread(holds, condition)


async def gone(pid: int) -> bool:
    """Whether the process ``pid`` is gone, within a bound."""
    return await until(lambda: not lives(pid))


async def number_in(path: Path) -> int:
    """The number that a program writes to ``path``."""
    assert await until(lambda: "".join(noted(path)))
    return int(noted(path)[0])
