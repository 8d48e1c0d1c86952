"""What an artifact does not hold, in sentences: closed shadow roots, child frames, painted-over regions.

Pure. Above: the reader. Below: nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

MAX_NAMES: Final = 8
"""Names one sentence lists; the count before them is always exact."""

MAX_NAME_CHARACTERS: Final = 100
"""Longest name in a sentence, so that all of them fit in one."""


def not_held(
    artifact: str, *, closed: tuple[str, ...] | None, left_out: int, frames: tuple[str, ...]
) -> tuple[str, ...]:
    """The notes about ``artifact``; names are redacted. ``closed`` is None when nobody could tell.

    ``left_out`` counts open roots that a document of this kind cannot spell.
    """
    parts = []
    if closed:
        parts.append(f"{_counted(len(closed), 'closed shadow root')} ({_listed(closed)})")
    if left_out:
        parts.append(_counted(left_out, "open shadow root"))
    if frames:
        parts.append(f"{_counted(len(frames), 'child frame')} ({_listed(frames)})")
    notes = [f"{artifact} does not hold the content of {' and '.join(parts)}."] if parts else []
    if closed is None:
        notes.append(f"Whether {artifact} leaves out closed shadow roots could not be determined.")
    return tuple(notes)


def painted_over_note(count: int) -> str:
    """The note of a screenshot of which ``count`` regions were painted over."""
    return f"screenshot has {_counted(count, 'region')} painted over that may show a secret."


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"


def _listed(names: Iterable[str]) -> str:
    distinct = sorted(set(names))
    shown = [_cut(name) for name in distinct[:MAX_NAMES]]
    rest = len(distinct) - len(shown)
    return ", ".join(shown) + (f" and {rest} more" if rest else "")


def _cut(name: str) -> str:
    return name if len(name) <= MAX_NAME_CHARACTERS else f"{name[:MAX_NAME_CHARACTERS]}…"
