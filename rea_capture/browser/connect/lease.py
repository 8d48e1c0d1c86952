"""One capture at a time for each browser and target, across all processes of a user.

A lease is a lock (``flock``) on a private file that is named after the browser's own id and the target id,
so that two spellings of one address give one lease. The kernel drops the lock with its holder; nothing
has to be cleaned up, and no lease outlives a capture.

The folder is the one of the user's state (``state_folder``), whatever ``TMPDIR`` a process has.

Below: ``state_folder``, ``canonical``. Above: ``session``.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from rea_capture.browser.state_folder import usable_folder
from rea_capture.canonical import sha256_hex
from rea_capture.errors import UnavailableError

LEASE_TIMEOUT_MS: Final = 60_000
"""How long a capture waits for another one on the same page."""

POLL_MS: Final = 100
"""Between two attempts. A wait for the lock itself could not be given up."""

_FOLDER_NAME: Final = "leases"


@asynccontextmanager
async def leased(browser_id: str, target_id: str, tell: Callable[[str], None]) -> AsyncIterator[bool]:
    """Hold the lease while the block runs; yields whether there was a wait for it.

    ``tell`` gets a sentence before the wait. Raises :class:`UnavailableError` when another capture still
    holds it after ``LEASE_TIMEOUT_MS``, or when no file can be made to lock.
    """
    name = f"{lease_name(browser_id, target_id)}.lock"
    try:
        path = usable_folder(_FOLDER_NAME) / name
        lock, waited = await _acquired(path, target_id, tell)
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise UnavailableError(f"the lease on the page could not be taken: {reason}") from None
    try:
        yield waited
    finally:
        with suppress(OSError):  # unlinked while it is held: whoever opened it meanwhile tries again
            path.unlink()
        os.close(lock)


def lease_name(browser_id: str, target_id: str) -> str:
    """SHA-256, in hexadecimal, of both ids."""
    return sha256_hex(f"{browser_id}\0{target_id}".encode())


async def _acquired(path: Path, target_id: str, tell: Callable[[str], None]) -> tuple[int, bool]:
    deadline = asyncio.get_running_loop().time() + LEASE_TIMEOUT_MS / 1000
    waited = False
    while (lock := _locked(path)) is None:
        if asyncio.get_running_loop().time() >= deadline:
            raise UnavailableError(
                f"another capture has used target {target_id!r} for more than {LEASE_TIMEOUT_MS} ms; "
                "wait for it, or select another page"
            )
        if not waited:
            waited = True
            tell(f"another capture uses target {target_id!r}; waiting for it, {LEASE_TIMEOUT_MS} ms at most")
        await asyncio.sleep(POLL_MS / 1000)
    return lock, waited


def _locked(path: Path) -> int | None:
    """A descriptor that holds the lock on the file at ``path``; None while somebody else does."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(lock), path.stat()):
            return lock
    except (BlockingIOError, FileNotFoundError):
        pass  # held, or the file that was opened is no longer the one at this path
    except BaseException:
        os.close(lock)
        raise
    os.close(lock)
    return None
