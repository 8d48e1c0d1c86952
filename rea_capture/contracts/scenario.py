"""The scenario: the whole input of a capture.

Below: actions, environment, capture_selection, destinations. Above: the doors and ``workflows.capture``.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from rea_capture.canonical import value_sha256
from rea_capture.contracts.actions import Action
from rea_capture.contracts.base import MAX_NAME_CHARACTERS, Identifier, TimeoutMs
from rea_capture.contracts.capture_selection import CaptureSelection
from rea_capture.contracts.destinations import Destination, HttpOrigin
from rea_capture.contracts.environment import Environment
from rea_capture.contracts.inputs import InputModel
from rea_capture.contracts.rules import RuleViolations, scenario_faults
from rea_capture.contracts.values import Value
from rea_capture.limits import DEFAULT_COMMAND_TIMEOUT_MS


def loopback_endpoint(endpoint: str) -> str:
    """``endpoint`` without a closing slash. Raises ``ValueError`` for all but a literal loopback address with
    an explicit port, over HTTP, and nothing else in it.
    """
    import ipaddress  # noqa: PLC0415 - only connect mode needs it
    from urllib.parse import urlsplit  # noqa: PLC0415

    hint = "must be http://127.0.0.1:PORT or http://[::1]:PORT, with nothing after the port"
    try:
        parts = urlsplit(endpoint)
        host, port = ipaddress.ip_address(parts.hostname or ""), parts.port
    except ValueError:
        raise ValueError(hint) from None
    literal = f"[{host}]" if host.version == 6 else str(host)
    loopback = str(host) in {"127.0.0.1", "::1"}
    if (
        not loopback
        or not port
        or endpoint.rstrip("/") != f"http://{literal}:{port}"
        or endpoint.endswith("//")
    ):
        raise ValueError(hint)
    return f"http://{literal}:{port}"


class LaunchBrowser(InputModel):
    """Start a browser of our own, with a temporary profile."""

    mode: Literal["launch"]
    executable_path: Annotated[
        Annotated[str, Field(min_length=1)] | None,
        Field(
            description="Absolute path of a Chrome-family browser; may be named outside the scenario instead."
        ),
    ] = None
    headless: bool = True


class ConnectBrowser(InputModel):
    """Attach to one page of a browser that is already running."""

    mode: Literal["connect"]
    cdp_endpoint: Annotated[str, AfterValidator(loopback_endpoint)]
    target_id: Annotated[str, Field(min_length=1, max_length=MAX_NAME_CHARACTERS)]


class SeededCookie(InputModel):
    """A cookie installed before the first navigation, for the host and path of ``destination``."""

    name: Annotated[str, Field(pattern=r"^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$")]
    """A ``token`` (RFC 6265 section 4.1.1)."""
    value: Value
    destination: Destination
    http_only: bool = False
    secure: bool = False
    same_site: Literal["Strict", "Lax", "None"] = "Lax"


class StorageEntry(InputModel):
    """One entry of local or session storage."""

    name: str
    value: Value


class SeededStorage(InputModel):
    """Entries for one origin, written once before its first script runs."""

    origin: HttpOrigin
    entries: tuple[StorageEntry, ...]


class StorageSeeds(InputModel):
    """What the browser holds before the first page runs."""

    cookies: tuple[SeededCookie, ...] = ()
    local_storage: tuple[SeededStorage, ...] = ()
    session_storage: tuple[SeededStorage, ...] = ()


class SecretDeclaration(InputModel):
    """A secret, by the environment variable that holds it. Its value is never written anywhere."""

    secret_id: Identifier
    environment_variable: Annotated[
        str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=MAX_NAME_CHARACTERS)
    ]


class Scenario(InputModel):
    """A declarative browser scenario: where to start, what to do, what to keep."""

    browser: Annotated[LaunchBrowser | ConnectBrowser, Field(discriminator="mode")]
    start_url: Destination
    actions: Annotated[tuple[Action, ...], Field(min_length=1)]
    environment: Environment = Environment()
    storage: StorageSeeds = StorageSeeds()
    secrets: tuple[SecretDeclaration, ...] = ()
    capture: CaptureSelection = CaptureSelection()
    command_timeout_ms: Annotated[
        TimeoutMs | None, Field(description="Milliseconds for one browser command (20000 when left out).")
    ] = None

    @property
    def command_deadline_ms(self) -> int:
        """Milliseconds that one browser command may take."""
        return self.command_timeout_ms or DEFAULT_COMMAND_TIMEOUT_MS

    def sha256(self) -> str:
        """Digest of the RFC 8785 form of this scenario, defaults filled in, what was left out left out."""
        return value_sha256(self.model_dump(mode="json", exclude_none=True))

    @model_validator(mode="after")
    def _follow_the_rules(self) -> Scenario:
        faults = scenario_faults(self.model_dump(mode="json"))
        if faults:
            raise RuleViolations(faults).as_pydantic()
        return self
