"""``dom`` and ``accessibility``: what the document says, as text.

``dom`` is the doctype and the root element with every open shadow root spelled declaratively
(``<template shadowrootmode="open">``); an XML document is serialised as XML. ``accessibility`` is
the driver's aria snapshot of the root element, taken in the driver's own private world.

Below: the private world, Playwright. Above: the reader.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from playwright.async_api import Error as DriverError
from playwright.async_api import Page

from rea_capture.browser.artifacts.bounded import Deadline
from rea_capture.browser.artifacts.closed_roots import closed_hosts, searched_node_count
from rea_capture.browser.artifacts.scripts import DOCUMENT
from rea_capture.browser.artifacts.world import (
    MAX_DOCUMENT_CHANGES,
    DocumentChangedError,
    PrivateWorld,
    ReadError,
    retrying,
)

_PATIENCE_S: Final = 1.0
"""How long a snapshot may take before the document is asked whether it has an element at all."""

_NAVIGATED: Final = ("context was destroyed", "Frame was detached", "navigat")
"""What the driver says when the document went away under a snapshot."""


@dataclass(frozen=True, slots=True)
class DocumentReading:
    """The document's text, when it was asked for, and what no text of it holds."""

    text: str | None
    closed: tuple[str, ...] | None
    """Names of the hosts of closed shadow roots; None when that could not be determined."""
    roots_left_out: int
    """Open shadow roots that are not in ``text``, since a document of this kind cannot spell them."""


async def read_document(world: PrivateWorld, *, text: bool) -> DocumentReading:
    """The document as text, and the names of its closed shadow roots."""

    async def read() -> DocumentReading:
        report, searched = await asyncio.gather(world.call(DOCUMENT, text), searched_node_count(world))
        return DocumentReading(
            text=report["text"],
            closed=await _closed_names(world, report["nodes"], searched),
            roots_left_out=report["roots_left_out"],
        )

    return await retrying(read)


async def _closed_names(world: PrivateWorld, walked: int, searched: int | None) -> tuple[str, ...] | None:
    try:
        hosts = await closed_hosts(world, walked=walked, searched=searched)
    except DriverError:
        return None
    return tuple(host.name for host in hosts if host.in_main_document)


async def read_accessibility(page: Page, world: PrivateWorld, deadline: Deadline) -> str:
    """The aria snapshot of the whole page. Raises :class:`ReadError` when there is no element."""
    for _ in range(MAX_DOCUMENT_CHANGES):
        try:
            return await _aria_snapshot(page, world, deadline)
        except DriverError as error:
            if not any(text in error.message for text in _NAVIGATED):
                raise
    raise DocumentChangedError


async def _aria_snapshot(page: Page, world: PrivateWorld, deadline: Deadline) -> str:
    """One snapshot. The driver would wait for a root element until the deadline, so a slow answer is
    a reason to look whether there is one.
    """
    snapshot = asyncio.ensure_future(page.locator(":root").aria_snapshot(timeout=deadline.remaining_ms()))
    try:
        done, _ = await asyncio.wait({snapshot}, timeout=_PATIENCE_S)
        if not done:
            await _require_root(world)
        return await snapshot
    finally:
        snapshot.cancel()


async def _require_root(world: PrivateWorld) -> None:
    report = await retrying(lambda: world.call(DOCUMENT, False))
    if not report["has_root"]:
        raise ReadError("the document has no element")
