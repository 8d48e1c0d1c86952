"""Measure and print: ``python -m tests.bench [--pairs N] [--only NAME] [--write FILE]``.

Every row is a ratio of whole processes, ours over a bare yardstick, as a median over pairs.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.bench.documents import write_pair
from tests.bench.measure import Comparison, Run, paired, run
from tests.bench.site import served
from tests.bench.throughput import Throughput, throughput
from tests.bench.throughput import table as throughput_table

HERE = Path(__file__).parent
PYTHON = sys.executable
REA = [PYTHON, "-m", "rea_capture"]
START, END = "<!-- measured -->", "<!-- /measured -->"


def chromium() -> str:
    """The browser to measure with. Raises ``SystemExit`` when none is found."""
    from rea_capture.browser.discovery import find_browser

    found = os.environ.get("REA_EXECUTABLE_PATH") or find_browser()
    if not found:
        raise SystemExit("no Chrome-family browser found; set REA_EXECUTABLE_PATH")
    return str(found)


def five_steps(origin: str) -> dict[str, object]:
    """The scenario whose calls ``bare_capture.py`` makes."""
    everything = ["screenshot", "dom", "accessibility", "url", "history", "storage"]
    families = ["console", "page-errors", "network", "websockets", "frames", "workers", "popups", "downloads"]
    return {
        "browser": {"mode": "launch", "executable_path": chromium()},
        "start_url": {"url": f"{origin}/"},
        "actions": [
            {"step_id": "type", "action": "fill", "locator": {"kind": "css", "selector": "#q"},
             "value": {"source": "literal", "value": "lamp"}},
            {"step_id": "tick", "action": "check",
             "locator": {"kind": "role", "role": "checkbox", "name": "In stock"}},
            {"step_id": "search", "action": "click", "locator": {"kind": "css", "selector": "#go"}},
            {"step_id": "ready", "action": "wait_for",
             "locator": {"kind": "css", "selector": "#results[data-state='ready']"}},
            {"step_id": "add", "action": "click", "locator": {"kind": "test_id", "value": "add-3"}},
        ],
        "capture": {"after_each_step": everything, "at_end": everything, "events": families},
    }  # fmt: skip


def many_requests(origin: str) -> dict[str, object]:
    """The scenario whose page ``bare_listeners.py`` listens to."""
    return {
        "browser": {"mode": "launch", "executable_path": chromium()},
        "start_url": {"url": f"{origin}/many"},
        "actions": [
            {"step_id": "done", "action": "wait_for", "locator": {"kind": "css", "selector": "#done"}}
        ],
        "capture": {"events": ["network"], "limits": {"max_network_transactions": 2000}},
    }


def captures(folder: Path, pairs: int) -> Iterator[Comparison]:
    """Captures against bare Playwright scripts."""
    with served() as origin:
        for name, scenario, bare in (
            ("capture: five steps, all artifacts and events", five_steps(origin), "bare_capture.py"),
            ("capture: a page of 500 requests, metadata", many_requests(origin), "bare_listeners.py"),
        ):
            path = folder / f"{bare}.json"
            path.write_text(json.dumps(scenario))
            command = [*REA, "capture-browser-scenario", str(path), "--output", str(folder / "out.json")]
            yield paired(name, command, [PYTHON, str(HERE / bare), chromium(), origin], pairs)


def comparisons(folder: Path, pairs: int) -> Iterator[Comparison]:
    """Comparing and verifying against reading, parsing and hashing."""
    for events in (10_000, 100_000):
        before, after = write_pair(folder, events)
        size = before.stat().st_size + after.stat().st_size
        command = [*REA, "compare-web-captures", str(before), str(after), "--output", str(folder / "c.json")]
        bare = [PYTHON, str(HERE / "bare_parse.py"), str(before), str(after)]
        result = paired(f"compare: 2 x {events:,} events ({size / 1e6:.1f} MB)", command, bare, pairs)
        idle = run([PYTHON, "-c", "import rea_capture.workflows.compare"])
        above = (result.ours.peak_kib - idle.peak_kib) * 1024 / size
        print(
            f"peak memory at {events:,} events: {result.ours.peak_kib / 1024:.0f} MiB, "
            f"{result.ours.peak_kib * 1024 / size:.2f} x the input in all, {above:.2f} x above the "
            f"{idle.peak_kib / 1024:.0f} MiB that the imports take",
            file=sys.stderr,
        )
        yield result
        yield paired(
            f"verify: {events:,} events ({before.stat().st_size / 1e6:.1f} MB)",
            [*REA, "verify", str(before)],
            [PYTHON, str(HERE / "bare_parse.py"), str(before)],
            pairs,
        )


def helps(folder: Path, pairs: int) -> Iterator[Comparison]:
    """``rea --help`` against importing click."""
    yield paired("rea --help", [*REA, "--help"], [PYTHON, "-c", "import click"], pairs)


def servers(folder: Path, pairs: int) -> Iterator[Comparison]:
    """``rea serve-mcp`` to its first answer against importing the library it is built on."""
    start = [PYTHON, "-S", str(HERE / "first_answer.py")]
    yield paired(
        "rea serve-mcp, to its first tools/list answer",
        [*start, *REA, "serve-mcp"],
        [*start, "--to-its-end", PYTHON, "-c", "import mcp.server"],
        pairs,
    )


def minimal(origin: str) -> dict[str, object]:
    """The smallest scenario there is: open a page and say where one is."""
    return {
        "browser": {"mode": "launch", "executable_path": chromium()},
        "start_url": {"url": f"{origin}/"},
        "actions": [{"step_id": "wait", "action": "wait_for_timeout", "duration_ms": 1}],
    }


def throughputs(folder: Path, pairs: int) -> Iterator[Throughput]:
    """Minimal captures a minute, one after another and two at a time."""
    with served() as origin:
        path = folder / "minimal.json"
        path.write_text(json.dumps(minimal(origin)))
        output = str(folder / "minimal-{n}.json")
        command = [*REA, "capture-browser-scenario", str(path), "--output", output]
        bare = [PYTHON, str(HERE / "bare_visit.py"), chromium(), origin]
        for at_once in (1, 2):
            yield throughput(command, bare, pairs, at_once)


GROUPS: dict[str, Callable[[Path, int], Iterator[Comparison]]] = {
    "help": helps,
    "serve": servers,
    "compare": comparisons,
    "capture": captures,
}

THROUGHPUT = "throughput"
"""The group whose rows are rates and not ratios of single runs."""

DRIVE = "drive"
"""The group whose rows are single calls to a session that is open."""

LOOK = "look"
"""The group whose rows are seconds, against what was promised."""


def table(results: list[Comparison]) -> str:
    """The results as a Markdown table."""
    rows = ["| measured | wall ratio | CPU ratio | ours | bare | our peak | pairs |", "| --- " * 7 + "|"]
    rows += [
        f"| {r.name} | {r.wall_ratio:.2f} | {r.cpu_ratio:.2f} | {_cost(r.ours)} | {_cost(r.theirs)} "
        f"| {r.ours.peak_kib / 1024:.0f} MiB | {r.pairs} |"
        for r in results
    ]
    return "\n".join(rows)


def _cost(cost: Run) -> str:
    return f"{cost.wall_s:.3f} s (CPU {cost.cpu_s:.3f} s)"


def machine() -> str:
    """What the numbers were taken on."""
    version = subprocess.run([chromium(), "--version"], capture_output=True, text=True, check=False).stdout
    return (
        f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python "
        f"{platform.python_version()}, {version.strip() or 'unknown browser'}"
    )


def main() -> None:
    """Run the chosen groups, print the table, and keep it when asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--only", choices=sorted([*GROUPS, THROUGHPUT, DRIVE, LOOK]))
    parser.add_argument("--write", type=Path, help="replace the measured part of this Markdown file")
    options = parser.parse_args()
    results: list[Comparison] = []
    tables: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, group in GROUPS.items():
            if options.only in {None, name}:
                results += group(Path(folder), options.pairs)
        tables += [table(results)] if results else []
        if options.only in {None, THROUGHPUT}:
            tables.append(throughput_table(list(throughputs(Path(folder), options.pairs))))
        if options.only in {None, DRIVE}:
            from tests.bench import driving  # as below

            tables.append(driving.table(list(driving.driven(chromium(), options.pairs))))
        if options.only in {None, LOOK}:
            # Last, and imported now: the peak memory of a process counts what its parent had when it forked.
            from tests.bench import looking

            tables.append(looking.table(list(looking.looks(Path(folder), chromium(), options.pairs))))
    text = "\n\n".join([machine(), *tables])
    print(text)
    if options.write:
        page = options.write.read_text()
        head, _, rest = page.partition(START)
        _, _, tail = rest.partition(END)
        options.write.write_text(f"{head}{START}\n{text}\n{END}{tail}")


if __name__ == "__main__":
    main()
