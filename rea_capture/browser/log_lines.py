"""The lines of the browser's log: an event on each, and what shows that none is missing.

A disk that is full for a moment keeps the beginning of a line, and the log goes on with a later one. So each
line is looked at, whereas only the events that are asked for are parsed, which is one in ten.

Format: Chromium ``net/log/file_net_log_observer.cc``.
Below: orjson. Above: ``network_log``.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from typing import Any, BinaryIO, Final

import orjson

MAX_READING_S: Final = 2.0
"""How long reading may take, of the ten seconds in which a capture that was stopped is over. It reads some
200 MiB by then; a request takes 13 KiB. (A browser can be told to bound its log. It then begins it late, and
the first requests are not in it.)"""
LINES_PER_LOOK: Final = 2_048
"""Lines between two looks at the clock, a millisecond."""
MAX_LINE_BYTES: Final = 4 * 1024 * 1024
"""A longer line is left out, and the log counts as cut; a URL has 2 MiB at most."""

_PARAMS, _PHASE = b'{"params":', b'{"phase":'
_BEGINNINGS: Final = (_PARAMS, _PHASE)
"""What an event begins with, and hardly any has within: texts have no bare quotes."""
_ENDS: Final = (b"},\n", b"}],\n")
_FRAMING: Final = (b'"events": [\n', b"}\n")
_POLLED: Final = b'"polledData":'
"""What there is besides events."""


class LogLines:
    """One pass over a log."""

    def __init__(self, file: BinaryIO, wanted: Collection[str]) -> None:
        """Read the first line, for events by the names ``wanted``.

        Raises ``ValueError``, ``KeyError`` or ``TypeError`` for what is no log.
        """
        constants = orjson.loads(file.readline(MAX_LINE_BYTES).rstrip().removesuffix(b",") + b"}")[
            "constants"
        ]
        self.offset_s = int(constants["timeTickOffset"]) / 1000
        """What makes the log's time wall clock."""
        self.is_whole = False
        """Whether every line was read and none is torn; known when there are no more events."""
        self._file = file
        numbers = constants["logEventTypes"]
        self._names = {int(numbers[name]): name for name in wanted if name in numbers}
        self._endings = tuple(
            ending
            for number in self._names
            for ending in (b'"type":%d},\n' % number, b'"type":%d}],\n' % number)
        )

    def events(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Each event that is wanted, by name. Blocks for :data:`MAX_READING_S` at most."""
        deadline, last, whole, count = time.monotonic() + MAX_READING_S, b"", True, 0
        read, endings = self._file.readline, self._endings
        while line := read(MAX_LINE_BYTES):
            last, count = line, count + 1
            if not line.startswith(_BEGINNINGS):
                whole &= line in _FRAMING or line.startswith(_POLLED)
            elif (
                line.endswith(endings)
                or line.find(_PARAMS, 1) > 0  # begins twice: torn, as a rule
                or line.find(_PHASE, 1) > 0
                or not line.endswith(_ENDS)
            ):
                try:
                    event = orjson.loads(line.rstrip(b"],\n"))
                except orjson.JSONDecodeError:
                    whole, event = False, {"type": None}
                if event["type"] in self._names:
                    yield self._names[event["type"]], event
            if count % LINES_PER_LOOK == 1 and time.monotonic() > deadline:
                return
        self.is_whole = whole and last.rstrip() == b"}"
