"""The browser environment a scenario asks for: viewport, language, time zone, media, workers.

Below: ``inputs``, ``recorded_environment``. Above: ``scenario``, and the browser that is set up so.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Annotated, Final

from pydantic import AfterValidator

from rea_capture.contracts.inputs import InputModel
from rea_capture.contracts.recorded_environment import (
    ColorScheme,
    PixelCount,
    RecordedEnvironment,
    RecordedViewport,
    ReducedMotion,
    ScaleFactor,
    ServiceWorkers,
)

_LANGUAGE_TAG: Final = (
    r"(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4}|[a-z]{5,8})"  # language, extended language
    r"(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?"  # script, region
    r"(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*"  # variants
    r"(?:-[a-wyz\d](?:-[a-z\d]{2,8})+)*(?:-x(?:-[a-z\d]{1,8})+)?"  # extensions, private use
)
"""``langtag`` of RFC 5646 section 2.1. Compiled when it is needed."""

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
