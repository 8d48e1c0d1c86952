"""Running whole scenarios in a real Chromium against a real server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Sequence
from typing import Any, Protocol

import pytest

from rea_capture.capture.progress import Tell
from rea_capture.capture.stop import Stop
from rea_capture.contracts.capture_evidence import CaptureEvidence
from rea_capture.contracts.reading import read_scenario
from rea_capture.evidence import evidence_bytes, parse
from rea_capture.workflows.capture import capture
from tests.browser.kept_driver import KeptDriver

CAPTURE_TIMEOUT_S = 120
ALL_ARTIFACTS = ["screenshot", "dom", "accessibility", "url", "history", "storage"]
ALL_FAMILIES = [
    "console", "page-errors", "network", "websockets", "frames", "workers", "popups", "downloads",
]  # fmt: skip


class RunScenario(Protocol):
    """Runs a scenario at a start URL; everything else has a default."""

    def __call__(
        self,
        start_url: str,
        actions: list[dict[str, Any]] | None = None,
        *,
        environ: dict[str, str] | None = None,
        stop: Stop | None = None,
        progress: Tell | None = None,
        **parts: Any,
    ) -> Awaitable[CaptureEvidence]: ...


def pause(step_id: str = "settle", duration_ms: int = 50) -> dict[str, Any]:
    """An action that only waits."""
    return {"step_id": step_id, "action": "wait_for_timeout", "duration_ms": duration_ms}


def css(selector: str) -> dict[str, str]:
    """A CSS locator."""
    return {"kind": "css", "selector": selector}


def literal(value: str) -> dict[str, str]:
    """A literal value."""
    return {"source": "literal", "value": value}


def secret(secret_id: str) -> dict[str, str]:
    """A reference to a declared secret."""
    return {"source": "secret", "secret_id": secret_id}


def scenario_document(
    start_url: str,
    actions: list[dict[str, Any]] | None,
    *,
    query: Sequence[dict[str, Any]] = (),
    **parts: Any,
) -> dict[str, Any]:
    """A scenario as a document."""
    return {
        "browser": {"mode": "launch"},
        "start_url": {"url": start_url, "query": query},
        "actions": [pause()] if actions is None else actions,
        **parts,
    }


@pytest.fixture
def run_scenario(chromium_path: str, kept_driver: KeptDriver) -> RunScenario:
    """A function that captures a scenario, bounded in time, and checks that its Evidence verifies."""

    async def run(
        start_url: str,
        actions: list[dict[str, Any]] | None = None,
        *,
        environ: dict[str, str] | None = None,
        stop: Stop | None = None,
        progress: Tell | None = None,
        **parts: Any,
    ) -> CaptureEvidence:
        document = scenario_document(start_url, actions, **parts)
        async with asyncio.timeout(CAPTURE_TIMEOUT_S):
            evidence = await capture(
                read_scenario(json.dumps(document).encode()),
                executable_path=chromium_path,
                environ=environ,
                stop=stop,
                progress=progress,
                driver=kept_driver.lent(),
            )
        parse(evidence_bytes(evidence), "the capture")
        return evidence

    return run
