"""Evidence documents of many events, for the measurements of comparing and verifying."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from rea_capture.contracts.capture_evidence import CaptureEvidence, CaptureParameters, DeclaredAction
from rea_capture.contracts.capture_selection import CaptureSelection
from rea_capture.contracts.events import AnyEvent
from rea_capture.evidence import evidence_bytes, seal_capture
from tests import builders

STEPS = 5
_HEADERS = ("accept", "accept-language", "referer", "sec-ch-ua", "sec-ch-ua-platform", "user-agent")


def write_pair(folder: Path, events: int) -> tuple[Path, Path]:
    """Two captures of the same ``events`` events whose concurrent requests came in another order."""
    paths = (folder / f"before-{events}.json", folder / f"after-{events}.json")
    for path, backwards in zip(paths, (False, True), strict=True):
        path.write_bytes(evidence_bytes(_evidence(events, backwards)))
    return paths


def _evidence(events: int, backwards: bool) -> CaptureEvidence:
    steps = [builders.start(url=builders.location())]
    steps += [builders.step(f"step-{n}", step_index=n, url=builders.location()) for n in range(1, STEPS + 1)]
    capture = builders.capture(steps, _events(events, backwards))
    selection = CaptureSelection(events=("network", "console")).record()
    parameters = CaptureParameters(
        actions=tuple(DeclaredAction(action="click", step_id=f"step-{n}") for n in range(1, STEPS + 1)),
        browser_mode="launch",
        capture=selection,
        scenario_sha256="0" * 64,
        secret_declarations=(),
        start_url=builders.url(),
    )
    return seal_capture(capture, parameters, isolation="none")


def _events(count: int, backwards: bool) -> list[AnyEvent]:
    events: list[AnyEvent] = []
    transactions = list(range(1, count // 3 + 1))
    size = max(1, len(transactions) // STEPS)
    for step in range(STEPS):
        ids = transactions[step * size : (step + 1) * size if step < STEPS - 1 else None]
        for name in reversed(ids) if backwards else ids:
            events += [
                _lifelike(event)
                for event in builders.transaction(
                    name, step + 1, address=f"/assets/module-{name}/bundle.min.js?v=20260102"
                )
            ]
    events += [builders.console(f"line {n}", STEPS) for n in range(count - len(events))]
    return events


def _lifelike(event: AnyEvent) -> AnyEvent:
    changes: dict[str, Any] = {"header_names": _HEADERS}
    return dataclasses.replace(event, **changes)
