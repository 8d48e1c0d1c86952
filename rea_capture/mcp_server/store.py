"""What this server captured and compared, kept as files for as long as it lives, within bounds.

The folder is private (0700, files 0600) and owned as a browser's profile is: by a record under a lock, so
that what a killed server leaves is removed by the next one, by the next capture, or by ``rea clean``.

Below: ``browser.ownership``. Above: ``tools``, ``resources``.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from rea_capture.browser.ownership import OwnedFolder
from rea_capture.canonical import sha256_hex
from rea_capture.errors import Fault, OutputError
from rea_capture.mcp_server.limits import MAX_REMEMBERED_IDS, MAX_STORED_BYTES, MAX_STORED_DOCUMENTS
from rea_capture.mcp_server.refusals import EvidenceGoneError

URI_PREFIX: Final = "rea://evidence/"

_NEW_FILE: Final = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
_OWNER_ONLY: Final = 0o600
_UNFINISHED_SUFFIX: Final = ".unfinished"
"""Of a file that is being written; one at a time."""

_MAX_CLOSING_S: Final = 1.0
"""How long the end waits for what is being written; a folder takes milliseconds, a document seldom more."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A document in the store."""

    evidence_id: str
    kind: Literal["capture", "comparison"]
    path: Path
    sha256: str
    size_bytes: int

    @property
    def uri(self) -> str:
        """The resource that it is."""
        return URI_PREFIX + self.evidence_id


class EvidenceStore:
    """The documents, oldest first. May be used from any thread.

    Who wants to know what there is never waits for a document that is written, read or deleted: only the
    list is under the lock. Documents are written one at a time, under a lock of their own, so that the bounds
    hold.
    """

    def __init__(self, max_bytes: int = MAX_STORED_BYTES, max_documents: int = MAX_STORED_DOCUMENTS) -> None:
        self._max_bytes = max_bytes
        self._max_documents = max_documents
        self._documents: OrderedDict[str, Stored] = OrderedDict()
        self._left: OrderedDict[str, None] = OrderedDict()
        self._folder: OwnedFolder | None = None
        self._closed = False
        self._lock = threading.Lock()
        self._writing = threading.Lock()

    def keep(self, evidence_id: str, kind: Literal["capture", "comparison"], data: bytes) -> Stored:
        """Keep ``data``, and let the oldest documents go that there is no room for any more.

        Raises :class:`OutputError` when it cannot be written, is larger than the whole store, or comes after
        :meth:`close`.
        """
        size = len(data)
        if size > self._max_bytes:
            raise OutputError(
                f"the Evidence has {size:,} bytes, and the store of this server {self._max_bytes:,}: "
                "lower capture.limits, or capture with the command line"
            )
        sha256 = sha256_hex(data)
        with self._writing:
            path = self._opened() / f"{evidence_id}.json"
            try:
                for oldest in self._without_room(evidence_id, size):
                    oldest.path.unlink(missing_ok=True)
                _write(path, data)
            except OSError as error:
                raise self._not_written(error) from None
            return self._listed(Stored(evidence_id, kind, path, sha256, size))

    def data(self, evidence_id: str) -> bytes:
        """The document ``evidence_id``. Raises :class:`EvidenceGoneError`."""
        with self._lock:
            stored = self._documents.get(evidence_id)
            if stored is None:
                raise self._gone(evidence_id)
        try:
            return stored.path.read_bytes()
        except OSError:  # it has left meanwhile, or somebody has emptied the temporary folder
            with self._lock:
                if self._documents.get(evidence_id) is stored:
                    self._forget(evidence_id)
                raise self._gone(evidence_id) from None

    def drop(self, evidence_id: str) -> None:
        """Keep ``evidence_id`` no longer; where it is not kept there is nothing to do."""
        with self._lock:
            stored = self._documents.get(evidence_id)
            if stored is None:
                return
            self._forget(evidence_id)
        with suppress(OSError):
            stored.path.unlink(missing_ok=True)

    def listed(self) -> tuple[Stored, ...]:
        """Every document there is, the oldest first."""
        with self._lock:
            return tuple(self._documents.values())

    def close(self) -> None:
        """Delete everything, and keep nothing any more. What is being kept in this moment is refused."""
        with self._lock:
            self._closed = True
        # Whoever makes the folder just now deletes it again, if the process lives for as long.
        if self._writing.acquire(timeout=_MAX_CLOSING_S):
            self._writing.release()
        with self._lock:
            self._documents.clear()
            folder, self._folder = self._folder, None
        if folder is not None:
            folder.delete()

    def _opened(self) -> Path:
        """The folder, which is made for the first document."""
        with self._lock:
            self._refuse_if_closed()
            if self._folder is not None:
                return self._folder.path
        try:
            made = OwnedFolder.create()
        except OSError as error:
            raise self._not_written(error) from None
        with self._lock:
            if not self._closed:
                self._folder = made
                return made.path
        made.delete()
        raise _ending()

    def _without_room(self, evidence_id: str, size: int) -> list[Stored]:
        """The documents that have left the list for ``size`` bytes of ``evidence_id``."""
        with self._lock:
            # The same document again takes the place of itself.
            others = [each for each in self._documents.values() if each.evidence_id != evidence_id]
            left, total = 0, sum(each.size_bytes for each in others)
            while left < len(others) and (
                len(others) - left >= self._max_documents or total + size > self._max_bytes
            ):
                total -= others[left].size_bytes
                self._forget(others[left].evidence_id)
                left += 1
            return others[:left]

    def _listed(self, stored: Stored) -> Stored:
        with self._lock:
            self._refuse_if_closed()  # the folder has gone, and with it the file
            self._documents.pop(stored.evidence_id, None)
            self._documents[stored.evidence_id] = stored
            self._left.pop(stored.evidence_id, None)
        return stored

    def _forget(self, evidence_id: str) -> None:
        del self._documents[evidence_id]
        self._left[evidence_id] = None
        if len(self._left) > MAX_REMEMBERED_IDS:
            self._left.popitem(last=False)

    def _gone(self, evidence_id: str) -> EvidenceGoneError:
        if evidence_id in self._left:
            message = (
                f"{evidence_id} has left the store, which keeps {self._max_documents} documents and "
                f"{self._max_bytes:,} bytes and lets the oldest go first"
            )
        else:
            long_gone = len(self._left) >= MAX_REMEMBERED_IDS
            message = f"{evidence_id} is no result of this server since it started" + (
                f", or {MAX_REMEMBERED_IDS:,} others have left the store after it" if long_gone else ""
            )
        return EvidenceGoneError(message, [Fault("/evidence_id", message)])

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise _ending()

    def _not_written(self, error: OSError) -> OutputError:
        return _ending() if self._closed else _not_written(error)


def _write(path: Path, data: bytes) -> None:
    """Write ``data`` to ``path``, whole: whoever reads there meanwhile has what was there before."""
    unfinished = path.with_suffix(_UNFINISHED_SUFFIX)
    descriptor = os.open(unfinished, _NEW_FILE, _OWNER_ONLY)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    finally:
        os.close(descriptor)


def _ending() -> OutputError:
    return OutputError("the Evidence is not kept: this server ends")


def _not_written(error: OSError) -> OutputError:
    return OutputError(
        f"the Evidence cannot be kept in the temporary folder: {(error.strerror or 'unknown reason').lower()}"
    )
