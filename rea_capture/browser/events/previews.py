"""Tells whether a console, or an uncaught error, shows less than all of a value.

Of an object V8 previews five properties, of an array a hundred elements, of what is nested in them the
kind; of most other objects it gives the name of their class, of an error its stack. The driver makes one
text of that, in which a string looks like whatever it says. So a string that reads like a preview, such as
a single word, counts as one: what is left out must not go unsaid.

Sources: V8 ``src/inspector/value-mirror.cc`` (limits, descriptions), the driver's ``renderPreview``.
Below: the standard library. Above: ``console``.
"""

from __future__ import annotations

import re
from typing import Final

MAX_PREVIEWED_PROPERTIES: Final = 5
MAX_PREVIEWED_ELEMENTS: Final = 100

_NAME: Final = r"(?!Symbol\()(?:[^\W\d]|[$#])[\w$.]*(?:\([\w$.]*\))?"
_CLASS: Final = re.compile(rf"(?!(?:null|true|false|NaN|Infinity)\Z){_NAME}\Z")
"""``Foo``, ``Map(1)``, ``Proxy(Object)``, and also a word; ``undefined`` is what the driver makes of a
``bigint``."""

_NESTED: Final = re.compile(
    rf"(?:\A[\[{{]|[:,] )(?:(?!(?:null|true|false|NaN|Infinity|empty)[,\]}}]){_NAME})?(?=[,\]}}])"
)
"""An object, function or getter inside a preview, of which the kind is shown or nothing; also a word."""

_ERROR: Final = re.compile(r"(?:\A|[:,\[] )(?:Uncaught )?[\w$.]*(?:Error|Exception)\b|\n    at ")
_ELLIPSIS: Final = "\u2026"


def shows_less(argument: str) -> bool:
    """Whether ``argument``, as a console shows it, may be less than the value that was logged."""
    if argument.startswith("JSHandle@") or _CLASS.match(argument) or _ERROR.search(argument):
        return True
    inside = argument[1:-1]
    match argument[:1], argument[-1:]:
        case "{", "}":
            return bool(inside) and _is_object_cut(argument, MAX_PREVIEWED_PROPERTIES)
        case "[", "]":
            return bool(inside) and _is_object_cut(argument, MAX_PREVIEWED_ELEMENTS)
    return False


def _is_object_cut(preview: str, max_items: int) -> bool:
    if _ELLIPSIS in preview or _NESTED.search(preview):
        return True
    is_json = preview.startswith(('{"', '["', "[{"))  # names are previewed without quotes
    return not is_json and preview.count(", ") + 1 >= max_items
