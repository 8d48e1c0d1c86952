"""One side of a comparison, reduced to digests, states and doubts.

Small: a few hundred bytes a step, whatever the capture held.

Below: ``contracts``, ``faults``. Above: ``prepare`` makes it; ``align``, ``rows``, ``event_rows``,
``stated`` and ``limitations`` read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rea_capture.compare.faults import EventFault
from rea_capture.contracts.comparison import ComparedState, RecordedRule
from rea_capture.contracts.selection import ArtifactName


@dataclass(frozen=True, slots=True)
class PreparedArtifact:
    """``sha256`` is there exactly when ``state`` is captured; ``reason`` when missing or truncated."""

    state: ComparedState
    sha256: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Occurrences:
    """How often a fault was met, and the first transaction it was met in, where there is one."""

    count: int
    transaction_id: int | None


@dataclass(frozen=True, slots=True)
class PreparedEvents:
    """The events attributed to one step.

    ``sha256`` is None where a transaction has no fingerprint or nothing was requested. ``faults`` stand
    in the order of :class:`EventFault`, whatever order they were met in. ``attached``: they are of a browser
    that was not ours, which does not tell all. ``missing`` and ``truncated``
    are the sections of events the step names. Of a binary WebSocket message only the size is known.
    """

    sha256: str | None
    state: ComparedState
    faults: Mapping[EventFault, Occurrences]
    attached: bool
    has_binary_messages: bool
    missing: tuple[str, ...]
    truncated: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PreparedStep:
    """One step; ``missing`` and ``truncated`` are the sections its completeness names.

    ``has_redacted_storage``: some stored value was a secret, and is known by nothing.
    """

    step_id: str
    step_index: int
    action: str
    status: str
    action_state_sha256: str
    artifacts: Mapping[ArtifactName, PreparedArtifact]
    events: PreparedEvents
    has_redacted_storage: bool
    missing: frozenset[str]
    truncated: frozenset[str]


@dataclass(frozen=True, slots=True)
class PreparedCapture:
    """One side.

    ``context`` maps each part of the capture context to its value. ``attached`` is a capture in a browser
    that was not ours. ``event_families`` is None for a capture that does not record them.
    ``unplaced_gaps`` are sections of events that the capture calls incomplete although none of its steps
    does. ``contradictions`` are where it says two things of itself, ``event_contradictions`` those of
    events. ``rules`` are those its digests were made with. ``stated`` are the limitations that are
    compared, in the order the capture has them.
    """

    rules: tuple[RecordedRule, ...]
    attached: bool
    context: Mapping[str, str | int | float]
    event_families: tuple[str, ...] | None
    network_content: tuple[str, ...]
    eligible: bool
    contradictions: tuple[str, ...]
    event_contradictions: tuple[str, ...]
    missing: tuple[str, ...]
    truncated: tuple[str, ...]
    unplaced_gaps: tuple[str, ...]
    dropped_event_count: int
    retained_body_count: int
    limitation_count: int
    stated: tuple[str, ...]
    steps: tuple[PreparedStep, ...]
