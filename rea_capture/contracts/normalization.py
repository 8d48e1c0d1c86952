"""Caller rules: what is replaced on both sides before they are compared.

Below: ``inputs``, ``rules``, ``comparison``. Above: ``compare``, the doors.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from rea_capture.contracts.comparison import RuleArtifact
from rea_capture.contracts.inputs import InputModel
from rea_capture.contracts.rules import RuleViolations, rule_set_faults
from rea_capture.limits import MAX_RULE_STRING_CHARACTERS, MAX_RULES

_RuleText = Annotated[str, Field(max_length=MAX_RULE_STRING_CHARACTERS)]
_NonEmptyRuleText = Annotated[str, Field(min_length=1, max_length=MAX_RULE_STRING_CHARACTERS)]


class Rule(InputModel):
    """Replace one exact literal in the named artifacts of both sides before they are compared."""

    rule_id: _NonEmptyRuleText
    artifacts: Annotated[tuple[RuleArtifact, ...], Field(min_length=1)]
    match: _NonEmptyRuleText
    replacement: _RuleText


class Normalization(InputModel):
    """Caller rules, applied in the order of their ids whatever order they come in."""

    rules: Annotated[tuple[Rule, ...], Field(max_length=MAX_RULES)] = ()

    @model_validator(mode="after")
    def _unique_ids(self) -> Normalization:
        faults = rule_set_faults(self.model_dump(mode="json"))
        if faults:
            raise RuleViolations(faults).as_pydantic()
        return self
