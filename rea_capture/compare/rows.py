"""The rows of one aligned step: what became of its action, and its six artifacts.

A row is either changed, with a digest on each side, or unknown, with a reason and a recovery. What is
unchanged, or was requested on neither side, has no row. Events have a file of their own.

Below: ``prepared``, ``doubts``. Above: ``verdict``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from rea_capture.compare import doubts
from rea_capture.compare.doubts import Doubt, Side
from rea_capture.compare.prepared import PreparedArtifact, PreparedStep
from rea_capture.contracts.comparison import ArtifactDiff, ComparedArtifact
from rea_capture.contracts.selection import ARTIFACT_NAMES, ArtifactName


def changed_row(
    artifact: ComparedArtifact, before: PreparedArtifact, after: PreparedArtifact
) -> ArtifactDiff:
    """A difference that was observed."""
    return _row("changed", artifact, before, after)


def unknown_row(
    artifact: ComparedArtifact, before: PreparedArtifact, after: PreparedArtifact, because: Sequence[Doubt]
) -> ArtifactDiff:
    """Something about which nothing can be said, for at least one reason."""
    return _row("unknown", artifact, before, after, *doubts.spoken(because))


def _row(
    status: Literal["changed", "unknown"],
    artifact: ComparedArtifact,
    before: PreparedArtifact,
    after: PreparedArtifact,
    reason: str | None = None,
    recovery: str | None = None,
) -> ArtifactDiff:
    return ArtifactDiff(
        after_sha256=after.sha256,
        after_state=after.state,
        artifact=artifact,
        before_sha256=before.sha256,
        before_state=before.state,
        reason=reason,
        recovery=recovery,
        status=status,
    )


def action_rows(
    before: PreparedStep, after: PreparedStep, besides: Sequence[Doubt] = ()
) -> Iterator[ArtifactDiff]:
    """The row of ``action_state``, if it has one; ``besides`` are doubts about more than the action.

    An action is recorded whether it completed or not, so its state is always captured.
    """
    one = PreparedArtifact("captured", before.action_state_sha256)
    other = PreparedArtifact("captured", after.action_state_sha256)
    unseen = _unseen_action(before, after)
    if not unseen and one.sha256 != other.sha256:
        yield changed_row("action_state", one, other)
    elif because := [*(unseen or _unproven_action(before, after)), *besides]:
        yield unknown_row("action_state", one, other, because)


def _unseen_action(before: PreparedStep, after: PreparedStep) -> list[Doubt]:
    """Why the two states cannot be compared.

    An action that was cancelled was not observed, and one of another kind says something about the
    scenario only.
    """
    if before.action != after.action:
        return [doubts.action_changed(before.action, after.action)]
    cancelled: list[Side] = [
        side for side, step in zip(_SIDES, (before, after), strict=True) if step.status == "cancelled"
    ]
    return [doubts.action_not_run(cancelled)] if cancelled else []


def _unproven_action(before: PreparedStep, after: PreparedStep) -> list[Doubt]:
    """Why two states that are equal do not show that what they led to is."""
    if before.status != "completed" or after.status != "completed":
        return [doubts.action_failed_alike()]
    return _incomplete_sections("action", before, after)


_SIDES: Final[tuple[Side, Side]] = ("before", "after")


def artifact_rows(
    before: PreparedStep, after: PreparedStep, interrupted: Sequence[Side] = ()
) -> Iterator[ArtifactDiff]:
    """The rows of the six artifacts; those requested on one side only share one.

    ``interrupted`` are the sides on which some action of the capture did not complete.
    """
    lopsided = lopsided_artifacts(before, after)
    for name in ARTIFACT_NAMES:
        if lopsided and name == lopsided[0]:
            yield _lopsided_row(lopsided, before, after, interrupted)
        if name not in lopsided:
            yield from _artifact_row(name, before, after)


def lopsided_artifacts(before: PreparedStep, after: PreparedStep) -> tuple[ArtifactName, ...]:
    """The artifacts that one side requested at this step and the other did not."""
    return tuple(
        name
        for name in ARTIFACT_NAMES
        if (before.artifacts[name].state == "not_requested")
        is not (after.artifacts[name].state == "not_requested")
    )


def _lopsided_row(
    names: Sequence[ArtifactName], before: PreparedStep, after: PreparedStep, interrupted: Sequence[Side]
) -> ArtifactDiff:
    only_after = [name for name in names if before.artifacts[name].state == "not_requested"]
    only_before = [name for name in names if name not in only_after]
    because = [doubts.requested_on_one_side(only_before, only_after, interrupted)]
    return unknown_row(names[0], before.artifacts[names[0]], after.artifacts[names[0]], because)


def _artifact_row(name: ArtifactName, before: PreparedStep, after: PreparedStep) -> Iterator[ArtifactDiff]:
    one, other = before.artifacts[name], after.artifacts[name]
    if one.state == "not_requested":
        return
    unseen = [
        doubts.unseen_artifact(side, name, artifact)
        for side, artifact in zip(_SIDES, (one, other), strict=True)
        if artifact.state != "captured"
    ]
    if unseen:
        yield unknown_row(name, one, other, unseen)
    elif one.sha256 != other.sha256:
        yield changed_row(name, one, other)
    elif incomplete := _incomplete_sections(name, before, after):
        yield unknown_row(name, one, other, incomplete)


def _incomplete_sections(name: str, before: PreparedStep, after: PreparedStep) -> list[Doubt]:
    return [
        doubts.incomplete_section(side, name)
        for side, step in zip(_SIDES, (before, after), strict=True)
        if name in step.missing or name in step.truncated
    ]
