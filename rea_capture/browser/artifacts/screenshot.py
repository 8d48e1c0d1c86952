"""``screenshot``: the viewport at device scale, with a still caret and no secret on it.

Nothing is put into the document. A blinking caret is hidden by a script animation of the focused
element, made and ended in the private world: it leaves no element, style sheet, attribute, event or
policy report, and starts no transition. Secrets are painted over in the picture itself.

Below: the private world, ``masking``. Above: the reader.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from playwright.async_api import Error as DriverError
from playwright.async_api import Frame, Locator, Page
from playwright.async_api import TimeoutError as DriverTimeoutError

from rea_capture.browser.artifacts.bounded import Deadline
from rea_capture.browser.artifacts.closed_roots import closed_hosts, closed_roots, searched_node_count
from rea_capture.browser.artifacts.masking import Region, distinct, painted_over, pixel_boxes
from rea_capture.browser.artifacts.scripts import AFTER_SHOT, BEFORE_SHOT, FONTS_READY, SECRET_REGIONS
from rea_capture.browser.artifacts.settling import shown
from rea_capture.browser.artifacts.world import DocumentChangedError, PrivateWorld, ReadError, retrying
from rea_capture.contracts.encodings import png_size

_FONT_MARGIN_S: Final = 0.05
"""Taken off the time for fonts, so that it is they who are blamed and not the page."""

_RELEASE_S: Final = 0.5
"""For giving the caret back. A page that answers needs a few milliseconds, one that hangs has no caret."""

_BOX_TIMEOUT_MS: Final = 1_000
"""One bounding box. The element was there a moment ago, so waiting longer finds nothing."""

MAX_SECRET_INPUT_MATCHES: Final = 64
"""A locator that was filled matched one element; one that now matches this many means something else."""

MAX_MOVING_ATTEMPTS: Final = 4
"""Pictures taken of a page on which something that shows a secret moves; a transition ends meanwhile."""

MAX_REFUSED_SHOTS: Final = 3
"""Tries for one picture. The browser has no frame to show at times (its main thread or its compositor was
busy just then) and refuses; the next frame is as good."""

_NO_FRAME_NOW: Final = "Unable to capture screenshot"
"""What the browser answers then (``Page.captureScreenshot``, an empty image from the compositor)."""

Camera = Callable[[], Awaitable[bytes]]
"""Takes a PNG of the viewport. Raises the driver's errors."""

_NO_SESSION_OF_ITS_OWN: Final = "does not have a separate CDP session"


@dataclass(frozen=True, slots=True)
class Shot:
    """A PNG, and how many regions of it were painted over."""

    png: bytes
    masked_count: int


@dataclass(frozen=True, slots=True)
class _Place:
    """The private world of one process's part of the page, in the document it has now."""

    world: PrivateWorld
    context: int

    async def call(self, function: str, *arguments: Any) -> Any:
        return await self.world.call(function, *arguments, context=self.context)


@dataclass(frozen=True, slots=True)
class _Regions:
    """Where secrets are on screen, in which document, at how many device pixels per CSS pixel."""

    regions: tuple[Region, ...]
    scale: float
    document: float


class ScreenshotReader:
    """Takes pictures of one page: by ``camera`` where another session than the driver's has its screen."""

    def __init__(
        self, page: Page, world: PrivateWorld, needles: tuple[str, ...], camera: Camera | None = None
    ) -> None:
        self._page = page
        self._world = world
        self._needles = needles
        self._camera = camera

    async def read(self, secret_inputs: Sequence[Locator], deadline: Deadline) -> Shot:
        """One picture of the viewport. Raises :class:`ReadError` or the driver's errors."""
        for _ in range(MAX_MOVING_ATTEMPTS):
            shot = await retrying(lambda: self._attempt(secret_inputs, deadline))
            if shot is not None:
                return shot
        raise ReadError("something that shows a secret keeps moving, so it could not be painted over")

    async def _attempt(self, secret_inputs: Sequence[Locator], deadline: Deadline) -> Shot | None:
        main = _Place(self._world, await self._world.enter())
        report = await _prepare(main, deadline)
        if not report["remote"]:
            return await self._shoot([main], report["carets"], secret_inputs, deadline)
        async with self._remote_places() as remote:
            try:
                reports = await asyncio.gather(*(_prepare_remote(place, deadline) for place in remote))
            except BaseException:
                await _release([main])
                raise
            carets = report["carets"] + sum(each["carets"] for each in reports)
            return await self._shoot([main, *remote], carets, secret_inputs, deadline)

    async def _shoot(
        self, places: list[_Place], carets: int, secret_inputs: Sequence[Locator], deadline: Deadline
    ) -> Shot | None:
        """A picture, or None when what shows a secret moved while it was taken."""
        hides_secrets = bool(self._needles or secret_inputs)
        try:
            before = await self._regions(places, secret_inputs) if hides_secrets else None
            png = await self._picture(deadline)
            after = await self._regions(places, secret_inputs) if hides_secrets else None
        finally:
            if carets:
                await _release(places)
        if before is None or after is None:
            return Shot(png, 0)
        if before.document != after.document:
            raise DocumentChangedError
        return await _masked(png, before, after) if _same_places(before, after) else None

    async def _picture(self, deadline: Deadline) -> bytes:
        for _ in range(MAX_REFUSED_SHOTS - 1):
            try:
                return await self._take(deadline)
            except DriverError as error:
                if _NO_FRAME_NOW not in error.message:
                    raise
        return await self._take(deadline)

    async def _take(self, deadline: Deadline) -> bytes:
        # The driver's session has the emulated screen. A picture that another session takes
        # loses it for a frame: the page sees devicePixelRatio change. With the caret left alone
        # the driver puts nothing into the page.
        if self._camera is not None:
            return await self._camera()
        return await self._page.screenshot(
            animations="allow", caret="initial", scale="device", timeout=deadline.remaining_ms()
        )

    async def _regions(self, places: list[_Place], secret_inputs: Sequence[Locator]) -> _Regions:
        main, *remote = places
        boxes, report, *others = await asyncio.gather(
            _input_boxes(secret_inputs),
            self._secret_regions(main),
            *(self._secret_regions(place) for place in remote),
        )
        regions = [*boxes, *map(_region, report["regions"])]
        if any(other["regions"] or other["remote_regions"] for other in others):
            # A frame of another process shows a secret: all such frames are hidden whole, since
            # where in this picture its own pixels went is known only to the compositor.
            regions.extend(map(_region, report["remote_regions"]))
        return _Regions(distinct(regions), float(report["scale"]), float(report["document"]))

    async def _secret_regions(self, place: _Place) -> dict[str, Any]:
        report, searched = await asyncio.gather(
            place.call(SECRET_REGIONS, list(self._needles)), searched_node_count(place.world)
        )
        hosts = await closed_hosts(place.world, walked=report["nodes"], searched=searched)
        if hosts:
            roots = await closed_roots(place.world, hosts, place.context)
            report = await place.call(SECRET_REGIONS, list(self._needles), *roots)
        found: dict[str, Any] = report
        return found

    @asynccontextmanager
    async def _remote_places(self) -> AsyncIterator[list[_Place]]:
        """The parts of the page that other processes render, each through a session of its own."""
        frames = [frame for frame in self._page.frames if frame is not self._page.main_frame]
        worlds = [each for each in await asyncio.gather(*map(self._remote_world, frames)) if each]
        try:
            contexts = await asyncio.gather(*(world.enter() for world in worlds))
            yield [_Place(world, context) for world, context in zip(worlds, contexts, strict=True)]
        finally:
            await asyncio.gather(*(world.session.detach() for world in worlds), return_exceptions=True)

    async def _remote_world(self, frame: Frame) -> PrivateWorld | None:
        try:
            return PrivateWorld(await self._page.context.new_cdp_session(frame))
        except DriverError as error:
            if _NO_SESSION_OF_ITS_OWN in error.message or frame.is_detached():
                return None
            raise


async def _prepare(place: _Place, deadline: Deadline) -> dict[str, Any]:
    """Wait for the fonts of ``place``, then hide its caret."""
    while True:
        report: dict[str, Any] = await place.call(BEFORE_SHOT, deadline.allowed_ms)
        if not report["fonts_loading"]:
            return report
        try:
            async with asyncio.timeout(max(0.0, deadline.remaining_s() - _FONT_MARGIN_S)):
                await place.call(FONTS_READY)
        except TimeoutError:
            raise ReadError(
                f"a web font of the page did not finish loading within {deadline.allowed_ms} ms"
            ) from None


async def _prepare_remote(place: _Place, deadline: Deadline) -> dict[str, Any]:
    report = await _prepare(place, deadline)
    await shown(place.world, place.context)
    return report


async def _release(places: Sequence[_Place]) -> None:
    """Show the carets again. One that cannot be reached comes back by itself when its time is up."""
    calls = [asyncio.ensure_future(place.call(AFTER_SHOT)) for place in places]
    await asyncio.wait(calls, timeout=_RELEASE_S)
    for call in calls:
        call.cancel()
    await asyncio.gather(*calls, return_exceptions=True)


def _region(values: Sequence[float]) -> Region:
    left, top, right, bottom = map(float, values)
    return (left, top, right, bottom)


async def _input_boxes(inputs: Sequence[Locator]) -> list[Region]:
    """Where the inputs that were filled from a secret are; those no longer there have no box."""
    boxes = []
    for locator in inputs:
        count = await locator.count()
        if count > MAX_SECRET_INPUT_MATCHES:
            raise ReadError(f"an input that was filled from a secret is now one of {count} alike")
        for index in range(count):
            box = await _box(locator.nth(index))
            if box is not None:
                boxes.append(box)
    return boxes


async def _box(locator: Locator) -> Region | None:
    try:
        box = await locator.bounding_box(timeout=_BOX_TIMEOUT_MS)
    except DriverTimeoutError:
        if await locator.count():
            raise ReadError("an input that was filled from a secret could not be located") from None
        return None
    if box is None:
        return None
    return (box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"])


def _same_places(before: _Regions, after: _Regions) -> bool:
    """Whether nothing that shows a secret moved by a pixel; if it did, nobody knows where it was between."""
    rounded = [{tuple(map(round, region)) for region in each.regions} for each in (before, after)]
    return rounded[0] == rounded[1]


async def _masked(png: bytes, before: _Regions, after: _Regions) -> Shot:
    width, height = png_size(png)
    boxes = [pixel_boxes(each.regions, each.scale, width, height) for each in (before, after)]
    if not any(boxes):
        return Shot(png, 0)
    painted = await asyncio.to_thread(painted_over, png, [*boxes[0], *boxes[1]])
    return Shot(painted, max(map(len, boxes)))
