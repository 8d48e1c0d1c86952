"""What happens before a document's scripts run: find its storage areas and seed those that need it.

1. Ask for ``self.origin`` (the document's view) and for the frame's storage key (the browser's).
   The browser may still hold the previous document's key for a moment after a commit; ask again
   until the two agree.
2. Claim the areas that have entries. One claimed by another document is waited for, so that this
   one does not start before its seed is there.
3. Write the claimed areas' entries, and only this origin's, in the document.
4. Report what the browser refused. An area is seeded once even when entries were refused: a second
   try could undo what the application wrote since.

Below: ``areas``, ``script``, ``browser.channel``. Above: ``target``, which calls ``SeedWriter.write`` for
each seed pause, and resumes afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

from rea_capture.browser.channel import Channel, ChannelError, CommandRefusedError
from rea_capture.browser.seeding.areas import Area, AreaLedger, area_of
from rea_capture.browser.seeding.script import WriteOutcome, read_outcome, write_expression
from rea_capture.browser.seeding.seeds import Entries, StorageKind, StorageSeeds
from rea_capture.contracts.urls import origin_of

KEY_ATTEMPTS: Final = 20
"""Each is a round trip; a commit is known to the browser after one or two."""

KINDS: Final[tuple[StorageKind, ...]] = ("local", "session")


class Document(Protocol):
    """A document to seed, in the top-level page ``page_id``."""

    @property
    def page_id(self) -> str: ...

    async def evaluate(self, expression: str) -> object:
        """Evaluate in a private world of the document; the value must be JSON."""

    async def storage_key(self) -> str:
        """The browser's storage key for the document's frame."""


@dataclass(frozen=True, slots=True)
class StoppedDocument:
    """A document stopped in the private script."""

    channel: Channel
    session_id: str
    page_id: str
    frame_id: str
    call_frame_id: str

    async def evaluate(self, expression: str) -> object:
        params = {"callFrameId": self.call_frame_id, "expression": expression, **_QUIETLY}
        return _value(await self.channel.send("Debugger.evaluateOnCallFrame", params, self.session_id))

    async def storage_key(self) -> str:
        return await _storage_key(self.channel, self.session_id, self.frame_id)


@dataclass(frozen=True, slots=True)
class IdleDocument:
    """A document with a private world, in which nothing runs yet though it is not stopped."""

    channel: Channel
    session_id: str
    page_id: str
    frame_id: str
    context_id: int

    async def evaluate(self, expression: str) -> object:
        params = {"contextId": self.context_id, "expression": expression, **_QUIETLY}
        return _value(await self.channel.send("Runtime.evaluate", params, self.session_id))

    async def storage_key(self) -> str:
        return await _storage_key(self.channel, self.session_id, self.frame_id)


_QUIETLY: Final = {"returnByValue": True, "silent": True}


async def _storage_key(channel: Channel, session_id: str, frame_id: str) -> str:
    answer = await channel.send("Storage.getStorageKeyForFrame", {"frameId": frame_id}, session_id)
    return str(answer["storageKey"])


def _value(answer: dict[str, Any]) -> object:
    if "exceptionDetails" in answer:
        raise CommandRefusedError("the seed expression failed in the document")
    result: dict[str, Any] = answer["result"]
    return result.get("value")


class SeedWriter:
    """Seeds stopped documents, each area once. ``report`` takes sentences without any value."""

    def __init__(self, seeds: StorageSeeds, report: Callable[[str], None]) -> None:
        self._seeds = seeds
        self._report = report
        self._ledger = AreaLedger()

    async def write(self, document: Document) -> bool:
        """Seed the document's areas that need it; whether any did. Raises ``ChannelError``.

        The caller resumes a stopped document.
        """
        origin, storage_key = await _identify(document, self._seeds)
        claimed: dict[StorageKind, Area] = {}
        try:
            for kind in KINDS:
                if self._seeds.entries(kind, origin):
                    area = area_of(kind, storage_key, document.page_id)
                    if await self._claim(area):
                        claimed[kind] = area
            if not claimed:
                return False
            await self._fill(document, origin, claimed)
            return True
        finally:
            for area in claimed.values():
                self._ledger.release(area)

    def wants(self, url: str, page_id: str) -> bool:
        """Whether a document from here, as the page itself, has seeds that are not yet written."""
        origin = origin_of(url)
        return origin is not None and any(
            not self._ledger.is_settled(area_of(kind, f"{origin}/", page_id))
            for kind in KINDS
            if self._seeds.entries(kind, origin)
        )

    async def _claim(self, area: Area) -> bool:
        while not self._ledger.claim(area):
            if await self._ledger.wait(area):
                return False
        return True

    async def _fill(self, document: Document, origin: str, claimed: dict[StorageKind, Area]) -> None:
        """Write and settle; what is settled is taken out of ``claimed``, the rest stays to be released."""
        work: dict[StorageKind, Entries] = {kind: self._seeds.entries(kind, origin) for kind in claimed}
        try:
            outcome = read_outcome(await document.evaluate(write_expression(origin, work)))
        except ChannelError as fault:
            raise type(fault)(f"{fault} for {origin}") from None  # still without a value
        if outcome is None:
            raise CommandRefusedError(f"the document left {origin} while it was to be seeded")
        for kind, refusal in outcome.items():
            self._ledger.settle(claimed.pop(kind))
            self._report_refusal(kind, origin, refusal, len(work[kind]))

    def _report_refusal(self, kind: StorageKind, origin: str, outcome: WriteOutcome, total: int) -> None:
        if outcome.refused:
            self._report(
                f"The browser refused {outcome.refused} of {total} {kind} storage seed entries "
                f"for {origin} ({outcome.error_name})."
            )


async def _identify(document: Document, seeds: StorageSeeds) -> tuple[str, str]:
    """The document's origin and storage key; the key is empty when the origin has no seed."""
    for _ in range(KEY_ATTEMPTS):
        own = str(await document.evaluate("self.origin"))
        if own not in seeds.origins:
            return own, ""
        storage_key = await document.storage_key()
        if storage_key_origin(storage_key) == own:
            return own, storage_key
    raise CommandRefusedError("the storage key of a document did not match its origin")


def storage_key_origin(storage_key: str) -> str:
    """The origin a serialised storage key begins with (Chromium ``blink::StorageKey::Serialize``).

    The form is ``origin/`` alone, or ``origin/^`` followed by the partition.
    """
    scheme, separator, rest = storage_key.partition("://")
    return scheme + separator + rest.split("/", 1)[0]
