"""The door for scenario files: bytes in, a frozen model or every fault out, before anything starts.

Below: ``rules``, ``contracts.reading``. Above: ``rea browser run``.
"""

from __future__ import annotations

from typing import Final

from rea_capture.contracts.json_text import plain_json
from rea_capture.contracts.reading import summary, validated
from rea_capture.contracts.runtime.scenario_file import ScenarioFile
from rea_capture.errors import InputError
from rea_capture.session.scenario.rules import scenario_file_faults

_WHAT: Final = "scenario file"


def read_scenario_file(data: bytes) -> ScenarioFile:
    """The scenario file in ``data``. Raises :class:`InputError` with every fault."""
    document = plain_json(data, what=_WHAT)
    file = validated(data, document, ScenarioFile, what=_WHAT, rules=lambda: scenario_file_faults(document))
    assert isinstance(file, ScenarioFile)
    faults = scenario_file_faults(document)
    if faults:
        raise InputError(summary(_WHAT, faults), faults)
    return file
