"""The whole job on the demo shop: capture twice, deploy, capture again, compare, verify.

The second capture of the unchanged shop is the control: it has to come out ``unchanged``, or a
``changed`` after the deploy would mean nothing.

Below: the public interface of the package, reports, ``shop``, ``tour``, ``words``. Above: ``__main__``.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rea_capture import (
    CaptureEvidence,
    ComparisonEvidence,
    DefectError,
    OutputError,
    capture,
    compare,
    evidence_bytes,
    read_scenario,
    verify,
    write_document,
)
from rea_capture.demo.shop import CUSTOMER, Shop, open_shop
from rea_capture.demo.tour import PASSWORD_VARIABLE, tour
from rea_capture.demo.words import verdict_words
from rea_capture.report.html.page import html_report
from rea_capture.workflows.report import NamedDocument, read_report

PASSWORD: Final = 'pumpkin & "spice"'  # noqa: S105 - there is nothing behind it
"""The demo customer's password. It has the characters that are easily leaked by half a redaction."""


@dataclass(frozen=True, slots=True)
class Story:
    """What the demo made: the captures, the verdicts, and where the documents are."""

    before: CaptureEvidence
    again: CaptureEvidence
    after: CaptureEvidence
    control: ComparisonEvidence
    verdict: ComparisonEvidence
    paths: tuple[Path, ...]
    report: Path

    @property
    def as_expected(self) -> bool:
        """Whether the control was unchanged and the deploy was found."""
        statuses = (
            self.control.normalized_result.overall_status,
            self.verdict.normalized_result.overall_status,
        )
        return statuses == ("unchanged", "changed")


async def tell_story(folder: Path, executable_path: str | None, say: Callable[[str], None]) -> Story:
    """Run the demo, writing its documents to ``folder`` and saying each step with ``say``.

    Raises what :func:`rea_capture.capture` raises, and :class:`OutputError` when
    ``folder`` cannot be written.
    """
    with open_shop(PASSWORD) as shop:
        say(f"The demo shop is open at {shop.origin}.")
        _write_scenario(shop, folder)
        before = await _captured(shop, "before the deploy", executable_path, say)
        again = await _captured(shop, "a second time, as the control", executable_path, say)
        shop.deploy()
        say("Deployed the new version of the shop.")
        after = await _captured(shop, "after the deploy", executable_path, say)
    control, verdict = await asyncio.to_thread(_compared, before, again, after)
    documents: dict[str, CaptureEvidence | ComparisonEvidence] = {
        "before.json": before,
        "again.json": again,
        "after.json": after,
        "control.json": control,
        "comparison.json": verdict,
    }
    paths = tuple(_written(folder / name, evidence) for name, evidence in documents.items())
    report = await asyncio.to_thread(_reported, folder / "report.html", paths)
    return Story(before, again, after, control, verdict, (folder / "scenario.json", *paths), report)


def told(story: Story) -> list[str]:
    """The end of the story: both verdicts with their reasons, and the documents."""
    lines = ["", "Control, the unchanged shop against itself:"]
    lines += verdict_words(story.control.normalized_result)
    lines += ["", "The deploy:"]
    lines += verdict_words(story.verdict.normalized_result)
    limitations = dict.fromkeys(
        sentence
        for evidence in (story.before, story.after, story.verdict)
        for sentence in evidence.limitations
    )
    lines += ["", "What the documents say they cannot know:"]
    lines += [f"  {sentence}" for sentence in limitations] or ["  nothing"]
    lines += ["", "Documents (each read back and verified):"]
    lines += [f"  {path}" for path in story.paths]
    lines += ["", "The same to look at, in any browser:", f"  {story.report}"]
    return lines


async def _captured(
    shop: Shop, when: str, executable_path: str | None, say: Callable[[str], None]
) -> CaptureEvidence:
    say(f"Capturing {when} ...")
    scenario = read_scenario(_scenario_bytes(shop))
    evidence = await capture(
        scenario, executable_path=executable_path, environ={**os.environ, PASSWORD_VARIABLE: PASSWORD}
    )
    result = evidence.normalized_result
    say(f"  {len(result.steps)} steps, {result.events.retained} events, {result.completeness.status}")
    for step in result.steps:
        if step.error is not None:
            say(f"  step {step.step_id} {step.status}: {step.error}")
    return evidence


def _compared(
    before: CaptureEvidence, again: CaptureEvidence, after: CaptureEvidence
) -> tuple[ComparisonEvidence, ComparisonEvidence]:
    return compare(before, again), compare(before, after)


def _scenario_bytes(shop: Shop) -> bytes:
    return json.dumps(tour(shop.origin, CUSTOMER), indent=2).encode("utf-8") + b"\n"


def _write_scenario(shop: Shop, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot make the folder {str(folder)!r}: {error.strerror}") from None
    write_document(folder / "scenario.json", _scenario_bytes(shop))


def _reported(path: Path, documents: Iterable[Path]) -> Path:
    report = read_report(NamedDocument(each.name, each.read_bytes) for each in documents)
    write_document(path, html_report(report))
    return path


def _written(path: Path, evidence: CaptureEvidence | ComparisonEvidence) -> Path:
    write_document(path, evidence_bytes(evidence))
    data = path.read_bytes()
    verify(data, path.name)
    if PASSWORD.encode() in data:
        raise DefectError(f"{path} holds the demo's secret")
    return path
