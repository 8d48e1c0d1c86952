"""The variables that a file refers to, looked up before anything starts.

Below: ``programs``, ``redaction``. Above: ``rea browser run``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from rea_capture.contracts.json_text import pointer_of
from rea_capture.contracts.runtime.scenario_file import Command, ManagedServer, ScenarioFile
from rea_capture.errors import Fault, UnavailableError
from rea_capture.redaction import Redactor
from rea_capture.redaction.redactor import MIN_SECRET_CHARACTERS
from rea_capture.session.scenario.programs import Place


def place_of(file: ScenarioFile, folder: Path, environ: Mapping[str, str]) -> Place:
    """Where the programs of ``file`` run. Every value that is referred to is redacted from what they say.

    Raises :class:`UnavailableError` with each variable that is not set. A value of one character is not
    redacted: it is no secret, and every text has it.
    """
    named = dict(_variables(file))
    absent = [
        Fault(pointer, f"the environment variable {variable} is not set")
        for pointer, variable in named.items()
        if variable not in environ
    ]
    if absent:
        more = f" (and {len(absent) - 1} more)" if len(absent) > 1 else ""
        raise UnavailableError(f"the scenario file needs what is not there: {absent[0]}{more}", absent)
    values = {variable: environ[variable] for variable in named.values()}
    kept_secret = {name: text for name, text in values.items() if len(text.strip()) >= MIN_SECRET_CHARACTERS}
    return Place(folder, environ, Redactor(kept_secret))


def _variables(file: ScenarioFile) -> Iterator[tuple[str, str]]:
    """Each reference: its pointer and the variable."""
    for path, command in _commands(file):
        for name, reference in command.env.items():
            yield pointer_of((*path, "env", name, "variable")), reference.variable


def _commands(file: ScenarioFile) -> Iterator[tuple[tuple[str, ...], Command]]:
    hooks = (("setup", file.hooks.setup), ("reset", file.hooks.reset), ("cleanup", file.hooks.cleanup))
    for name, hook in hooks:
        if hook is not None:
            yield ("hooks", name), hook
    server = file.fixture.server if file.fixture is not None else None
    if isinstance(server, ManagedServer):
        yield ("fixture", "server", "start"), server.start
