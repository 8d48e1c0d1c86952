"""Text that was captured, as one line that shows all that is in it.

What has no shape of its own, or reorders, hides or breaks what stands around it, is written out as an escape.
That is also all that XML 1.0 does not allow.

Below: ``wording``. Above: every renderer that writes text.
"""

from __future__ import annotations

import re
from typing import Final

from rea_capture.wording import shortened

_INVISIBLE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # controls
    "\u2028\u2029\ud800-\udfff\ufffe\uffff"  # ends of lines, halves of characters, what is no character
    # Format characters (general category Cf of Unicode 16), among them every bidirectional one.
    "\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064"
    "\u2066-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f]"
)


def visible(text: str, max_characters: int | None = None) -> str:
    """``text`` on one line, with nothing in it unseen; cut to ``max_characters``, the rest counted."""
    cut = text if max_characters is None else shortened(text, max_characters)
    return _INVISIBLE.sub(lambda found: ascii(found[0])[1:-1], cut)
