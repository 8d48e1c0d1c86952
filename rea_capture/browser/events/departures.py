"""Documents that end in a process the driver no longer listens to: what they say last is not seen.

A page that is left may still send something, a beacon above all. When its successor is of the same site,
both live in one process and the driver reports it. When the successor is of another site, when a popup
closes, or when a frame with a process of its own goes away, nobody does. Only a document that listens for
its end can say anything then. So when one of these ends, what the last look at it found decides whether
the capture says that something may be missing; a document that could not be looked at counts as one that
listens.

Below: ``last_words``, ``capture.recorder``. Above: ``farewells``, ``unseen``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from rea_capture.browser.events.last_words import Look
from rea_capture.capture.recorder import EventRecorder
from rea_capture.contracts.selection import EventFamily

LOST: Final[frozenset[EventFamily]] = frozenset({"console", "page-errors", "network"})
"""What a document may do in its last moment."""
_EMPTY: Final = frozenset({"", "about:blank"})
"""Addresses of what holds no document of a page yet."""
MAX_FOLLOWED: Final = 4_096
"""Pages and frames with processes of their own whose addresses are remembered at once."""

PAGE, FRAME = "page", "iframe"
"""What Chromium calls the targets: a page, and a frame with a process of its own."""


@dataclass(slots=True, eq=False)
class Followed:
    """What a page or frame shows, and the last look at it; None while there was none.

    A new object for each address: a look at an earlier document says nothing of a later one.
    """

    target_id: str
    url: str
    last_look: Look | None = None

    @property
    def is_empty(self) -> bool:
        """Whether it shows no document of a page."""
        return self.url in _EMPTY

    def leaves_for(self, url: str) -> bool:
        """Whether its document would end unseen if ``url`` replaced it."""
        return not self.is_empty and not _may_share_process(self.url, url)


class Departures:
    """What pages and frames show, and what the recorder is told when that ends."""

    def __init__(self, recorder: EventRecorder) -> None:
        self._recorder = recorder
        self._followed: dict[str, Followed] = {}

    def shown_now(self) -> list[Followed]:
        """All that show a document of a page."""
        return [followed for followed in self._followed.values() if not followed.is_empty]

    def shown(self, target_id: str, url: str) -> Followed | None:
        """A page or frame shows ``url``. Returns it when that is new and followed."""
        before = self._followed.get(target_id)
        if before is not None and before.url == url:
            return None
        if before is not None and before.leaves_for(url):
            self._ended(before, "was left for another site")
        if before is None and len(self._followed) >= MAX_FOLLOWED:
            return None
        followed = self._followed[target_id] = Followed(target_id, url)
        return followed

    def renewed(self, url: str) -> list[Followed]:
        """A document came up at ``url``, perhaps the address of the one before it. Returns those that
        were looked at and show that address: what was found may have been of the document before.
        """
        renewed = [known for known in self._followed.values() if known.url == url and known.last_look]
        for followed in renewed:
            followed.last_look = None
        return renewed

    def gone(self, target_id: str) -> None:
        """A page closed, or a frame is gone or has moved to the process of its parent."""
        before = self._followed.pop(target_id, None)
        if before is not None and not before.is_empty:
            self._ended(before, "was closed, or taken out with a frame of another site")

    def _ended(self, followed: Followed, what: str) -> None:
        reason = _reason(followed.last_look)
        families = sorted(LOST & self._recorder.families)
        if reason and families and not self._recorder.has_ended:
            self._recorder.gap(
                {"events"},
                f"A document {what}; {reason}, and what it did in its last moment, such as sending a beacon, "
                f"is not reported, so these families may miss something: {', '.join(families)}.",
            )


def _reason(last_look: Look | None) -> str:
    """Why something may be missing of a document that ended; empty when nothing is."""
    if last_look is None:
        return "whether it listens for its own end could not be asked"
    return f"it listens for its own end ({', '.join(sorted(last_look.heard))})" if last_look.heard else ""


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
