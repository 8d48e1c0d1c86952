"""A scenario file from its bytes to its report, in an event loop of its own.

Below: ``reading``, ``environment``, ``settings``, ``running``. Above: ``rea browser run``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from rea_capture.contracts.reading import faults_of
from rea_capture.contracts.runtime.run_report import RunReport
from rea_capture.contracts.runtime.scenario_file import ExternalServer, HttpReadiness, ScenarioFile
from rea_capture.errors import CommandLineError
from rea_capture.session.configuration import Configuration
from rea_capture.session.scenario.allowance import Allowance
from rea_capture.session.scenario.environment import place_of
from rea_capture.session.scenario.programs import Place
from rea_capture.session.scenario.reading import read_scenario_file
from rea_capture.session.scenario.running import run_scenario
from rea_capture.session.scenario.runtime_browsing import RuntimeBrowsing
from rea_capture.session.scenario.settings import configuration_of

if TYPE_CHECKING:
    from rea_capture.workflows.interruptible import Interruption


def run_file(
    data: bytes,
    *,
    folder: Path,
    environ: Mapping[str, str],
    executable_path: str | None,
    interruption: Interruption,
    readiness_url: str | None = None,
) -> RunReport:
    """Run the scenario file in ``data``, whose relative paths begin at ``folder``.

    Raises :class:`InputError` and :class:`UnavailableError` for what is known to be wrong before anything
    starts; the report says the rest. ``readiness_url`` is asked until it answers, of a file that names no
    server of its own. ``interruption`` cancels the run, and everything is taken down.
    """
    file = read_scenario_file(data)
    if readiness_url is not None:
        file = _with_server(file, readiness_url)
    found = configuration_of(file, folder, environ, executable_path=executable_path)
    place = place_of(file, folder, environ)
    try:
        with asyncio.Runner() as runner:
            return runner.run(_run(file, found, place, interruption))
    finally:
        interruption.passes_to(None)


def _with_server(file: ScenarioFile, readiness_url: str) -> ScenarioFile:
    """``file``, which waits for a server that is somebody else's. Raises :class:`CommandLineError`."""
    if file.fixture is None:
        raise CommandLineError("--readiness-url is for a file with a fixture; this one has none")
    if file.fixture.server is not None:
        raise CommandLineError("--readiness-url is for a file that names no server; this one's fixture does")
    try:
        readiness = HttpReadiness(url=readiness_url)
    except ValidationError as error:
        fault = faults_of(error, {"url": readiness_url}, HttpReadiness)[0]
        raise CommandLineError(f"--readiness-url {fault.message}") from None
    server = ExternalServer(mode="external", readiness=readiness)
    fixture = file.fixture.model_copy(update={"server": server})
    return file.model_copy(update={"fixture": fixture})


async def _run(
    file: ScenarioFile, found: Configuration, place: Place, interruption: Interruption
) -> RunReport:
    allowance = Allowance(file.budgets.timeout_ms)
    loop = asyncio.get_running_loop()
    interruption.passes_to(lambda name: loop.call_soon_threadsafe(allowance.stop, name))
    browsing = RuntimeBrowsing(found.settings, artifact_folder=found.artifact_folder)
    return await run_scenario(file, browsing=browsing, place=place, allowance=allowance)
