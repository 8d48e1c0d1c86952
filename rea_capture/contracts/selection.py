"""What a capture keeps: artifacts, event families, network content, and how much of them.

The names that a scenario selects by, and the selection as an Evidence document repeats it.

Below: ``base``. Above: ``capture_selection``, ``capture``, ``evidence``.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

from rea_capture.contracts.base import PositiveSafeInteger, record

ArtifactName = Literal["screenshot", "dom", "accessibility", "url", "history", "storage"]
ARTIFACT_NAMES: Final[tuple[ArtifactName, ...]] = get_args(ArtifactName)

EventFamily = Literal[
    "console", "page-errors", "network", "websockets", "frames", "workers", "popups", "downloads"
]
EVENT_FAMILIES: Final[tuple[EventFamily, ...]] = get_args(EventFamily)


@record
class RecordedNetworkContent:
    """The resolved network content selection."""

    header_values: bool
    request_body: bool
    response_body: bool


@record
class RecordedLimits:
    """The resolved limits."""

    max_event_bytes: PositiveSafeInteger
    max_events: PositiveSafeInteger
    max_network_body_allocation_bytes: PositiveSafeInteger
    max_network_body_bytes: PositiveSafeInteger
    max_network_header_bytes: PositiveSafeInteger
    max_network_metadata_bytes: PositiveSafeInteger
    max_network_transactions: PositiveSafeInteger
    max_total_event_bytes: PositiveSafeInteger


@record
class RecordedSelection:
    """The resolved selection; artifacts in the order of ``ARTIFACT_NAMES``, families sorted."""

    after_each_step: tuple[ArtifactName, ...]
    at_end: tuple[ArtifactName, ...]
    events: tuple[EventFamily, ...]
    limits: RecordedLimits
    network: RecordedNetworkContent
