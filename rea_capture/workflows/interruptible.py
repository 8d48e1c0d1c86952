"""Capturing as a process does it: in a loop of its own, ended cleanly by signals.

The first SIGINT, SIGTERM or SIGHUP asks the run to stop and keep what it has, until its document has been
written; one that comes more than a quarter of a second later ends the process at once, as if this program
had not been listening.

Below: ``workflows.capture``, ``session_loop``. Above: the command line.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

from rea_capture.capture.stop import Stop
from rea_capture.errors import OutputError, UnavailableError
from rea_capture.workflows.session_loop import SessionLoop

if TYPE_CHECKING:
    from rea_capture.capture.progress import Tell
    from rea_capture.contracts.capture_evidence import CaptureEvidence
    from rea_capture.contracts.scenario import Scenario

REPEAT_GRACE_S: Final = 0.25
"""A terminal signals a whole group, and a wrapper in it may pass its own on: that is still one request.

The second comes milliseconds after the first then; a person's second Ctrl-C takes longer than this."""

ABANDON_POLL_S: Final = 0.02

MAX_SAVING_S: Final = 4.0
"""How long the document of a capture that was stopped may take to be written: a pipe may have no reader."""

MIN_DESCRIPTORS: Final = 16
"""Of this process: an event loop, and the pipes of a driver while it is started; measured 12."""

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interruption:
    """Listens for signals inside a ``with`` block, and remembers the ``first``."""

    def __init__(self) -> None:
        self.first: signal.Signals | None = None
        self._at = 0.0
        self._saving = False
        self._request: Callable[[str], object] | None = None
        self._reason: str | None = None
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Interruption:
        for number in SIGNALS:
            # Somebody who starts a program under nohup wants it to outlive the terminal.
            if not (number == signal.SIGHUP and signal.getsignal(number) is signal.SIG_IGN):
                self._before[number] = signal.signal(number, self._received)
        return self

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def passes_to(self, request: Callable[[str], object] | None) -> None:
        """Call ``request`` with the name of the first signal, or the reason of :meth:`stop`.

        At once if there is one already.
        """
        self._request = request
        reason = self._reason if self.first is None else self.first.name
        if request is not None and reason is not None:
            request(reason)

    def stop(self, reason: str) -> None:
        """Ask the run to end early, as a signal does but without one; from any thread."""
        self._reason = reason
        request = self._request
        if request is not None:
            with suppress(RuntimeError):  # the loop has closed: the run is over
                request(reason)

    def saving(self) -> None:
        """From now on what is under way is the writing of the document, which is not stopped.

        It gets :data:`MAX_SAVING_S` after a signal; then ``OutputError`` is raised in it.
        """
        self._saving = True
        if self.first is not None:
            self._bound_saving()

    def _received(self, number: int, _: FrameType | None) -> None:
        if self.first is not None:
            if time.monotonic() - self._at >= REPEAT_GRACE_S:
                signal.signal(number, signal.SIG_DFL)
                os.kill(os.getpid(), number)
            return
        self.first = signal.Signals(number)
        self._at = time.monotonic()
        if self._request is not None:
            self._request(self.first.name)
        if self._saving:
            self._bound_saving()

    def _bound_saving(self) -> None:
        signal.signal(signal.SIGALRM, self._too_late)
        signal.setitimer(signal.ITIMER_REAL, MAX_SAVING_S)

    def _too_late(self, *_: object) -> None:
        name = self.first.name if self.first else "a signal"
        raise OutputError(f"cannot write the Evidence: nobody took it within {MAX_SAVING_S:g} s of {name}")


def capture_document(
    data: bytes,
    *,
    executable_path: str | None,
    environ: Mapping[str, str],
    progress: Tell,
    interruption: Interruption,
    scenario_read: Callable[[Scenario], object] = lambda _: None,
) -> CaptureEvidence:
    """Run the scenario in ``data``. Returns its Evidence; ``interruption`` may cut it short.

    ``scenario_read`` gets the scenario when it is known to be valid, in the loop of the run.

    The driver starts before the scenario is parsed and the contracts are imported, unless ``data`` is no
    scenario at first sight: both take about as long, in two processes. Raises what
    :func:`read_scenario` and :func:`capture` raise.
    """
    # The driver logs what a listener raised, with the trace and the data; a logger without a handler prints.
    logging.getLogger("playwright").addHandler(logging.NullHandler())
    # And the loop, that a driver which was abandoned ended after it.
    logging.getLogger("asyncio").addHandler(logging.NullHandler())
    _check_descriptors()
    gc.disable()  # until what is imported now has been set apart
    try:
        with asyncio.Runner(loop_factory=SessionLoop) as runner:
            return runner.run(_capture(data, executable_path, environ, progress, interruption, scenario_read))
    finally:
        gc.enable()
        interruption.passes_to(None)


def _check_descriptors() -> None:
    """Raise :class:`UnavailableError` where not even a driver could be started, before half of it is."""
    taken: list[int] = []
    try:
        taken += (os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC) for _ in range(MIN_DESCRIPTORS))
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise UnavailableError(f"a capture needs {MIN_DESCRIPTORS} more open files: {reason}") from None
    finally:
        for descriptor in taken:
            os.close(descriptor)


async def _capture(
    data: bytes,
    executable_path: str | None,
    environ: Mapping[str, str],
    progress: Tell,
    interruption: Interruption,
    scenario_read: Callable[[Scenario], object],
) -> CaptureEvidence:
    stop = Stop()
    loop = asyncio.get_running_loop()
    # What a forgotten task of the driver raised is nobody's news, and its text is not redacted.
    loop.set_exception_handler(lambda _, __: None)
    interruption.passes_to(lambda name: loop.call_soon_threadsafe(stop.request, name))
    driver = asyncio.ensure_future(_start_driver()) if _may_be_scenario(data) else None
    await asyncio.sleep(0)  # lets the driver's process be started before our own imports begin
    try:
        scenario = await asyncio.to_thread(_read, data)
        scenario_read(scenario)
    except BaseException:
        if driver is not None:
            await _abandon(driver)
        raise
    from rea_capture.workflows.capture import capture  # noqa: PLC0415 - after the driver has started

    # What was imported stays for the life of this process; the collector need not look at it again
    # each time a page's events have filled a generation.
    gc.freeze()
    gc.enable()
    return await capture(
        scenario,
        executable_path=executable_path,
        environ=environ,
        progress=progress,
        stop=stop,
        driver=driver,
    )


async def _start_driver() -> Any:
    from rea_capture.browser.driver_process import start_driver  # noqa: PLC0415 - brings Playwright

    return await start_driver()


def _may_be_scenario(data: bytes) -> bool:
    """Whether ``data`` has the members that every scenario has; without them no driver need be started.

    A look that costs nothing. Names spelled with escapes are read all the same, only later.
    """
    return all(name in data for name in (b'"browser"', b'"start_url"', b'"actions"'))


def _read(data: bytes) -> Scenario:
    from rea_capture.contracts.reading import read_scenario  # noqa: PLC0415 - while the driver starts

    return read_scenario(data)


async def _abandon(driver: asyncio.Future[Any]) -> None:
    """End a driver that is not needed, without waiting until it has started."""
    driver.cancel()
    loop = asyncio.get_running_loop()
    while not driver.done():
        if isinstance(loop, SessionLoop):
            loop.kill_children()
        await asyncio.wait({driver}, timeout=ABANDON_POLL_S)
    if not driver.cancelled() and driver.exception() is None:
        from rea_capture.browser.driver_process import stop_driver  # noqa: PLC0415 - brings Playwright

        await stop_driver(driver.result())
