"""The site icon: asked for by the browser, not by the page.

Chromium asks for ``/favicon.ico`` some time after a page has loaded, or not at all, as it likes. The
driver leaves such requests out of what it reports; the console message about their failure is left
out here, so that the same page has the same events each time.

Below: the standard library. Above: ``console``, ``observer``, ``sent_unseen``.
"""

from __future__ import annotations

from typing import Final

ICON_LIMITATION: Final = (
    "The driver does not report requests for addresses that end in /favicon.ico, whoever makes them: the "
    "browser asks for one on its own account and at a time of its own. They and console messages about their "
    "failure are not in the events."
)
_ICON_PATH: Final = "/favicon.ico"
LOAD_FAILURE: Final = "Failed to load resource:"
"""How Chromium begins a message of its own about a request; it is not translated."""


def is_icon_address(url: str) -> bool:
    """Whether the driver takes a request for ``url`` for one for a site icon, whoever made it."""
    return url.endswith(_ICON_PATH)


def is_icon_failure(text: str, url: str) -> bool:
    """Whether a console message with this text and location is about a site icon that did not load."""
    return is_icon_address(url) and text.startswith(LOAD_FAILURE)
