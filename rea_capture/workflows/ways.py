"""The two ways to a browser: one of our own, or a page of one that is running.

Below: browser, loaded when a session is asked for. Above: ``capture``.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from rea_capture.browser.connect.limitations import ATTACHED_LIMITATIONS
from rea_capture.browser.discovery import EXECUTABLE_VARIABLE
from rea_capture.capture.limitations import Limitations
from rea_capture.capture.progress import Tell, Waiting
from rea_capture.capture.recorder import EventRecorder
from rea_capture.contracts.scenario import LaunchBrowser, Scenario
from rea_capture.errors import UnavailableError
from rea_capture.redaction import Redactor
from rea_capture.workflows.secrets import value_resolver

if TYPE_CHECKING:
    from playwright.async_api import Playwright

    from rea_capture.browser.connect.session import AttachedSession
    from rea_capture.browser.session import Session


@dataclass(frozen=True, slots=True)
class Instruments:
    """What a session records with."""

    secrets: Mapping[str, str]
    redactor: Redactor
    recorder: EventRecorder
    limitations: Limitations
    progress: Tell


@dataclass(frozen=True, slots=True)
class Launch:
    """A browser of our own, with a profile of its own."""

    executable_path: str
    environ: Mapping[str, str]
    cleanup: ClassVar[Literal["terminated-owned-process"]] = "terminated-owned-process"
    process_ownership: ClassVar[Literal["provider-owned"]] = "provider-owned"
    limitations: ClassVar[tuple[str, ...]] = ()

    def isolation(self) -> str:
        """How this browser is kept apart from others, as Evidence states it."""
        from rea_capture.browser.launch import sandboxed  # noqa: PLC0415 - brings Playwright

        return f"owned-temporary-profile, browser-sandbox-{'on' if sandboxed() else 'off'}"

    def session(
        self, playwright: Playwright, scenario: Scenario, instruments: Instruments
    ) -> AbstractAsyncContextManager[Session | AttachedSession]:
        """The browser, started; leaving takes it down. Raises :class:`UnavailableError`."""
        from rea_capture.browser.launch import environment_without  # noqa: PLC0415 - brings Playwright
        from rea_capture.browser.session import launched_session  # noqa: PLC0415

        return launched_session(
            playwright,
            scenario,
            self.executable_path,
            resolve=value_resolver(instruments.secrets),
            redactor=instruments.redactor,
            recorder=instruments.recorder,
            limitations=instruments.limitations,
            environ=environment_without(
                self.environ, {secret.environment_variable for secret in scenario.secrets}
            ),
        )


@dataclass(frozen=True, slots=True)
class Attach:
    """A page of a browser that is somebody else's, and stays as it was."""

    cleanup: ClassVar[Literal["disconnected-external"]] = "disconnected-external"
    process_ownership: ClassVar[Literal["external"]] = "external"
    limitations: ClassVar[tuple[str, ...]] = ATTACHED_LIMITATIONS

    def isolation(self) -> str:
        """As that of :class:`Launch`."""
        return "external-browser, shared-profile, browser-sandbox-unknown"

    def session(
        self, playwright: Playwright, scenario: Scenario, instruments: Instruments
    ) -> AbstractAsyncContextManager[Session | AttachedSession]:
        """The page, attached to; leaving restores it. Raises :class:`UnavailableError`."""
        from rea_capture.browser.connect.session import attached_session  # noqa: PLC0415 - brings Playwright

        return attached_session(
            playwright,
            scenario,
            resolve=value_resolver(instruments.secrets),
            redactor=instruments.redactor,
            recorder=instruments.recorder,
            limitations=instruments.limitations,
            tell=lambda sentence: instruments.progress(Waiting(sentence)),
        )


def way_to_browser(
    scenario: Scenario, executable_path: str | None, environ: Mapping[str, str]
) -> Launch | Attach:
    """The way ``scenario`` asks for. Raises :class:`UnavailableError` when nobody names an executable."""
    if isinstance(scenario.browser, LaunchBrowser):
        return Launch(named_executable(scenario.browser, executable_path, environ), environ)
    return Attach()


def named_executable(browser: LaunchBrowser, outside: str | None, environ: Mapping[str, str]) -> str:
    """The executable the request means. Raises :class:`UnavailableError` when nobody names one."""
    path = browser.executable_path or outside or environ.get(EXECUTABLE_VARIABLE)
    if not path:
        raise UnavailableError(
            "no browser is named: set browser.executable_path in the scenario, pass --executable-path, or "
            f"set {EXECUTABLE_VARIABLE}; `rea doctor` lists the browsers found"
        )
    return path
