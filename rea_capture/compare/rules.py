"""Caller rules: exact literals replaced in every kept string of the artifacts they name.

Both sides are treated alike, and the same policy gives the same result whatever order it is written
in: rules apply in ascending order of ``rule_id`` (by code point), each to the result of the one before.

Below: ``contracts``, ``canonical``. Above: ``artifacts``, ``events``, ``prepare``, ``verdict``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import orjson

from rea_capture.canonical import canonical_bytes
from rea_capture.contracts.comparison import NormalizationRecord, RecordedRule, RuleArtifact

if TYPE_CHECKING:
    from rea_capture.contracts.normalization import Normalization, Rule

FIELDS_WITHOUT_RULES: Final = frozenset({"kind", "content"})
"""Strings of an event that rules leave alone: what the event is, and the base64 of a body's bytes.

A literal of text has no business in base64: there it would match by accident and could make two
different bodies look equal.
"""


def normalization_record(normalization: Normalization | None) -> NormalizationRecord:
    """All that is done to both sides before comparing, and the digest that commits to it.

    None is a policy without caller rules.
    """
    return NormalizationRecord.of(recorded_rules(normalization.rules if normalization is not None else ()))


def recorded_rules(rules: Iterable[Rule | RecordedRule]) -> tuple[RecordedRule, ...]:
    """``rules`` in the order and form in which they apply and are recorded."""
    recorded = (
        RecordedRule(
            artifacts=tuple(sorted(set(rule.artifacts))),
            match=rule.match,
            replacement=rule.replacement,
            rule_id=rule.rule_id,
        )
        for rule in rules
    )
    return tuple(sorted(recorded, key=lambda rule: rule.rule_id))


@dataclass(frozen=True, slots=True)
class Replacements:
    """The rules for one artifact. ``needles`` are the matches as JSON text writes them."""

    pairs: tuple[tuple[str, str], ...]
    needles: tuple[bytes, ...]

    @classmethod
    def of(cls, rules: Sequence[RecordedRule], artifact: RuleArtifact) -> Replacements:
        """Those of ``rules`` that name ``artifact``; ``rules`` come from :func:`recorded_rules`."""
        chosen = [rule for rule in rules if artifact in rule.artifacts]
        return cls(
            pairs=tuple((rule.match, rule.replacement) for rule in chosen),
            needles=tuple(canonical_bytes(rule.match)[1:-1] for rule in chosen),
        )

    def text(self, text: str) -> str:
        """``text`` after every rule."""
        for match, replacement in self.pairs:
            text = text.replace(match, replacement)
        return text

    def normalized(self, data: bytes, *, untouched: frozenset[str] = frozenset()) -> bytes:
        """Canonical JSON ``data`` after every rule has been applied to its string values.

        Keys are never changed, nor the values of the fields ``untouched``. JSON escapes character by
        character, so a text that holds a match holds its escaped form: data without any needle is
        data that no rule would change.
        """
        if not any(needle in data for needle in self.needles):
            return data
        return canonical_bytes(self._value(orjson.loads(data), untouched))

    def _value(self, value: Any, untouched: frozenset[str]) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self._value(item, untouched) for item in value]
        if isinstance(value, dict):
            return {
                key: item if key in untouched else self._value(item, untouched) for key, item in value.items()
            }
        return value
