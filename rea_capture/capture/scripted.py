"""The in-memory twin of a browser driver: it does what it is told and needs no browser.

Below: ``driver``. Above: the tests of the runner and of whoever builds on it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from rea_capture.capture.completeness import missing_artifacts
from rea_capture.capture.driver import ActionError, ArtifactReading
from rea_capture.contracts.actions import AnyAction
from rea_capture.contracts.artifacts import Artifacts, CapturedText, CapturedUrl, Text
from rea_capture.contracts.selection import ArtifactName
from rea_capture.contracts.states import NOT_REQUESTED
from rea_capture.contracts.step_kinds import START_STEP_ID
from rea_capture.contracts.urls import ObservedUrl, observed_url


@dataclass(slots=True)
class ScriptedDriver:
    """A page that is always at ``address``; ``failures`` and ``hangs`` are by step id.

    ``hanging`` is set once it hangs.
    """

    address: str = "http://127.0.0.1/"
    failures: Mapping[str, str] = field(default_factory=dict)
    hangs: Collection[str] = ()
    reading_hangs: bool = False
    performed: list[str] = field(default_factory=list)
    read_requests: list[frozenset[ArtifactName]] = field(default_factory=list)
    observation: str = "running"
    settled: int = 0
    hanging: asyncio.Event = field(default_factory=asyncio.Event)

    def url(self) -> ObservedUrl:
        return observed_url(self.address, str)

    async def start(self) -> None:
        await self._do(START_STEP_ID)

    async def perform(self, action: AnyAction) -> None:
        await self._do(action.step_id)

    async def _do(self, step_id: str) -> None:
        self.performed.append(step_id)
        if step_id in self.hangs:
            await self._hang()
        if step_id in self.failures:
            raise ActionError(self.failures[step_id])

    async def settle(self) -> None:
        self.settled += 1

    async def _hang(self) -> None:
        self.hanging.set()
        await asyncio.Event().wait()

    async def read(self, requested: Collection[ArtifactName]) -> ArtifactReading:
        self.read_requests.append(frozenset(requested))
        if self.reading_hangs:
            await self._hang()
        shown = missing_artifacts(set(requested) - {"dom", "url"}, "the scripted page has none")
        return ArtifactReading(
            Artifacts(
                accessibility=shown.accessibility,
                dom=CapturedText(value=Text.of("<html>")) if "dom" in requested else NOT_REQUESTED,
                history=shown.history,
                screenshot=shown.screenshot,
                storage=shown.storage,
                url=CapturedUrl(value=self.url()) if "url" in requested else NOT_REQUESTED,
            ),
            notes=("the page is scripted",),
        )

    async def finish_observation(self) -> None:
        self.observation = "finished"

    async def cancel_observation(self) -> None:
        self.observation = "cancelled"
