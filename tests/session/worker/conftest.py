"""A worker for each test, closed after it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from tests.session.worker.asking import Asker


@pytest_asyncio.fixture
async def asker(tmp_path: Path) -> AsyncIterator[Asker]:
    made = Asker(tmp_path)
    yield made
    await made.worker.close()
