"""What a capture of a hostile page says, for tests to look into.

Below: ``site``. Above: ``case``, ``cases``, ``running``.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from tests.hostile.site import Site

ICON: Final = "/favicon.ico"
"""Asked for by the browser on its own account, and left out; every capture says so."""


def _as_asked(url: str) -> tuple[int | None, str]:
    """The port and the target that a server is asked for; hosts have several names."""
    parts = urlsplit(url)
    return parts.port, (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


@dataclass(frozen=True, slots=True)
class Result:
    """The Evidence of one capture as plain JSON, and the site it was taken of."""

    document: dict[str, Any]
    site: Site

    @property
    def capture(self) -> dict[str, Any]:
        """The capture inside the Evidence."""
        capture: dict[str, Any] = self.document["normalized_result"]
        return capture

    @property
    def statuses(self) -> tuple[str, ...]:
        """The status of each step."""
        return tuple(step["status"] for step in self.capture["steps"])

    @property
    def missing(self) -> frozenset[str]:
        """Sections that the whole capture says it misses."""
        return frozenset(self.capture["completeness"]["missing_sections"])

    @property
    def truncated(self) -> frozenset[str]:
        """Sections that the whole capture says it cut."""
        return frozenset(self.capture["completeness"]["truncated_sections"])

    def events(self, kind: str) -> list[dict[str, Any]]:
        """Every kept event of ``kind``."""
        return [event for event in self.capture["events"]["items"] if event["kind"] == kind]

    def requests(self, ending: str) -> list[dict[str, Any]]:
        """Every request whose path ends with ``ending``."""
        return [event for event in self.events("request") if event["url"]["url"].endswith(ending)]

    def artifact(self, name: str) -> dict[str, Any]:
        """The state of an artifact of the step that the run ended with."""
        ran = [step for step in self.capture["steps"] if not str(step["error"]).startswith("not executed")]
        state: dict[str, Any] = ran[-1]["artifacts"][name]
        return state

    def unknown_requests(self) -> list[str]:
        """Targets that the servers were asked for more often than the capture knows of."""
        asked = Counter(
            (urlsplit(server.origin).port, seen.target)
            for server in (self.site.here, self.site.there)
            for seen in list(server.seen)
            if seen.path != ICON
        )
        events = self.events("request") + self.events("websocket-opened")
        known = Counter(_as_asked(event["url"]["url"]) for event in events)
        return [f"{asked[what] - known[what]} x {what[1]}" for what in asked if asked[what] > known[what]]

    def sentences(self) -> list[str]:
        """Everything that is said in words: limitations, errors of steps, reasons of artifacts and bodies."""
        said = list(self.capture["limitations"])
        for step in self.capture["steps"]:
            said.append(step["error"] or "")
            said += [state.get("reason", "") for state in step["artifacts"].values()]
        for event in self.events("network-content"):
            said += [str(event[part].get("message", "")) for part in ("headers", "body")]
        said += [str(event["failure"]) for event in self.events("request-failed")]
        return [sentence for sentence in said if sentence]

    def says(self, pattern: str) -> bool:
        """Whether one of the sentences matches."""
        return any(re.search(pattern, sentence) for sentence in self.sentences())

    def summary(self) -> str:
        """What was found, on a line."""
        parts = [", ".join(self.statuses)]
        if self.missing:
            parts.append("missing: " + ", ".join(sorted(self.missing)))
        if self.truncated:
            parts.append("truncated: " + ", ".join(sorted(self.truncated)))
        if self.capture["events"]["dropped"]:
            parts.append(f"{self.capture['events']['dropped']:,} events counted and not kept")
        parts.append(f"{len(self.capture['limitations'])} limitations")
        return "; ".join(parts)
