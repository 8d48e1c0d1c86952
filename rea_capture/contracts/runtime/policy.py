"""Where a session's pages may go: everywhere, or to a list of exact origins.

Below: ``base``, ``urls``. Above: operations, settings, and who refuses a navigation.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field

from rea_capture.contracts.runtime.base import MAX_ORIGINS, MAX_URL_CHARACTERS, RuntimeModel
from rea_capture.contracts.urls import printed_host, split_url

_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


def required_origin(url: str) -> str:
    """The origin of an HTTP(S) ``url`` as a browser prints it. Raises ``ValueError`` with what is wrong."""
    parts = split_url(url)
    if parts.scheme not in _DEFAULT_PORTS:
        raise ValueError("must be an http or https URL")
    if parts.username is not None or parts.password is not None:
        raise ValueError("must not hold a user name or password")
    if not parts.hostname:
        raise ValueError("must name a host")
    port = "" if parts.port in (None, _DEFAULT_PORTS[parts.scheme]) else f":{parts.port}"
    return f"{parts.scheme}://{printed_host(parts.hostname)}{port}"


def _exact_origin(value: str) -> str:
    if required_origin(value) != value:
        raise ValueError(f"must be an exact origin, as a browser prints it: {required_origin(value)!r}")
    return value


def _safe_url(value: str) -> str:
    required_origin(value)
    return value


Origin = Annotated[str, Field(max_length=MAX_URL_CHARACTERS), AfterValidator(_exact_origin)]
HttpUrl = Annotated[str, Field(max_length=MAX_URL_CHARACTERS), AfterValidator(_safe_url)]
"""An address to go to: HTTP(S), without credentials."""

OriginPolicy = Literal["*"] | Annotated[tuple[Origin, ...], Field(min_length=1, max_length=MAX_ORIGINS)]
"""``"*"``, or a non-empty list of exact origins."""


class OperationContext(RuntimeModel):
    """What one call is narrowed to; it never widens the session's own policy and binds no later call."""

    allowed_origins: OriginPolicy


def allows(policy: OriginPolicy, url: str) -> bool:
    """Whether a page of ``policy`` may be at ``url``. ``about:blank``, where every tab begins, always.

    A ``blob:`` document has the origin of the page that made it.
    """
    if policy == "*" or url in ("about:blank", ""):
        return True
    try:
        return required_origin(url.removeprefix("blob:")) in policy
    except ValueError:
        return False


def narrowed(base: OriginPolicy, asked: OriginPolicy) -> OriginPolicy | None:
    """What ``base`` and ``asked`` both allow; None when that is nothing."""
    if asked == "*":
        return base
    if base == "*":
        return asked
    both = tuple(origin for origin in asked if origin in base)
    return both or None
