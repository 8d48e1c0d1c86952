"""One capture at a time for each browser and target, across all processes that can reach it.

A lease is named after the browser's own id and the target id, so that two spellings of one address give one
lease. It is two things, both held or none, and the kernel drops both with their holder:

    1. the name, bound to a socket in the abstract space of Linux (unix(7)). That space is the one of the
       loopback interface: whoever can reach the same browser there, of whatever user, environment or
       container, sees the same names;
    2. a lock (``flock``) on a private file in the folder of the user's state (``state_folder``), for systems
       without such names, and for processes that share a home but not the interface.

Below: ``state_folder``, ``canonical``. Above: ``session``.
"""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
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
    name = lease_name(browser_id, target_id)
    try:
        path = usable_folder(_FOLDER_NAME) / f"{name}.lock"
        lock, waited = await _acquired(_Lease(name, path), target_id, tell)
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise UnavailableError(f"the lease on the page could not be taken: {reason}") from None
    try:
        yield waited
    finally:
        _unlinked(path)
        lock.close()


@asynccontextmanager
async def leased_at_once(browser_id: str, *target_ids: str) -> AsyncIterator[bool]:
    """Hold the leases of all targets while the block runs, or none; yields whether they are held.

    Nobody is waited for. The target ``""`` stands for the browser as a whole. Raises
    :class:`UnavailableError` when no file can be made to lock.
    """
    with ExitStack() as stack:
        try:
            held = all(_entered(stack, browser_id, target_id) for target_id in target_ids)
        except OSError as error:
            reason = (error.strerror or type(error).__name__).lower()
            raise UnavailableError(f"the lease on the browser could not be taken: {reason}") from None
        if not held:
            stack.close()
        yield held


def _entered(stack: ExitStack, browser_id: str, target_id: str) -> bool:
    name = lease_name(browser_id, target_id)
    path = usable_folder(_FOLDER_NAME) / f"{name}.lock"
    lock = _Lease(name, path).taken()
    if lock is None:
        return False
    stack.push(lock)
    stack.callback(_unlinked, path)
    return True


def _unlinked(path: Path) -> None:
    with suppress(OSError):  # while it is held: whoever opened it meanwhile tries again
        path.unlink()


def lease_name(browser_id: str, target_id: str) -> str:
    """SHA-256, in hexadecimal, of both ids."""
    return sha256_hex(f"{browser_id}\0{target_id}".encode())


@dataclass(frozen=True, slots=True)
class _Lease:
    """What has to be held: the name, and the file at ``path``."""

    name: str
    path: Path

    def taken(self) -> ExitStack | None:
        """Both, until it is closed; None while somebody else has one of them."""
        with ExitStack() as stack:
            bound = _bound(self.name)
            if bound is None:
                return None
            stack.callback(bound.close)
            lock = _locked(self.path)
            if lock is None:
                return None
            stack.callback(os.close, lock)
            return stack.pop_all()
        raise AssertionError("unreachable")


async def _acquired(lease: _Lease, target_id: str, tell: Callable[[str], None]) -> tuple[ExitStack, bool]:
    deadline = asyncio.get_running_loop().time() + LEASE_TIMEOUT_MS / 1000
    waited = False
    while (lock := lease.taken()) is None:
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


def _bound(name: str) -> socket.socket | None:
    """A socket that has the name, or that stands for it where there are no such names; None while another
    has it.
    """
    holder = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    try:
        if sys.platform == "linux":
            holder.bind(f"\0rea-capture/lease/{name}")
    except OSError as error:
        holder.close()
        if error.errno == errno.EADDRINUSE:
            return None
        raise
    return holder


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
