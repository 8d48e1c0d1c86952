"""Service workers in a browser that is not ours: looked at, never touched.

With ``environment.service_workers: block`` a capture must not be answered by a service worker, and must not
make one. In a browser of ours none exists. Here the caller may have some, so

    1. before the first navigation, the selected page and its frames, and the start page's origin, are
       checked: one that is controlled or has a registration refuses the capture;
    2. each later navigation is checked before it where the scenario names its destination, and after it
       always; a refusal then ends the step and the run, and what the page's code did stays done;
    3. registrations are never removed. What the page itself asks to register is refused by a script of
       ours, which is taken out of live documents before disconnecting.

Below: ``instruments``. Above: ``driver``, ``session``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Final

from playwright.async_api import Frame, Page

from rea_capture.browser.channel import ChannelError
from rea_capture.browser.connect.instruments import Instruments
from rea_capture.browser.connect.scope import ScopedContext
from rea_capture.contracts.urls import origin_of

REGISTRATION_CHECK_TIMEOUT_MS: Final = 10_000
"""For one check. The browser reads its registrations from disk, and a page answers between its tasks."""

_IS_CONTROLLED: Final = """(() => {
  try { return Boolean(navigator.serviceWorker && navigator.serviceWorker.controller); }
  catch { return false; }
})()"""
"""Asked in a private world. A sandboxed document may not ask, and cannot be controlled either."""


class RefusedByWorkerError(Exception):
    """A service worker of the caller is in the way. The message is a sentence without its full stop."""


class CallersWorkers:
    """The registrations that the browser has, and whether the pages of a capture meet one."""

    def __init__(self, instruments: Instruments, scope: ScopedContext) -> None:
        self._instruments = instruments
        self._scope = scope
        self._origins: dict[str, str] = {}  # of live registrations, by their id
        self._known = asyncio.Event()
        self.refusal: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        """Done with the reason as soon as a page or frame is found to have a registration."""
        instruments.hear(self._on_event)

    async def begin(self) -> None:
        """Learn the registrations, and keep up with them. Raises :class:`RefusedByWorkerError`."""

        async def learn() -> None:
            await self._instruments.command("ServiceWorker.enable")
            await self._known.wait()

        await _in_time(learn())
        for page in self._scope.pages:
            self._follow(page)
        self._scope.on("page", self._follow)

    def admit(self, url: str) -> None:
        """Raise :class:`RefusedByWorkerError` when the origin of ``url`` has a registration."""
        origin = origin_of(url)
        if origin in self._origins.values():
            raise RefusedByWorkerError(_has(origin))

    async def check(self) -> None:
        """Look at every page and frame as it is now. Raises :class:`RefusedByWorkerError`."""
        self._look_at(frame for page in self._scope.pages for frame in page.frames)
        if self.refusal.done():
            raise RefusedByWorkerError(self.refusal.result())
        if any(await _in_time(self._instruments.ask_frames(_IS_CONTROLLED))):
            raise RefusedByWorkerError(
                f"a page or frame is controlled by a service worker of this browser's user{_ADVICE}"
            )

    def _follow(self, page: Page) -> None:
        page.on("framenavigated", self._navigated)
        self._look_at(page.frames)

    def _navigated(self, frame: Frame) -> None:
        with suppress(Exception):  # nothing may leave a listener of the driver; ``check`` looks again
            self._look_at([frame])

    def _look_at(self, frames: Iterable[Frame]) -> None:
        registered = set(self._origins.values())
        for frame in frames if registered else ():
            origin = origin_of(_url_that_counts(frame))
            if origin in registered and not self.refusal.done():
                self.refusal.set_result(_has(origin))

    def _on_event(self, method: str, params: dict[str, Any]) -> None:
        if method != "ServiceWorker.workerRegistrationUpdated":
            return
        for each in params["registrations"]:
            origin = origin_of(each["scopeURL"])
            if each["isDeleted"] or origin is None:
                self._origins.pop(each["registrationId"], None)
            else:
                self._origins[each["registrationId"]] = origin
        self._known.set()
        with suppress(Exception):  # as above
            self._look_at(frame for page in self._scope.pages for frame in page.frames)


_ADVICE: Final = (
    ', and environment.service_workers is "block"; nothing was unregistered: set it to "allow", or use a '
    "browser without that registration"
)


def _has(origin: str | None) -> str:
    return f"{origin} has a service worker registration in this browser{_ADVICE}"


def _url_that_counts(frame: Frame) -> str:
    """The address whose origin a frame has: a blank or inline document has that of its parent."""
    while frame.parent_frame is not None and not frame.url.startswith(("http:", "https:", "blob:")):
        frame = frame.parent_frame
    return frame.url


async def _in_time(work: Any) -> Any:
    try:
        async with asyncio.timeout(REGISTRATION_CHECK_TIMEOUT_MS / 1000):
            return await work
    except TimeoutError:
        reason = f"the check did not end within {REGISTRATION_CHECK_TIMEOUT_MS} ms"
    except ChannelError as fault:
        reason = str(fault)
    raise RefusedByWorkerError(f"whether the page has a service worker could not be told: {reason}")


Report = Callable[[str], None]
