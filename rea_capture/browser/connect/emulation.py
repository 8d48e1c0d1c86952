"""What a page of an attached browser is told about where it runs, and how it is taken back. Pure.

The browser ends all of it with the session that asked for it; it is taken back by name all the same, so
that nothing depends on when the browser notices.

Below: ``contracts.environment``. Above: ``instruments``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rea_capture.contracts.environment import Environment

Command = tuple[str, Mapping[str, Any]]


def of_page(environment: Environment) -> tuple[Command, ...]:
    """The commands for a page: its screen, and what :func:`of_frame` says."""
    view = environment.viewport
    screen = {
        "width": view.width,
        "height": view.height,
        "deviceScaleFactor": view.device_scale_factor,
        "mobile": False,
        "screenWidth": view.width,
        "screenHeight": view.height,
        "screenOrientation": {"angle": 0, "type": "landscapePrimary"},
    }
    return (
        ("Emulation.setDeviceMetricsOverride", screen),
        # A tab in the background would draw nothing; as a focused one it is what a launched page is.
        ("Emulation.setFocusEmulationEnabled", {"enabled": True}),
        *of_frame(environment),
    )


def of_frame(environment: Environment) -> tuple[Command, ...]:
    """The commands for a frame with a process of its own."""
    features = [
        {"name": "prefers-color-scheme", "value": environment.color_scheme},
        {"name": "prefers-reduced-motion", "value": environment.reduced_motion},
    ]
    return (("Emulation.setEmulatedMedia", {"features": features}),)


def of_whole_process(environment: Environment) -> tuple[Command, ...]:
    """The commands whose effect the documents of one process share; the first session that asks has it."""
    return (
        ("Emulation.setTimezoneOverride", {"timezoneId": environment.timezone}),
        ("Emulation.setLocaleOverride", {"locale": environment.locale}),
    )


NO_EMULATION_OF_FRAME: Final[tuple[Command, ...]] = (
    ("Emulation.setEmulatedMedia", {"media": "", "features": []}),
    ("Emulation.setTimezoneOverride", {"timezoneId": ""}),
    ("Emulation.setLocaleOverride", {}),
)
NO_EMULATION_OF_PAGE: Final[tuple[Command, ...]] = (
    ("Emulation.clearDeviceMetricsOverride", {}),
    ("Emulation.setFocusEmulationEnabled", {"enabled": False}),
    *NO_EMULATION_OF_FRAME,
)
