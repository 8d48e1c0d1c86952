"""A browser that does not start in time is too slow, whatever it complains of meanwhile."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from rea_capture.contracts.reading import read_scenario
from rea_capture.errors import UnavailableError
from rea_capture.workflows.capture import capture
from tests.browser.capture.conftest import scenario_document

SLOW = "#!/bin/sh\necho '[1:1:ERROR:dbus/bus.cc] Failed to connect to the bus' >&2\nsleep 60\n"
DEAD = "#!/bin/sh\necho '[1:1:FATAL:main.cc] No usable display' >&2\nexit 1\n"


async def _refused(folder: Path, script: str, timeout_ms: int) -> str:
    browser = folder / "browser"
    browser.write_text(script)
    browser.chmod(0o755)
    document = scenario_document("http://127.0.0.1:1/", None, command_timeout_ms=timeout_ms)
    scenario = read_scenario(json.dumps(document).encode())
    with pytest.raises(UnavailableError) as refusal:
        async with asyncio.timeout(60):
            await capture(scenario, executable_path=str(browser))
    return refusal.value.message


async def test_a_browser_that_takes_too_long_is_told_apart_by_its_timeout(tmp_path: Path) -> None:
    assert await _refused(tmp_path, SLOW, 700) == (
        "the browser could not be launched: Timeout: it had not started within 700 ms; "
        "on a busy machine, allow more with command_timeout_ms"
    )


async def test_a_browser_that_ends_by_itself_has_last_words(tmp_path: Path) -> None:
    message = await _refused(tmp_path, DEAD, 20_000)
    assert "it ended while starting (its last words: [1:1:FATAL:main.cc] No usable display)" in message
