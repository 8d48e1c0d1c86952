"""The PDF viewer: a program of the browser's own that it loads, in hundreds of files, to show a document.

It says nothing of the site, is another with each version of the browser, and holds random parts; so the
same page would have other events each time. The document itself is requested by the page, and is kept.

Below: the standard library. Above: ``network``, ``pages``.
"""

from __future__ import annotations

import re
from typing import Final

VIEWER_LIMITATION: Final = (
    "A document was shown by the browser's own PDF viewer; what the viewer requests of the browser "
    "itself is not in the events."
)
_OWN: Final = ("chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/", "chrome://resources/")
"""The extension has one id in every build (``kPdfExtensionId`` of Chromium). No site can load from either."""
_RANDOM_NAME: Final = re.compile(r"[0-9A-F]{32}")
"""How Chromium names the frame that a viewer runs in: an unguessable token."""


def is_of_viewer(url: str) -> bool:
    """Whether ``url`` is a file of the viewer, or of the browser for it."""
    return url.startswith(_OWN)


def frame_name(name: str) -> str:
    """The name of a frame; empty for one that the browser has made up."""
    return "" if _RANDOM_NAME.fullmatch(name) else name
