"""A bad scenario is refused without waiting for the browser driver, and mostly without starting it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from rea_capture.errors import InputError
from rea_capture.workflows import interruptible


class Driver:
    """A driver whose start never comes to an end."""

    def __init__(self) -> None:
        self.started = False
        self.cancelled = False

    async def start(self) -> Any:
        self.started = True
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> Driver:
    stuck = Driver()
    monkeypatch.setattr(interruptible, "_start_driver", stuck.start)
    return stuck


def refusal(data: bytes) -> InputError:
    with pytest.raises(InputError) as caught:
        interruptible.capture_document(
            data,
            executable_path=None,
            environ={},
            progress=print,
            interruption=interruptible.Interruption(),
        )
    return caught.value


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"not json", b'{"browser":1,"start_url":2}'])
def test_what_is_no_scenario_at_first_sight_starts_no_driver(driver: Driver, data: bytes) -> None:
    assert refusal(data).faults
    assert not driver.started


def test_a_scenario_with_a_fault_does_not_wait_for_the_driver(driver: Driver) -> None:
    faults = refusal(b'{"browser":{"mode":"launch"},"start_url":{"url":"http://a.test"},"actions":[]}').faults
    assert [fault.pointer for fault in faults] == ["/actions"]
    assert driver.started
    assert driver.cancelled
