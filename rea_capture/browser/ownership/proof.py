"""Whether the owner of a record is provably gone.

    1. The lock on the record is free: whoever asks here holds it. (The kernel drops a lock with its holder.)
    2. And the owner's process cannot be there any more: this machine has been started again since,
       there is no process of its number, or one that has ended and was not waited for, or the process of
       that number was started at another time.

Either could be wrong by itself: some file systems only pretend to lock, and numbers are given out again.
What cannot be told is not proved.

Below: ``machine``, ``record``. Above: ``registry``, ``reclaim``.
"""

from __future__ import annotations

from rea_capture.browser.ownership.machine import (
    boot_id,
    exists,
    has_ended,
    host_name,
    pid_namespace,
    start_ticks,
)
from rea_capture.browser.ownership.record import LaunchRecord, RecordedProcess


def doubt_about(record: LaunchRecord) -> str | None:
    """Why the owner of ``record``, whose lock is free, is not provably gone; None when it is."""
    here = boot_id()
    if here is None or record.boot_id is None:
        return "this system does not tell one boot from another"
    if record.boot_id != here:
        # Homes are shared between machines, and each has a boot id of its own.
        return None if record.host == host_name() else f"it was made on another machine ({record.host!r})"
    if record.pid_namespace != pid_namespace():
        return "it was made in another container"
    return _doubt_about_process(record.owner)


def _doubt_about_process(owner: RecordedProcess) -> str | None:
    if not exists(owner.pid) or has_ended(owner.pid):
        return None
    started = start_ticks(owner.pid)
    if started is None or owner.started is None:
        return f"there is a process {owner.pid}, and the system does not tell since when"
    return f"its process {owner.pid} still runs" if started == owner.started else None
