"""The browser environment as an Evidence document repeats it, and the types of its parts.

Below: ``base``. Above: ``environment``, which asks for one, and ``capture``, which records it.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from rea_capture.contracts.base import Constraint, record

MAX_VIEWPORT_PIXELS: Final = 16_384
"""Largest side of a surface that Chromium's compositor can allocate."""

MIN_SCALE_FACTOR: Final = 0.1
MAX_SCALE_FACTOR: Final = 10
"""Device pixels a CSS pixel. Screens have 1 to 4, and zooming out and in does the rest. Within these bounds
RFC 8785 and other writers of JSON agree about every number: none needs an exponent."""


def plain_number(value: float) -> float:
    """``value``, as an integer where it is one: RFC 8785 writes 1.0 as 1, and every writer keeps to that."""
    return int(value) if value == int(value) else value


PixelCount = Annotated[int, Constraint(ge=1, le=MAX_VIEWPORT_PIXELS)]
ScaleFactor = Annotated[float, Constraint(ge=MIN_SCALE_FACTOR, le=MAX_SCALE_FACTOR, then=plain_number)]
ColorScheme = Literal["light", "dark", "no-preference"]
ReducedMotion = Literal["reduce", "no-preference"]
ServiceWorkers = Literal["block", "allow"]


@record
class RecordedViewport:
    """The resolved viewport."""

    device_scale_factor: ScaleFactor
    height: PixelCount
    width: PixelCount


@record
class RecordedEnvironment:
    """The resolved environment."""

    color_scheme: ColorScheme
    locale: str
    reduced_motion: ReducedMotion
    service_workers: ServiceWorkers
    timezone: str
    viewport: RecordedViewport
