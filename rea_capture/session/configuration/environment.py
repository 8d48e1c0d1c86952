"""What environment variables say of the configuration.

Below: ``document``. Above: ``effective``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from rea_capture.browser.discovery import EXECUTABLE_VARIABLE
from rea_capture.contracts.reading import summary
from rea_capture.errors import Fault, InputError
from rea_capture.session.configuration.document import read_layer

VARIABLES: Final[Mapping[str, str]] = {
    "REA_BROWSER_ALLOWED_ORIGINS": "allowedOrigins",
    "REA_BROWSER_ARTIFACT_FOLDER": "artifactFolder",
    "REA_BROWSER_MODE": "browser.mode",
    "REA_BROWSER_PRODUCT": "browser.product",
    EXECUTABLE_VARIABLE: "browser.executablePath",
    "REA_BROWSER_HEADLESS": "browser.headless",
    "REA_BROWSER_VIEWPORT": "browser.viewport",
    "REA_BROWSER_CDP_ENDPOINT": "browser.cdpEndpoint",
    "REA_BROWSER_TARGET_ID": "browser.targetId",
}
"""Each variable and its key. Empty ones say nothing.

``REA_BROWSER_ALLOWED_ORIGINS`` is ``*`` or origins with spaces or commas between them;
``REA_BROWSER_HEADLESS`` is ``true`` or ``false``, or 1 or 0; ``REA_BROWSER_VIEWPORT`` is as ``1280x720``.
"""

_WHAT: Final = "configuration"
_TRUTH: Final = {"true": True, "1": True, "false": False, "0": False}
_SIZE: Final = re.compile(r"([0-9]{1,5})x([0-9]{1,5})")


def values_of(environ: Mapping[str, str]) -> dict[str, tuple[Any, str]]:
    """By key, the value and the variable that says it. Raises :class:`InputError` naming the variables."""
    values: dict[str, tuple[Any, str]] = {}
    faults: list[Fault] = []
    for variable, key in VARIABLES.items():
        if text := environ.get(variable, "").strip():
            try:
                read = read_layer(_document(key, value_of(key, text)), what=_WHAT)
            except InputError as error:
                faults += [Fault(fault.pointer, fault.message, variable) for fault in error.faults]
            else:
                values.update({name: (value, variable) for name, value in read.items()})
    if faults:
        raise InputError(summary(_WHAT, faults), faults)
    return values


def _document(key: str, value: Any) -> dict[str, Any]:
    above, _, name = key.rpartition(".")
    return {above: {name: value}} if above else {name: value}


def value_of(key: str, text: str) -> Any:
    """What ``text`` says for ``key``, as the variable of ``key`` would say it."""
    return _READERS.get(key, str)(text)


def _origins(text: str) -> Any:
    return text if text == "*" else [each for each in re.split(r"[\s,]+", text) if each]


def _truth(text: str) -> Any:
    return _TRUTH.get(text.lower(), text)


def _size(text: str) -> Any:
    size = _SIZE.fullmatch(text)
    return {"width": int(size[1]), "height": int(size[2])} if size else text


_READERS: Final[Mapping[str, Callable[[str], Any]]] = {
    "allowedOrigins": _origins,
    "browser.headless": _truth,
    "browser.viewport": _size,
}
