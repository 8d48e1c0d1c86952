"""What holds, of all that is said, and who said it.

    1. Each key has the value of the first layer that has it.
    2. Where no layer has ``browser.mode``, or a higher one has what only one mode has, that is the mode.
    3. A browser's product that is named above an executable's path is not to be that executable, and a page
       that is named below an endpoint is not of that endpoint: these are not used.
    4. What the mode has no use for is not used.

Below: ``document``, ``files``, ``environment``. Above: ``configuration``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal

from rea_capture.contracts.json_text import plain_json
from rea_capture.contracts.reading import validated
from rea_capture.contracts.runtime.settings import SessionSettings
from rea_capture.errors import Fault, InputError
from rea_capture.session.configuration.document import (
    CREDENTIALS,
    KEYS,
    built_in,
    keys_of_mode,
    read_layer,
)
from rea_capture.session.configuration.environment import values_of
from rea_capture.session.configuration.files import (
    ConfigurationFile,
    project_file,
    read_file,
    user_file,
)

LayerName = Literal["call", "project", "user", "environment", "built-in"]

_WHAT: Final = "configuration"
_SIGNS: Final = {"attach": ("browser.cdpEndpoint",), "launch": ("browser.product", "browser.executablePath")}
"""What only one mode has, and who says it means that mode."""

_OVERRULED: Final = {
    "browser.executablePath": "browser.product",
    "browser.targetId": "browser.cdpEndpoint",
}
"""What goes with another key, and is not used when a higher layer has said that one."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Who said a value: ``where`` is the file or the variable, ``line`` that of the file, from 1."""

    layer: LayerName
    where: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """A value of plain JSON, and who said it."""

    key: str
    value: Any
    origin: Origin


@dataclass(frozen=True, slots=True)
class Configuration:
    """What a session is opened with. ``unused`` was said too, and has no use beside the rest."""

    settings: SessionSettings
    artifact_folder: Path | None
    values: tuple[Setting, ...]
    unused: tuple[Setting, ...]


_Layer = dict[str, Setting]


def configured(
    call: SessionSettings | Mapping[str, Any], *, folder: Path, environ: Mapping[str, str]
) -> Configuration:
    """The settings for a session that is opened now from ``folder``.

    ``call`` is what the call itself says, by the names of the wire: of :class:`SessionSettings`, what was
    set. ``environ`` has the variables and says where home is; the user's file is that of this process.
    Raises :class:`InputError` with everything that is wrong with the first layer that is.
    """
    if isinstance(call, SessionSettings):
        call = call.model_dump(mode="json", by_alias=True, exclude_unset=True)
    said = {key: Setting(key, value, Origin("call")) for key, value in read_layer(call, what="call").items()}
    whole = merged([said, *_layers(folder, environ)])
    return (
        whole
        if whole.artifact_folder is None
        else replace(whole, artifact_folder=folder / whole.artifact_folder)
    )


def _layers(folder: Path, environ: Mapping[str, str]) -> Iterator[_Layer]:
    """Every layer below the call, the highest first."""
    if (project := project_file(folder, environ)) is not None:
        yield _of_file(read_file("project", project))
    yield _of_file(read_file("user", user_file()))
    yield {
        key: Setting(key, value, Origin("environment", variable))
        for key, (value, variable) in values_of(environ).items()
    }
    yield {key: Setting(key, value, Origin("built-in")) for key, value in built_in().items()}


def _of_file(file: ConfigurationFile | None) -> _Layer:
    if file is None:
        return {}
    where = str(file.path)
    return {
        key: Setting(key, value, Origin(file.scope, where, file.lines[key]))
        for key, value in file.values.items()
    }


def merged(layers: Sequence[_Layer]) -> Configuration:
    """What holds of ``layers``, the highest first. Raises :class:`InputError`."""
    mode = _mode(layers)
    found = {key: each for layer in reversed(layers) for key, each in layer.items()} | {mode.key: mode}
    useful = keys_of_mode(mode.value)
    unused = {key for key in found if key.startswith("browser.") and key not in useful}
    for key, other in _OVERRULED.items():
        if key in found and _rank(other, layers) < _rank(key, layers):
            unused.add(key)
    values = {key: found[key] for key in _in_order(found) if key not in unused}
    folder = values.get("artifactFolder")
    return Configuration(
        settings=_settings(values),
        artifact_folder=None if folder is None else Path(folder.value),
        values=tuple(values.values()),
        unused=tuple(found[key] for key in _in_order(found) if key in unused),
    )


def _mode(layers: Sequence[_Layer]) -> Setting:
    for layer in layers:
        if "browser.mode" in layer:
            return layer["browser.mode"]
        meant = {mode: layer[key] for mode, keys in _SIGNS.items() for key in keys if key in layer}
        if len(meant) > 1:
            fault = Fault("/browser/mode", "must say launch or attach, where the rest is of both")
            where = meant["attach"].origin.where
            raise InputError(
                f"the {_WHAT} is not valid: {fault}", [Fault(fault.pointer, fault.message, where)]
            )
        for mode, sign in meant.items():
            return Setting("browser.mode", mode, sign.origin)
    raise AssertionError("what is built in has a mode")


def _rank(key: str, layers: Sequence[_Layer]) -> int:
    return next((rank for rank, layer in enumerate(layers) if key in layer), len(layers))


def _in_order(found: Mapping[str, Setting]) -> list[str]:
    return [*(key for key in KEYS if key in found), *sorted(key for key in found if key not in KEYS)]


def _settings(values: Mapping[str, Setting]) -> SessionSettings:
    """The settings that ``values`` make. Each is valid by itself; what may be missing is the endpoint."""
    document: dict[str, Any] = {"browser": {}, "credentials": {}}
    for key, each in values.items():
        if key.startswith(CREDENTIALS):
            document["credentials"][key.removeprefix(CREDENTIALS)] = each.value
        elif key.startswith("browser.viewport."):
            document["browser"].setdefault("viewport", {})[key.rpartition(".")[2]] = each.value
        elif key.startswith("browser."):
            document["browser"][key.removeprefix("browser.")] = each.value
        elif key != "artifactFolder":
            document[key] = each.value
    data = json.dumps(document).encode()
    settings: SessionSettings = validated(data, plain_json(data, what=_WHAT), SessionSettings, what=_WHAT)
    return settings
