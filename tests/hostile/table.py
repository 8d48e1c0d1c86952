"""Every hostile page, in the order of the table in ``docs/reliability.md``.

Below: ``cases``. Above: the tests, and ``__main__``, which writes that table.
"""

from __future__ import annotations

from typing import Final

from tests.hostile.case import Case
from tests.hostile.cases import amounts, bodies, frames, navigation, scripts

CASES: Final[tuple[Case, ...]] = (
    *scripts.CASES,
    *navigation.CASES,
    *amounts.CASES,
    *frames.CASES,
    *bodies.CASES,
)


def at_full_size() -> tuple[Case, ...]:
    """Every case as large as it gets."""
    return tuple(case.full or case for case in CASES)
