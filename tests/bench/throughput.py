"""How many minimal captures a minute there are, and how much of that time is ours.

The yardstick opens the same page with the same driver and browser and does nothing else; what a capture
takes longer than that is ours.

Below: ``measure``. Above: ``__main__``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from tests.bench.measure import run


@dataclass(frozen=True, slots=True)
class Throughput:
    """Runs a minute of a capture and of the yardstick, ``at_once`` at a time."""

    at_once: int
    ours_per_minute: float
    bare_per_minute: float
    runs: int

    @property
    def own_share(self) -> float:
        """The part of a capture's time that the yardstick does not take; 0 when it takes all of it."""
        return max(0.0, 1 - self.ours_per_minute / self.bare_per_minute)


def throughput(ours: Sequence[str], bare: Sequence[str], rounds: int, at_once: int) -> Throughput:
    """Run each command ``at_once`` at a time, in turn, ``rounds`` times, after one run of each to warm up.

    ``{n}`` in an argument becomes a number that tells a run from those beside it.
    """
    for command in (ours, bare):
        run(_numbered(command, 0))
    taken_s = [0.0, 0.0]
    for index in range(rounds):
        sides = ((0, ours), (1, bare))
        for side, command in sides if index % 2 == 0 else reversed(sides):
            taken_s[side] += _batch_s(command, at_once)
        sys.stderr.write(".")
    sys.stderr.write(f" throughput, {at_once} at a time\n")
    count = rounds * at_once
    return Throughput(at_once, count * 60 / taken_s[0], count * 60 / taken_s[1], count)


def table(results: Sequence[Throughput]) -> str:
    """The results as a Markdown table."""
    rows = [
        "| minimal captures | a minute | bare, a minute | share of time that is ours | runs |",
        "| --- | --- | --- | --- | --- |",
    ]
    for result in results:
        name = "one after another" if result.at_once == 1 else f"{result.at_once} at a time"
        rows.append(
            f"| {name} | {result.ours_per_minute:.1f} | {result.bare_per_minute:.1f} "
            f"| {result.own_share:.0%} | {result.runs} |"
        )
    return "\n".join(rows)


def _batch_s(command: Sequence[str], at_once: int) -> float:
    started = time.perf_counter()
    with ThreadPoolExecutor(at_once) as pool:
        list(pool.map(run, (_numbered(command, n) for n in range(at_once))))
    return time.perf_counter() - started


def _numbered(command: Sequence[str], n: int) -> list[str]:
    return [part.replace("{n}", str(n)) for part in command]
