"""Starting an owned browser, and taking it down again.

Below: playwright, ``profile``, ``home``. Above: ``session``.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from playwright.async_api import BrowserContext, CDPSession, Error, Page, Playwright

from rea_capture.browser.deadline import within
from rea_capture.browser.driver_process import closing_reason
from rea_capture.browser.home import places_outside_home
from rea_capture.browser.launch_failure import ENDED, check_display, launch_reason
from rea_capture.browser.ownership.before_launch import reclaim_before_launch
from rea_capture.browser.processes import Process, browser_of, end_processes_of, locked_by
from rea_capture.browser.profile import OwnedProfile
from rea_capture.capture.finishing import finished
from rea_capture.contracts.environment import Environment
from rea_capture.errors import UnavailableError
from rea_capture.limits import MAX_SENTENCE_CHARACTERS
from rea_capture.wording import shortened

DISABLED_FEATURES: Final = (
    # Navigations go where the scenario says, over the scheme it says.
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    # A picture shows the new document, not the old one kept until the new one paints.
    "PaintHolding",
    # The driver keeps a page's before-unload dialog and its redirects in its own hands.
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "AvoidCorsURLLoaderRestartOnRedirect",
    # What a page sends while it is being left is reported, unless the next one is of another site.
    "RenderDocument",
    # The profile is deleted by us, when the browser has ended.
    "DestroyProfileOnBrowserClose",
    # The browser asks nobody anything on its own account.
    "AimEnabled",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PreconnectToSearch",
    # The menu of the address bar is not made beforehand, out of pages of its own that nobody sees.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
)
"""Chromium features that are off. This replaces the driver's list, which also turns storage
partitioning off: third-party frames would then be denied storage that a user's browser gives them."""

NO_RELOADS: Final = "--disable-auto-reload"
"""A start page that cannot be reached is asked for once, and not again at times of the browser's own."""

CLOSE_TIMEOUT_MS: Final = 4_000
"""How long a browser may take to close by itself before its processes are ended.

This, the second for what has been put into the browser (``session``), those for killing and deleting, and
that for the driver's own end stay below the ten in which a capture that was stopped is over.
"""

LAUNCH_GRACE_MS: Final = 2_000
"""The driver keeps the deadline of a launch itself, unless it does not answer any more."""

LAUNCH_LOOK_S: Final = 0.1
NOTICING_S: Final = 1.0
"""How often a browser that is starting is looked at, and how long the driver may take to notice its end."""

GIVING_UP_S: Final = 3.0
GIVING_UP_POLL_S: Final = 0.1
"""A launch that is given up ends as soon as its browser is killed, which may first have to come up."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BrowserIdentity:
    """Name and version, as the browser itself states them."""

    product: str
    version: str


def _not_at_all(*_: object) -> None:
    """Where nobody wants to look, or to be told."""


@dataclass(frozen=True, slots=True)
class LaunchedBrowser:
    """A browser of our own with its single page, not navigated yet."""

    context: BrowserContext
    page: Page
    session: CDPSession
    identity: BrowserIdentity
    profile: OwnedProfile

    @classmethod
    async def launch(
        cls,
        driver: Playwright,
        executable_path: str,
        environment: Environment,
        *,
        headless: bool,
        logs_network: bool,
        environ: Mapping[str, str],
        timeout_ms: int,
        preferences: Mapping[str, Any] | None = None,
    ) -> LaunchedBrowser:
        """Start ``executable_path`` with a fresh profile, where it logs what it sends with ``logs_network``.

        It begins with ``preferences``, where the browser's own are not wanted.

        First, what launches that were killed have left is taken down. ``environ`` is the browser's
        environment; whoever calls leaves secrets out of it. Raises :class:`UnavailableError` with the
        cause in one line. However it ends, also by being cancelled at any moment, nothing is left.
        """
        _check_executable(executable_path)
        check_display(environ, headless=headless)
        await reclaim_before_launch()
        profile = _new_profile()
        try:
            if preferences is not None:
                profile.prefer(preferences)
            options = _launch_options(executable_path, environment, profile, headless, environ, timeout_ms)
            if logs_network:
                options["args"].append(f"--log-net-log={profile.network_log}")
            return await cls._launch(driver, profile, options, timeout_ms)
        except BaseException:
            await finished(_removed(profile))
            raise

    @classmethod
    async def _launch(
        cls, driver: Playwright, profile: OwnedProfile, options: dict[str, Any], timeout_ms: int
    ) -> LaunchedBrowser:
        try:
            starting = asyncio.ensure_future(driver.chromium.launch_persistent_context(**options))
            context = await _started(starting, profile, timeout_ms + LAUNCH_GRACE_MS)
            pages = context.pages or [await within(timeout_ms, context.new_page(), "a new page")]
            page = pages[0]
            session = await within(timeout_ms, context.new_cdp_session(page), "the page")
            answer = await within(timeout_ms, session.send("Browser.getVersion"), "the browser")
        except (Error, TimeoutError, OSError) as error:
            gone = await closing_reason(error, driver, None)
            reason = gone or launch_reason(error, profile, options["env"], timeout_ms)
            raise UnavailableError(f"the browser could not be launched: {reason}") from None
        product, _, version = str(answer["product"]).partition("/")
        return cls(context, page, session, BrowserIdentity(product, version), profile)

    async def close(
        self,
        look: Callable[[OwnedProfile], object] = _not_at_all,
        closed: Callable[[], object] = _not_at_all,
    ) -> list[str]:
        """Close the browser, let ``look`` see what it has left, and delete its profile.

        ``closed`` is called in between when it closed by itself: the driver is not needed for the rest.

        Returns a sentence for whatever went wrong. ``look`` runs beside the loop and must be bounded; it is
        left out when the browser did not close by itself, for what it was writing is cut then. All takes
        :data:`CLOSE_TIMEOUT_MS` and what killing and deleting take (``processes``, ``folders``), or ``look``.
        """
        problems: list[str] = []
        with suppress(Exception):  # whatever it is that fails there, its processes are ended next
            await within(CLOSE_TIMEOUT_MS, self.context.close(), "the browser")
            closed()
        ended = await _in_thread(end_processes_of, self.profile.user_data)
        if ended:
            problems.append("The browser did not close by itself; its processes were ended.")
        else:
            await _in_thread(look, self.profile)
        problem = await _in_thread(self.profile.delete)
        return problems + ([f"{problem[0].upper()}{problem[1:]}."] if problem else [])


def _new_profile() -> OwnedProfile:
    try:
        return OwnedProfile.create()
    except OSError as error:
        raise UnavailableError(
            f"the temporary profile could not be created: {(error.strerror or str(error)).lower()}"
        ) from None


async def _started(
    starting: asyncio.Future[BrowserContext], profile: OwnedProfile, timeout_ms: int
) -> BrowserContext:
    """The browser that is ``starting``; told to the profile's record.

    One that is not wanted any more may only now be coming up, so it is waited for and ended: nobody
    else would do it.
    """
    try:
        return await within(timeout_ms, _watched(starting, profile), "the browser")
    except BaseException:
        await finished(_given_up(starting, profile))
        raise


async def _watched(starting: asyncio.Future[BrowserContext], profile: OwnedProfile) -> BrowserContext:
    """The browser that is ``starting``; ``TimeoutError`` when it ends and the driver does not notice."""
    browser = None
    while not starting.done():
        await asyncio.wait({starting}, timeout=LAUNCH_LOOK_S)
        browser = browser or _recorded(locked_by(profile.user_data), profile)
        if browser is not None and not browser.lives():
            await asyncio.wait({starting}, timeout=NOTICING_S)
            if not starting.done():
                raise TimeoutError(ENDED)
    context = starting.result()
    _ = browser or _recorded(browser_of(profile.user_data), profile)
    return context


def _recorded(browser: Process | None, profile: OwnedProfile) -> Process | None:
    if browser is not None:
        profile.ownership.browser_started(browser.pid, browser.started)
    return browser


async def _given_up(starting: asyncio.Future[BrowserContext], profile: OwnedProfile) -> None:
    deadline = time.monotonic() + GIVING_UP_S
    ended = 0
    while not starting.done() and time.monotonic() < deadline:
        before, ended = ended, await _in_thread(end_processes_of, profile.user_data)
        if before and not ended:
            break  # nothing comes up any more; the driver may not notice that its browser has gone
        await asyncio.wait({starting}, timeout=GIVING_UP_POLL_S)
    starting.cancel()
    await asyncio.gather(starting, return_exceptions=True)


async def _removed(profile: OwnedProfile) -> tuple[int, str | None]:
    """End what runs on ``profile`` and delete it: how many processes there were, and what remains."""
    ended = await _in_thread(end_processes_of, profile.user_data)
    return ended, await _in_thread(profile.delete)


async def _in_thread(work: Callable[..., T], *arguments: Any) -> T:
    """The result of ``work``, which may sleep, beside the loop; in it where no thread can be started."""
    try:
        return await asyncio.to_thread(work, *arguments)
    except RuntimeError:
        return work(*arguments)


def _launch_options(
    executable_path: str,
    environment: Environment,
    profile: OwnedProfile,
    headless: bool,
    environ: Mapping[str, str],
    timeout_ms: int,
) -> dict[str, Any]:
    view = environment.viewport
    places = {"TMPDIR": str(profile.temporary), "BREAKPAD_DUMP_LOCATION": str(profile.crashes)}
    return {
        "user_data_dir": profile.user_data,
        "executable_path": executable_path,
        "headless": headless,
        "chromium_sandbox": sandboxed(),
        "args": [f"--disable-features={','.join(DISABLED_FEATURES)}", NO_RELOADS],
        "artifacts_dir": profile.artifacts,
        "env": {**environ, **places_outside_home(environ, profile.temporary), **places},
        "timeout": timeout_ms,
        "handle_sigint": False,
        "handle_sigterm": False,
        "handle_sighup": False,
        "viewport": {"width": view.width, "height": view.height},
        "device_scale_factor": view.device_scale_factor,
        "locale": environment.locale,
        "timezone_id": environment.timezone,
        "color_scheme": environment.color_scheme,
        "reduced_motion": environment.reduced_motion,
        "service_workers": "allow",  # blocked, where it is, by service_workers.py
    }


def sandboxed() -> bool:
    """Whether the browser's sandbox is on: Chromium refuses to use it as root."""
    return os.name != "posix" or os.geteuid() != 0


def environment_without(environ: Mapping[str, str], names: Collection[str]) -> dict[str, str]:
    """``environ`` without the variables ``names``, which hold secrets."""
    return {name: value for name, value in environ.items() if name not in names}


def _check_executable(path: str) -> None:
    shown = f"the browser's path {shortened(path, MAX_SENTENCE_CHARACTERS)!r}"
    if not Path(path).is_absolute():
        raise UnavailableError(f"{shown} is not absolute; give the whole path of the browser")
    if not os.path.isfile(path):  # no for whatever cannot be looked at, such as a name that is too long
        raise UnavailableError(f"{shown} does not exist; run `rea doctor` to list browsers")
    if not os.access(path, os.X_OK):
        raise UnavailableError(f"{shown} is not executable")
