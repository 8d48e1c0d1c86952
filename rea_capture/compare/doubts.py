"""Why something cannot be said, and what to do about it: every reason and recovery sentence.

Below: ``prepared``, ``faults``, ``limits``, ``wording``. Above: ``rows``, ``event_rows``, ``limitations``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from rea_capture.compare.faults import EventFault
from rea_capture.compare.prepared import Occurrences, PreparedArtifact
from rea_capture.limits import MAX_SENTENCE_CHARACTERS
from rea_capture.wording import listed, on_one_line, shortened

Side: TypeAlias = Literal["before", "after"]


@dataclass(frozen=True, slots=True)
class Doubt:
    """``reason`` says why nothing can be said, ``recovery`` what to do about it; both sentences."""

    reason: str
    recovery: str


def spoken(doubts: Sequence[Doubt]) -> tuple[str, str]:
    """The reason and the recovery of all ``doubts``, each sentence once. Needs at least one doubt."""
    reasons = " ".join(dict.fromkeys(doubt.reason for doubt in doubts))
    recoveries = " ".join(dict.fromkeys(doubt.recovery for doubt in doubts))
    return reasons, recoveries


def bounded(text: str, limit: int = MAX_SENTENCE_CHARACTERS) -> str:
    """``text`` from a capture, on one line and at most ``limit`` characters, for use in a sentence."""
    return shortened(on_one_line(text), limit)


# Artifacts


def unseen_artifact(side: Side, name: str, artifact: PreparedArtifact) -> Doubt:
    """An artifact that is missing or truncated on ``side``."""
    why = bounded(artifact.reason or "no reason given").rstrip(".")
    recovery = (
        f"Capture the {side} side again; if {name} stays missing, remove the cause named in the reason, or "
        "raise command_timeout_ms when that cause is time."
        if artifact.state == "missing"
        else f"Make {name} small enough to be kept whole, then capture the {side} side again."
    )
    return Doubt(f"On the {side} side {name} is {artifact.state}: {why}.", recovery)


def incomplete_section(side: Side, name: str) -> Doubt:
    """A captured artifact that its own step calls incomplete, and that otherwise looks equal."""
    return Doubt(
        f"The digests agree, but the {side} capture lists {name} among what this step did not fully see.",
        f"Capture the {side} side again; its limitations and the step's artifacts say what was not seen.",
    )


def requested_on_one_side(
    only_before: Sequence[str], only_after: Sequence[str], interrupted: Sequence[Side]
) -> Doubt:
    """Artifacts of a step that one capture requested and the other did not.

    ``interrupted`` are the sides on which some action did not complete.
    """
    parts = [
        f"{listed(names)} {'was' if len(names) == 1 else 'were'} requested only {side}"
        for side, names in (("before", only_before), ("after", only_after))
        if names
    ]
    first = (
        f"Not every action completed on the {' and the '.join(interrupted)} side, which moves the step that "
        "the artifacts of the end are read at: make them complete. "
        if interrupted
        else ""
    )
    return Doubt(
        f"At this step {' and '.join(parts)}, so there is nothing to compare with.",
        f"{first}Request the same artifacts for this step on both sides: name them in "
        "capture.after_each_step of both scenarios (at_end speaks only of the last step, which moves when a "
        "step is added), or capture both sides with the same actions.",
    )


# Actions


def action_changed(before: str, after: str) -> Doubt:
    """One step id with two kinds of action."""
    return Doubt(
        f"The step is a {before} before and a {after} after: the scenario changed, which says nothing about "
        "the page.",
        "Give both scenarios the same action under this step_id, or the new action a step_id of its own, and "
        "capture again.",
    )


def action_not_run(sides: Sequence[Side]) -> Doubt:
    """The action was cancelled on ``sides``."""
    return Doubt(
        f"The action was cancelled on the {' and the '.join(sides)} side, so what it leads to was not seen.",
        "If an earlier step failed, make that one complete; then capture again without interrupting it.",
    )


def action_failed_alike() -> Doubt:
    """The action failed on both sides in the same way."""
    return Doubt(
        "The action failed on both sides in the same way, so what it should have led to was not seen.",
        "Read the step's error, correct the scenario or the page so that the action completes, and capture "
        "both sides again.",
    )


# Events


def families_unrecorded(sides: Sequence[Side]) -> Doubt:
    """Captures written before ``event_families`` existed."""
    return Doubt(
        f"The {' and the '.join(sides)} capture does not record which event families it observed (an older "
        "version wrote it), so events cannot be compared.",
        f"Capture the {' and the '.join(sides)} side again with the current version.",
    )


def families_differ(before: Sequence[str], after: Sequence[str]) -> Doubt:
    """Different selections of event families."""
    return Doubt(
        "The captures observed different event families, so events cannot be compared: "
        f"{listed(before)} before, {listed(after)} after.",
        "Give both scenarios the same capture.events (and capture.network, which implies network) and "
        "capture again.",
    )


def contents_differ(before: Sequence[str], after: Sequence[str]) -> Doubt:
    """Different selections of network content."""
    return Doubt(
        "The captures kept different network content, so events cannot be compared: "
        f"{listed(before)} before, {listed(after)} after.",
        "Give both scenarios the same capture.network and capture again.",
    )


def contradiction(side: Side, contradictions: Sequence[str]) -> Doubt:
    """The capture says two things of itself."""
    return Doubt(
        f"The {side} capture contradicts itself: {'; '.join(contradictions)}.", _REPAIR.format(side=side)
    )


def unplaced_gap(side: Side, sections: Sequence[str], *, attached: bool = False) -> Doubt:
    """Events are incomplete somewhere in the capture, nobody knows in which step."""
    return Doubt(
        f"The {side} capture did not fully see {listed(sections)}, and does not say in which step.",
        seeing_all(side, attached=attached),
    )


def incomplete_events(
    side: Side, missing: Sequence[str], truncated: Sequence[str], *, attached: bool = False
) -> list[Doubt]:
    """The step says itself that it did not see all events."""
    doubts = []
    if missing:
        doubts.append(
            Doubt(
                f"On the {side} side this step did not see all of {listed(missing)}.",
                seeing_all(side, attached=attached),
            )
        )
    if truncated:
        doubts.append(
            Doubt(
                f"On the {side} side this step kept only a part of {listed(truncated)}.",
                _RAISE_LIMITS.format(side=side),
            )
        )
    return doubts


def seeing_all(side: Side, *, attached: bool) -> str:
    """How a capture that missed something is made complete; one that attaches never is."""
    if attached:
        return (
            f"The {side} capture attached to a running browser, and such captures are never complete: to be "
            "told unchanged, capture both sides in launch mode."
        )
    return (
        f"Read the limitations of the {side} capture for the cause, remove it, and capture that side again."
    )


_RAISE_LIMITS: Final = (
    "Raise the capture.limits that events.omissions of the {side} capture names, and capture that side again."
)
_RECAPTURE: Final = "Capture the {side} side again with the current version, in launch mode."
_REPAIR: Final = "Use the {side} capture as it was written, or capture that side again."

_FAULTS: Final[Mapping[EventFault, tuple[str, str]]] = {
    EventFault.REQUEST_UNOBSERVED: (
        "events of a transaction arrived whose request is not in the capture",
        "If events were omitted, raise capture.limits; otherwise capture the {side} side again in launch "
        "mode, which sees every request from the first.",
    ),
    EventFault.REQUEST_REPEATED: ("two requests share one transaction_id", _REPAIR),
    EventFault.OUTCOME_ABSENT: (
        "nothing came of a request, neither a response nor an end, nor does the capture call it unfinished",
        _REPAIR,
    ),
    EventFault.END_REPEATED: ("a transaction ends more than once", _REPAIR),
    EventFault.PREDECESSOR_ABSENT: (
        "a redirect continues a transaction that is not in the capture",
        "If events were omitted, raise capture.limits; otherwise use the {side} capture as it was written, "
        "or capture that side again.",
    ),
    EventFault.PREDECESSOR_UNKNOWN: (
        "a request was redirected from one that happened outside the capture",
        "Capture the {side} side again in launch mode, so that the whole redirect chain is observed.",
    ),
    EventFault.PREDECESSOR_UNSTATED: (
        "the capture does not say whether a request was redirected from another (an older version wrote it)",
        _RECAPTURE,
    ),
    EventFault.REDIRECT_CYCLE: ("a redirect chain leads back to itself", _REPAIR),
    EventFault.TRANSACTION_OMITTED: ("some events of a transaction were not kept", _RAISE_LIMITS),
    EventFault.CONTENT_UNAVAILABLE: (
        "header values or a body were requested and could not be read",
        "Read the message of that network-content event in the {side} capture for the cause, remove it and "
        "capture that side again; a body that no browser exposes, such as that of a redirect, stays unknown "
        "until capture.network leaves bodies out on both sides.",
    ),
    EventFault.CONTENT_ABSENT: (
        "network content was selected, and nothing in the capture says what became of it",
        "Use the {side} capture as it was written, or capture that side again; to compare without network "
        "content, leave it out of capture.network on both sides.",
    ),
    EventFault.CONTENT_UNANCHORED: (
        "network content names a request or response that is not in the capture, or not of its transaction",
        _REPAIR,
    ),
    EventFault.CONTENT_OVER_LIMIT: (
        "header values or a body were larger than their limit and not kept",
        "Raise the capture.limits that the message of that network-content event in the {side} capture "
        "names, and capture both sides again.",
    ),
    EventFault.CONTENT_TRUNCATED: (
        "only the beginning of a WebSocket message was kept",
        "Make the page send shorter messages, or leave websockets out of capture.events on both sides, and "
        "capture again.",
    ),
    EventFault.EVENTS_OMITTED: ("some events were not kept", _RAISE_LIMITS),
}


def event_fault(side: Side, fault: EventFault, met: Occurrences) -> Doubt:
    """One kind of fault in the events of a step, with an example and a count."""
    what, recovery = _FAULTS[fault]
    example = "" if met.transaction_id is None else f" (transaction {met.transaction_id})"
    times = "" if met.count == 1 else f", and {met.count - 1} more like it"
    return Doubt(f"On the {side} side {what}{example}{times}.", recovery.format(side=side))
