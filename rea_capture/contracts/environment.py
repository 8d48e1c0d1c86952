"""The browser environment a scenario asks for: viewport, language, time zone, media, workers.

Below: ``base``. Above: ``scenario``, ``capture``.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field

from rea_capture.contracts.base import InputModel, record

MAX_VIEWPORT_PIXELS: Final = 16_384
"""Largest side of a surface that Chromium's compositor can allocate."""

MIN_SCALE_FACTOR: Final = 0.1
MAX_SCALE_FACTOR: Final = 10
"""Device pixels a CSS pixel. Screens have 1 to 4, and zooming out and in does the rest. Within these bounds
RFC 8785 and other writers of JSON agree about every number: none needs an exponent."""

_LANGUAGE_TAG: Final = (
    r"(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4}|[a-z]{5,8})"  # language, extended language
    r"(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?"  # script, region
    r"(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*"  # variants
    r"(?:-[a-wyz\d](?:-[a-z\d]{2,8})+)*(?:-x(?:-[a-z\d]{1,8})+)?"  # extensions, private use
)
"""``langtag`` of RFC 5646 section 2.1. Compiled when it is needed: a comparison needs it not at all."""

_ZONE_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+)*")


@cache
def _zone_names() -> frozenset[str]:
    import zoneinfo  # noqa: PLC0415 - only a scenario needs it

    return frozenset(zoneinfo.available_timezones())


def _locale(locale: str) -> str:
    if not re.fullmatch(_LANGUAGE_TAG, locale, re.IGNORECASE):
        raise ValueError('must be a BCP 47 language tag such as "en-US"')
    return locale


def _timezone(timezone: str) -> str:
    # A machine without a time zone database cannot check the name; the browser will, when it starts.
    names = _zone_names()
    if not _ZONE_NAME.fullmatch(timezone) or (names and timezone not in names):
        raise ValueError('must be an IANA time zone such as "UTC" or "Europe/Berlin"')
    return timezone


def _plain_number(value: float) -> float:
    # RFC 8785 writes 1.0 as 1; keeping whole numbers as integers keeps every writer at that.
    return int(value) if value == int(value) else value


PixelCount = Annotated[int, Field(ge=1, le=MAX_VIEWPORT_PIXELS)]
ScaleFactor = Annotated[float, Field(ge=MIN_SCALE_FACTOR, le=MAX_SCALE_FACTOR), AfterValidator(_plain_number)]
ColorScheme = Literal["light", "dark", "no-preference"]
ReducedMotion = Literal["reduce", "no-preference"]
ServiceWorkers = Literal["block", "allow"]


class Viewport(InputModel):
    """Size in CSS pixels, and device pixels a CSS pixel."""

    width: PixelCount = 1280
    height: PixelCount = 720
    device_scale_factor: ScaleFactor = 1


class Environment(InputModel):
    """What the page can tell about where it runs."""

    viewport: Viewport = Viewport()
    locale: Annotated[str, AfterValidator(_locale)] = "en-US"
    timezone: Annotated[str, AfterValidator(_timezone)] = "UTC"
    color_scheme: ColorScheme = "light"
    reduced_motion: ReducedMotion = "reduce"
    service_workers: ServiceWorkers = "block"

    def record(self) -> RecordedEnvironment:
        """This environment as an Evidence document repeats it."""
        view = self.viewport
        return RecordedEnvironment(
            color_scheme=self.color_scheme,
            locale=self.locale,
            reduced_motion=self.reduced_motion,
            service_workers=self.service_workers,
            timezone=self.timezone,
            viewport=RecordedViewport(
                device_scale_factor=view.device_scale_factor, height=view.height, width=view.width
            ),
        )


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
