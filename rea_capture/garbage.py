"""When not to look for garbage.

Below: the standard library. Above: what reads or compares whole documents.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """No search for cyclic garbage inside, if there was any before.

    A large document is many objects and none of them garbage: looking for it among them takes a tenth of the
    time. Objects without cycles are freed at once as ever.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
