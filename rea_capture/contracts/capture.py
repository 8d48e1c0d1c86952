"""The capture: ``normalized_result`` of a capture's Evidence.

Below: artifacts, events, environment, selection. Above: ``evidence``, ``compare``, the recorder.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final, Literal, get_args

from rea_capture.contracts.artifacts import Artifacts
from rea_capture.contracts.base import (
    PositiveSafeInteger,
    SafeInteger,
    TimestampMs,
    record,
    record_with_absent_fields,
)
from rea_capture.contracts.encodings import is_moment
from rea_capture.contracts.events import FAMILY_OF_KIND, Event, EventKind
from rea_capture.contracts.recorded_environment import RecordedEnvironment
from rea_capture.contracts.selection import (
    ARTIFACT_NAMES,
    EventFamily,
    RecordedLimits,
    RecordedNetworkContent,
)
from rea_capture.contracts.states import Missing, Truncated
from rea_capture.contracts.step_kinds import START_STEP_ID, ActionKind
from rea_capture.contracts.urls import ObservedUrl

Section = Literal[
    "action",
    "screenshot",
    "dom",
    "accessibility",
    "url",
    "history",
    "storage",
    "events",
    "frames",
    "workers",
    "popups",
    "websockets",
]

OmissionReason = Literal[
    "event-count-limit",  # max_events were kept already
    "event-bytes-limit",  # this one event is larger than max_event_bytes
    "total-event-bytes-limit",  # it does not fit into what is left of max_total_event_bytes
    "network-transaction-limit",  # it belongs to a transaction beyond max_network_transactions
    "network-metadata-limit",  # it does not fit into what is left of max_network_metadata_bytes
    "listener-limit",  # its page, worker or socket came after MAX_LISTENER_OWNERS others
]
"""The reasons of captures made here."""

OMISSION_REASONS: Final[tuple[OmissionReason, ...]] = get_args(OmissionReason)


@record
class Completeness:
    """Whether all that was requested was seen; only then may a comparison call it equal."""

    equality_eligible: bool
    missing_sections: tuple[Section, ...]
    status: Literal["complete", "incomplete", "truncated"]
    truncated_sections: tuple[Section, ...]

    def __post_init__(self) -> None:
        expected = (
            "incomplete" if self.missing_sections else "truncated" if self.truncated_sections else "complete"
        )
        if self.status != expected or self.equality_eligible is not (expected == "complete"):
            raise ValueError(f"with these sections status is {expected!r} and equality follows from it")

    @classmethod
    def of(cls, missing: set[Section], truncated: set[Section]) -> Completeness:
        """Completeness from the sections that are missing or truncated."""
        return cls(
            equality_eligible=not missing and not truncated,
            missing_sections=tuple(sorted(missing)),
            status="incomplete" if missing else "truncated" if truncated else "complete",
            truncated_sections=tuple(sorted(truncated)),
        )


@record
class Step:
    """One step: the action, what became of it, and what was seen after it."""

    action: ActionKind
    after_url: ObservedUrl
    artifacts: Artifacts
    before_url: ObservedUrl
    completeness: Completeness
    elapsed_ms: SafeInteger
    error: str | None
    event_sequence_end: SafeInteger
    event_sequence_start: SafeInteger
    status: Literal["completed", "failed", "cancelled"]
    step_id: str
    step_index: SafeInteger

    def __post_init__(self) -> None:
        if (self.status == "completed") is not (self.error is None):
            raise ValueError("error is null exactly when status is completed")
        for name in ARTIFACT_NAMES:
            state = getattr(self.artifacts, name)
            if isinstance(state, Missing) and name not in self.completeness.missing_sections:
                raise ValueError(f"{name} is missing and not among missing_sections")
            if isinstance(state, Truncated) and name not in self.completeness.truncated_sections:
                raise ValueError(f"{name} is truncated and not among truncated_sections")
        if self.status != "completed" and "action" not in self.completeness.missing_sections:
            raise ValueError("an action that did not complete is among missing_sections")


@record
class KindOmissions:
    """How many events of one kind were not retained, and why."""

    count: PositiveSafeInteger
    kind: EventKind
    reasons: tuple[str, ...]
    """Those of :data:`OmissionReason` in captures made here. The wire format names none, so a document of
    another program may have others and is read all the same."""


@record
class TransactionOmissions:
    """Which event kinds of one transaction were not retained."""

    kinds: tuple[EventKind, ...]
    transaction_id: PositiveSafeInteger


@record
class TransactionRange:
    """Transactions beyond the limit, by their contiguous ids."""

    first: PositiveSafeInteger
    last: PositiveSafeInteger


@record
class Omissions:
    """What was observed and not retained."""

    by_kind: tuple[KindOmissions, ...]
    network_transaction_range: TransactionRange | None
    network_transactions: tuple[TransactionOmissions, ...]

    def __post_init__(self) -> None:
        counts = {row.kind: row.count for row in self.by_kind}
        if len(counts) != len(self.by_kind):
            raise ValueError("by_kind has two rows of one kind")
        beyond = self.network_transaction_range
        if self.network_transactions or beyond is not None:
            self._check_transactions(counts, beyond)

    def _check_transactions(self, counts: Mapping[EventKind, int], beyond: TransactionRange | None) -> None:
        rows = self.network_transactions
        if len({row.transaction_id for row in rows}) != len(rows):
            raise ValueError("network_transactions has two rows of one transaction")
        if any(not row.kinds or len(set(row.kinds)) != len(row.kinds) for row in rows):
            raise ValueError("network_transactions has a row that names no kind, or one twice")
        network = {kind: count for kind, count in counts.items() if FAMILY_OF_KIND[kind] == "network"}
        named = Counter(kind for row in rows for kind in row.kinds)
        for kind, count in named.items():
            if count > network.get(kind, 0):
                raise ValueError(
                    f"network_transactions names more events of kind {kind!r} than by_kind counts"
                )
        if beyond is None:
            return
        if beyond.first > beyond.last:
            raise ValueError("network_transaction_range ends before it begins")
        if beyond.last - beyond.first >= sum(network.values()) - named.total():
            raise ValueError("network_transaction_range has more transactions than by_kind leaves events for")
        if any(beyond.first <= row.transaction_id <= beyond.last for row in rows):
            raise ValueError("network_transactions has a transaction of network_transaction_range")


@record
class Events:
    """The retained events and the count of the others."""

    dropped: SafeInteger
    items: tuple[Event, ...]
    omissions: Omissions
    retained: SafeInteger

    def __post_init__(self) -> None:
        if self.retained != len(self.items):
            raise ValueError(f"retained says {self.retained}, there are {len(self.items)} items")
        if self.dropped != sum(row.count for row in self.omissions.by_kind):
            raise ValueError("dropped is not the sum of the omitted counts")
        last = 0
        for event in self.items:
            if event.sequence <= last:
                raise ValueError(f"sequence {event.sequence} is not above the one before it")
            last = event.sequence
        if last > self.total:
            raise ValueError(f"sequence {last} is beyond the {self.total} events retained and dropped")

    @property
    def total(self) -> int:
        """How many events there were; sequences count them from 1 without a gap."""
        return self.retained + self.dropped


@record
class BrowserRecord:
    """The browser that was driven, and what became of it."""

    cleanup: Literal["terminated-owned-process", "disconnected-external"]
    mode: Literal["launch", "connect"]
    process_ownership: Literal["provider-owned", "external"]
    product: str
    version: str

    def __post_init__(self) -> None:
        ours = (self.mode == "launch", self.process_ownership == "provider-owned")
        if len({*ours, self.cleanup == "terminated-owned-process"}) != 1:
            raise ValueError("mode, process_ownership and cleanup do not speak of one and the same browser")


@record_with_absent_fields("event_families")
class ScenarioRecord:
    """What was asked for. A capture written before ``event_families`` existed omits it."""

    action_count: PositiveSafeInteger
    environment: RecordedEnvironment
    event_families: tuple[EventFamily, ...] | None = None
    network_content: RecordedNetworkContent
    secret_references: tuple[str, ...]
    start_origin: str

    def __post_init__(self) -> None:
        families = self.event_families
        if families is not None and list(families) != sorted(set(families)):
            raise ValueError("event_families are not sorted, or name one twice")
        if list(self.secret_references) != sorted(self.secret_references):
            raise ValueError("secret_references are not sorted")


@record
class CaptureResult:
    """A whole capture."""

    browser: BrowserRecord
    completeness: Completeness
    duration_ms: SafeInteger
    events: Events
    finished_at: TimestampMs
    limitations: tuple[str, ...]
    limits: RecordedLimits
    scenario: ScenarioRecord
    started_at: TimestampMs
    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        self._check_steps()
        self._check_events()
        # The end may lie before the start: a clock that is corrected meanwhile goes back.
        if not (is_moment(self.started_at) and is_moment(self.finished_at)):
            raise ValueError("started_at and finished_at are not both days that there were")
        for step in self.steps:
            if not set(step.completeness.missing_sections) <= set(self.completeness.missing_sections):
                raise ValueError(f"step {step.step_id!r} misses sections that the whole capture does not")
            if not set(step.completeness.truncated_sections) <= set(self.completeness.truncated_sections):
                raise ValueError(f"step {step.step_id!r} truncates sections that the whole capture does not")

    def _check_steps(self) -> None:
        # Two steps with one id are readable: a comparison reports them.
        if len(self.steps) != self.scenario.action_count + 1:
            raise ValueError(f"steps are not the start and {self.scenario.action_count} actions")
        if (self.steps[0].step_id, self.steps[0].action) != (START_STEP_ID, "goto_start"):
            raise ValueError(f"the first step is not {START_STEP_ID!r} with goto_start")
        for position, step in enumerate(self.steps):
            if step.step_index != position:
                raise ValueError(f"step_index of step {step.step_id!r} is not its position, {position}")
            if step.event_sequence_end > self.events.total:
                raise ValueError(f"step {step.step_id!r} ends with an event that is not accounted for")

    def _check_events(self) -> None:
        if self.events.retained > self.limits.max_events:
            raise ValueError(
                f"events are more than the {self.limits.max_events} that limits.max_events allows"
            )
        if self.events.dropped and "events" not in self.completeness.truncated_sections:
            raise ValueError("events were dropped and are not among truncated_sections")
        for event in self.events.items:
            if event.step_index >= len(self.steps):
                raise ValueError(f"event {event.sequence} names a step_index that no step has")
