"""Both ways to a worker, on scripted sessions."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from rea_capture.session.transport.framed import FramedTransport
from rea_capture.session.transport.memory import InMemoryTransport
from rea_capture.session.transport.process import ProcessTransport
from rea_capture.session.worker.worker import Worker
from tests.session.worker.scripted import Browserless
from tests.session.worker.scripted_worker import EventFile, argv


@pytest.fixture
def events(tmp_path: Path) -> Path:
    """What the sessions write their events to."""
    return tmp_path / "events"


@pytest_asyncio.fixture(params=["memory", "process"])
async def transport(
    request: pytest.FixtureRequest, events: Path, tmp_path: Path
) -> AsyncIterator[FramedTransport]:
    """One of them, closed after the test."""
    made: FramedTransport
    if request.param == "memory":
        browserless = Browserless(events=EventFile(str(events)))
        made = InMemoryTransport(Worker(browserless.open, environ={}, folder=tmp_path))
    else:
        made = ProcessTransport(argv=argv(events), folder=tmp_path)
    yield made
    await made.close()


@pytest_asyncio.fixture
async def process(events: Path, tmp_path: Path) -> AsyncIterator[ProcessTransport]:
    """The way to a worker in a process of its own."""
    made = ProcessTransport(argv=argv(events), folder=tmp_path)
    yield made
    await made.close()
