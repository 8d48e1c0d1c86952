"""The report of a run as a document.

Below: ``contracts.runtime.run_report``. Above: ``rea browser run``.
"""

from __future__ import annotations

import json

from rea_capture.contracts.runtime.run_report import RunReport


def report_bytes(report: RunReport) -> bytes:
    """``report`` as JSON for people and programs: UTF-8, indented, a line feed at its end."""
    text = json.dumps(report.wire(), ensure_ascii=False, indent=2)
    return f"{text}\n".encode("utf-8", "replace")
