"""Where artifacts of a session are kept: ``<root>/<session>/<run>/<artifact>.(png|json)``, private, whole.

Names are made here; no path comes from a caller, and none goes to the worker. An artifact has its name from
the moment that it is complete and on the disk; before, and when it never becomes so, there is nothing.

Below: ``private_folders``, ``browser.state_folder``, ``evidence.descriptors``. Above: ``runtime``.
"""

from __future__ import annotations

import base64
import os
import secrets
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Final

from rea_capture.browser.state_folder import usable_folder
from rea_capture.canonical.digest import sha256_hex_of_pieces
from rea_capture.contracts.runtime.budgets import (
    MAX_DIAGNOSTICS_BYTES,
    MAX_FRAME_BYTES,
    MAX_SCREENSHOT_BYTES,
)
from rea_capture.contracts.runtime.errors import BrowserOperationError
from rea_capture.contracts.runtime.failing import failure
from rea_capture.contracts.runtime.results import (
    ArtifactKind,
    ArtifactMetadata,
    ArtifactOwner,
    ArtifactPayload,
    ContentType,
)
from rea_capture.evidence.descriptors import write_all
from rea_capture.session.private_folders import opened_root, opened_within

MAX_ARTIFACT_BYTES: Final[Mapping[ArtifactKind, int]] = {
    "screenshot": MAX_SCREENSHOT_BYTES,
    "diagnostics": MAX_DIAGNOSTICS_BYTES,
    "evidence": MAX_FRAME_BYTES,
}
"""By kind. An Evidence document has no bound of its own but what fits into a line of the transport."""

_CONTENT: Final[Mapping[ArtifactKind, tuple[ContentType, str]]] = {
    "screenshot": ("image/png", "png"),
    "diagnostics": ("application/json", "json"),
    "evidence": ("application/json", "json"),
}
_OWNER_ONLY_FILE: Final = 0o600
_FOLDER: Final = "artifacts"


def default_root(environ: Mapping[str, str] | None = None) -> Path:
    """Where artifacts go when nobody says: ``artifacts`` in the state folder of this user.

    Raises :class:`BrowserOperationError` with ``artifact_failed``.
    """
    try:
        return usable_folder(_FOLDER, environ)
    except OSError as error:
        reason = _reason(error)
    raise _failed(f"there is no folder to keep artifacts in: {reason}")


class PrivateArtifactStore:
    """The artifacts of one session below ``root``, which is made when the first is opened.

    Every method may be called from any thread. Errors are :class:`BrowserOperationError` with
    ``artifact_failed``.
    """

    def __init__(self, root: Path | str) -> None:
        self._root = Path(os.path.abspath(root))
        self._lock = threading.Lock()
        self._open: set[OpenArtifact] = set()
        self._closed = False

    @property
    def root(self) -> Path:
        """The folder, absolute."""
        return self._root

    def open(self, owner: ArtifactOwner, kind: ArtifactKind) -> OpenArtifact:
        """A new artifact of ``owner``, to be written and committed."""
        with self._lock:
            if self._closed:
                raise _failed("the artifact store is closed")
            artifact = OpenArtifact(self, owner, kind)
            self._open.add(artifact)
            return artifact

    def keep(self, owner: ArtifactOwner, payload: ArtifactPayload) -> ArtifactMetadata:
        """Write and commit what ``payload`` says that it is; nothing is left of what it is not."""
        (kept,) = self.keep_all(owner, (payload,))
        return kept

    def keep_all(
        self, owner: ArtifactOwner, payloads: Sequence[ArtifactPayload]
    ) -> tuple[ArtifactMetadata, ...]:
        """As :meth:`keep`. None is committed before all are written."""
        with ExitStack() as stack:
            written = []
            for payload in payloads:
                data = decoded(payload)
                artifact = stack.enter_context(self.open(owner, payload.kind))
                artifact.write(data)
                written.append((artifact, payload))
            return tuple(
                artifact.commit(byte_length=payload.byte_length, truncated=payload.truncated)
                for artifact, payload in written
            )

    def close(self) -> None:
        """Remove what was not committed, and keep the rest. Calling it again does nothing."""
        with self._lock:
            self._closed = True
            left = tuple(self._open)
        for artifact in left:
            artifact.discard()

    def _opened(self, owner: ArtifactOwner) -> int:
        """A descriptor of the folder for ``owner``. Raises ``OSError``."""
        root = opened_root(self._root)
        try:
            session = opened_within(root, owner.session_id)
            try:
                return opened_within(session, owner.run_id)
            finally:
                os.close(session)
        finally:
            os.close(root)


class OpenArtifact:
    """An artifact that is being written. As a context manager, it is discarded unless it was committed."""

    def __init__(self, store: PrivateArtifactStore, owner: ArtifactOwner, kind: ArtifactKind) -> None:
        self._store = store
        self._owner = owner
        self._kind = kind
        self._id = secrets.token_hex(16)
        self._content_type, suffix = _CONTENT[kind]
        self._name = f"{self._id}.{suffix}"
        self._temporary = f".{self._id}.tmp"
        self._lock = threading.RLock()
        self._pieces: list[bytes] = []  # the bound of a kind bounds them
        self._byte_length = 0
        self._folder: int | None = None
        self._file: int | None = None
        try:
            self._folder = store._opened(owner)
            self._file = self._made(self._folder)
        except OSError as error:
            reason = _reason(error)
        else:
            return
        self._let_go()
        raise _failed(f"an artifact cannot be kept in {str(store.root)!r}: {reason}")

    def write(self, data: bytes) -> None:
        """Add ``data``. Beyond the bound of the kind nothing is written, and the artifact is discarded."""
        with self._lock:
            file = self._writable()
            if self._byte_length + len(data) > MAX_ARTIFACT_BYTES[self._kind]:
                self.discard()
                raise _failed(f"a {self._kind} has more than {MAX_ARTIFACT_BYTES[self._kind]:,} bytes")
            try:
                write_all(file, data)
            except OSError as error:
                reason = _reason(error)
            else:
                self._pieces.append(data)
                self._byte_length += len(data)
                return
            self.discard()
        raise _failed(f"an artifact cannot be written in {str(self._store.root)!r}: {reason}")

    def commit(self, *, byte_length: int, truncated: bool = False) -> ArtifactMetadata:
        """Give it its name, if it has the ``byte_length`` that was declared; else it is discarded."""
        with self._lock:
            file = self._writable()
            if self._byte_length != byte_length:
                self.discard()
                raise _failed(f"a {self._kind} of {byte_length:,} declared bytes has {self._byte_length:,}")
            assert self._folder is not None
            try:
                os.fsync(file)
                self._name_it(self._folder)
            except OSError as error:
                reason = _reason(error)
            else:
                self._let_go()
                return self._metadata(truncated)
            self.discard()
        raise _failed(f"an artifact cannot be kept in {str(self._store.root)!r}: {reason}")

    def discard(self) -> None:
        """Remove it, unless it was committed. Never raises."""
        with self._lock:
            if self._folder is not None:
                with suppress(OSError):
                    os.unlink(self._temporary, dir_fd=self._folder)
            self._let_go()

    def __enter__(self) -> OpenArtifact:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.discard()

    def _made(self, folder: int) -> int:
        how = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        file = os.open(self._temporary, how, _OWNER_ONLY_FILE, dir_fd=folder)
        os.fchmod(file, _OWNER_ONLY_FILE)  # whatever the umask took away
        return file

    def _name_it(self, folder: int) -> None:
        # A rename would take the place of what is there; nobody else writes to this folder meanwhile.
        with suppress(FileNotFoundError):
            os.stat(self._name, dir_fd=folder, follow_symlinks=False)
            raise FileExistsError(17, "something else has its name")
        os.rename(self._temporary, self._name, src_dir_fd=folder, dst_dir_fd=folder)
        with suppress(OSError):  # so that the name lasts, where the file system can
            os.fsync(folder)

    def _writable(self) -> int:
        if self._file is None:
            raise _failed("the artifact is closed: its store was closed, or it was committed or discarded")
        return self._file

    def _let_go(self) -> None:
        for descriptor in (self._file, self._folder):
            if descriptor is not None:
                os.close(descriptor)
        self._file = self._folder = None
        self._store._open.discard(self)

    def _metadata(self, truncated: bool) -> ArtifactMetadata:
        return ArtifactMetadata(
            artifact_id=self._id,
            owner=self._owner,
            kind=self._kind,
            content_type=self._content_type,
            path=str(self._store.root / self._owner.session_id / self._owner.run_id / self._name),
            byte_length=self._byte_length,
            sha256=sha256_hex_of_pieces(self._pieces),
            truncated=truncated,
        )


def decoded(payload: ArtifactPayload) -> bytes:
    """The bytes of ``payload``. Raises with ``artifact_failed`` for what is not as it says."""
    content_type, _ = _CONTENT[payload.kind]
    if payload.content_type != content_type:
        raise _failed(f"a {payload.kind} is {content_type}, not {payload.content_type}")
    data = None
    with suppress(ValueError):
        data = base64.b64decode(payload.data_base64, validate=True)
    if data is None:
        raise _failed(f"a {payload.kind} is not in base64")
    if len(data) != payload.byte_length:
        raise _failed(f"a {payload.kind} of {payload.byte_length:,} declared bytes has {len(data):,}")
    return data


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


def _failed(message: str) -> BrowserOperationError:
    return failure("captureEvidence", "capture", "artifact_failed", message)
