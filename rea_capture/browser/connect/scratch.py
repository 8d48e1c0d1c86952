"""The folder in which the driver of an attached page keeps files of its own.

By itself the driver makes one among the temporary files, and leaves it there whenever it does not end in
peace. This one is recorded as ours before it is made, as a profile is, so that whatever happens it goes: with
the capture, else with the next one or with `rea clean`.

Below: ``ownership``. Above: ``session``.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from rea_capture.browser.ownership import OwnedFolder
from rea_capture.browser.ownership.before_launch import reclaim_before_launch
from rea_capture.capture.finishing import finished
from rea_capture.errors import UnavailableError


@asynccontextmanager
async def scratch_folder(report: Callable[[str], None]) -> AsyncIterator[Path]:
    """A private folder (mode 0700) for as long as the block runs.

    First, what captures that were killed have left is taken down. Raises :class:`UnavailableError` when the
    folder cannot be recorded or made. ``report`` gets a sentence when it cannot be deleted.
    """
    await reclaim_before_launch()
    try:
        folder = OwnedFolder.create()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UnavailableError(f"the driver's temporary folder could not be created: {reason}") from None
    try:
        yield folder.path
    finally:
        if await finished(_deleted(folder)):
            report("The temporary folder of the browser driver could not be deleted completely.")


async def _deleted(folder: OwnedFolder) -> bool:
    """Delete the folder beside the loop; in it where no thread can be started. Whether something remains."""
    try:
        return await asyncio.to_thread(folder.delete)
    except RuntimeError:
        return folder.delete()
