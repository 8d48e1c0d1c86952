"""Chrome-family browsers of this machine: on PATH first, then in Playwright's own cache.

Only looks. A capture never chooses a browser by itself; this is for ``rea doctor``, for the demo and
for whoever writes a scenario. Needs no Playwright, so that it can say that Playwright is missing.

Below: the standard library. Above: ``workflows.doctor``, the demo.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

EXECUTABLE_VARIABLE: Final = "REA_EXECUTABLE_PATH"
"""The environment variable that names the browser where nothing nearer to the scenario does."""

NAMES: Final = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "google-chrome-beta",
    "google-chrome-unstable",
    "microsoft-edge",
    "microsoft-edge-stable",
    "brave-browser",
    "brave",
    "vivaldi",
    "vivaldi-stable",
    "opera",
)
"""Names of executables, most usual first."""

APPLICATIONS: Final = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "/Applications/Brave Browser.app/Contents/MacOS/Brave Browser",
    "/Applications/Vivaldi.app/Contents/MacOS/Vivaldi",
)
"""Where macOS keeps browsers, which are not on PATH there."""

ANSWERS: Final[Mapping[str, tuple[str, ...]]] = {
    "chromium": ("Chromium",),
    "chrome": ("Google Chrome", "Google Chrome for Testing"),
    "vivaldi": ("Vivaldi",),
}
"""What each product calls itself when it is asked for its version."""

CACHED_PATTERNS: Final = (
    "chromium-*/chrome-*/chrome",
    "chromium-*/chrome-*/*.app/Contents/MacOS/*",
    "chromium-*/chrome-*/chrome.exe",
    "chromium_headless_shell-*/chrome-*/headless_shell",
    "chromium_headless_shell-*/chrome-*/chrome-headless-shell",
    "chromium_headless_shell-*/chrome-*/chrome-headless-shell.exe",
)
"""How Playwright lays out its cache; the headless shell comes last, it is not the whole browser."""

VERSION_TIMEOUT_S: Final = 10
"""A browser prints its version in well under a second; a wrapper that hangs is no browser."""

_VERSION: Final = re.compile(r"(?P<product>[A-Za-z][A-Za-z ]*?)\s+(?P<version>\d+(?:\.\d+)+)")


@dataclass(frozen=True, slots=True)
class InstalledBrowser:
    """A browser that was found; ``product`` and ``version`` are None when it did not tell them."""

    path: str
    product: str | None
    version: str | None

    @property
    def usable(self) -> bool:
        """Whether it answered as a browser does."""
        return self.version is not None


def installed_browsers(environ: Mapping[str, str] | None = None) -> tuple[InstalledBrowser, ...]:
    """Every browser found, in the order of preference, each file once. Starts each to ask its version."""
    environ = os.environ if environ is None else environ
    seen: dict[str, str] = {}
    for path in _candidates(environ):
        seen.setdefault(os.path.realpath(path), path)
    return tuple(browser_at(path) for path in seen.values())


def find_browser(environ: Mapping[str, str] | None = None) -> str | None:
    """Absolute path of the first browser that answers with its version, or None."""
    environ = os.environ if environ is None else environ
    return next((path for path in _candidates(environ) if browser_at(path).usable), None)


def find_product(product: str, environ: Mapping[str, str] | None = None) -> InstalledBrowser | None:
    """The first browser that says it is ``product``, a key of :data:`ANSWERS`; never another one."""
    environ = os.environ if environ is None else environ
    word = product.lower()
    paths = (
        path for path in _candidates(environ) if word in os.path.basename(path).lower() or _is_cached(path)
    )
    return next((found for found in map(browser_at, paths) if is_product(found, product)), None)


def is_product(browser: InstalledBrowser, product: str) -> bool:
    """Whether ``browser`` called itself by a name of ``product``."""
    return browser.product in ANSWERS[product]


def _is_cached(path: str) -> bool:
    return "chromium-" in path or "chromium_headless_shell-" in path


def _candidates(environ: Mapping[str, str]) -> Iterator[str]:
    search_path = environ.get("PATH", os.defpath)
    for name in NAMES:
        found = shutil.which(name, path=search_path)
        if found is not None:
            yield os.path.abspath(found)
    if sys.platform == "darwin":
        yield from filter(_is_executable, APPLICATIONS)
    for cache in _caches(environ):
        for pattern in CACHED_PATTERNS:
            newest_first = sorted(cache.glob(pattern), key=_revision_in, reverse=True)
            yield from (str(path) for path in newest_first if _is_executable(path))


def _caches(environ: Mapping[str, str]) -> Iterator[Path]:
    """Where Playwright keeps its browsers (its documentation, "Managing browser binaries")."""
    named = environ.get("PLAYWRIGHT_BROWSERS_PATH")
    if named and named != "0":
        yield Path(named)
        return
    home = environ.get("HOME") or environ.get("USERPROFILE")
    if sys.platform == "darwin" and home:
        yield Path(home, "Library", "Caches", "ms-playwright")
    elif sys.platform == "win32" and environ.get("LOCALAPPDATA"):
        yield Path(environ["LOCALAPPDATA"], "ms-playwright")
    elif environ.get("XDG_CACHE_HOME"):
        yield Path(environ["XDG_CACHE_HOME"], "ms-playwright")
    elif home:
        yield Path(home, ".cache", "ms-playwright")


def _revision_in(path: Path) -> int:
    revision = re.search(r"chromium(?:_headless_shell)?-(\d+)", str(path))
    return int(revision[1]) if revision else 0


def _is_executable(path: str | Path) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def browser_at(path: str) -> InstalledBrowser:
    """The browser at ``path``, as it describes itself when asked for its version."""
    try:
        answer = subprocess.run(  # noqa: S603 - a browser the person has installed
            [path, "--version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=VERSION_TIMEOUT_S,
            check=False,
        ).stdout.decode("utf-8", "replace")
    except (OSError, subprocess.TimeoutExpired):
        return InstalledBrowser(path, None, None)
    match = _VERSION.search(answer)
    if match is None:
        return InstalledBrowser(path, None, None)
    return InstalledBrowser(path, match["product"].strip(), match["version"])
