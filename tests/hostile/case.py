"""One hostile page as a row of the table: what it serves, what is done with it, what must be found.

Also the bound of a row, which is made of documented deadlines and nothing else.

Below: the package's own limits, ``site``. Above: ``cases``, ``running``, ``table``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from rea_capture.browser.artifacts.settling import SETTLE_TIMEOUT_MS
from rea_capture.browser.driver_process import DRIVER_START_PATIENCE_S, DRIVER_STOP_TIMEOUT_S
from rea_capture.browser.events.observer import END_GRACE_MS
from rea_capture.browser.launch import CLOSE_TIMEOUT_MS, LAUNCH_GRACE_MS
from rea_capture.browser.processes import MAX_DYING_S
from rea_capture.browser.session import DETACH_TIMEOUT_MS
from rea_capture.browser.under_way import QUIET_TIMEOUT_MS
from rea_capture.limits import NETWORK_READ_TIMEOUT_MS
from tests.hostile.looking import Result
from tests.hostile.site import Site

COMMAND_TIMEOUT_MS: Final = 5_000
"""One browser command, and one reading of a step's artifacts. Short, so that pages which answer nothing
are over soon; starting a browser takes a second, on a busy machine four."""

PAGE_MS: Final = 2_000
"""What a page may take to load when nothing of it is slow on purpose."""

PROCESS_MS: Final = 3_000
"""An interpreter with its imports, and the end of it: no deadline of ours covers that."""

LOOK_MS: Final = 1_000
"""A look, when a step ends, at the documents that the next action may end."""

FAMILIES: Final = (
    "console", "page-errors", "network", "websockets", "frames", "workers", "popups", "downloads",
)  # fmt: skip
ARTIFACTS: Final = ("screenshot", "dom", "accessibility", "url", "history", "storage")


def pause(duration_ms: int = 300, step_id: str = "wait") -> dict[str, Any]:
    """An action that lets the page go on."""
    return {"step_id": step_id, "action": "wait_for_timeout", "duration_ms": duration_ms}


def click(selector: str = "#go", timeout_ms: int = 3_000, step_id: str = "click") -> dict[str, Any]:
    """An action that clicks."""
    locator = {"kind": "css", "selector": selector}
    return {"step_id": step_id, "action": "click", "locator": locator, "timeout_ms": timeout_ms}


def wait_for(selector: str, timeout_ms: int = 3_000, step_id: str = "ready") -> dict[str, Any]:
    """An action that waits for an element."""
    locator = {"kind": "css", "selector": selector}
    return {"step_id": step_id, "action": "wait_for", "locator": locator, "timeout_ms": timeout_ms}


def goto(url: str, timeout_ms: int = 3_000, step_id: str = "goto") -> dict[str, Any]:
    """An action that navigates; ``HERE``, ``THERE`` and ``SECURE`` stand for the site's origins."""
    destination = {"url": url}
    return {"step_id": step_id, "action": "goto", "destination": destination, "timeout_ms": timeout_ms}


def page(body: str, **more: str) -> Callable[[Site], str]:
    """Serves ``body`` at ``/`` and each of ``more`` at its name; the origins are filled in."""

    def serve(site: Site) -> str:
        for name, text in more.items():
            site.serve(f"/{name}", text)
        return site.serve("/", body)

    return serve


@dataclass(frozen=True, slots=True)
class Case:
    """A page that means no good, and what a capture of it has to say.

    ``statuses`` are those of the steps, the start first; with ``may_fail`` the last of them may run out of
    time instead. ``missing`` and ``truncated`` are the sections that have to be stated, ``may_miss`` those
    where chance decides. Each pattern of ``says`` is found in a limitation, an error or a reason. A page
    that ``goes_on`` asks for more when the capture has ended. ``holds`` looks at whatever else has to be so.
    """

    name: str
    serves: Callable[[Site], str]
    statuses: tuple[str, ...] = ("completed", "completed")
    may_fail: bool = False
    missing: frozenset[str] = frozenset()
    may_miss: frozenset[str] = frozenset()
    truncated: frozenset[str] = frozenset()
    says: tuple[str, ...] = ()
    holds: Callable[[Result], None] | None = None
    actions: tuple[dict[str, Any], ...] = (pause(),)
    selection: dict[str, Any] = field(default_factory=dict)
    scenario: dict[str, Any] = field(default_factory=dict)
    page_ms: int = PAGE_MS
    goes_on: bool = False
    full: Case | None = None
    """The same at full size, where that would not fit into every run of the suite."""

    def document(self, start_url: str, site: Site) -> dict[str, Any]:
        """The scenario."""
        capture: dict[str, Any] = {"at_end": ARTIFACTS, "events": FAMILIES}
        return {
            "browser": {"mode": "launch"},
            "start_url": {"url": start_url},
            "actions": [_filled_in(action, site) for action in self.actions],
            "capture": {**capture, **self.selection},
            "command_timeout_ms": COMMAND_TIMEOUT_MS,
            **{key: _filled_in(value, site) for key, value in self.scenario.items()},
        }

    @property
    def bound_s(self) -> float:
        """Seconds within which the process has to have ended: the sum of the deadlines on its way."""
        before = PROCESS_MS + DRIVER_START_PATIENCE_S * 1000 + COMMAND_TIMEOUT_MS + LAUNCH_GRACE_MS
        acting = sum(int(action.get("timeout_ms") or action["duration_ms"]) for action in self.actions)
        # Each step settles, waits for what it set off and looks around; the last one reads, twice if the
        # page goes on meanwhile.
        settling = (len(self.actions) + 1) * 2 * (SETTLE_TIMEOUT_MS + QUIET_TIMEOUT_MS + LOOK_MS)
        reading = 2 * COMMAND_TIMEOUT_MS
        drain = END_GRACE_MS + (NETWORK_READ_TIMEOUT_MS if "network" in self.selection else 0)
        after = DETACH_TIMEOUT_MS + CLOSE_TIMEOUT_MS + (MAX_DYING_S + DRIVER_STOP_TIMEOUT_S) * 1000
        return (before + self.page_ms + acting + settling + reading + drain + after) / 1000


def _filled_in(value: Any, site: Site) -> Any:
    if isinstance(value, str):
        return site.filled_in(value)
    if isinstance(value, dict):
        return {key: _filled_in(inner, site) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_filled_in(inner, site) for inner in value]
    return value
