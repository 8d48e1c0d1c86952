"""The reader of one page: every requested artifact, each under its own deadline.

Below: one file an artifact kind, and ``bounded``. Above: the browser driver.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from playwright.async_api import CDPSession, Cookie, Locator, Page
from playwright.async_api import Error as DriverError

from rea_capture.browser.artifacts.bounded import (
    Deadline,
    Got,
    NotRead,
    Reading,
    bounded,
    reading_reason,
    used,
)
from rea_capture.browser.artifacts.documents import DocumentReading, read_accessibility, read_document
from rea_capture.browser.artifacts.facts import (
    Facts,
    history_of,
    read_cookies,
    read_cookies_of_page,
    read_facts,
    storage_facts,
    storage_of,
    url_of,
)
from rea_capture.browser.artifacts.notes import not_held, painted_over_note
from rea_capture.browser.artifacts.page_life import PageLife
from rea_capture.browser.artifacts.screenshot import Camera, ScreenshotReader, Shot
from rea_capture.browser.artifacts.settling import settle
from rea_capture.browser.artifacts.world import PrivateWorld
from rea_capture.capture.driver import ArtifactReading
from rea_capture.capture.limitations import bounded_sentence
from rea_capture.contracts.artifacts import (
    Artifacts,
    CapturedHistory,
    CapturedScreenshot,
    CapturedStorage,
    CapturedText,
    CapturedUrl,
    Screenshot,
    Text,
)
from rea_capture.contracts.selection import ArtifactName
from rea_capture.contracts.states import NOT_REQUESTED, Missing
from rea_capture.contracts.urls import observed_url
from rea_capture.redaction import Redactor

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class _Readings:
    """What was read for one step; None where nobody asked."""

    facts: Reading[Facts] | None
    cookies: Reading[list[Cookie]] | None
    document: Reading[DocumentReading] | None
    accessibility: Reading[str] | None
    shot: Reading[Shot] | None


class ArtifactReader:
    """Reads the artifacts of one page, for as long as the page lives."""

    def __init__(
        self,
        page: Page,
        session: CDPSession | NotRead,
        redactor: Redactor,
        command_timeout_ms: int,
        camera: Camera | None,
    ) -> None:
        self._page = page
        self._redactor = redactor
        self._command_timeout_ms = command_timeout_ms
        self._camera = camera
        self._world = session if isinstance(session, NotRead) else PrivateWorld(session)
        self.life = PageLife(page)
        """Of the page that is read, for others who wait for it."""

    @classmethod
    async def attach(
        cls, page: Page, *, redactor: Redactor, command_timeout_ms: int, camera: Camera | None = None
    ) -> ArtifactReader:
        """A reader of ``page``; each artifact may take ``command_timeout_ms`` milliseconds.

        ``camera`` is given for a page of a browser that is not ours. Its pictures are taken by whoever set
        its screen, and its cookies are asked of the page, since the driver does not know its context.

        A page that cannot be attached to is not an error here: every artifact of it is missing, with
        the reason.
        """
        session: CDPSession | NotRead = NotRead(f"the page did not answer within {command_timeout_ms} ms")
        try:
            async with asyncio.timeout(command_timeout_ms / 1000):
                session = await page.context.new_cdp_session(page)
        except DriverError as error:
            session = NotRead(reading_reason(error))
        except TimeoutError:
            pass
        return cls(page, session, redactor, command_timeout_ms, camera)

    async def read(
        self, requested: Collection[ArtifactName], secret_inputs: Sequence[Locator] = ()
    ) -> ArtifactReading:
        """The requested artifacts of this moment; what cannot be read is missing, with the reason.

        ``secret_inputs`` are the inputs that were filled from a secret: they are painted over in the
        screenshot whatever they show now. Raises nothing but ``asyncio.CancelledError``.
        """
        wanted = frozenset(requested)
        readings = await self._readings(wanted, tuple(secret_inputs))
        return ArtifactReading(self._artifacts(wanted, readings), self._notes(readings))

    async def settle(self) -> None:
        """Let the page react to what was just done; see ``settling``."""
        if not isinstance(self._world, NotRead):
            await settle(self._world, self.life.gone)

    async def close(self) -> None:
        """Let go of a page that goes on without this reader."""
        self.life.leave()
        if not isinstance(self._world, NotRead):
            with suppress(DriverError):
                await self._world.session.detach()

    async def _readings(
        self, wanted: frozenset[ArtifactName], secret_inputs: tuple[Locator, ...]
    ) -> _Readings:
        """Every read at once: they wait for different parts of the browser."""
        world = self._world
        if isinstance(world, NotRead):
            return _Readings(world, world, world, world, world)
        page, text = self._page, "dom" in wanted
        deadline = Deadline.after(self._command_timeout_ms)

        async def run(asked: bool, read: Callable[[], Coroutine[Any, Any, T]]) -> Reading[T] | None:
            return await bounded(read(), deadline, self.life.gone) if asked else None

        shots = ScreenshotReader(page, world, self._redactor.needles(), self._camera)
        shot, (facts, cookies), document, accessibility = await asyncio.gather(
            run("screenshot" in wanted, lambda: shots.read(secret_inputs, deadline)),
            self._facts_and_cookies(world, deadline, wanted),
            run(bool(wanted & {"dom", "accessibility"}), lambda: read_document(world, text=text)),
            run("accessibility" in wanted, lambda: read_accessibility(page, world, deadline)),
        )
        return _Readings(facts, cookies, document, accessibility, shot)

    async def _facts_and_cookies(
        self, world: PrivateWorld, deadline: Deadline, wanted: frozenset[ArtifactName]
    ) -> tuple[Reading[Facts] | None, Reading[list[Cookie]] | None]:
        if not wanted & {"url", "history", "storage"}:
            return None, None
        storage = "storage" in wanted
        facts_read = bounded(read_facts(world, storage=storage), deadline, self.life.gone)
        if not storage:
            return await facts_read, None
        remembered = self._page.url
        facts, cookies = await asyncio.gather(facts_read, self._cookies(remembered, deadline))
        if isinstance(facts, Got) and facts.value["href"] != remembered:
            cookies = await self._cookies(facts.value["href"], deadline)
        return facts, cookies

    async def _cookies(self, url: str, deadline: Deadline) -> Reading[list[Cookie]]:
        world = self._world
        if self._camera is not None and not isinstance(world, NotRead):
            return await bounded(read_cookies_of_page(world.session, url), deadline, self.life.gone)
        return await bounded(read_cookies(self._page.context, url), deadline, self.life.gone)

    def _artifacts(self, wanted: frozenset[ArtifactName], read: _Readings) -> Artifacts:
        redactor = self._redactor

        def state(name: ArtifactName, reading: Reading[T] | None, use: Callable[[T], U]) -> Any:
            if name not in wanted or reading is None:
                return NOT_REQUESTED
            result = used(reading, use)
            return result.value if isinstance(result, Got) else self._missing(result)

        def text(value: str | None) -> CapturedText:
            return CapturedText(value=Text.of(redactor.text(value or "")))

        return Artifacts(
            accessibility=state("accessibility", read.accessibility, text),
            dom=state("dom", read.document, lambda document: text(document.text)),
            history=state("history", read.facts, lambda f: CapturedHistory(value=history_of(f, redactor))),
            screenshot=state(
                "screenshot", read.shot, lambda shot: CapturedScreenshot(value=Screenshot.of(shot.png))
            ),
            storage=state(
                "storage",
                storage_facts(read.facts, read.cookies),
                lambda pair: CapturedStorage(value=storage_of(*pair, redactor)),
            ),
            url=state("url", read.facts, lambda facts: CapturedUrl(value=url_of(facts, redactor))),
        )

    def _missing(self, reading: NotRead) -> Missing:
        return Missing(reason=bounded_sentence(reading.reason, self._redactor))

    def _notes(self, read: _Readings) -> tuple[str, ...]:
        """What the captured texts do not hold, and what the picture does not show."""
        notes: list[str] = []
        document = read.document.value if isinstance(read.document, Got) else None
        frames = tuple(observed_url(url, self._redactor.text).url for url in self._child_frame_urls())
        closed = document.closed if document else None
        if closed is not None:  # names are the page's; redacted before a note shortens them
            closed = tuple(map(self._redactor.text, closed))
        if document and document.text is not None:
            notes += not_held("dom", closed=closed, left_out=document.roots_left_out, frames=frames)
        if isinstance(read.accessibility, Got):
            notes += not_held("accessibility", closed=closed, left_out=0, frames=frames)
        if isinstance(read.shot, Got) and read.shot.value.masked_count:
            notes.append(painted_over_note(read.shot.value.masked_count))
        return tuple(bounded_sentence(note, self._redactor) for note in notes)

    def _child_frame_urls(self) -> list[str]:
        return [frame.url or "about:blank" for frame in self._page.frames if frame.parent_frame is not None]
