"""What the driver has reported of requests, kept to be compared with what the browser really sent.

Below: the standard library. Above: ``network``, ``observer``, ``sent_unseen``.
"""

from __future__ import annotations

from collections import Counter
from typing import Final
from urllib.parse import urlsplit

MAX_COUNTED_REQUESTS: Final = 131_072
"""Different requests that are counted; a number each is kept. The browser's log has no room for as many."""


class Reported:
    """Requests by method and address, each as often as it was reported."""

    def __init__(self) -> None:
        self.until_s: float | None = None
        """Wall clock of the end of observation; None before."""
        self.explains_preflights = False
        """It is stated that preflights are missing."""
        self._counts: Counter[int] = Counter()

    def add(self, method: str, url: str) -> None:
        """The driver reported a request."""
        if len(self._counts) < MAX_COUNTED_REQUESTS:
            self._counts[_key(method, url)] += 1

    def take(self, method: str, url: str) -> bool:
        """Whether a request was reported that nothing else has been matched with."""
        key = _key(method, url)
        if not self._counts[key]:
            return False
        self._counts[key] -= 1
        return True


def _key(method: str, url: str) -> int:
    bare = url.partition("#")[0]
    if "@" in bare:  # a name and a password are stated by some who report and not by others
        parts = urlsplit(bare)
        bare = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    return hash((method, bare))
