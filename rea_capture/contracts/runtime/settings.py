"""What a session is opened with.

Below: ``base``, ``policy``, ``contracts``. Above: configuration, the runtime, the transport, scenario files.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import Discriminator, Field, Tag

from rea_capture.contracts.runtime.base import Name, NonEmptyText, RuntimeModel, Text
from rea_capture.contracts.runtime.budgets import MODEL
from rea_capture.contracts.runtime.policy import OriginPolicy

MAX_CREDENTIALS: Final = 64
MAX_ARGUMENTS: Final = 64

Product = Literal["chromium", "chrome", "vivaldi", "firefox", "webkit"]
"""``firefox`` and ``webkit`` are known, to be refused by name."""


class Viewport(RuntimeModel):
    """CSS pixels."""

    width: Annotated[int, Field(ge=1, le=8_192)] = 1280
    height: Annotated[int, Field(ge=1, le=8_192)] = 720


class LaunchSettings(RuntimeModel):
    """A browser of the session's own. ``executablePath`` overrides where ``product`` is looked for."""

    mode: Literal["launch"] = "launch"
    product: Product | None = None
    executable_path: NonEmptyText | None = None
    headless: bool = True
    viewport: Viewport = Viewport()


class AttachSettings(RuntimeModel):
    """Somebody else's browser, leased for the session and left running after it."""

    mode: Literal["attach"] = "attach"
    cdp_endpoint: NonEmptyText
    target_id: NonEmptyText | None = None
    """The page to begin with; else the session opens a tab of its own and closes it again."""


def mode(browser: Any) -> str:
    """Which is meant: what is said, else ``attach`` for what has an endpoint, else ``launch``."""
    if not isinstance(browser, dict):
        return "attach" if isinstance(browser, AttachSettings) else "launch"
    said = browser.get("mode", "attach" if {"cdpEndpoint", "cdp_endpoint"} & browser.keys() else "launch")
    return said if isinstance(said, str) else "neither"


BrowserSettings = Annotated[
    Annotated[LaunchSettings, Tag("launch")] | Annotated[AttachSettings, Tag("attach")], Discriminator(mode)
]


class LiteralCredential(RuntimeModel):
    source: Literal["literal"]
    value: Text


class EnvironmentCredential(RuntimeModel):
    source: Literal["environment"]
    variable: NonEmptyText


class FileCredential(RuntimeModel):
    """The file's text without the line end at its end."""

    source: Literal["file"]
    path: NonEmptyText


class JsonFileCredential(RuntimeModel):
    """The string at the top-level ``entry`` of a JSON object."""

    source: Literal["jsonFile"]
    path: NonEmptyText
    entry: NonEmptyText


Credential = Annotated[
    LiteralCredential | EnvironmentCredential | FileCredential | JsonFileCredential,
    Field(discriminator="source"),
]


class AccessibleNameAdapter(RuntimeModel):
    """The built-in one: the single element whose accessible name the instruction quotes. No model."""

    kind: Literal["accessible-name"]


class CommandAdapter(RuntimeModel):
    """A program that reads one JSON object and writes one. Never started through a shell."""

    kind: Literal["command"]
    argv: Annotated[tuple[NonEmptyText, ...], Field(min_length=1, max_length=MAX_ARGUMENTS)]
    timeout_ms: Annotated[int, Field(ge=1, le=MODEL.ceiling_ms)] = MODEL.default_ms


Adapter = Annotated[AccessibleNameAdapter | CommandAdapter, Field(discriminator="kind")]


class SessionSettings(RuntimeModel):
    """All that ``open`` takes."""

    browser: BrowserSettings = LaunchSettings()
    allowed_origins: OriginPolicy = "*"
    credentials: Annotated[dict[Name, Credential], Field(max_length=MAX_CREDENTIALS)] = Field(default={})
    adapter: Adapter | None = None
