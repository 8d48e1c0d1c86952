"""The sessions of an attached capture: on the selected page, its popups, and their frames of other processes.

Everything that is set for a page is set through these sessions and nothing through the browser or its
context, so it ends with them and no other tab has it. Windows that are not of the capture are let run and
let go of at once.

A popup that keeps its opener starts to load as soon as the driver, which watches it too, lets it run. So the
requests for documents pause in the browser for a moment: those of a popup until it has its settings, all
others go on at once and unchanged.

Below: ``emulation``, ``browser.channel`` for commands. Above: ``session``, ``workers``, ``downloads``.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Final

from playwright.async_api import Browser

from rea_capture.browser.channel import (
    BROWSER,
    Answer,
    Channel,
    ChannelError,
    CommandRefusedError,
    TargetGoneError,
)
from rea_capture.browser.connect.emulation import (
    NO_EMULATION_OF_FRAME,
    NO_EMULATION_OF_PAGE,
    Command,
    of_frame,
    of_page,
    of_whole_process,
)
from rea_capture.browser.seeding.errands import Errands, Reporter
from rea_capture.browser.seeding.seeder import WindowScope
from rea_capture.contracts.environment import Environment

RESTORATION_GRACE_MS: Final = 5_000
"""For taking back what was set and putting back what was replaced, all pages together."""

WORLD_NAME: Final = "rea-capture-attached"

UNSET: Final = "A popup or frame did not take its settings"

WATCHED: Final = {"format": "jpeg", "quality": 1, "maxWidth": 16, "maxHeight": 16, "everyNthFrame": 1}
"""The smallest frames there are."""

PageEvent = Callable[[str, dict[str, Any]], None]


class Instruments:
    """Made by :meth:`install`; :meth:`release` takes everything back."""

    def __init__(
        self, channel: Channel, environment: Environment, root_id: str, script: str | None, report: Reporter
    ) -> None:
        self._channel = channel
        self._environment = environment
        self._root_id = root_id
        self._script = script
        self._scope = WindowScope(root_id, None)
        self._errands = Errands(report)
        self._targets: dict[str, _Target] = {}
        self._root_ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._preparing: dict[str, asyncio.Task[None]] = {}  # by target id, which is also its frame's
        self._heard: list[PageEvent] = []

    @classmethod
    async def install(
        cls,
        browser: Browser,
        root_id: str,
        environment: Environment,
        *,
        script: str | None,
        timeout_ms: int,
        report: Callable[[str], None],
    ) -> Instruments:
        """Instrument the page ``root_id`` and what will come of it.

        ``script`` runs in each of their documents before those of the page. Each command has
        ``timeout_ms``. Raises :class:`ChannelError` when the page cannot be instrumented, having taken
        back what was.
        """
        reporter = Reporter(report)
        channel = await Channel.open(await browser.new_browser_cdp_session(), timeout_ms)
        channel.report = reporter
        instruments = cls(channel, environment, root_id, script, reporter)
        try:
            await instruments._start(timeout_ms)
        except BaseException:
            await channel.close()
            raise
        return instruments

    async def _start(self, timeout_ms: int) -> None:
        self._channel.listen(BROWSER, self._on_event)
        pages = {"flatten": True, "filter": [{"type": "page"}]}
        watch = {"autoAttach": True, "waitForDebuggerOnStart": True, **pages}
        documents = {"urlPattern": "*", "resourceType": "Document", "requestStage": "Request"}
        await self._channel.send("Fetch.enable", {"patterns": [documents]})
        await self._channel.send("Target.setAutoAttach", watch)
        try:
            async with asyncio.timeout(timeout_ms / 1000):
                await self._root_ready
        except TimeoutError:
            raise ChannelError("the page did not take its settings in time") from None

    def hear(self, listener: PageEvent) -> None:
        """Give ``listener`` the events of every page and frame of the capture."""
        self._heard.append(listener)

    async def command(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """A command to the selected page. Raises :class:`ChannelError`."""
        root = next((each for each in self._targets.values() if each.target_id == self._root_id), None)
        if root is None:
            raise CommandRefusedError("the page is gone")
        return await self._channel.send(method, params, root.session_id)

    async def browser_command(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """A command to the browser. Raises :class:`ChannelError`."""
        return await self._channel.send(method, params)

    async def picture(self) -> bytes:
        """A PNG of the selected page, by the session that has its screen. Raises :class:`ChannelError`.

        A tab in the background draws no frame unless somebody watches, and a picture waits for one, seconds
        long. So it is watched meanwhile, which leaves the tab where it is; nobody looks at what is seen.
        """
        await self.command("Page.startScreencast", WATCHED)
        try:
            shot = await self.command("Page.captureScreenshot", {"format": "png"})
        finally:
            with suppress(ChannelError):
                await self.command("Page.stopScreencast")
        return base64.b64decode(shot["data"])

    async def ask_frames(self, expression: str) -> list[Any]:
        """What each frame of each page answers in a private world; those that are gone answer nothing.

        Raises :class:`ChannelError` when one that is there does not answer.
        """
        answers = await asyncio.gather(*(self._ask(target, expression) for target in self._live()))
        return [each for answer in answers for each in answer]

    async def _ask(self, target: _Target, expression: str) -> list[Any]:
        answers: list[Any] = []
        with suppress(CommandRefusedError, TargetGoneError):
            tree = await self._channel.send("Page.getFrameTree", session_id=target.session_id)
            for frame_id in _frame_ids(tree["frameTree"]):
                with suppress(CommandRefusedError, TargetGoneError):
                    answers.append(await self._ask_frame(target, frame_id, expression))
        return answers

    async def _ask_frame(self, target: _Target, frame_id: str, expression: str) -> Any:
        world = {"frameId": frame_id, "worldName": WORLD_NAME}
        made = await self._channel.send("Page.createIsolatedWorld", world, target.session_id)
        asked = {
            "contextId": made["executionContextId"],
            "expression": expression,
            "returnByValue": True,
            "silent": True,
            "awaitPromise": True,
        }
        answer = await self._channel.send("Runtime.evaluate", asked, target.session_id)
        return answer["result"].get("value")

    async def release(self, restore: str | None) -> bool:
        """Take back everything and detach; whether all of it was surely taken back.

        ``restore`` is evaluated in every live document after the scripts for later ones are gone.
        """
        done = False
        with suppress(ChannelError, TimeoutError):
            async with asyncio.timeout(RESTORATION_GRACE_MS / 1000):
                await self._errands.close()
                targets = self._live()
                await asyncio.gather(*(self._remove_script(target) for target in targets))
                restored = await self.ask_frames(restore) if restore is not None else []
                await asyncio.gather(*(self._reset(target) for target in targets))
                done = all(answer is not False for answer in restored)
        await self._channel.close()
        return done

    async def _remove_script(self, target: _Target) -> None:
        if target.script_id:
            with suppress(TargetGoneError):
                removed = {"identifier": target.script_id}
                await self._channel.send(
                    "Page.removeScriptToEvaluateOnNewDocument", removed, target.session_id
                )

    async def _reset(self, target: _Target) -> None:
        commands = NO_EMULATION_OF_PAGE if target.is_page else NO_EMULATION_OF_FRAME
        with suppress(CommandRefusedError, TargetGoneError):
            await _all(await self._post(target.session_id, commands))

    def _live(self) -> list[_Target]:
        return list(self._targets.values())

    def _on_event(self, method: str, params: dict[str, Any]) -> None:
        if method == "Target.attachedToTarget":
            info = params["targetInfo"]
            if self._scope.admits(info):
                self._take(params, is_page=True)
            else:
                self._errands.run(self._let_be(params), "An unrelated page was not let go of")
        elif method == "Target.detachedFromTarget":
            self._targets.pop(params["sessionId"], None)
        elif method == "Fetch.requestPaused":
            self._errands.run(self._go_on(params), "A document could not be continued")

    async def _go_on(self, paused: dict[str, Any]) -> None:
        preparing = self._preparing.get(paused["frameId"])
        if preparing is not None:
            await asyncio.wait({preparing})
        with suppress(CommandRefusedError, TargetGoneError):  # the navigation was given up meanwhile
            await self._channel.send("Fetch.continueRequest", {"requestId": paused["requestId"]})

    def _take(self, attached: dict[str, Any], *, is_page: bool) -> None:
        info = attached["targetInfo"]
        has_process = not attached["waitingForDebugger"] or bool(info.get("canAccessOpener"))
        target = _Target(attached["sessionId"], info["targetId"], is_page, has_process)
        self._targets[target.session_id] = target
        self._channel.listen(target.session_id, self._of_target)
        is_root = target.target_id == self._root_id
        work = self._instrument_root(target) if is_root else self._instrument(target)
        preparing = self._errands.run(work, UNSET)
        self._preparing[target.target_id] = preparing
        preparing.add_done_callback(lambda _: self._preparing.pop(target.target_id, None))

    async def _instrument_root(self, target: _Target) -> None:
        try:
            await self._instrument(target)
        except ChannelError as fault:
            if isinstance(fault, CommandRefusedError):
                fault = CommandRefusedError(f"{fault}; another client may have set the same for this page")
            if not self._root_ready.done():
                self._root_ready.set_exception(fault)
        else:
            if not self._root_ready.done():
                self._root_ready.set_result(None)

    async def _instrument(self, target: _Target) -> None:
        """Tell the target what is set for it, then let it run whatever became of that.

        One that has no process yet answers only when it has a document, with which the browser hands it
        all this first; see ``seeding.target``. Its answers are somebody else's errand then.
        """
        environment = self._environment
        settings = of_page(environment) if target.is_page else of_frame(environment)
        frames = {"flatten": True, "filter": [{"type": "iframe"}]}
        watch = {"autoAttach": True, "waitForDebuggerOnStart": True, **frames}
        # A popup's blank first document hands its window, and what was done to it, to the next one.
        source = {"source": self._script, "runImmediately": target.target_id != self._root_id}
        script: list[Command] = [("Page.addScriptToEvaluateOnNewDocument", source)] if self._script else []
        try:
            told, of_process, scripts = await asyncio.gather(
                self._post(
                    target.session_id, [("Page.enable", {}), ("Target.setAutoAttach", watch), *settings]
                ),
                self._post(target.session_id, of_whole_process(environment)),
                self._post(target.session_id, script),
            )
        finally:
            run: Command = ("Runtime.runIfWaitingForDebugger", {})
            running = await self._post(target.session_id, [run])
        answers = self._answered(target, [*told, *running], of_process, scripts)
        if target.has_process:
            await answers
        else:
            self._errands.run(answers, UNSET)

    async def _answered(
        self, target: _Target, told: list[Answer], of_process: list[Answer], scripts: list[Answer]
    ) -> None:
        for script in scripts:
            target.script_id = str((await script)["identifier"])
        await _all(told)
        # Refused where a page of the same process has it already, which is one of ours but for the root.
        with suppress(*(() if target.target_id == self._root_id else (CommandRefusedError,))):
            await _all(of_process)

    async def _post(self, session_id: str, commands: Iterable[Command]) -> list[Answer]:
        posts = (self._channel.post(method, params, session_id) for method, params in commands)
        return await asyncio.gather(*posts)

    def _of_target(self, method: str, params: dict[str, Any]) -> None:
        if method == "Target.attachedToTarget":
            self._take(params, is_page=False)
        elif method == "Target.detachedFromTarget":
            self._targets.pop(params["sessionId"], None)
        else:
            for listener in self._heard:
                listener(method, params)

    async def _let_be(self, attached: dict[str, Any]) -> None:
        if attached["waitingForDebugger"]:  # a page that runs need not answer, as one with a dialog does not
            await self._channel.send("Runtime.runIfWaitingForDebugger", session_id=attached["sessionId"])
        await self._channel.send("Target.detachFromTarget", {"sessionId": attached["sessionId"]})


class _Target:
    """One instrumented page, or frame with a process of its own."""

    def __init__(self, session_id: str, target_id: str, is_page: bool, has_process: bool) -> None:
        self.session_id = session_id
        self.target_id = target_id
        self.is_page = is_page
        self.has_process = has_process
        self.script_id = ""


def _frame_ids(tree: dict[str, Any]) -> list[str]:
    """The ids of a frame and of those in it, this process's."""
    below = [each for child in tree.get("childFrames", ()) for each in _frame_ids(child)]
    return [str(tree["frame"]["id"]), *below]


async def _all(answers: Sequence[Answer]) -> None:
    """Wait for every answer, then raise the first fault among them."""

    async def wait(answer: Answer) -> None:
        await answer

    for outcome in await asyncio.gather(*map(wait, answers), return_exceptions=True):
        if isinstance(outcome, BaseException):
            raise outcome
