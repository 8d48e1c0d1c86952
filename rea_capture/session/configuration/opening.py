"""The configuration for a session that is opened now, or the refusal to open it.

Below: ``effective``, ``contracts.runtime.failing``. Above: ``driven``, the worker.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from rea_capture.contracts.runtime.failing import failure
from rea_capture.contracts.runtime.settings import SessionSettings
from rea_capture.errors import Fault, InputError
from rea_capture.session.configuration.effective import Configuration, configured


def configuration_for(
    call: SessionSettings | Mapping[str, Any], *, folder: Path, environ: Mapping[str, str]
) -> Configuration:
    """As ``configured``. Raises :class:`BrowserOperationError` with ``invalid_request``, whose faults name
    the file or the variable, with the line, and point at the key."""
    try:
        return configured(call, folder=folder, environ=environ)
    except InputError as error:
        message, faults = error.message, [_told(each) for each in error.faults]
    raise failure("open", "request", "invalid_request", message, faults=faults)


def _told(fault: Fault) -> Fault:
    """``fault`` with its file in its words, since a fault of the wire has none."""
    if fault.file is None or fault.file in fault.message:
        return fault
    return replace(fault, message=f"{fault.message} (in {fault.file})")
