"""What a verdict rests on, in words: one line a step, with the most telling facts under it.

A reader of the two captures can find all of this there; nothing here decides anything.

Below: the contracts. Above: ``story``.
"""

from __future__ import annotations

import base64
import difflib
import io
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import urlsplit

from rea_capture.contracts.artifacts import CapturedScreenshot, CapturedText
from rea_capture.contracts.capture import CaptureResult, Step
from rea_capture.contracts.comparison import ArtifactDiff, ComparisonResult, StepComparison
from rea_capture.contracts.events import ConsoleEvent, NetworkContentEvent, RequestEvent, TransactionEvent
from rea_capture.contracts.network import CapturedBody

MAX_FACTS: Final = 8
"""Facts shown under one artifact; the documents hold them all."""
_DIGEST_CHARACTERS: Final = 8
"""Enough of a digest to see that two differ."""


def verdict_words(comparison: ComparisonResult, before: CaptureResult, after: CaptureResult) -> list[str]:
    """Lines of text that say how the verdict came about."""
    telling = [step for step in comparison.steps if step.artifact_diffs]
    lines = [
        f"{comparison.overall_status}: {comparison.alignment.aligned_steps} steps aligned, "
        f"{len(telling)} of them not the same"
    ]
    lines += [f"  not aligned: {failure.reason}" for failure in comparison.alignment.failures]
    for step in telling:
        lines += _step_words(step, before, after)
    return lines


def _step_words(step: StepComparison, before: CaptureResult, after: CaptureResult) -> Iterator[str]:
    yield f"  step {step.step_id}"
    for row in step.artifact_diffs:
        yield f"    {row.artifact}: {row.status}" + (f", because {row.reason}" if row.reason else "")
        if row.recovery:
            yield f"      what to do: {row.recovery}"
        facts = list(_facts(row, before.steps[step.before_step_index], after.steps[step.after_step_index],
                            before, after))  # fmt: skip
        yield from (f"      {fact}" for fact in facts[:MAX_FACTS])
        if len(facts) > MAX_FACTS:
            yield f"      … and {len(facts) - MAX_FACTS} more"


def _facts(
    row: ArtifactDiff, before_step: Step, after_step: Step, before: CaptureResult, after: CaptureResult
) -> Iterable[str]:
    if row.artifact in {"dom", "accessibility"}:
        return _text_facts(*(getattr(step.artifacts, row.artifact) for step in (before_step, after_step)))
    if row.artifact == "events":
        return _event_facts(before, before_step.step_index, after, after_step.step_index)
    if row.artifact == "screenshot":
        return _picture_facts(before_step.artifacts.screenshot, after_step.artifacts.screenshot)
    return ()


def _text_facts(before: object, after: object) -> Iterator[str]:
    if not isinstance(before, CapturedText) or not isinstance(after, CapturedText):
        return
    old, new = before.value.text.splitlines(), after.value.text.splitlines()
    for line in list(difflib.unified_diff(old, new, n=0, lineterm=""))[2:]:
        if line[0] in "+-":
            yield f"{line[0]} {line[1:].strip().removeprefix('- ')}"


def _picture_facts(before: object, after: object) -> Iterator[str]:
    if not isinstance(before, CapturedScreenshot) or not isinstance(after, CapturedScreenshot):
        return
    from PIL import Image, ImageChops  # noqa: PLC0415 - only where two pictures differ

    pictures = []
    for state in (before, after):
        with Image.open(io.BytesIO(base64.b64decode(state.value.data_base64)), formats=["PNG"]) as image:
            pictures.append(image.convert("RGB"))
    if pictures[0].size != pictures[1].size:
        yield f"{pictures[0].size} pixels before, {pictures[1].size} after"
        return
    unlike = ImageChops.difference(*pictures).convert("L").point(lambda value: 255 if value else 0)
    count = unlike.histogram()[255]
    yield f"{count} of {unlike.width * unlike.height} pixels differ, all inside {unlike.getbbox()}"


def _event_facts(before: CaptureResult, index: int, after: CaptureResult, after_index: int) -> Iterator[str]:
    old, new = Counter(_spoken_events(before, index)), Counter(_spoken_events(after, after_index))
    yield from (f"- {fact}" for fact in (old - new))
    yield from (f"+ {fact}" for fact in (new - old))


def _spoken_events(capture: CaptureResult, step_index: int) -> Iterator[str]:
    """Each exchange that the step started, and each console message it got, as one line."""
    outcomes: dict[int, list[str]] = {}
    for event in capture.events.items:
        if isinstance(event, TransactionEvent) and event.kind == "response":
            outcomes.setdefault(event.transaction_id, []).append(str(event.status))
        elif isinstance(event, TransactionEvent) and event.kind == "request-failed":
            outcomes.setdefault(event.transaction_id, []).append(event.failure or "failed")
        elif isinstance(event, NetworkContentEvent) and isinstance(event.body, CapturedBody):
            body = event.body
            outcomes.setdefault(event.transaction_id, []).append(
                f"{body.bytes} bytes, sha256 {body.sha256[:_DIGEST_CHARACTERS]}…"
            )
    for event in capture.events.items:
        if event.step_index != step_index:
            continue
        if isinstance(event, RequestEvent):
            outcome = ", ".join(outcomes.get(event.transaction_id, ["no answer"]))
            yield f"{event.method} {_path(event.url.url)} answered {outcome}"
        elif isinstance(event, ConsoleEvent):
            yield f"console {event.level}: {event.text}"


def _path(url: str) -> str:
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")
