"""Captures as processes, and a browser that never comes up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.cleanup.command import Capture, Starts


@pytest.fixture
def start(chromium_path: str, tmp_path: Path) -> Iterator[Starts]:
    """Starts a capture; what still runs when the test ends is killed."""
    started: list[Capture] = []

    def run(document: dict[str, Any], executable: str | None = None, **options: Any) -> Capture:
        folder = options.pop("folder", tmp_path)
        started.append(Capture(document, executable or chromium_path, folder, **options))
        return started[-1]

    yield run
    for each in started:
        each.kill()


@pytest.fixture
def mute_browser(tmp_path: Path) -> Path:
    """An executable that is started like a browser, makes the file ``<itself>.started``, and says nothing."""
    path = tmp_path / "mute-browser"
    path.write_text('#!/bin/sh\necho > "$0.started"\nsleep 600\n')
    path.chmod(0o755)
    return path
