"""Cleaning up after captures that were killed: what provably has no owner, and nothing else.

Below: ``browser.ownership``. Above: the command line.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Final

from rea_capture.browser.ownership import Reclaimed, reclaim


def clean(environ: Mapping[str, str]) -> list[Reclaimed]:
    """Take down every launch whose owner is provably gone. What became of each recorded launch."""
    return reclaim(environ)


def cleaning_bytes(launches: Sequence[Reclaimed]) -> bytes:
    """``launches`` as one line of JSON."""
    rows = [
        {
            "folders": list(launch.folders),
            "outcome": launch.outcome,
            "processes": launch.processes,
            "reason": launch.reason,
            "record": os.fspath(launch.path),
        }
        for launch in launches
    ]
    return json.dumps({"launches": rows}).encode() + b"\n"


def cleaning_lines(launches: Sequence[Reclaimed]) -> list[str]:
    """``launches`` in words, the sum first."""
    count = {name: sum(launch.outcome == name for launch in launches) for name in _WORDS}
    told = [f"{number} {_WORDS[name]}" for name, number in count.items() if number]
    rows = [
        f"{launch.outcome} {os.fspath(launch.path)}: {launch.reason}"
        for launch in launches
        if launch.reason is not None
    ]
    return [f"Recorded launches: {', '.join(told) if told else 'none'}.", *rows]


_WORDS: Final = {
    "removed": "removed",
    "in_use": "in use",
    "kept": "kept, since their owner is not provably gone",
    "failed": "not removed",
}
