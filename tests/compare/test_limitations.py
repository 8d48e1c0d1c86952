"""What a comparison says of itself: where equal means less than a reader may think."""

from __future__ import annotations

from typing import Any

from rea_capture.compare import compare_captures
from rea_capture.contracts.capture import CaptureResult
from tests import builders as make

SECRETS = "Stored values that are secrets have no digest"
BINARY = "Binary WebSocket messages are compared by their size only"


def said(before: CaptureResult, after: CaptureResult, beginning: str) -> list[str]:
    return [one for one in compare_captures(before, after).limitations if one.startswith(beginning)]


def stored(**changes: Any) -> CaptureResult:
    return make.capture([make.start(), make.step("a", storage=make.storage(**changes))])


def test_secret_storage_values_are_said_to_be_equal_whatever_they_hold() -> None:
    secret = stored(secrets=["token"])
    assert compare_captures(secret, secret).overall_status == "unchanged"
    [sentence] = said(secret, secret, SECRETS)
    assert sentence.endswith("(at 1 aligned step, first at a).")


def test_nothing_is_said_of_secrets_where_no_two_were_compared() -> None:
    secret, hashed = stored(secrets=["token"]), stored(theme="dark")
    for before, after in ((secret, hashed), (hashed, secret), (hashed, hashed)):
        assert said(before, after, SECRETS) == []
    assert compare_captures(secret, hashed).overall_status == "changed"


def test_binary_messages_are_said_to_be_compared_by_size() -> None:
    binary = make.capture(events=[make.binary_frame(5)])
    assert compare_captures(binary, binary).overall_status == "unchanged"
    [sentence] = said(binary, binary, BINARY)
    assert sentence.endswith("(at 1 aligned step, first at open).")
    assert compare_captures(binary, make.capture(events=[make.binary_frame(6)])).overall_status == "changed"


def test_nothing_is_said_of_binary_messages_where_no_two_were_compared() -> None:
    binary, text = make.capture(events=[make.binary_frame()]), make.capture(events=[make.frame()])
    families = make.capture(events=[make.binary_frame()], families=["websockets", "console"])
    for before, after in ((binary, text), (text, binary), (text, text), (binary, families)):
        assert said(before, after, BINARY) == []
