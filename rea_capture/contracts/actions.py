"""The fixed vocabulary of what a scenario can do.

Below: ``inputs``, ``locators``, ``destinations``, ``values``. Above: ``scenario``.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import AfterValidator, Field

from rea_capture.contracts.base import MAX_NAME_CHARACTERS, Identifier, TimeoutMs
from rea_capture.contracts.destinations import Destination
from rea_capture.contracts.inputs import InputModel
from rea_capture.contracts.locators import Locator
from rea_capture.contracts.step_kinds import START_STEP_ID
from rea_capture.contracts.values import Value

MAX_CLICK_COUNT: Final = 100
"""A person double- or triple-clicks; this leaves room and still ends."""


def _not_reserved(step_id: str) -> str:
    if step_id == START_STEP_ID:
        raise ValueError(f"{START_STEP_ID!r} is the name of the initial step; choose another step_id")
    return step_id


class _Step(InputModel):
    step_id: Annotated[Identifier, AfterValidator(_not_reserved)]


class _TimedStep(_Step):
    timeout_ms: Annotated[
        TimeoutMs | None,
        Field(description="Milliseconds until the action fails; left out, it waits until done or cancelled."),
    ] = None


class Goto(_TimedStep):
    action: Literal["goto"]
    destination: Destination
    wait_until: Literal["commit", "domcontentloaded", "load"] = "load"


class Click(_TimedStep):
    action: Literal["click"]
    locator: Locator
    button: Literal["left", "middle", "right"] = "left"
    click_count: Annotated[int, Field(ge=1, le=MAX_CLICK_COUNT)] = 1


class Fill(_TimedStep):
    action: Literal["fill"]
    locator: Locator
    value: Value


class SelectOption(_TimedStep):
    action: Literal["select_option"]
    locator: Locator
    value: Value


class Press(_TimedStep):
    action: Literal["press"]
    locator: Locator
    key: Annotated[str, Field(min_length=1, max_length=MAX_NAME_CHARACTERS)]


class Check(_TimedStep):
    action: Literal["check"]
    locator: Locator


class Uncheck(_TimedStep):
    action: Literal["uncheck"]
    locator: Locator


class WaitFor(_TimedStep):
    action: Literal["wait_for"]
    locator: Locator
    state: Literal["attached", "detached", "visible", "hidden"] = "visible"


class WaitForTimeout(_Step):
    action: Literal["wait_for_timeout"]
    duration_ms: TimeoutMs


AnyAction: TypeAlias = Goto | Click | Fill | SelectOption | Press | Check | Uncheck | WaitFor | WaitForTimeout
Action = Annotated[AnyAction, Field(discriminator="action")]
