"""Checking an input without running anything: is this a scenario, or a comparison input, that will be taken?

The input is read by the very functions that the work itself begins with, so what is refused here is refused
there, in the same words.

Below: ``contracts.reading``, ``compare``. Above: the command line.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

_SIDES: Final = ("before_scenario", "after_scenario")


@dataclass(frozen=True, slots=True)
class ValidInput:
    """What a valid input is. The names are those of the JSON of ``rea validate``.

    ``steps`` counts those of a scenario, the start with them, and ``environment_variables`` are the ones that
    its secrets are taken from, which was not looked at; both are None for a comparison input.
    """

    kind: Literal["scenario", "comparison_input"]
    steps: int | None = None
    environment_variables: tuple[str, ...] | None = None


def is_comparison_input(data: bytes) -> bool:
    """Whether ``data`` names a side of a comparison, as no scenario does. Never raises."""
    document: Any = None
    if any(f'"{side}"'.encode() in data for side in _SIDES):
        try:
            document = json.loads(data)
        except (ValueError, RecursionError):  # what is wrong with it is told by whoever reads it
            return True
    return isinstance(document, dict) and not document.keys().isdisjoint(_SIDES)


def validate_input(data: bytes) -> ValidInput:
    """Check ``data``. Raises :class:`rea_capture.errors.InputError` with every fault."""
    if is_comparison_input(data):
        from rea_capture.workflows.compare import compare_input  # noqa: PLC0415 - takes a while to import

        compare_input(data, explain=False)
        return ValidInput("comparison_input")
    from rea_capture.contracts.reading import read_scenario  # noqa: PLC0415 - takes a while to import

    scenario = read_scenario(data)
    variables = tuple(sorted({secret.environment_variable for secret in scenario.secrets}))
    return ValidInput("scenario", len(scenario.actions) + 1, variables)


def validation_bytes(valid: ValidInput) -> bytes:
    """``valid`` as one line of JSON."""
    return json.dumps({**asdict(valid), "status": "valid"}, sort_keys=True).encode() + b"\n"
