"""Which screenshots are in the file, each once, and in what form.

    1. Name each distinct picture by its digest: first those of changed artifacts, then of unknown ones, then
       the rest.
    2. What all of them may have together is shared out (``fitting``). A picture that fits is in the file as
       it was captured.
    3. One that does not is made smaller, by the mildest of a few ways that is likely to do; its form says
       which. The first may be written in full, as long as there are pixels left for it.
    4. What does not fit then, and what would be more work than one report is worth, is left out, with where
       to find it. What others may have grows by that.

Bounded by counts of bytes and pixels, never by the clock. A picture that cannot be read is left out.

Below: ``view``, ``fitting``, Pillow. Above: ``page``.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from rea_capture.contracts.artifacts import CapturedScreenshot, Screenshot
from rea_capture.contracts.capture import Step
from rea_capture.report.html.fitting import shares
from rea_capture.report.view import ComparisonView, Report, Side

MAX_PICTURE_BYTES: Final = 10 * 1024 * 1024
"""All pictures, as base64. With the texts it keeps a report under 15 MB, which a browser opens at once and a
pull request takes as an attachment."""

MAX_MADE_PIXELS: Final = 128 * 1024 * 1024
"""Pixels read and written where pictures are made smaller: 116 of 1280 by 720 that are reduced, 44 that are
written in full. Some two seconds on two processors."""

READ_PIXELS: Final = 1.25
WRITE_PIXELS: Final = 2.0
"""What each pixel of a picture counts for reading and reducing it, and for writing it in full; as they were
measured: 35 and 70 nanoseconds."""

MAX_ONE_PICTURE_PIXELS: Final = 32 * 1024 * 1024
"""Of one picture that is made smaller. Reading it takes four bytes each."""

WORKERS: Final = 2
"""Pillow works outside of Python's lock; two keep two processors busy."""

Form: TypeAlias = Literal["original", "lossless", "lossy", "smaller", "left_out"]


@dataclass(frozen=True, slots=True)
class Picture:
    """A distinct screenshot. ``width``, ``height`` and ``bytes`` are those of what was captured.

    ``data`` is what is in the file, as a data URL, and ``shown_width`` and ``shown_height`` are its pixels;
    null and 0 where it is left out, in which case ``note`` says where it is.
    """

    sha256: str
    width: int
    height: int
    bytes: int
    form: Form
    shown_width: int
    shown_height: int
    note: str | None
    data: str | None


@dataclass(frozen=True, slots=True)
class _Found:
    shot: Screenshot
    where: str


def pictures(report: Report) -> tuple[Picture, ...]:
    """Every distinct picture of ``report``, the most telling first."""
    found: dict[str, _Found] = {}
    for rank in _RANKS:
        for one in report.comparisons:
            for shot, where in _of_rank(one, rank):
                found.setdefault(shot.sha256, _Found(shot, where))
    jobs = _jobs(list(found.values()))
    with ThreadPoolExecutor(WORKERS) as pool:
        return tuple(pool.map(_run, jobs))


_RANKS: Final = ("changed", "unknown", "other")


def _of_rank(comparison: ComparisonView, rank: str) -> Iterator[tuple[Screenshot, str]]:
    for step in comparison.steps:
        status = next((one.status for one in step.artifacts if one.artifact == "screenshot"), "other")
        if (status if status in _RANKS else "other") == rank:
            for side, captured in (("before", step.before), ("after", step.after)):
                if (shot := screenshot_of(captured)) is not None:
                    yield shot, _where(comparison, side, step.step_id, shot)


def screenshot_of(step: Step | None) -> Screenshot | None:
    """The picture of a captured step, if it has one."""
    state = None if step is None else step.artifacts.screenshot
    return state.value if isinstance(state, CapturedScreenshot) else None


def _where(comparison: ComparisonView, side: Side | str, step_id: str, shot: Screenshot) -> str:
    view = comparison.before if side == "before" else comparison.after
    document = view.evidence_id or f"the document whose result has the SHA-256 {view.sha256}"
    return f"the capture {side}, {document}, has it at step {step_id}: SHA-256 {shot.sha256}"


@dataclass(frozen=True, slots=True)
class _Job:
    """What to do with a picture: ``max_characters`` of base64, whether all its pixels may be written again,
    and why it is to be left out, if it is."""

    found: _Found
    max_characters: int
    in_full: bool
    refused: bool


def _jobs(found: Sequence[_Found]) -> list[_Job]:
    """What is refused makes room for the rest; what is left of the pixels goes to the first."""
    needs = [len(one.shot.data_base64) for one in found]
    refused = _refused(found, shares(needs, MAX_PICTURE_BYTES))
    needs = [0 if no else need for need, no in zip(needs, refused, strict=True)]
    given = shares(needs, MAX_PICTURE_BYTES)
    sizes = [
        one.shot.width * one.shot.height if share < need else 0
        for one, need, share in zip(found, needs, given, strict=True)
    ]
    left = MAX_MADE_PIXELS - READ_PIXELS * sum(sizes)
    jobs = []
    for one, share, size, no in zip(found, given, sizes, refused, strict=True):
        in_full = left >= WRITE_PIXELS * size
        left -= WRITE_PIXELS * size if in_full else 0
        jobs.append(_Job(one, share, in_full, no))
    return jobs


def _refused(found: Sequence[_Found], given: Sequence[int]) -> list[bool]:
    """Which pictures have too many pixels, by themselves or after those before them, to be made smaller."""
    left: float = MAX_MADE_PIXELS
    refused = []
    for one, share in zip(found, given, strict=True):
        size = one.shot.width * one.shot.height
        fits = share >= len(one.shot.data_base64)
        no = not fits and (size > MAX_ONE_PICTURE_PIXELS or READ_PIXELS * size > left)
        left -= 0 if fits or no else READ_PIXELS * size
        refused.append(no)
    return refused


def _run(job: _Job) -> Picture:
    shot = job.found.shot
    kept = Picture(
        sha256=shot.sha256,
        width=shot.width,
        height=shot.height,
        bytes=shot.bytes,
        form="original",
        shown_width=shot.width,
        shown_height=shot.height,
        note=None,
        data=f"data:image/png;base64,{shot.data_base64}",
    )
    if job.max_characters >= len(shot.data_base64):
        return kept
    made = None
    if not job.refused:
        try:
            made = _made_smaller(kept, job)
        except (OSError, ValueError, SyntaxError):  # what Pillow raises for what is no picture
            made = None
    if made is not None:
        return made
    why = f"Left out: {'too many pixels to be made smaller' if job.refused else 'there is no room for it'}"
    return replace(
        kept, form="left_out", shown_width=0, shown_height=0, data=None, note=f"{why}; {job.found.where}."
    )


@dataclass(frozen=True, slots=True)
class _Way:
    """How to make a picture smaller, and what part of its size it is likely to have then, in percent."""

    form: Form
    divisor: int
    quality: int
    likely_percent: int


_WAYS: Final = (
    _Way("lossless", 1, 0, 60),
    _Way("lossy", 1, 75, 35),
    _Way("smaller", 2, 70, 15),
    _Way("smaller", 4, 60, 4),
)
"""From the mildest. The percentages are of screenshots of pages with text and photographs and only spare
trials: what is made is measured. The fastest lossless method of WebP makes flat pictures larger; the next
makes them half as large."""


def _made_smaller(kept: Picture, job: _Job) -> Picture | None:
    from PIL import Image  # noqa: PLC0415 - most reports need none

    whole = job.found.shot.data_base64
    png = base64.b64decode(whole)
    with Image.open(io.BytesIO(png), formats=("PNG",)) as opened:
        image = opened.convert("RGB")  # a screenshot is opaque
    for way in _WAYS:
        if len(whole) * way.likely_percent > job.max_characters * 100 and way is not _WAYS[-1]:
            continue
        if way.divisor == 1 and not job.in_full:
            continue
        one = image if way.divisor == 1 else image.reduce(way.divisor)
        if max(one.size) > _WEBP_PIXELS:
            continue
        encoded = io.BytesIO()
        one.save(
            encoded,
            "WEBP",
            lossless=way.form == "lossless",
            quality=way.quality,
            method=int(way.form == "lossless"),
        )
        data = base64.b64encode(encoded.getvalue()).decode("ascii")
        if len(data) <= job.max_characters:
            return replace(
                kept,
                form=way.form,
                shown_width=one.width,
                shown_height=one.height,
                note=_note(way, one.size),
                data=f"data:image/webp;base64,{data}",
            )
    return None


_WEBP_PIXELS: Final = 16_383
"""Largest side of a WebP picture (RFC 9649, section 2.7)."""


def _note(way: _Way, size: tuple[int, int]) -> str:
    if way.form == "lossless":
        return "Not the original file: encoded again, with the same pixels."
    if way.form == "lossy":
        return "Not the original: encoded again with losses, to make room."
    return f"Not the original: reduced to {size[0]} by {size[1]} pixels with losses, to make room."
