"""Run every hostile page at full size and print the table: ``python -m tests.hostile [--only PATTERN]``.

With ``--write FILE`` the table in that file is replaced; with ``--only``, just the rows that were run, and
the bounds of the others.

Below: ``table``, ``running``, ``report``. Above: ``nox -s hostile``.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path

from rea_capture.browser.discovery import find_browser
from tests.bench.__main__ import machine
from tests.hostile.judging import problems
from tests.hostile.report import Row, bounded, row_of, rows_of, with_rows
from tests.hostile.running import run_case
from tests.hostile.table import at_full_size


def main() -> int:
    """Run, print, write. Returns 1 when a case was not as it says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", metavar="PATTERN")
    parser.add_argument("--write", type=Path, help="replace the table of this Markdown file")
    options = parser.parse_args()
    browser = os.environ.get("REA_EXECUTABLE_PATH") or find_browser()
    if not browser:
        raise SystemExit("no Chrome-family browser found; set REA_EXECUTABLE_PATH")
    measured: dict[str, Row] = {}
    failed = 0
    for case in at_full_size():
        if not re.search(options.only, case.name):
            continue
        outcome = run_case(case, browser)
        found = problems(case, outcome)
        measured[case.name] = row = row_of(case, outcome)
        failed += bool(found)
        lines = [f"{row.took_s:>7} s  {row.case}: {row.found}", *(f"           ! {each}" for each in found)]
        sys.stdout.write("\n".join(lines) + "\n")
        sys.stdout.flush()
    if options.write:
        text = options.write.read_text("utf-8")
        known = {row.case: row for row in rows_of(text)} | measured
        rows = [bounded(known[case.name], case) for case in at_full_size() if case.name in known]
        options.write.write_text(
            with_rows(text, f"{machine()}, load {os.getloadavg()[0]:.0f}", rows), "utf-8"
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
