"""What this server captured and compared, kept as files for as long as it lives, within bounds.

The folder is private (0700, files 0600) and owned as a browser's profile is: by a record under a lock, so
that what a killed server leaves is removed by the next one, by the next capture, or by ``rea clean``.

Below: ``browser.ownership``. Above: ``tools``, ``resources``.
"""

from __future__ import annotations

import os
import secrets
import tempfile
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from rea_capture.browser.ownership import Ownership
from rea_capture.browser.ownership.folders import FOLDER_PREFIX, delete_folder
from rea_capture.canonical import sha256_hex
from rea_capture.errors import Fault, OutputError
from rea_capture.mcp_server.limits import MAX_REMEMBERED_IDS, MAX_STORED_BYTES, MAX_STORED_DOCUMENTS
from rea_capture.mcp_server.refusals import EvidenceGoneError

URI_PREFIX: Final = "rea://evidence/"

_NEW_FILE: Final = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
_OWNER_ONLY: Final = 0o600
_OWNER_ONLY_FOLDER: Final = 0o700


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
    """The documents, oldest first. May be used from any thread."""

    def __init__(self, max_bytes: int = MAX_STORED_BYTES, max_documents: int = MAX_STORED_DOCUMENTS) -> None:
        self._max_bytes = max_bytes
        self._max_documents = max_documents
        self._documents: OrderedDict[str, Stored] = OrderedDict()
        self._left: OrderedDict[str, None] = OrderedDict()
        self._folder: _OwnedFolder | None = None
        self._lock = threading.Lock()

    def keep(self, evidence_id: str, kind: Literal["capture", "comparison"], data: bytes) -> Stored:
        """Keep ``data``, and let the oldest documents go that there is no room for any more.

        Raises :class:`OutputError` when it cannot be written, or is larger than the whole store.
        """
        if len(data) > self._max_bytes:
            raise OutputError(
                f"the Evidence has {len(data):,} bytes, and the store of this server {self._max_bytes:,}: "
                "lower capture.limits, or capture with the command line"
            )
        with self._lock:
            self._make_room(evidence_id, len(data))
            stored = Stored(evidence_id, kind, self._path(evidence_id), sha256_hex(data), len(data))
            try:
                _write(stored.path, data)
            except OSError as error:
                raise _not_written(error) from None
            self._documents[evidence_id] = stored
            self._left.pop(evidence_id, None)
            return stored

    def data(self, evidence_id: str) -> bytes:
        """The document ``evidence_id``. Raises :class:`EvidenceGoneError`."""
        with self._lock:
            stored = self._documents.get(evidence_id)
            if stored is None:
                raise self._gone(evidence_id)
            try:
                return stored.path.read_bytes()
            except OSError:  # somebody has emptied the temporary folder
                self._forget(evidence_id)
                raise self._gone(evidence_id) from None

    def stored(self, evidence_id: str) -> Stored:
        """What is known of the document ``evidence_id``. Raises :class:`EvidenceGoneError`."""
        with self._lock:
            found = self._documents.get(evidence_id)
            if found is None:
                raise self._gone(evidence_id)
            return found

    def listed(self) -> tuple[Stored, ...]:
        """Every document there is, the oldest first."""
        with self._lock:
            return tuple(self._documents.values())

    def close(self) -> None:
        """Delete everything."""
        with self._lock:
            self._documents.clear()
            if self._folder is not None:
                self._folder.delete()
                self._folder = None

    def _make_room(self, evidence_id: str, size: int) -> None:
        self._documents.pop(evidence_id, None)  # the same document again: it is the newest now
        total = sum(each.size_bytes for each in self._documents.values())
        while self._documents and (
            len(self._documents) >= self._max_documents or total + size > self._max_bytes
        ):
            oldest = next(iter(self._documents.values()))
            total -= oldest.size_bytes
            self._forget(oldest.evidence_id)

    def _forget(self, evidence_id: str) -> None:
        left = self._documents.pop(evidence_id)
        left.path.unlink(missing_ok=True)
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
            message = f"{evidence_id} is no result of this server since it started"
        return EvidenceGoneError(message, [Fault("/evidence_id", message)])

    def _path(self, evidence_id: str) -> Path:
        if self._folder is None:
            try:
                self._folder = _OwnedFolder.create()
            except OSError as error:
                raise _not_written(error) from None
        return self._folder.path / f"{evidence_id}.json"


@dataclass(frozen=True, slots=True)
class _OwnedFolder:
    path: Path
    ownership: Ownership

    @classmethod
    def create(cls) -> _OwnedFolder:
        """Record that the folder is going to be ours, then make it. Raises ``OSError``."""
        path = Path(tempfile.gettempdir()).resolve() / f"{FOLDER_PREFIX}{secrets.token_hex(8)}"
        folder = cls(path, Ownership.claim((path,)))
        try:
            path.mkdir(mode=_OWNER_ONLY_FOLDER)
            folder.ownership.folders_made()
        except BaseException:
            folder.delete()
            raise
        return folder

    def delete(self) -> None:
        """Delete it; the record stays while something of it does."""
        remains = [delete_folder(folder) for folder in self.ownership.record.folders]
        self.ownership.release(keep_record=any(problem is not None for problem in remains))


def _write(path: Path, data: bytes) -> None:
    descriptor = os.open(path, _NEW_FILE, _OWNER_ONLY)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    finally:
        os.close(descriptor)


def _not_written(error: OSError) -> OutputError:
    return OutputError(
        f"the Evidence cannot be kept in the temporary folder: {(error.strerror or 'unknown reason').lower()}"
    )
