"""Lines are written in order by somebody else: nobody who puts one waits, and memory stays bounded."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rea_capture.cli.line_writer import MAX_PENDING_NOTICES, LineWriter
from rea_capture.cli.output import Output
from rea_capture.errors import OutputError

WAIT_S = 20.0


def writer_to(descriptor: int | None) -> LineWriter:
    return LineWriter(Output(descriptor, on_terminal=False, as_json=True, path=None))


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """Both ends of a pipe; a test may close the reading one."""
    reader, writer = os.pipe()
    yield reader, writer
    for descriptor in (reader, writer):
        try:
            os.close(descriptor)
        except OSError:
            continue


def read_lines(reader: int, into: list[bytes]) -> threading.Thread:
    """Read all from ``reader`` in a thread, into ``into``."""

    def read() -> None:
        with os.fdopen(os.dup(reader), "rb") as stream:
            into.extend(stream)

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    return thread


def test_lines_come_in_the_order_in_which_they_were_put(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    lines = writer_to(writer)
    lines.start(pytest.fail)
    seen: list[bytes] = []
    reading = read_lines(reader, seen)
    put = [b"%d %s\n" % (index, b"x" * index) for index in range(0, 9_000, 300)]
    for index, line in enumerate(put):
        (lines.put if index % 3 else lines.offer)(line)
    lines.end(lambda: b"last\n")
    os.close(writer)
    reading.join(WAIT_S)
    assert seen == [*put, b"last\n"]
    assert lines.dropped == 0


def test_a_reader_that_does_not_read_costs_nobody_time_and_only_notices(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    lines = writer_to(writer)
    lines.start(pytest.fail)
    block = b"b" * 2**20 + b"\n"
    began = time.monotonic()
    lines.put(block)
    for index in range(1_000):
        lines.offer(b"notice %d\n" % index)
        if index % 100 == 0:
            lines.put(b"line %d\n" % index)
    assert time.monotonic() - began < WAIT_S
    assert lines.dropped == 1_000 - MAX_PENDING_NOTICES

    seen: list[bytes] = []
    reading = read_lines(reader, seen)
    lines.end(lambda: b"%d dropped\n" % lines.dropped)
    os.close(writer)
    reading.join(WAIT_S)
    assert seen[0] == block
    assert [line for line in seen if line.startswith(b"line")] == [
        b"line %d\n" % index for index in range(0, 1_000, 100)
    ]
    assert sum(line.startswith(b"notice") for line in seen) == MAX_PENDING_NOTICES
    assert seen[-1] == b"%d dropped\n" % (1_000 - MAX_PENDING_NOTICES)


def test_a_reader_that_goes_is_noticed_with_nothing_to_write(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    gone = threading.Event()
    lines = writer_to(writer)
    lines.start(gone.set)
    os.close(reader)
    assert gone.wait(WAIT_S)
    lines.put(b"to nobody\n")
    with pytest.raises(BrokenPipeError):
        lines.check()
    with pytest.raises(BrokenPipeError):
        lines.end(lambda: b"last\n")


def test_a_full_device_is_told_with_its_cause() -> None:
    failed = threading.Event()
    with Path("/dev/full").open("wb") as full:
        lines = writer_to(full.fileno())
        lines.start(failed.set)
        lines.put(b"line\n")
        assert failed.wait(WAIT_S)
        with pytest.raises(OutputError, match="no space left"):
            lines.end(lambda: b"last\n")


def test_a_closed_standard_output_is_refused_before_anything_is_started() -> None:
    with pytest.raises(OutputError, match="closed"):
        writer_to(None).start(pytest.fail)


def test_an_end_without_a_start_writes_its_one_line(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    lines = writer_to(writer)
    before = lines.ended
    lines.end(lambda: b"only\n")
    assert (before, lines.ended) == (False, True)
    assert os.read(reader, 100) == b"only\n"


class TooLateError(Exception):
    """What a signal's handler raises here."""


def test_a_signal_ends_the_wait_for_a_reader_that_takes_nothing(pipe: tuple[int, int]) -> None:
    _, writer = pipe
    lines = writer_to(writer)
    lines.start(lambda: None)
    lines.put(b"b" * 2**20 + b"\n")

    def too_late(*_: object) -> None:
        raise TooLateError

    before = signal.signal(signal.SIGALRM, too_late)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(TooLateError):
            lines.end(lambda: b"last\n")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert lines.ended
