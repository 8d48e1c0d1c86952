"""The collector is paused and found again as it was."""

from __future__ import annotations

import gc

import pytest

from rea_capture.garbage import collector_paused


def test_the_collector_is_off_inside_and_on_again_after_an_error() -> None:
    assert gc.isenabled()
    enabled_inside = []

    def fail() -> None:
        with collector_paused():
            enabled_inside.append(gc.isenabled())
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert enabled_inside == [False]
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with collector_paused(), collector_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
