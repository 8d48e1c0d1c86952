"""What a capture tells, as the records of its stream; and a heartbeat while it tells nothing.

The heartbeat beats in the loop of the run: it says that the run goes on, not only that a process is there.

Below: ``line_writer``, ``capture.progress``, ``contracts.stream``. Above: ``stream``.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, Final

from rea_capture.capture.progress import Progress, StepFinished, StepStarted, Waiting
from rea_capture.cli.line_writer import LineWriter
from rea_capture.version import __version__

if TYPE_CHECKING:
    from rea_capture.contracts.scenario import Scenario
    from rea_capture.contracts.stream import Activity

HEARTBEAT_INTERVAL_S: Final = 5.0
"""Often enough for a wrapper whose patience is half a minute; a capture of an hour says 720 such lines."""

_STARTING: Final = "the browser is made ready"
_FINISHING: Final = "what is under way is awaited, and the Evidence is made"


def line_of(record: Any) -> bytes:
    """``record`` as a line: its RFC 8785 form and a line feed."""
    from rea_capture.canonical import record_bytes  # noqa: PLC0415 - heavy

    return record_bytes(record) + b"\n"


class Teller:
    """Puts a capture's records into ``lines``. Call its methods in the loop of the capture."""

    def __init__(self, lines: LineWriter, *, heartbeat_interval_s: float = HEARTBEAT_INTERVAL_S) -> None:
        self._lines = lines
        self._interval_s = heartbeat_interval_s
        self._activity: Activity = "starting"
        self._sentence = _STARTING
        self._step: StepStarted | None = None
        self._started_s = self._since_s = self._told_s = time.monotonic()

    def scenario_read(self, scenario: Scenario) -> None:
        """The run of ``scenario`` begins: the first record, and the first heartbeat to come."""
        # Only now is all of this imported anyway; the driver was started without waiting for it.
        from rea_capture.contracts.capture_evidence import DeclaredAction  # noqa: PLC0415
        from rea_capture.contracts.step_kinds import START_STEP_ID  # noqa: PLC0415
        from rea_capture.contracts.stream import StartedRecord  # noqa: PLC0415

        start = DeclaredAction(action="goto_start", step_id=START_STEP_ID)
        declared = (DeclaredAction(action=each.action, step_id=each.step_id) for each in scenario.actions)
        self._lines.put(
            line_of(
                StartedRecord(
                    browser_mode=scenario.browser.mode,
                    heartbeat_interval_ms=round(self._interval_s * 1000),
                    rea_version=__version__,
                    schema_version=2,
                    steps=(start, *declared),
                )
            )
        )
        self._started_s = self._told_s = time.monotonic()
        self._begin("starting", _STARTING)
        self._expect_beat()

    def tell(self, news: Progress) -> None:
        """The record of ``news``."""
        if isinstance(news, StepFinished):
            self._finished(news)
            self._begin("finishing", _FINISHING)
            return
        step = news if isinstance(news, StepStarted) else None
        self._begin("waiting" if isinstance(news, Waiting) else "step", str(news), step)
        self._tell_activity()

    def _finished(self, news: StepFinished) -> None:
        from rea_capture.contracts.stream import ArtifactSummaries, StepRecord  # noqa: PLC0415 - as above

        self._told_s = time.monotonic()
        self._lines.put(
            line_of(
                StepRecord(
                    action=news.action,
                    artifacts=ArtifactSummaries.of(news.artifacts),
                    completeness=news.completeness,
                    elapsed_ms=news.elapsed_ms,
                    error=news.error,
                    status=news.status,
                    step_id=news.step_id,
                    step_index=news.step_index,
                )
            )
        )

    def _begin(self, activity: Activity, sentence: str, step: StepStarted | None = None) -> None:
        self._activity, self._sentence, self._step = activity, sentence, step
        self._since_s = time.monotonic()

    def _tell_activity(self) -> None:
        from rea_capture.contracts.stream import ProgressRecord  # noqa: PLC0415 - as above

        self._told_s = now_s = time.monotonic()
        step = self._step
        self._lines.offer(
            line_of(
                ProgressRecord(
                    activity=self._activity,
                    activity_ms=round((now_s - self._since_s) * 1000),
                    elapsed_ms=round((now_s - self._started_s) * 1000),
                    sentence=self._sentence,
                    step_id=None if step is None else step.step_id,
                    step_index=None if step is None else step.step_index,
                )
            )
        )

    def _expect_beat(self) -> None:
        quiet_s = time.monotonic() - self._told_s
        asyncio.get_running_loop().call_later(max(0.0, self._interval_s - quiet_s), self._beat)

    def _beat(self) -> None:
        if time.monotonic() - self._told_s >= self._interval_s:
            self._tell_activity()
        self._expect_beat()
