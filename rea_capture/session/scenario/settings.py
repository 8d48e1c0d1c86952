"""What the session of a file is opened with: what the call says, then the file, then the configuration.

Below: ``session.configuration``, ``contracts``. Above: ``file_run``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rea_capture.contracts.reading import summary
from rea_capture.contracts.runtime.operations import CredentialValue
from rea_capture.contracts.runtime.scenario_file import ScenarioFile, StepOperation
from rea_capture.contracts.runtime.settings import SessionSettings
from rea_capture.errors import Fault, InputError, UnavailableError
from rea_capture.session.configuration import Configuration, configured


def configuration_of(
    file: ScenarioFile, folder: Path, environ: Mapping[str, str], *, executable_path: str | None = None
) -> Configuration:
    """What holds for ``file``, whose relative paths begin at ``folder``.

    Raises :class:`InputError` for a credential that nobody declares, and :class:`UnavailableError` where the
    file has steps and nobody names an adapter: none is ever chosen for it.
    """
    said = _said(file.settings, folder)
    if executable_path is not None:
        said["browser"] = {**said.get("browser", {}), "mode": "launch", "executablePath": executable_path}
    found = configured(said, folder=Path.cwd(), environ=environ)
    faults = list(_undeclared(file, found.settings))
    if faults:
        raise InputError(summary("scenario file", faults), faults)
    steps = [index for index, each in enumerate(file.operations) if isinstance(each, StepOperation)]
    if steps and found.settings.adapter is None:
        message = "who chooses the element of a step is not said; name an adapter in the settings"
        raise UnavailableError(message, [Fault(f"/operations/{index}/step", message) for index in steps])
    return found


def _said(settings: SessionSettings, folder: Path) -> dict[str, Any]:
    """What the file itself says, with paths that mean the same from anywhere."""
    said = settings.model_dump(mode="json", by_alias=True, exclude_unset=True, exclude_none=True)
    for credential in said.get("credentials", {}).values():
        if "path" in credential:
            credential["path"] = str(folder / credential["path"])
    return said


def _undeclared(file: ScenarioFile, settings: SessionSettings) -> Iterator[Fault]:
    for index, operation in enumerate(file.operations):
        value = operation.step.value if isinstance(operation, StepOperation) else None
        if isinstance(value, CredentialValue) and value.credential not in settings.credentials:
            yield Fault(
                f"/operations/{index}/step/value/credential",
                f"the credential {value.credential!r} is not declared; add it to /settings/credentials",
            )
