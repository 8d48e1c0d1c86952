"""The table of ``docs/reliability.md``: written from what was measured, read to be checked.

Below: ``case``, ``running``. Above: ``__main__``, the tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from tests.hostile.case import Case
from tests.hostile.running import Outcome

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "reliability.md"
START: Final = "<!-- hostile pages -->"
END: Final = "<!-- /hostile pages -->"
HEAD: Final = (
    "| case | bound (s) | took (s) | states found | leftovers |",
    "| --- | --- | --- | --- | --- |",
)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table, in its words."""

    case: str
    bound_s: str
    took_s: str
    found: str
    leftovers: str


def row_of(case: Case, outcome: Outcome) -> Row:
    """What was measured of ``case``."""
    found = outcome.result.summary() if outcome.result else f"no Evidence, status {outcome.status}"
    return Row(case.name, f"{case.bound_s:.1f}", f"{outcome.took_s:.1f}", found, str(len(outcome.leftovers)))


def bounded(row: Row, case: Case) -> Row:
    """``row`` with the bound that ``case`` has by now."""
    return replace(row, bound_s=f"{case.bound_s:.1f}")


def rows_of(text: str) -> list[Row]:
    """The rows of the table in ``text``."""
    _, _, rest = text.partition(START)
    lines = rest.partition(END)[0].splitlines()
    table = [line for line in lines if line.startswith("|")]
    return [Row(*(cell.strip() for cell in line.strip("|").split("|"))) for line in table[len(HEAD) :]]


def with_rows(text: str, machine: str, rows: Sequence[Row]) -> str:
    """``text`` with its table replaced."""
    head, _, rest = text.partition(START)
    _, _, tail = rest.partition(END)
    lines = [f"| {row.case} | {row.bound_s} | {row.took_s} | {row.found} | {row.leftovers} |" for row in rows]
    table = "\n".join([machine, "", *HEAD, *lines])
    return f"{head}{START}\n{table}\n{END}{tail}"
