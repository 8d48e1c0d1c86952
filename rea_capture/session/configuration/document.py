"""What a layer of the configuration can say: the settings of a session, each of them or none.

    allowedOrigins = ["http://127.0.0.1:8000"]

    [browser]
    product = "chromium"
    headless = false

    [credentials.password]
    source = "jsonFile"
    path = "accounts.json"
    entry = "password"

Below: ``contracts.runtime.settings``. Above: the other files of this package.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import ConfigDict, Field

from rea_capture.contracts.json_text import plain_json
from rea_capture.contracts.reading import validated
from rea_capture.contracts.runtime.base import Name, NonEmptyText, RuntimeModel
from rea_capture.contracts.runtime.policy import OriginPolicy
from rea_capture.contracts.runtime.settings import (
    MAX_CREDENTIALS,
    Adapter,
    AttachSettings,
    Credential,
    LaunchSettings,
    Product,
    SessionSettings,
    Viewport,
)

KEYS: Final = (
    "allowedOrigins",
    "artifactFolder",
    "adapter",
    "browser.mode",
    "browser.product",
    "browser.executablePath",
    "browser.headless",
    "browser.viewport.width",
    "browser.viewport.height",
    "browser.cdpEndpoint",
    "browser.targetId",
)
"""Every key that has a value of its own, beside ``credentials.NAME``, in the order of showing them."""

CREDENTIALS: Final = "credentials."


class _Layer(RuntimeModel):
    model_config = ConfigDict(validate_by_name=False)


class LayerViewport(_Layer):
    """CSS pixels."""

    width: Annotated[int, Field(ge=1, le=8_192)] | None = None
    height: Annotated[int, Field(ge=1, le=8_192)] | None = None


class LayerBrowser(_Layer):
    """Of both ways to have a browser; which one is ``mode``, or what only one of them has."""

    mode: Annotated[str, Field(pattern="^(launch|attach)$")] | None = None
    product: Product | None = None
    executable_path: NonEmptyText | None = None
    headless: bool | None = None
    viewport: LayerViewport = LayerViewport()
    cdp_endpoint: NonEmptyText | None = None
    target_id: NonEmptyText | None = None


class Layer(_Layer):
    """A layer. ``artifactFolder`` is for who opens the session, and never goes to the worker."""

    allowed_origins: OriginPolicy | None = None
    artifact_folder: NonEmptyText | None = None
    adapter: Adapter | None = None
    browser: LayerBrowser = LayerBrowser()
    credentials: Annotated[dict[Name, Credential], Field(max_length=MAX_CREDENTIALS)] = Field(default={})


def read_layer(document: Mapping[str, Any], *, what: str) -> dict[str, Any]:
    """The values of ``document``, by key. Raises :class:`InputError` with every fault, naming ``what``."""
    data = json.dumps(document, default=_no_json).encode("utf-8", "surrogatepass")
    layer: Layer = validated(data, plain_json(data, what=what), Layer, what=what)
    return flat(layer.wire())


def flat(document: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a ``document`` that is valid, by key."""
    values: dict[str, Any] = {}
    browser = dict(document.get("browser", {}))
    viewport = browser.pop("viewport", {})
    values.update({key: document[key] for key in KEYS if key in document})
    values.update({f"browser.{key}": value for key, value in browser.items()})
    values.update({f"browser.viewport.{key}": value for key, value in viewport.items()})
    values.update({f"{CREDENTIALS}{name}": each for name, each in document.get("credentials", {}).items()})
    return values


def built_in() -> dict[str, Any]:
    """What holds when nobody says anything, by key."""
    defaults = flat(SessionSettings().wire())
    return {**defaults, **flat({"browser": LaunchSettings(viewport=Viewport()).wire()})}


def keys_of_mode(mode: str) -> frozenset[str]:
    """The keys of ``browser`` that mean something in ``mode``."""
    model = AttachSettings if mode == "attach" else LaunchSettings
    names = {field.alias for field in model.model_fields.values()} - {"viewport"}
    sides = {"browser.viewport.width", "browser.viewport.height"} if mode == "launch" else set()
    return frozenset({f"browser.{name}" for name in names} | sides)


def _no_json(value: object) -> list[str]:
    """A date or a time of TOML, as what is no value of any key."""
    return [str(value)]
