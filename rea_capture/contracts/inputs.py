"""What people and programs send: the base of its models.

Below: pydantic, ``base``. Above: the contracts of scenarios and of caller rules.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class InputModel(BaseModel):
    """Base of what people and programs send: strict, no unknown fields, frozen."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False, defer_build=True)
