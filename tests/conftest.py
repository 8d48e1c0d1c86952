"""What every test may ask for: a real browser and a real server on loopback."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest

from tests.loopback import Loopback, serving

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Absolute path of a Chrome-family browser; ``REA_EXECUTABLE_PATH`` wins over a search."""
    found = os.environ.get("REA_EXECUTABLE_PATH") or next(filter(None, map(shutil.which, _NAMES)), None)
    assert found, "no Chrome-family browser found: install chromium or set REA_EXECUTABLE_PATH"
    return found


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    """A server on 127.0.0.1 with a port of its own and no routes yet."""
    with serving() as server:
        yield server


@pytest.fixture
def other_loopback() -> Iterator[Loopback]:
    """A second server, so that a test has a second origin."""
    with serving() as server:
        yield server
