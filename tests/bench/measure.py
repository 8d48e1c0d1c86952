"""Running whole processes in pairs and taking medians.

Each pair is run back to back, in alternating order, so that what else the machine does falls on both.
A ratio is taken within each pair; the median of those ratios is what is reported.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Run:
    """What one process cost: seconds on the clock, CPU seconds with its children, its own peak in KiB."""

    wall_s: float
    cpu_s: float
    peak_kib: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Medians of a series of pairs. Ratios are ours over theirs."""

    name: str
    ours: Run
    theirs: Run
    wall_ratio: float
    cpu_ratio: float
    pairs: int


def run(command: Sequence[str], env: Mapping[str, str] | None = None) -> Run:
    """Run ``command`` to its end. Raises ``RuntimeError`` with its last words when it fails."""
    before = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=dict(env or os.environ), text=True
    )
    assert process.stderr is not None
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - before
    if process.returncode:
        raise RuntimeError(f"{command[:3]} ended with {process.returncode}: {errors[-2000:]}")
    return Run(wall, _cpu(usage), usage.ru_maxrss)


def _cpu(usage: resource.struct_rusage) -> float:
    return usage.ru_utime + usage.ru_stime


def paired(name: str, ours: Sequence[str], theirs: Sequence[str], pairs: int) -> Comparison:
    """Run both commands ``pairs`` times (after one warm-up each) and take medians."""
    run(ours)
    run(theirs)
    results: list[tuple[Run, Run]] = []
    for index in range(pairs):
        first, second = (ours, theirs) if index % 2 == 0 else (theirs, ours)
        one, other = run(first), run(second)
        results.append((one, other) if index % 2 == 0 else (other, one))
        print(".", end="", file=sys.stderr, flush=True)
    print(f" {name}", file=sys.stderr)
    return Comparison(
        name=name,
        ours=_median(run for run, _ in results),
        theirs=_median(run for _, run in results),
        wall_ratio=_ratio(results, lambda run: run.wall_s),
        cpu_ratio=_ratio(results, lambda run: run.cpu_s),
        pairs=pairs,
    )


def _ratio(results: Sequence[tuple[Run, Run]], cost: Callable[[Run], float]) -> float:
    return statistics.median(cost(ours) / cost(theirs) for ours, theirs in results)


def _median(runs: Iterable[Run]) -> Run:
    listed = list(runs)
    return Run(
        wall_s=statistics.median(run.wall_s for run in listed),
        cpu_s=statistics.median(run.cpu_s for run in listed),
        peak_kib=int(statistics.median(run.peak_kib for run in listed)),
    )
