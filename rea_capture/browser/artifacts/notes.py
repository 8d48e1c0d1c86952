"""What an artifact does not hold, in sentences: closed shadow roots, child frames, painted-over regions.

Pure. Below: ``wording``. Above: the reader.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rea_capture.wording import counted, listed, shortened

MAX_NAMES: Final = 8
"""Names one sentence lists; the count before them is always exact."""

MAX_NAME_CHARACTERS: Final = 80
"""Longest name in a sentence, so that all of them fit in one."""


def not_held(
    artifact: str, *, closed: tuple[str, ...] | None, left_out: int, frames: tuple[str, ...]
) -> tuple[str, ...]:
    """The notes about ``artifact``; names are redacted. ``closed`` is None when nobody could tell.

    ``left_out`` counts open roots that a document of this kind cannot spell.
    """
    parts = []
    if closed:
        parts.append(f"{counted(len(closed), 'closed shadow root')} ({_named(closed)})")
    if left_out:
        parts.append(counted(left_out, "open shadow root"))
    if frames:
        parts.append(f"{counted(len(frames), 'child frame')} ({_named(frames)})")
    notes = [f"{artifact} does not hold the content of {listed(parts)}."] if parts else []
    if closed is None:
        notes.append(f"Whether {artifact} leaves out closed shadow roots could not be determined.")
    return tuple(notes)


def painted_over_note(count: int) -> str:
    """The note of a screenshot of which ``count`` regions were painted over."""
    return f"screenshot has {counted(count, 'region')} painted over that may show a secret."


def _named(names: Iterable[str]) -> str:
    return listed((shortened(name, MAX_NAME_CHARACTERS) for name in sorted(set(names))), MAX_NAMES)
