"""Looking at what was read."""

from __future__ import annotations

import base64
import io
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any

from PIL import Image

from rea_capture.browser.artifacts import ArtifactReader
from rea_capture.contracts.artifacts import Artifacts
from tests.loopback import Seen

Attach = Callable[..., Awaitable[ArtifactReader]]
Color = tuple[int, int, int]


def value(artifacts: Artifacts, name: str) -> Any:
    """The captured value of artifact ``name``; the test fails with the reason when there is none."""
    state = getattr(artifacts, name)
    assert state.state == "captured", state
    return state.value


def reason(artifacts: Artifacts, name: str) -> str:
    """Why artifact ``name`` is missing."""
    state = getattr(artifacts, name)
    assert state.state == "missing", state
    assert state.reason.isprintable()
    return str(state.reason)


def never_answered(connection: BaseHTTPRequestHandler, _: Seen) -> None:
    """A route that holds the connection until the browser gives up."""
    connection.rfile.read()


@dataclass(frozen=True)
class Picture:
    """A screenshot to look at."""

    image: Image.Image

    @classmethod
    def of(cls, artifacts: Artifacts) -> Picture:
        data = base64.b64decode(value(artifacts, "screenshot").data_base64)
        return cls(Image.open(io.BytesIO(data)).convert("RGB"))

    def colors(self, left: int, top: int, right: int, bottom: int) -> set[Color]:
        """Every colour inside the rectangle."""
        found = self.image.crop((left, top, right, bottom)).getcolors(1 << 24)
        assert found is not None
        return {color for _, color in found if isinstance(color, tuple)}  # type: ignore[misc]  # RGB
