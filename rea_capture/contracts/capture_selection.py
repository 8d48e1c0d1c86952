"""What a scenario selects to be kept: artifacts, event families, network content, and how much of them.

Below: ``inputs``, ``selection``. Above: ``scenario``, and the capture that keeps to it.
"""

from __future__ import annotations

from rea_capture import limits
from rea_capture.contracts.base import PositiveSafeInteger
from rea_capture.contracts.inputs import InputModel
from rea_capture.contracts.selection import (
    ARTIFACT_NAMES,
    ArtifactName,
    EventFamily,
    RecordedLimits,
    RecordedNetworkContent,
    RecordedSelection,
)


class NetworkContentSelection(InputModel):
    """Which contents of network transactions to keep; any of them also turns the metadata on."""

    request_body: bool = False
    response_body: bool = False
    header_values: bool = False

    def __bool__(self) -> bool:
        return self.request_body or self.response_body or self.header_values


class LimitSelection(InputModel):
    """How much to retain. Allocation limits are estimates, in bytes (see the scenario document)."""

    max_events: PositiveSafeInteger = limits.DEFAULT_MAX_EVENTS
    max_event_bytes: PositiveSafeInteger = limits.DEFAULT_MAX_EVENT_BYTES
    max_total_event_bytes: PositiveSafeInteger = limits.DEFAULT_MAX_TOTAL_EVENT_BYTES
    max_network_transactions: PositiveSafeInteger = limits.DEFAULT_MAX_NETWORK_TRANSACTIONS
    max_network_body_bytes: PositiveSafeInteger = limits.DEFAULT_MAX_NETWORK_BODY_BYTES
    max_network_body_allocation_bytes: PositiveSafeInteger = limits.DEFAULT_MAX_NETWORK_BODY_ALLOCATION_BYTES
    max_network_header_bytes: PositiveSafeInteger = limits.DEFAULT_MAX_NETWORK_HEADER_BYTES
    max_network_metadata_bytes: PositiveSafeInteger = limits.DEFAULT_MAX_NETWORK_METADATA_BYTES


class CaptureSelection(InputModel):
    """What to keep and when: after each step, and once at the end."""

    after_each_step: tuple[ArtifactName, ...] = ()
    at_end: tuple[ArtifactName, ...] = ("url",)
    events: tuple[EventFamily, ...] = ()
    network: NetworkContentSelection = NetworkContentSelection()
    limits: LimitSelection = LimitSelection()

    def families(self) -> tuple[EventFamily, ...]:
        """The families observed, sorted and unique; selected network content implies ``network``."""
        implied: set[EventFamily] = {"network"} if self.network else set()
        return tuple(sorted({*self.events, *implied}))

    def record(self) -> RecordedSelection:
        """This selection as an Evidence document repeats it."""
        return RecordedSelection(
            after_each_step=tuple(name for name in ARTIFACT_NAMES if name in self.after_each_step),
            at_end=tuple(name for name in ARTIFACT_NAMES if name in self.at_end),
            events=self.families(),
            limits=RecordedLimits(**self.limits.model_dump()),
            network=RecordedNetworkContent(**self.network.model_dump()),
        )
