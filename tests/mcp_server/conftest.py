"""Places where servers run, a browser that never comes up, and a page that never ends loading."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mcp_server.serving import Pipes, Place


@pytest.fixture
def place(tmp_path: Path, chromium_path: str) -> Iterator[Place]:
    """Folders of this test's servers."""
    here = Place(tmp_path, chromium_path)
    yield here
    here.remove()


@pytest.fixture
def pipes(place: Place) -> Iterator[Pipes]:
    """A server over pipes that has shaken hands."""
    server = Pipes(place)
    server.initialize()
    yield server
    server.kill()


@pytest.fixture
def mute_browser(tmp_path: Path) -> str:
    """An executable that is started like a browser, makes the file ``<itself>.started``, and says nothing."""
    path = tmp_path / "mute-browser"
    path.write_text('#!/bin/sh\necho > "$0.started"\nexec sleep 600\n')
    path.chmod(0o755)
    return str(path)
