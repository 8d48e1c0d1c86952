"""One instrumented page or out-of-process frame: its seed pauses, and the frames that split off it.

Above: `seeder` instruments pages. Below: `writer` for what happens in a document, `channel` for commands.

The target gets the private script and a debugger that is blind to every other script: blackboxing
makes ``debugger`` statements of the page, anonymous ones included, do nothing. A frame that moves
to another process becomes a target of its own; the browser holds it until told to run, which
happens once it is instrumented like its parent.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rea_capture.browser.seeding.channel import Answer, Channel, CommandRefusedError, TargetGoneError
from rea_capture.browser.seeding.errands import Errands
from rea_capture.browser.seeding.pauses import Pauses
from rea_capture.browser.seeding.script import PrivateScript
from rea_capture.browser.seeding.writer import IdleDocument, SeedWriter, StoppedDocument

PRIVATE_WORLD = "rea-capture-storage-seeds"
UNSEEDED = "A document could not be given its storage seeds"
REMEMBERED_SCRIPTS_COUNT = 256  # a script stops right after it is parsed; older ones never will


@dataclass(frozen=True, slots=True)
class Instrument:
    """What every target of one seeder shares."""

    channel: Channel
    script: PrivateScript
    writer: SeedWriter
    errands: Errands
    pauses: Pauses


class InstrumentedTarget:
    """Answers the events of one target, from its ``Target.attachedToTarget`` event on.

    ``page_id`` is the target id of its top-level page.
    """

    def __init__(self, instrument: Instrument, attached: dict[str, Any], page_id: str) -> None:
        self._shared = instrument
        self._session_id: str = attached["sessionId"]
        self._target_id: str = attached["targetInfo"]["targetId"]
        self._inherits: bool = bool(attached["targetInfo"].get("canAccessOpener"))
        self._page_id = page_id
        self._runs: OrderedDict[str, IdleDocument] = OrderedDict()  # by script id
        instrument.channel.listen(self._session_id, self._on_event)

    async def install(self) -> None:
        """Instrument the target, then let it run whatever happened. Raises `ChannelError`.

        A window that can reach its opener waits in the opener's process, which answers: it runs
        when all is done. Any other target may not have a process yet; the browser takes the
        commands and gives them to the process that gets the first document, before that document.
        So the answers come only when the target runs, and a late one is somebody else's errand.
        """
        try:
            answers = await self._prepare()
            if self._inherits:
                await _all(answers)
                await self._seed_inherited()
            else:
                self._shared.errands.run(_all(answers), "A page or frame was not prepared for storage seeds")
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
        elif method == "Inspector.targetCrashed":
            self._shared.channel.forget(self._session_id)

    def _parsed(self, params: dict[str, Any]) -> None:
        frame_id = params.get("executionContextAuxData", {}).get("frameId")
        if params["url"] != self._shared.script.url or not frame_id:
            return
        document = self._idle(frame_id, params["executionContextId"])
        self._runs[params["scriptId"]] = document
        while len(self._runs) > REMEMBERED_SCRIPTS_COUNT:
            self._runs.popitem(last=False)
        if self._shared.pauses.any_active:
            self._seed_beside(document, params["scriptId"])

    def _idle(self, frame_id: str, context_id: int) -> IdleDocument:
        return IdleDocument(self._shared.channel, self._session_id, self._page_id, frame_id, context_id)

    def _seed_beside(self, document: IdleDocument, script_id: str) -> None:
        """Seed a document that came up while another was stopped; see `pauses`."""
        task = self._shared.errands.run(self._write_beside(document, script_id), UNSEEDED)
        self._shared.pauses.add_beside(task)

    async def _write_beside(self, document: IdleDocument, script_id: str) -> None:
        """Seed ``document``, and say so if it may have run on before: nothing stopped it, and what
        held it was let go meanwhile.
        """
        releases = self._shared.pauses.release_count
        wrote = await self._shared.writer.write(document)
        held = script_id not in self._runs or self._shared.pauses.release_count == releases
        if wrote and not held:
            raise CommandRefusedError("it may have run on before the seeds were written")

    def _paused(self, params: dict[str, Any]) -> None:
        """Take the pause if the private script is on top; any other belongs to somebody else."""
        top = params["callFrames"][0] if params["callFrames"] else {}
        run = self._runs.pop(top.get("location", {}).get("scriptId", ""), None)
        if run is not None:
            stopped = StoppedDocument(
                run.channel, run.session_id, run.page_id, run.frame_id, top["callFrameId"]
            )
            self._shared.pauses.begin()
            self._shared.errands.run(self._seed(stopped, run), UNSEEDED)

    async def _seed(self, stopped: StoppedDocument, run: IdleDocument) -> None:
        try:
            await self._write(stopped, run)
            await self._shared.pauses.beside_done()
        finally:
            try:
                self._shared.pauses.releasing()
                await self._resume()
            finally:
                self._shared.pauses.end()

    async def _write(self, stopped: StoppedDocument, run: IdleDocument) -> None:
        """Seed the stopped document; if it is no longer stopped but still there, seed it late and say so."""
        try:
            await self._shared.writer.write(stopped)
        except TargetGoneError:
            if await self._shared.writer.write(run):
                raise CommandRefusedError("it ran on before the seeds were written") from None

    async def _resume(self) -> None:
        try:
            await self._send("Debugger.resume")
        except TargetGoneError:
            return  # no longer stopped: the document was left meanwhile


async def _all(answers: Sequence[Answer]) -> None:
    """Wait for every answer, then raise the first fault among them."""
    for outcome in await asyncio.gather(*map(_wait, answers), return_exceptions=True):
        if isinstance(outcome, BaseException):
            raise outcome


async def _wait(answer: Answer) -> None:
    await answer
