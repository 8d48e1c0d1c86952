"""What a launch does first: clean up after launches that were killed, if that is quickly done.

Below: ``registry``, ``reclaim``. Above: ``launch``.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from rea_capture.browser.ownership.reclaim import reclaim
from rea_capture.browser.ownership.registry import UNFINISHED_SUFFIX, record_files, state_of

MAX_RECLAIM_BEFORE_LAUNCH_S: Final = 2.0
"""A capture begins no further record after this; the rest is for the next one, or for `rea clean`."""


async def reclaim_before_launch() -> None:
    """:func:`reclaim`, bounded, and silent: what it cannot do stays recorded, and `rea doctor` shows it.

    It is not told in the Evidence either, which is about the page. It costs one look at the folder of
    records where there are none, and a thread only where one is abandoned.
    """
    with suppress(Exception):  # whatever it is, a capture does not fail because of somebody else's remains
        if any(_is_due(path) for path in record_files()):
            deadline = time.monotonic() + MAX_RECLAIM_BEFORE_LAUNCH_S
            await asyncio.to_thread(reclaim, deadline=deadline)


def _is_due(path: Path) -> bool:
    if path.suffix == UNFINISHED_SUFFIX:
        return True
    state = state_of(path)
    return state is not None and state.standing == "abandoned"
