from __future__ import annotations

from pathlib import Path

import pytest

from tests.session.configuration.machine import Machine, make_machine


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return make_machine(tmp_path, monkeypatch)
