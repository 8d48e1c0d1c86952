"""Lines of a pipe come whole or not at all, the last one without an end too."""

from __future__ import annotations

import os

import pytest

from rea_capture.session.pipes.reader import lines


@pytest.mark.parametrize(
    ("sent", "taken"),
    [
        (b"ab\ncd\n", [b"ab", b"cd"]),
        (b"ab\ncd", [b"ab", b"cd"]),
        (b"ab\n" + b"x" * 9 + b"\ncd\n", [b"ab", None, b"cd"]),
        (b"ab\n" + b"x" * 9, [b"ab", None]),
    ],
)
async def test_a_line_that_is_too_long_is_told_wherever_it_ends(
    sent: bytes, taken: list[bytes | None]
) -> None:
    reads, writes = os.pipe()
    try:
        os.write(writes, sent)
        os.close(writes)
        assert [line async for line in lines(reads, 8)] == taken
    finally:
        os.close(reads)
