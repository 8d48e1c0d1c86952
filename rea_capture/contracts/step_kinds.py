"""What a step record may say it did.

Below: nothing. Above: ``actions``, which declares them, and ``capture``, which records them.
"""

from __future__ import annotations

from typing import Final, Literal

START_STEP_ID: Final = "scenario_start"
"""The name of the initial step, which no declared step may take."""

ActionKind = Literal[
    "goto_start",
    "goto",
    "click",
    "fill",
    "select_option",
    "press",
    "check",
    "uncheck",
    "wait_for",
    "wait_for_timeout",
]
"""``goto_start`` is the initial navigation; the others are declared actions."""
