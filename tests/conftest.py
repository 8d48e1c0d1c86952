"""What every test may ask for: a real browser and real servers on loopback.

Also the settings of the property tests: no deadline for one example, since machines differ, and the
profile ``fuzz`` with many more examples.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from rea_capture.browser.discovery import find_browser
from tests.demo.running import DemoRun, the_demo_run
from tests.loopback import Loopback, serving

settings.register_profile("suite", deadline=None)
settings.register_profile(
    "fuzz", deadline=None, max_examples=2_000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("suite")


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Absolute path of a Chrome-family browser; ``REA_EXECUTABLE_PATH`` wins over a search."""
    found = os.environ.get("REA_EXECUTABLE_PATH") or find_browser()
    assert found, "no Chrome-family browser found: install chromium or set REA_EXECUTABLE_PATH"
    return found


@pytest.fixture(scope="session")
def demo_run(chromium_path: str, tmp_path_factory: pytest.TempPathFactory) -> DemoRun:
    """One run of the demo, for every test of any process that looks at what it leaves behind."""
    base = tmp_path_factory.getbasetemp()
    return the_demo_run(chromium_path, base.parent if "PYTEST_XDIST_WORKER" in os.environ else base)


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
