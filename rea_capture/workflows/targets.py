"""The targets of a running browser, so that a person can write a scenario that attaches to one.

Only asks, over plain HTTP from a loopback address. Needs no Playwright.

Below: ``browser.connect.discovery``. Above: the command line.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict, dataclass
from typing import Final

from rea_capture.browser.connect.discovery import Target, discover
from rea_capture.contracts.scenario import loopback_endpoint
from rea_capture.contracts.urls import observed_url
from rea_capture.errors import CommandLineError
from rea_capture.redaction import well_formed

MAX_TITLE_CHARACTERS: Final = 1_000
"""What is kept of a title, which is the page's own."""


@dataclass(frozen=True, slots=True)
class ListedTarget:
    """A target; ``target_id`` is what a scenario names. ``url`` is without user name and password."""

    target_id: str
    title: str
    type: str
    url: str


@dataclass(frozen=True, slots=True)
class TargetList:
    """A running browser and its targets, in the order the browser lists them."""

    cdp_endpoint: str
    product: str
    targets: tuple[ListedTarget, ...]
    version: str


def list_targets(endpoint: str) -> TargetList:
    """The targets of the browser at ``endpoint``.

    Raises :class:`CommandLineError` for an address that is not a loopback one, and
    :class:`UnavailableError` when no browser answers there.
    """
    try:
        address = loopback_endpoint(endpoint)
    except ValueError as reason:
        raise CommandLineError(f"ENDPOINT {reason}") from None
    browser = asyncio.run(discover(address))
    product, _, version = browser.product.partition("/")
    return TargetList(
        cdp_endpoint=address,
        product=well_formed(product),
        targets=tuple(map(_listed, browser.targets)),
        version=well_formed(version),
    )


def targets_bytes(targets: TargetList) -> bytes:
    """``targets`` as one line of JSON."""
    return (json.dumps(asdict(targets), ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def _listed(target: Target) -> ListedTarget:
    title = well_formed(target.title)
    cut = f"{title[:MAX_TITLE_CHARACTERS]}…" if len(title) > MAX_TITLE_CHARACTERS else title
    return ListedTarget(
        target_id=well_formed(target.target_id),
        title=cut,
        type=well_formed(target.type),
        url=observed_url(target.url, well_formed).url,
    )
