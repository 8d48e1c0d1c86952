"""Capturing as a process does it: in a loop of its own, ended cleanly by signals.

The first SIGINT, SIGTERM or SIGHUP asks the run to stop and keep what it has; one that comes more than
a second later ends the process at once, as if this program had not been listening. The browser driver is
started in a session of its own, so that a Ctrl-C in the terminal reaches us and not the driver under us.

Below: ``workflows.capture``. Above: the command line.
"""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from rea_capture.capture.stop import Stop

if TYPE_CHECKING:
    from rea_capture.contracts.evidence import CaptureEvidence
    from rea_capture.contracts.scenario import Scenario

REPEAT_GRACE_S: Final = 1.0
"""A terminal signals a whole group, and a wrapper in it may pass its own on: that is still one request."""

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _SessionLoop(asyncio.SelectorEventLoop):
    """An event loop whose child processes do not get the terminal's signals."""

    async def subprocess_exec(self, *arguments: Any, **options: Any) -> Any:
        options.setdefault("start_new_session", True)
        return await super().subprocess_exec(*arguments, **options)


def capture_document(
    data: bytes,
    *,
    executable_path: str | None,
    environ: Mapping[str, str],
    progress: Callable[[str], None],
) -> tuple[CaptureEvidence, signal.Signals | None]:
    """Run the scenario in ``data``. Returns its Evidence and the signal that cut it short, if one did.

    The driver starts before the scenario is parsed and the contracts are imported, unless ``data`` is no
    scenario at first sight: both take about as long, in two processes. Raises what
    :func:`read_scenario` and :func:`capture` raise.
    """
    received: list[signal.Signals] = []
    with asyncio.Runner(loop_factory=_SessionLoop) as runner:
        evidence = runner.run(_capture(data, executable_path, environ, progress, received))
    return evidence, received[0] if received else None


async def _capture(
    data: bytes,
    executable_path: str | None,
    environ: Mapping[str, str],
    progress: Callable[[str], None],
    received: list[signal.Signals],
) -> CaptureEvidence:
    stop = Stop()
    loop = asyncio.get_running_loop()
    # What a forgotten task of the driver raised is nobody's news, and its text is not redacted.
    loop.set_exception_handler(lambda _, __: None)
    for number in SIGNALS:
        loop.add_signal_handler(number, _on_signal, number, stop, received, loop)
    try:
        driver = asyncio.ensure_future(_start_driver()) if _may_be_scenario(data) else None
        await asyncio.sleep(0)  # lets the driver's process be started before our own imports begin
        try:
            scenario = await asyncio.to_thread(_read, data)
        except BaseException:
            if driver is not None:
                await _abandon(driver)
            raise
        from rea_capture.workflows.capture import capture  # noqa: PLC0415 - after the driver has started

        # What was imported stays for the life of this process; the collector need not look at it again
        # each time a page's events have filled a generation.
        gc.freeze()
        return await capture(
            scenario,
            executable_path=executable_path,
            environ=environ,
            progress=progress,
            stop=stop,
            driver=driver,
        )
    finally:
        for number in SIGNALS:
            loop.remove_signal_handler(number)


def _on_signal(
    number: signal.Signals, stop: Stop, received: list[signal.Signals], loop: asyncio.AbstractEventLoop
) -> None:
    if not received:
        received.append(number)
        stop.request(number.name)
        loop.call_later(REPEAT_GRACE_S, _listen_no_more, loop)


def _listen_no_more(loop: asyncio.AbstractEventLoop) -> None:
    for each in SIGNALS:
        loop.remove_signal_handler(each)
        signal.signal(each, signal.SIG_DFL)


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
    driver.cancel()
    with suppress(asyncio.CancelledError, Exception):
        await (await driver).stop()
