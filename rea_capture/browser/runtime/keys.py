"""The keys that can be pressed, by the names that the driver has for them (its US keyboard layout).

Below: the standard library. Above: ``acting``.
"""

from __future__ import annotations

from typing import Final

_MODIFIERS: Final = frozenset({"Alt", "Control", "ControlOrMeta", "Meta", "Shift"})

_SIDED: Final = ("Alt", "Control", "Meta", "Shift")
# fmt: off
_NAMED: Final = (
    "AltGraph", "ArrowDown", "ArrowLeft", "ArrowRight", "ArrowUp", "AudioVolumeDown", "AudioVolumeMute",
    "AudioVolumeUp", "Backquote", "Backslash", "Backspace", "BracketLeft", "BracketRight", "CapsLock",
    "Comma", "ContextMenu", "Delete", "End", "Enter", "Equal", "Escape", "Home", "Insert",
    "MediaPlayPause", "MediaTrackNext", "MediaTrackPrevious", "Minus", "NumLock", "NumpadAdd",
    "NumpadDecimal", "NumpadDivide", "NumpadEnter", "NumpadMultiply", "NumpadSubtract", "PageDown",
    "PageUp", "Pause", "Period", "PrintScreen", "Quote", "ScrollLock", "Semicolon", "Slash", "Space",
    "Tab",
)
# fmt: on

KEYS: Final = frozenset(
    [
        *_NAMED,
        *_MODIFIERS,
        *(f"{name}{side}" for name in _SIDED for side in ("Left", "Right")),
        *(f"F{number}" for number in range(1, 13)),
        *(f"{kind}{digit}" for kind in ("Digit", "Numpad") for digit in range(10)),
        *(f"Key{chr(code)}" for code in range(ord("A"), ord("Z") + 1)),
        *(chr(code) for code in range(0x20, 0x7F)),
    ]
)


def is_key(text: str) -> bool:
    """Whether ``text`` names a key, with modifiers before it or without: ``Enter``, ``a``, ``Control+A``."""
    start, plus = (text[:-2], "+") if text.endswith("++") else ("", "")
    *modifiers, key = [*start.split("+"), plus] if plus else ([text] if text == "+" else text.split("+"))
    return key in KEYS and all(modifier in _MODIFIERS for modifier in modifiers)
