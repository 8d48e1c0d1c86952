"""Values that a scenario gives: written in it, or taken from a declared secret.

Below: ``inputs``. Above: ``destinations``, ``actions``, ``scenario``, and whoever resolves secrets.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rea_capture.contracts.inputs import InputModel


class LiteralValue(InputModel):
    """A value written in the scenario."""

    source: Literal["literal"]
    value: str


class SecretValue(InputModel):
    """A value taken from a declared secret when the scenario runs."""

    source: Literal["secret"]
    secret_id: str


Value = Annotated[LiteralValue | SecretValue, Field(discriminator="source")]
