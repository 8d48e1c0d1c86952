"""Who made a document.

Below: ``base``. Above: ``capture_evidence``, ``comparison_evidence``.
"""

from __future__ import annotations

from rea_capture.contracts.base import record


@record
class Provider:
    """The program that made the document."""

    id: str
    name: str
    version: str
