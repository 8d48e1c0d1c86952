"""Descriptors that do not block are waited for."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import pytest

from rea_capture.evidence.descriptors import read_some, write_all

PATIENCE_S = 30
MORE_THAN_A_PIPE_HOLDS = b"x" * 3_000_000


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reader, writer = os.pipe()
    yield reader, writer
    for descriptor in (reader, writer):
        try:
            os.close(descriptor)
        except OSError:  # closed by the test
            continue


def test_all_is_written_to_a_pipe_that_does_not_block(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    os.set_blocking(writer, False)

    def write() -> None:
        write_all(writer, MORE_THAN_A_PIPE_HOLDS)
        os.close(writer)

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    read = bytearray()
    while chunk := os.read(reader, 4096):
        read += chunk
    thread.join(PATIENCE_S)
    assert read == MORE_THAN_A_PIPE_HOLDS


def test_a_pipe_that_does_not_block_is_read_when_something_comes(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    os.set_blocking(reader, False)
    read: list[bytes] = []
    thread = threading.Thread(target=lambda: read.append(read_some(reader, 10)), daemon=True)
    thread.start()
    thread.join(0.05)
    assert thread.is_alive()
    os.write(writer, b"late")
    thread.join(PATIENCE_S)
    assert read == [b"late"]


def test_a_reader_that_has_gone_is_told(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    os.set_blocking(writer, False)
    os.close(reader)
    with pytest.raises(BrokenPipeError):
        write_all(writer, b"x")
