"""Documents that ended in a process the driver no longer listened to: what they sent last is not seen.

A page that is left may still send something, a beacon above all. When its successor is of the same site,
both live in one process and the driver reports it. When the successor is of another site, when a popup
closes, or when a frame with a process of its own goes away, nobody does. Whether the document sent
anything does not show either, so the capture says what it could not see.

Below: ``capture.recorder``. Above: ``unseen``.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from rea_capture.capture.recorder import EventRecorder
from rea_capture.contracts.selection import EventFamily

_LOST: Final[frozenset[EventFamily]] = frozenset({"console", "page-errors", "network"})
_EMPTY: Final = frozenset({"", "about:blank"})
"""Addresses of what holds no document of a page yet."""
MAX_FOLLOWED: Final = 4_096
"""Pages and frames with processes of their own whose addresses are remembered at once."""

PAGE, FRAME = "page", "iframe"
"""What Chromium calls the targets: a page, and a frame with a process of its own."""


class Departures:
    """The addresses of pages and frames, and what the recorder is told when they change."""

    def __init__(self, recorder: EventRecorder) -> None:
        self._recorder = recorder
        self._urls: dict[str, str] = {}

    def shown(self, target_id: str, url: str) -> None:
        """A page or frame shows ``url``."""
        before = self._urls.get(target_id, "")
        if target_id in self._urls or len(self._urls) < MAX_FOLLOWED:
            self._urls[target_id] = url
        if before not in _EMPTY and not _may_share_process(before, url):
            self._missed("was left for another site")

    def gone(self, target_id: str) -> None:
        """A page closed, or a frame is gone or has moved to the process of its parent."""
        if self._urls.pop(target_id, "") not in _EMPTY:
            self._missed("was closed, or taken out with a frame of another site")

    def _missed(self, what: str) -> None:
        families = sorted(_LOST & self._recorder.families)
        if families and not self._recorder.has_ended:
            self._recorder.gap(
                {"events"},
                f"A document {what}; what it did in its last moment, such as sending a beacon, is not "
                f"reported, so these families may miss something: {', '.join(families)}.",
            )


def _may_share_process(before: str, after: str) -> bool:
    """Whether the documents at two addresses are surely of one site, as far as addresses tell.

    Without a list of what is registered under what, that is one host, or one and its parent domain.
    """
    if not after.startswith(("http:", "https:")):
        return after.startswith(("about:", "blob:"))
    old, new = urlsplit(before), urlsplit(after)
    old_host, new_host = old.hostname or "", new.hostname or ""
    one_site = old_host == new_host or old_host.endswith(f".{new_host}") or new_host.endswith(f".{old_host}")
    return old.scheme == new.scheme and one_site
