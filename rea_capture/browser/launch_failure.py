"""Why a browser did not start: what the driver says, in a line, and what this machine lacks.

Below: playwright, ``failures``, ``profile``. Above: ``launch``.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from typing import Final

from playwright.async_api import Error
from playwright.async_api import TimeoutError as DriverTimeoutError

from rea_capture.browser.failures import reason_of
from rea_capture.browser.profile import OwnedProfile
from rea_capture.errors import UnavailableError

ENDED: Final = "it ended while starting"
"""The text of a ``TimeoutError`` for a browser that has ended before the driver noticed."""

FULL_DISK_BYTES: Final = 8 * 1024 * 1024
"""A profile that is just made has about 5 MiB."""

FILE_SIZE_WORTH_TELLING_BYTES: Final = 1 << 30
OPEN_FILES_WORTH_TELLING_COUNT: Final = 1_024
"""Limits below these are told: the first is far above what a profile needs, the second is the usual one."""

_CLOSED: Final = "Target page, context or browser has been closed"
_MORE_TIME: Final = "on a busy machine, allow more with command_timeout_ms"
_NO_DISPLAY: Final = "Missing X server"
_DISPLAYS: Final = ("DISPLAY", "WAYLAND_DISPLAY")
_GET_DISPLAY: Final = "run it with xvfb-run, or leave browser.headless at true"


def check_display(environ: Mapping[str, str], *, headless: bool) -> None:
    """Raise :class:`UnavailableError` where a window is asked for and nothing can show one."""
    if headless or sys.platform != "linux" or any(environ.get(name) for name in _DISPLAYS):
        return
    raise UnavailableError(
        "the browser could not be launched: browser.headless is false and there is no display (neither "
        f"{' nor '.join(_DISPLAYS)} is set); {_GET_DISPLAY}"
    )


def launch_reason(
    error: Error | OSError, profile: OwnedProfile, environ: Mapping[str, str], timeout_ms: int
) -> str:
    """Why the launch failed with ``error``.

    The first line of the driver's message, then what the machine lacks; where that is nothing we know of,
    what the browser itself complained of last. One that only takes its time has no complaint that matters.
    """
    if isinstance(error, DriverTimeoutError):
        return f"Timeout: it had not started within {timeout_ms} ms; {_MORE_TIME}"
    if isinstance(error, TimeoutError) and str(error) != ENDED:
        return f"Timeout: {error}; {_MORE_TIME}"
    said = [line.partition("[err]")[2].strip() for line in str(error).splitlines() if "[err]" in line]
    first = reason_of(error).partition(" Browser logs:")[0].replace(_CLOSED, ENDED)
    lacks = _without_display(said, environ) + _shortages(profile)
    if lacks:
        return "; ".join([first, *lacks])
    graver = [line for line in said if "FATAL" in line or "ERROR" in line]
    return " ".join([first, *(f"(its last words: {line})" for line in (graver or said)[-1:])])


def _without_display(said: list[str], environ: Mapping[str, str]) -> list[str]:
    if not any(_NO_DISPLAY in line for line in said):
        return []
    named = next((f"{name}={environ[name]}" for name in _DISPLAYS if environ.get(name)), "none is named")
    return [f"there is no display to show it ({named}): {_GET_DISPLAY}"]


def _shortages(profile: OwnedProfile) -> list[str]:
    """What a browser does not say itself: no room for its profile, or fewer open files than it needs."""
    found = []
    try:
        if shutil.disk_usage(profile.root).free < FULL_DISK_BYTES:
            found.append("the disk of its temporary profile is full")
    except OSError:
        pass
    if os.name == "posix":
        found += _low_limits()
    return found


def _low_limits() -> list[str]:
    import resource  # noqa: PLC0415 - not there on Windows

    limits = (
        (resource.RLIMIT_FSIZE, FILE_SIZE_WORTH_TELLING_BYTES, "{} bytes may be in a file (ulimit -f)"),
        (resource.RLIMIT_NOFILE, OPEN_FILES_WORTH_TELLING_COUNT, "{} files may be open at once (ulimit -n)"),
    )
    found = ((resource.getrlimit(which), least, words) for which, least, words in limits)
    return [
        f"perhaps because only {words}".format(soft)
        for (soft, _), least, words in found
        if soft != resource.RLIM_INFINITY and soft < least
    ]
