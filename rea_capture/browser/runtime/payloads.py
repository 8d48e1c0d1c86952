"""Artifacts as they go to the session's owner: bytes in base64, of a bounded size.

Pure, but for Pillow, which only a picture that is too large needs.

Below: ``contracts.runtime``. Above: ``keeping``, ``screenshot``, ``evidence``.
"""

from __future__ import annotations

import base64
import io
import math
from collections.abc import Sequence
from typing import Final

import orjson

from rea_capture.contracts.runtime.budgets import MAX_DIAGNOSTICS_BYTES, MAX_FRAME_BYTES, MAX_SCREENSHOT_BYTES
from rea_capture.contracts.runtime.results import ArtifactKind, ArtifactPayload, ContentType, Diagnostics

AROUND_BYTES: Final = 1024 * 1024
"""Set aside for what stands around artifacts in a line: diagnostics once more, sentences, names."""

SMALLER: Final = 0.9
"""Of the factor that would do if a picture's bytes grew with its pixels."""

MAX_ATTEMPTS: Final = 8
"""A picture of noise is below any bound after fewer."""


def payload_of(
    kind: ArtifactKind, content_type: ContentType, data: bytes, *, truncated: bool = False
) -> ArtifactPayload:
    """``data`` on its way."""
    return ArtifactPayload(
        kind=kind,
        content_type=content_type,
        data_base64=base64.b64encode(data).decode("ascii"),
        byte_length=len(data),
        truncated=truncated,
    )


def room_left(artifacts: Sequence[ArtifactPayload]) -> int:
    """How many bytes another artifact may have, so that all of them fit into one line of the transport."""
    taken = sum(len(artifact.data_base64) for artifact in artifacts)
    return max(0, (MAX_FRAME_BYTES - AROUND_BYTES - taken) * 3 // 4)


def diagnostics_payload(diagnostics: Diagnostics) -> tuple[ArtifactPayload, Diagnostics]:
    """``diagnostics`` as an artifact of at most ``MAX_DIAGNOSTICS_BYTES``, and what of it that holds.

    What does not fit is left out from its oldest entry on, and counted.
    """
    held, truncated = diagnostics, False
    while len(data := orjson.dumps(held.wire())) > MAX_DIAGNOSTICS_BYTES and (held.console or held.network):
        held, truncated = _without_oldest(held), True
    return payload_of("diagnostics", "application/json", data, truncated=truncated), held


def _without_oldest(diagnostics: Diagnostics) -> Diagnostics:
    """Without the older half of the longer list."""
    console, network = diagnostics.console, diagnostics.network
    if len(console) >= len(network):
        gone = console[: (len(console) + 1) // 2]
        kept = {"console": console[len(gone) :]}
        return diagnostics.model_copy(
            update={**kept, "console_omitted": diagnostics.console_omitted + sum(e.count for e in gone)}
        )
    lost = network[: (len(network) + 1) // 2]
    return diagnostics.model_copy(
        update={
            "network": network[len(lost) :],
            "network_omitted": diagnostics.network_omitted + sum(entry.count for entry in lost),
        }
    )


def picture_payload(png: bytes, max_bytes: int = MAX_SCREENSHOT_BYTES) -> tuple[ArtifactPayload | None, str]:
    """``png``, made smaller where it has more than ``max_bytes``, and a sentence about that or nothing.

    Raises ``OSError`` or ``ValueError`` when it is no picture.
    """
    if len(png) <= max_bytes:
        return payload_of("screenshot", "image/png", png), ""
    small, percent = _scaled_down(png, max_bytes)
    if small is None:
        return None, f"The picture has more than {max_bytes} bytes however small it is made."
    said = f"The picture was made smaller, to {percent} % of its width, to stay within {max_bytes} bytes."
    return payload_of("screenshot", "image/png", small, truncated=True), said


def _scaled_down(png: bytes, max_bytes: int) -> tuple[bytes | None, int]:
    from PIL import Image  # noqa: PLC0415  # 30 ms that only a picture that is too large pays

    with Image.open(io.BytesIO(png), formats=["PNG"]) as image:
        whole = image.convert("RGB")
    factor, size = 1.0, len(png)
    for _ in range(MAX_ATTEMPTS):
        factor *= math.sqrt(max_bytes / size) * SMALLER
        sides = max(1, round(whole.width * factor)), max(1, round(whole.height * factor))
        out = io.BytesIO()
        whole.resize(sides, Image.Resampling.BOX).save(out, format="PNG")
        if (size := out.tell()) <= max_bytes:
            return out.getvalue(), round(100 * factor)
    return None, 0
