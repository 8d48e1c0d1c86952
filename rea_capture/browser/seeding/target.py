"""One instrumented page or out-of-process frame: its seed pauses, and the frames that split off it.

Below: `writer` for what happens in a document, `browser.channel` for commands. Above: `seeder`, which
instruments pages.

The target gets the private script and a debugger that is blind to every other script: blackboxing
makes ``debugger`` statements of the page, anonymous ones included, do nothing. A frame that moves
to another process becomes a target of its own; the browser holds it until told to run, which
happens once it is instrumented like its parent.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from rea_capture.browser.channel import (
    Answer,
    Channel,
    CommandRefusedError,
    DocumentLeftError,
    TargetGoneError,
)
from rea_capture.browser.seeding.errands import Errands
from rea_capture.browser.seeding.hold import Arrivals
from rea_capture.browser.seeding.pauses import Pauses, Stop
from rea_capture.browser.seeding.script import ADMISSION, PrivateScript
from rea_capture.browser.seeding.writer import IdleDocument, SeedWriter, StoppedDocument

PRIVATE_WORLD: Final = "rea-capture-storage-seeds"
UNSEEDED: Final = "A document could not be given its storage seeds"
_MAY_HAVE_RUN_ON: Final = "it may have run on before the seeds were written"
REMEMBERED_SCRIPTS_COUNT: Final = 256  # a script stops right after it is parsed; older ones never will


@dataclass(frozen=True, slots=True)
class Instrument:
    """What every target of one seeder shares."""

    channel: Channel
    script: PrivateScript
    writer: SeedWriter
    errands: Errands
    pauses: Pauses
    arrivals: Arrivals
    frames: set[str] = field(default_factory=set)
    """The ids of the frames of all targets, those of pages included."""


@dataclass(slots=True, eq=False)
class Run:
    """One run of the private script, and whether it stopped."""

    document: IdleDocument
    was_stopped: bool = False


class InstrumentedTarget:
    """Answers the events of one target, from its ``Target.attachedToTarget`` event on.

    ``page_id`` is the target id of its top-level page.
    """

    def __init__(self, instrument: Instrument, attached: dict[str, Any], page_id: str) -> None:
        self._shared = instrument
        self._session_id: str = attached["sessionId"]
        self._target_id: str = attached["targetInfo"]["targetId"]
        self._inherits: bool = bool(attached["targetInfo"].get("canAccessOpener"))
        self._runs_already: bool = not attached["waitingForDebugger"]
        self._page_id = page_id
        self._runs: OrderedDict[str, Run] = OrderedDict()  # by script id
        instrument.frames.add(self._target_id)
        instrument.channel.listen(self._session_id, self._on_event)

    async def install(self) -> None:
        """Instrument the target, then let it run whatever happened. Raises `ChannelError`.

        A target that runs already answers, and is ready when it has: what it has not taken by then, it
        may take too late. So does a window that can reach its opener, which waits in the opener's
        process. Any other target may not have a process yet; the browser takes the commands and gives
        them to the process that gets the first document, before that document. So the answers come
        only when the target runs, and a late one is somebody else's errand.
        """
        try:
            answers = await self._prepare()
            if self._inherits or self._runs_already:
                await _all(answers)
            else:
                self._shared.errands.run(_all(answers), "A page or frame was not prepared for storage seeds")
            if self._inherits:
                await self._seed_inherited()
        finally:
            await self._let_run()

    async def _prepare(self) -> list[Answer]:
        script = self._shared.script
        frames = {"flatten": True, "filter": [{"type": "iframe"}]}
        commands: dict[str, dict[str, Any]] = {
            "Debugger.enable": {},
            "Debugger.setBlackboxPatterns": {"patterns": [script.others], "skipAnonymous": True},
            "Page.enable": {},
            "Page.addScriptToEvaluateOnNewDocument": {"source": script.source, "worldName": PRIVATE_WORLD},
            "Target.setAutoAttach": {"autoAttach": True, "waitForDebuggerOnStart": True, **frames},
        }
        post = self._shared.channel.post
        return await asyncio.gather(
            *(post(name, params, self._session_id) for name, params in commands.items())
        )

    async def _let_run(self) -> None:
        answer = await self._shared.channel.post(
            "Runtime.runIfWaitingForDebugger", session_id=self._session_id
        )
        self._shared.errands.run(_all([answer]), "A page or frame was not told to run")

    async def _send(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        return await self._shared.channel.send(method, params, self._session_id)

    async def _seed_inherited(self) -> None:
        """Seed the blank document a new window starts with, which has its opener's origin.

        A document of the same origin that follows it takes over its window object, and the private
        script, which runs when a window object is made, is not run again (HTML, "initialise the
        Document object", the case that reuses the window).
        """
        world = {"frameId": self._target_id, "worldName": PRIVATE_WORLD}
        context = (await self._send("Page.createIsolatedWorld", world))["executionContextId"]
        await self._shared.writer.write(self._idle(self._target_id, context))

    def _on_event(self, method: str, params: dict[str, Any]) -> None:
        if method == "Debugger.scriptParsed":
            self._parsed(params)
        elif method == "Debugger.paused":
            self._paused(params)
        elif method == "Target.attachedToTarget":
            child = InstrumentedTarget(self._shared, params, self._page_id)
            self._shared.errands.run(child.install(), "A frame could not be prepared for storage seeds")
        elif method == "Page.frameAttached":
            self._shared.frames.add(params["frameId"])
        elif method == "Page.frameDetached" and params.get("reason") != "swap":
            self._shared.frames.discard(params["frameId"])
        elif method == "Debugger.resumed":
            self._shared.pauses.resumed(self._session_id)
        elif method == "Page.downloadWillBegin":
            self._shared.arrivals.over(params["frameId"])
        elif method == "Inspector.targetCrashed":
            self._shared.channel.forget(self._session_id)
            self._shared.pauses.over(self._session_id)
            self._shared.arrivals.over(self._target_id)

    def _parsed(self, params: dict[str, Any]) -> None:
        frame_id = params.get("executionContextAuxData", {}).get("frameId")
        if params["url"] != self._shared.script.url or not frame_id:
            return
        run = Run(self._idle(frame_id, params["executionContextId"]))
        self._runs[params["scriptId"]] = run
        while len(self._runs) > REMEMBERED_SCRIPTS_COUNT:
            self._runs.popitem(last=False)
        self._shared.arrivals.over(frame_id)
        if self._shared.pauses.any_active:
            self._seed_beside(run)
        else:
            self._shared.errands.run(self._seed_unstopped(run), UNSEEDED)

    def _idle(self, frame_id: str, context_id: int) -> IdleDocument:
        return IdleDocument(self._shared.channel, self._session_id, self._page_id, frame_id, context_id)

    async def _seed_unstopped(self, run: Run) -> None:
        """Seed a document that nothing stopped after all, and say that it had run on.

        It came up beside a stopped one, and word of it came after that one had been let go. The browser
        tells of a stop before it answers anything else, so the first answer decides. Blank documents are
        let pass (see `script`).
        """
        protocol = await run.document.evaluate("location.protocol")
        if run.was_stopped or protocol == "about:":
            return
        if await self._shared.writer.write(run.document):
            raise CommandRefusedError(_MAY_HAVE_RUN_ON)

    def _seed_beside(self, run: Run) -> None:
        """Seed a document that came up while another was stopped; see `pauses`."""
        task = self._shared.errands.run(self._write_beside(run), UNSEEDED)
        self._shared.pauses.add_beside(task)

    async def _write_beside(self, run: Run) -> None:
        """Seed the document, and say so if it may have run on before: nothing stopped it, and what
        held it was let go meanwhile.
        """
        releases = self._shared.pauses.release_count
        wrote = await self._shared.writer.write(run.document)
        held = run.was_stopped or self._shared.pauses.release_count == releases
        if wrote and not held:
            raise CommandRefusedError(_MAY_HAVE_RUN_ON)

    def _paused(self, params: dict[str, Any]) -> None:
        """Take the pause if the private script is on top; any other belongs to somebody else."""
        top = params["callFrames"][0] if params["callFrames"] else {}
        run = self._runs.get(top.get("location", {}).get("scriptId", ""))
        if run is not None:
            run.was_stopped = True
            idle = run.document
            stopped = StoppedDocument(
                idle.channel, idle.session_id, idle.page_id, idle.frame_id, top["callFrameId"]
            )
            stop = self._shared.pauses.begin(self._session_id)
            self._shared.errands.run(self._seed(stopped, stop), UNSEEDED)

    async def _seed(self, stopped: StoppedDocument, stop: Stop) -> None:
        """Seed the document, then let it go on: also without its seeds, which is then reported.

        When it is no longer stopped, it stops once more and is seeded then, or it was left. A frame's
        document may then run on for a moment; one of the page itself does not (see `script`).
        """
        is_admitted = True
        try:
            await self._shared.writer.write(stopped)
            await self._shared.pauses.beside_done()
        except DocumentLeftError:
            is_admitted = False
            if stopped.frame_id != stopped.page_id and not stop.was_resumed:
                raise CommandRefusedError("it was left meanwhile, and may have run on without them") from None
        finally:
            try:
                await self._release(stopped, stop, is_admitted)
            finally:
                self._shared.pauses.end(stop)

    async def _release(self, stopped: StoppedDocument, stop: Stop, is_admitted: bool) -> None:
        """Tell the target to go on, in an admitted document or out of one that was left.

        That command names no document. Should it reach a later one, that stops once more.
        """
        if stop.is_over:
            return
        self._shared.pauses.releasing()
        commands = [stopped.evaluate(ADMISSION)] if is_admitted else []
        for outcome in await asyncio.gather(*commands, self._send("Debugger.resume"), return_exceptions=True):
            if isinstance(outcome, BaseException) and not isinstance(outcome, TargetGoneError):
                raise outcome


async def _all(answers: Sequence[Answer]) -> None:
    """Wait for every answer, then raise the first fault among them."""
    for outcome in await asyncio.gather(*map(_wait, answers), return_exceptions=True):
        if isinstance(outcome, BaseException):
            raise outcome


async def _wait(answer: Answer) -> None:
    await answer
