"""What is in the file before its script has run, and all there is where none runs: verdicts, counts, a table.

Below: ``view``, ``findings``, ``escaping``, ``wording``. Above: ``page``.
"""

from __future__ import annotations

from typing import Final

from rea_capture.contracts.comparison import Status
from rea_capture.report.findings import Finding, findings
from rea_capture.report.html.escaping import captured_html
from rea_capture.report.view import SIDES, ComparisonView, Counts, Report
from rea_capture.wording import counted, listed

MAX_NAME_CHARACTERS: Final = 200
MAX_SENTENCE_CHARACTERS: Final = 600
"""Of a name and of a sentence in the tables; the script shows them whole."""

MAX_SITES: Final = 4
"""Sites named above all; each comparison names its own."""

MAX_PLAIN_ROWS: Final = 500
"""Rows that a reader without scripts gets. More is not read in a table."""

VERDICTS: Final[dict[Status, str]] = {
    "changed": "Something that both captures saw is not the same.",
    "unchanged": "All that both captures were asked to look at was seen by both and is the same.",
    "unknown": "Whether anything changed cannot be said; each reason comes with what to do about it.",
}


def title(report: Report) -> str:
    """The title of the window, not escaped yet."""
    if len(report.comparisons) == 1:
        return f"{report.status}: {report.comparisons[0].name[:MAX_NAME_CHARACTERS]}"
    return f"{report.status}: {counted(len(report.comparisons), 'comparison')}"


def verdict(report: Report) -> str:
    """The verdict on the whole, the counts, and of which site at what times."""
    many = len(report.comparisons) > 1
    counts = f'<p class="counts">{_sentence(report.counts)}</p>'
    if many:
        found = [f"{count} {name}" for name, count in report.statuses.items() if count]
        counts = f'<p class="counts">Of {len(report.comparisons)} comparisons: {listed(found)}.</p>{counts}'
    return (
        f'<p class="verdict">{badge(report.status)} <span>{VERDICTS[report.status]}</span></p>'
        f"{counts}{_captured(report)}"
    )  # fmt: skip


def _captured(report: Report) -> str:
    """The sites and times of the captures at hand; nothing where there are none."""
    views = [(side, getattr(one, side).result) for one in report.comparisons for side in SIDES]
    known = [(side, result) for side, result in views if result is not None]
    if not known:
        return ""
    sites = list(dict.fromkeys(result.scenario.start_origin for _, result in known))
    named = listed((captured_html(site, MAX_NAME_CHARACTERS) for site in sites), MAX_SITES)
    if len(report.comparisons) == 1:
        times = ", ".join(f"{side} {_time(result.started_at, result.finished_at)}" for side, result in known)
    else:
        first = min(result.started_at for _, result in known)
        times = f"captured {_time(first, max(result.finished_at for _, result in known))}"
    return f'<p class="captured">Site: {named}; {times}.</p>'


def _time(start: str, end: str) -> str:
    return f"{captured_html(start, MAX_NAME_CHARACTERS)} to {captured_html(end, MAX_NAME_CHARACTERS)}"


def badge(status: str) -> str:
    """A status as a mark of its own: word, sign and colour."""
    return f'<strong class="badge {status}">{status.replace("_", " ")}</strong>'


def _sentence(counts: Counts) -> str:
    words = [f"{counted(counts.changed, 'artifact')} changed, {counts.unknown} unknown"]
    steps = {
        "changed": counts.steps_changed,
        "unknown": counts.steps_unknown,
        "unchanged": counts.steps_unchanged,
        "not aligned": counts.steps_not_aligned,
    }
    found = [f"{count} {name}" for name, count in steps.items() if count]
    words.append(f"{counted(counts.steps, 'step')}: {listed(found)}")
    return f"{'; '.join(words)}."


def index(report: Report) -> str:
    """The table of all comparisons; its links are what the script opens them by."""
    rows = "\n".join(_index_row(number, one) for number, one in enumerate(report.comparisons))
    return (
        '<div class="scroll" tabindex="0" role="region" aria-labelledby="index-title"><table>\n'
        "<thead><tr>" + "".join(f'<th scope="col">{name}</th>' for name in _COLUMNS) + "</tr></thead>\n"
        f"<tbody>\n{rows}\n</tbody></table></div>"
    )


_COLUMNS: Final = ("Comparison", "Verdict", "Changed", "Unknown", "Steps")


def _index_row(number: int, one: ComparisonView) -> str:
    name = captured_html(one.name, MAX_NAME_CHARACTERS)
    counts = one.counts
    cells = "".join(
        f'<td class="number">{count}</td>' for count in (counts.changed, counts.unknown, counts.steps)
    )
    return f'<tr><th scope="row"><a href="#c{number}">{name}</a></th><td>{badge(one.status)}</td>{cells}</tr>'


def plain_rows(report: Report) -> str:
    """For a reader without scripts: every finding, with the first sentence of its explanation."""
    found = [(one, finding) for one in report.comparisons for finding in findings(one)]
    shown = "\n".join(_plain_row(*row) for row in found[:MAX_PLAIN_ROWS])
    rest = len(found) - MAX_PLAIN_ROWS
    more = f"<p>{counted(rest, 'more row')}: {_NEEDS_SCRIPT}</p>" if rest > 0 else ""
    head = "".join(f'<th scope="col">{name}</th>' for name in ("Comparison", "Step", "Artifact", "Is", "Why"))
    return (
        f"<p>Scripts are off, so this is the short form. {_NEEDS_SCRIPT}</p>\n"
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead>\n<tbody>\n{shown}\n</tbody></table></div>'
        f"{more}"
    )


_NEEDS_SCRIPT: Final = "With scripts allowed, the file shows all that is in it; it never asks a network."


def _plain_row(one: ComparisonView, finding: Finding) -> str:
    cells = (
        captured_html(one.name, MAX_NAME_CHARACTERS),
        "" if finding.step_id is None else captured_html(finding.step_id, MAX_NAME_CHARACTERS),
        finding.subject,
        badge(finding.status),
        captured_html(_why(finding), MAX_SENTENCE_CHARACTERS),
    )
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _why(finding: Finding) -> str:
    return finding.reason if finding.recovery is None else f"{finding.reason} {finding.recovery}"
