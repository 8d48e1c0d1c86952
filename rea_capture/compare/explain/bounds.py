"""What explaining one comparison may take: counts of work, never time, so it is the same on every machine.

Each artifact has bounds of its own besides, where they are used. Those of the whole keep a comparison of a
hundred steps, each as bad as a page can make it, below a minute.

Below: ``common_runs``, ``wording``. Above: ``explain``, and what explains a kind of artifact.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Literal, TypeAlias

from rea_capture.compare.explain.text.common_runs import Steps
from rea_capture.wording import counted

MAX_EXPLANATIONS_BYTES: Final = 4 * 1024 * 1024
"""All explanations of one comparison, in bytes of JSON: as much as a document of some hundred changed
artifacts takes, and little beside the captures."""

MAX_EXPLAINED_PIXELS: Final = 256 * 1024 * 1024
"""Pixels of all pictures of one comparison, both sides counted: 145 pairs of 1280 by 720, a few seconds."""

MAX_EXPLAINED_CHARACTERS: Final = 256 * 1024 * 1024
"""Characters of all texts and values of one comparison, both sides counted."""

MAX_EXPLAINED_PARSE_STEPS: Final = 20_000_000
"""Of all documents whose elements are compared (``parse_cost``): fifty of 20,000 elements, some seconds; made
to be slow, less than twenty."""

MAX_EXPLAINED_STEPS: Final = 40_000_000
"""Of all differences of lines and elements (``common_runs``): ten seconds."""

MAX_EXPLAINED_PAIRS: Final = 1_000_000
"""Pairs of URLs looked at for likeness (``pairing``): five seconds."""

MAX_EXPLAINED_CHANGES: Final = 20_000
"""Changes of all values: each is compared with a library that takes a quarter of a millisecond for it."""

Bound: TypeAlias = Literal["bytes", "pixels", "characters", "parse_steps", "steps", "pairs", "changes"]


class SpentError(Exception):
    """A bound of the whole comparison is used up; the message says which."""


class Bounds:
    """What is left of the bounds of one comparison."""

    def __init__(self) -> None:
        self._left: dict[Bound, int] = {
            "bytes": MAX_EXPLANATIONS_BYTES,
            "pixels": MAX_EXPLAINED_PIXELS,
            "characters": MAX_EXPLAINED_CHARACTERS,
            "parse_steps": MAX_EXPLAINED_PARSE_STEPS,
            "steps": MAX_EXPLAINED_STEPS,
            "pairs": MAX_EXPLAINED_PAIRS,
            "changes": MAX_EXPLAINED_CHANGES,
        }

    def has_taken(self, bound: Bound, count: int) -> bool:
        """Whether ``count`` were left; then they are taken."""
        if count > self._left[bound]:
            return False
        self._left[bound] -= count
        return True

    def take(self, bound: Literal["bytes", "pixels", "characters"], count: int) -> None:
        """Raises :class:`SpentError` where fewer than ``count`` are left."""
        if not self.has_taken(bound, count):
            if bound == "bytes":
                self._left[bound] = 0  # or each that is too large would still be made
            raise SpentError(_said(bound))

    @contextmanager
    def some(self, bound: Literal["steps", "pairs", "changes"], most: int) -> Iterator[Steps]:
        """No more than ``most``, of which those are taken that are used.

        Of ``steps``, whose use is not known before, the last ones may be more than there are. Raises
        :class:`SpentError` where no steps or changes are left.
        """
        left = self._left[bound]
        if left <= 0 and bound != "pairs":
            raise SpentError(_said(bound))
        given = most if bound == "steps" else min(most, left)
        steps = Steps(given)
        yield steps
        self._left[bound] -= given - steps.left


def _said(bound: Bound) -> str:
    sentences: dict[Bound, str] = {
        "bytes": f"the explanations of one comparison take up to {counted(MAX_EXPLANATIONS_BYTES, 'byte')}",
        "pixels": f"pictures of one comparison are explained up to {counted(MAX_EXPLAINED_PIXELS, 'pixel')}",
        "characters": "texts and values of one comparison are explained up to "
        + counted(MAX_EXPLAINED_CHARACTERS, "character"),
        "steps": f"lines of one comparison are compared in up to {counted(MAX_EXPLAINED_STEPS, 'step')}",
        "changes": f"values of one comparison are explained up to {counted(MAX_EXPLAINED_CHANGES, 'change')}",
    }
    return sentences[bound]
