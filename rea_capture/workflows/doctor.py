"""What this machine has, and what would stop a capture on it.

Only looks: browsers are asked for their version, nothing is launched, installed or changed.

Below: ``browser.discovery``, ``browser.ownership``. Above: the command line.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from rea_capture.browser.discovery import (
    EXECUTABLE_VARIABLE,
    InstalledBrowser,
    browser_at,
    installed_browsers,
)
from rea_capture.browser.ownership import RecordState, recorded_launches
from rea_capture.version import __version__

OLDEST_PYTHON: Final = (3, 11)
SMALL_SHARED_MEMORY_BYTES: Final = 256 * 1024 * 1024
"""Containers give 64 MiB, which a few large pages fill; Chromium then crashes their renderers."""

_SHARED_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - looked at, not written to
_NAMESPACE_SWITCHES: Final[Mapping[str, str]] = {
    "/proc/sys/user/max_user_namespaces": "0",
    "/proc/sys/kernel/unprivileged_userns_clone": "0",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1",
}
"""Kernel settings, and the value with which each keeps a plain user from making namespaces."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that stops a capture: a sentence that says what, and one that says what to do."""

    what: str
    remedy: str


@dataclass(frozen=True, slots=True)
class BrowserState:
    """A browser that was found, and whether a capture that is told of no other uses it.

    ``product`` and ``version`` are None when it did not tell them.
    """

    path: str
    product: str | None
    used_by_captures: bool
    version: str | None


@dataclass(frozen=True, slots=True)
class PythonState:
    executable: str
    version: str


@dataclass(frozen=True, slots=True)
class PlaywrightState:
    """``version`` is None when it is not installed; ``driver`` is its executable, None when missing."""

    driver: str | None
    version: str | None


@dataclass(frozen=True, slots=True)
class SandboxState:
    """``user_namespaces`` is None where the system does not tell."""

    available: bool | None
    root: bool
    user_namespaces: bool | None


@dataclass(frozen=True, slots=True)
class SharedMemoryState:
    """Sizes of ``/dev/shm`` in bytes."""

    free_bytes: int
    total_bytes: int


@dataclass(frozen=True, slots=True)
class LaunchState:
    """A launch that is on record. ``standing`` is ``in_use``, ``abandoned`` or ``unproven`` (``reason``)."""

    folders: tuple[str, ...]
    reason: str | None
    record: str
    standing: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Everything found. ``problems`` stop a capture, ``notes`` do not; ``ready`` says it can run."""

    browsers: tuple[BrowserState, ...]
    launches: tuple[LaunchState, ...]
    notes: tuple[str, ...]
    platform: str
    playwright: PlaywrightState
    problems: tuple[Problem, ...]
    python: PythonState
    ready: bool
    sandbox: SandboxState
    shared_memory: SharedMemoryState | None
    version: str


def diagnose(environ: Mapping[str, str]) -> Diagnosis:
    """Look around. ``environ`` says where to look for browsers."""
    browsers = installed_browsers(environ)
    playwright = _playwright(environ)
    sandbox = _sandbox()
    shared_memory = _shared_memory()
    launches = tuple(_launch_state(state) for state in recorded_launches(environ))
    problems = (
        *_python_problems(),
        *_playwright_problems(playwright),
        *_browser_problems(browsers, environ),
        *_folder_problems(),
    )
    return Diagnosis(
        browsers=_browser_states(browsers, environ),
        launches=launches,
        notes=(
            *_naming_notes(browsers, environ),
            *_sandbox_notes(sandbox),
            *_shared_memory_notes(shared_memory),
            *_launch_notes(launches),
        ),
        platform=f"{platform.system()} {platform.release()} {platform.machine()}",
        playwright=playwright,
        problems=problems,
        python=PythonState(sys.executable, platform.python_version()),
        ready=not problems,
        sandbox=sandbox,
        shared_memory=shared_memory,
        version=__version__,
    )


def diagnosis_bytes(diagnosis: Diagnosis) -> bytes:
    """``diagnosis`` as one line of JSON."""
    return json.dumps(asdict(diagnosis), sort_keys=True).encode() + b"\n"


def _python_problems() -> Iterator[Problem]:
    if sys.version_info < OLDEST_PYTHON:
        yield Problem(
            f"Python {platform.python_version()} is too old.", "Use Python 3.11 or newer; 3.12 is fine."
        )


def _playwright(environ: Mapping[str, str]) -> PlaywrightState:
    spec = importlib.util.find_spec("playwright")  # finds without importing, which takes a while
    if spec is None or not spec.submodule_search_locations:
        return PlaywrightState(None, None)
    try:
        version: str | None = importlib.metadata.version("playwright")
    except importlib.metadata.PackageNotFoundError:
        version = None
    bundled = Path(spec.submodule_search_locations[0], "driver", "node.exe" if os.name == "nt" else "node")
    driver = environ.get("PLAYWRIGHT_NODEJS_PATH") or str(bundled)
    return PlaywrightState(driver if os.access(driver, os.X_OK) else None, version)


def _playwright_problems(state: PlaywrightState) -> Iterator[Problem]:
    if state.version is None:
        yield Problem("Playwright is not installed.", "Install it: pip install playwright.")
    elif state.driver is None:
        yield Problem(
            "Playwright's driver is missing or cannot be executed.",
            "Install Playwright again: pip install --force-reinstall playwright; if PLAYWRIGHT_NODEJS_PATH "
            "is set, it must name an executable.",
        )


def _browser_states(
    browsers: tuple[InstalledBrowser, ...], environ: Mapping[str, str]
) -> tuple[BrowserState, ...]:
    """``browsers`` and, first, the one that the environment names, if it is none of them."""
    named = environ.get(EXECUTABLE_VARIABLE)
    used = browser_at(named) if named and os.path.isabs(named) else None
    real = os.path.realpath(used.path) if used is not None and used.usable else None
    others = (browser for browser in browsers if os.path.realpath(browser.path) != real)
    found = (used, *others) if used is not None and real is not None else others
    return tuple(BrowserState(one.path, one.product, one is used, one.version) for one in found)


def _browser_problems(
    browsers: tuple[InstalledBrowser, ...], environ: Mapping[str, str]
) -> Iterator[Problem]:
    named = environ.get(EXECUTABLE_VARIABLE)
    if named and not os.path.isabs(named):
        yield Problem(f"{EXECUTABLE_VARIABLE} is not absolute.", "Give the whole path of the browser.")
    elif named and not (os.path.isfile(named) and os.access(named, os.X_OK)):
        yield Problem(f"{EXECUTABLE_VARIABLE} does not name an executable file.", "Correct it, or unset it.")
    elif named and not browser_at(named).usable:
        yield Problem(
            f"{EXECUTABLE_VARIABLE} names a program that does not tell a browser's version.",
            "Set it to the path of a Chrome-family browser, or unset it.",
        )
    if not named and not any(browser.usable for browser in browsers):
        found = "No Chrome-family browser that tells its version was found on PATH or in Playwright's cache."
        yield Problem(
            found,
            "Install Chromium or Google Chrome (on Debian: apt-get install chromium), or pass the path of "
            "one with --executable-path.",
        )


def _naming_notes(browsers: tuple[InstalledBrowser, ...], environ: Mapping[str, str]) -> Iterator[str]:
    usable = next((browser.path for browser in browsers if browser.usable), None)
    if usable and not environ.get(EXECUTABLE_VARIABLE):
        yield (
            "A capture uses the browser that it is told, and no other: name one in the scenario "
            f"(browser.executable_path), with --executable-path, or by export {EXECUTABLE_VARIABLE}={usable}"
        )


def _folder_problems() -> Iterator[Problem]:
    try:
        with tempfile.TemporaryDirectory(prefix="rea-doctor-"):
            pass
    except OSError as error:
        yield Problem(
            f"The folder for temporary files cannot be written to ({(error.strerror or '').lower()}).",
            "Browser profiles live there while a capture runs; set TMPDIR to a folder that can.",
        )


def _sandbox() -> SandboxState:
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    namespaces = _user_namespaces()
    available = False if root else namespaces
    return SandboxState(available=available, root=root, user_namespaces=namespaces)


def _user_namespaces() -> bool | None:
    told = None
    for path, forbidding in _NAMESPACE_SWITCHES.items():
        try:
            value = Path(path).read_text(encoding="ascii").strip()
        except (OSError, ValueError):
            continue
        if value == forbidding:
            return False
        told = True
    return told


def _sandbox_notes(state: SandboxState) -> Iterator[str]:
    if state.root:
        yield (
            "Running as root: the browser runs without its own sandbox, which it refuses to use as root. "
            "Capture pages you do not trust as a plain user."
        )
    elif state.available is False:
        yield (
            "User namespaces are not allowed to plain users: a browser without a setuid sandbox helper will "
            "not start. Allow them (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone, "
            "kernel.apparmor_restrict_unprivileged_userns) or use the browser package of the system."
        )


def _shared_memory() -> SharedMemoryState | None:
    try:
        usage = shutil.disk_usage(_SHARED_MEMORY)
    except OSError:
        return None
    return SharedMemoryState(free_bytes=usage.free, total_bytes=usage.total)


def _shared_memory_notes(state: SharedMemoryState | None) -> Iterator[str]:
    if state is not None and state.free_bytes < SMALL_SHARED_MEMORY_BYTES:
        yield (
            f"{_SHARED_MEMORY} has {state.free_bytes // 2**20} MiB free: large pages may crash if the "
            "browser uses it. In a container, start it with a larger one (docker run --shm-size=1g)."
        )


def _launch_state(state: RecordState) -> LaunchState:
    folders = state.launch.folders if state.launch else ()
    return LaunchState(
        folders=tuple(folder.path for folder in folders),
        reason=state.reason,
        record=str(state.path),
        standing=state.standing,
    )


def _launch_notes(launches: tuple[LaunchState, ...]) -> Iterator[str]:
    abandoned = sum(launch.standing == "abandoned" for launch in launches)
    if abandoned:
        captures = "capture that was killed has" if abandoned == 1 else "captures that were killed have"
        yield (
            f"{abandoned} {captures} left a browser or a profile. The next capture takes that down, or "
            "`rea clean` now."
        )
    for launch in launches:
        if launch.standing == "unproven":
            what = f" of {', '.join(launch.folders)}" if launch.folders else ""
            yield (
                f"The record {launch.record}{what} stays: {launch.reason}. When you know that its capture is "
                "gone, delete the folders that it names, and then the record."
            )
