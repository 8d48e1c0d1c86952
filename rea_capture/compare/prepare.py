"""One capture to everything a comparison needs of it.

Below: ``artifacts``, ``contradictions``, ``events``, ``gaps``, ``rules``, ``stated``. Above: ``verdict``, and
callers that hold one capture at a time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Final, get_args

from rea_capture.compare.artifacts import action_state_sha256, prepared_artifact
from rea_capture.compare.contradictions import contradictions, event_contradictions, selected_content
from rea_capture.compare.events import prepared_events
from rea_capture.compare.gaps import positions_with_gaps, unplaced_gaps
from rea_capture.compare.prepared import PreparedArtifact, PreparedCapture, PreparedEvents, PreparedStep
from rea_capture.compare.rules import Replacements, recorded_rules
from rea_capture.compare.stated import compared_sentences
from rea_capture.contracts.artifacts import AnyState, CapturedStorage, StoredCookie, StoredEntry
from rea_capture.contracts.capture import CaptureResult, Step
from rea_capture.contracts.capture_evidence import CaptureParameters
from rea_capture.contracts.comparison import RecordedRule, RuleArtifact
from rea_capture.contracts.events import NetworkContentEvent
from rea_capture.contracts.network import CapturedBody
from rea_capture.contracts.selection import ARTIFACT_NAMES, ArtifactName
from rea_capture.contracts.states import NotRequested

if TYPE_CHECKING:
    from rea_capture.contracts.normalization import Rule

_RULE_ARTIFACTS: Final[tuple[RuleArtifact, ...]] = get_args(RuleArtifact)
_NO_RULES: Final = Replacements((), ())
_UNMET: Final = PreparedArtifact(
    "missing", reason="the parameters of its Evidence request it for this step, which says that nobody did"
)


def prepare(
    capture: CaptureResult,
    rules: Iterable[Rule | RecordedRule] = (),
    parameters: CaptureParameters | None = None,
) -> PreparedCapture:
    """Digests, states and doubts of one side; ``capture`` itself is not kept.

    ``rules`` are the caller rules of the comparison, in any order; ``parameters`` those of the Evidence
    around the capture, if there is any. Linear in the size of the capture.
    """
    recorded = recorded_rules(rules)
    replacements = {artifact: Replacements.of(recorded, artifact) for artifact in _RULE_ARTIFACTS}
    asked_for = parameters is not None and bool(parameters.capture.events)
    events = prepared_events(capture, replacements["events"], asked_for=asked_for)
    gaps = positions_with_gaps(capture)
    families = capture.scenario.event_families
    return PreparedCapture(
        rules=recorded,
        attached=capture.browser.mode == "connect",
        context=_context(capture),
        event_families=None if families is None else tuple(sorted(set(families))),
        network_content=tuple(sorted(selected_content(capture.scenario.network_content))),
        eligible=capture.completeness.equality_eligible,
        contradictions=tuple(contradictions(capture, parameters)),
        event_contradictions=tuple(event_contradictions(capture, parameters)),
        missing=tuple(sorted(set(capture.completeness.missing_sections))),
        truncated=tuple(sorted(set(capture.completeness.truncated_sections))),
        unplaced_gaps=unplaced_gaps(capture, gaps),
        dropped_event_count=capture.events.dropped,
        retained_body_count=_retained_body_count(capture),
        limitation_count=len(capture.limitations),
        stated=compared_sentences(capture.limitations, replacements["action_state"]),
        steps=tuple(
            _step(step, at, replacements, _requested(capture, step, parameters))
            for step, at in zip(capture.steps, events, strict=True)
        ),
    )


def _requested(
    capture: CaptureResult, step: Step, parameters: CaptureParameters | None
) -> tuple[ArtifactName, ...]:
    """The artifacts that ``parameters`` say were requested at ``step``."""
    if parameters is None:
        return ()
    is_last = step.step_index == len(capture.steps) - 1
    return (*parameters.capture.after_each_step, *(parameters.capture.at_end if is_last else ()))


def _step(
    step: Step,
    events: PreparedEvents,
    replacements: Mapping[RuleArtifact, Replacements],
    requested: Collection[ArtifactName],
) -> PreparedStep:
    return PreparedStep(
        step_id=step.step_id,
        step_index=step.step_index,
        action=step.action,
        status=step.status,
        action_state_sha256=action_state_sha256(step, replacements["action_state"]),
        artifacts={
            name: _UNMET
            if name in requested and isinstance(getattr(step.artifacts, name), NotRequested)
            else prepared_artifact(getattr(step.artifacts, name), _rules_of(replacements, name))
            for name in ARTIFACT_NAMES
        },
        events=events,
        has_redacted_storage=_has_redacted_storage(step.artifacts.storage),
        missing=frozenset(step.completeness.missing_sections),
        truncated=frozenset(step.completeness.truncated_sections),
    )


def _has_redacted_storage(state: AnyState) -> bool:
    if not isinstance(state, CapturedStorage):
        return False
    stored = state.value
    entries: tuple[StoredCookie | StoredEntry, ...] = (
        *stored.cookies,
        *stored.local_storage,
        *stored.session_storage,
    )
    return any(entry.value_state == "redacted-secret" for entry in entries)


def _rules_of(replacements: Mapping[RuleArtifact, Replacements], name: ArtifactName) -> Replacements:
    return _NO_RULES if name == "screenshot" else replacements[name]


def _context(capture: CaptureResult) -> dict[str, str | int | float]:
    """The capture context: each part by the path a reader finds it at."""
    environment = capture.scenario.environment
    viewport = environment.viewport
    return {
        "browser.mode": capture.browser.mode,
        "browser.product": capture.browser.product,
        "browser.version": capture.browser.version,
        "scenario.start_origin": capture.scenario.start_origin,
        "scenario.environment.color_scheme": environment.color_scheme,
        "scenario.environment.locale": environment.locale,
        "scenario.environment.reduced_motion": environment.reduced_motion,
        "scenario.environment.service_workers": environment.service_workers,
        "scenario.environment.timezone": environment.timezone,
        "scenario.environment.viewport.device_scale_factor": viewport.device_scale_factor,
        "scenario.environment.viewport.height": viewport.height,
        "scenario.environment.viewport.width": viewport.width,
    }


def _retained_body_count(capture: CaptureResult) -> int:
    return sum(
        1
        for event in capture.events.items
        if type(event) is NetworkContentEvent and isinstance(event.body, CapturedBody)
    )
