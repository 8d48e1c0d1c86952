"""The pieces that JUnit XML is made of. Text of a page in it shows all that it holds, and is escaped.

Below: ``visible``. Above: ``junit``, and the report of a scenario file's run.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from typing import Final

from rea_capture.report.visible import visible

MAX_LINE_CHARACTERS: Final = 1_000
MAX_NAME_CHARACTERS: Final = 200
UNKNOWN_HOST: Final = "localhost"
"""What Ant's schema asks for where the host is not known; nothing of ours records it."""


def name(text: str) -> str:
    """``text`` as a name: a schema's token, which has no space at its ends and is not empty."""
    return " ".join(visible(text, MAX_NAME_CHARACTERS).split()) or "(no name)"


def seconds(elapsed_ms: int) -> str:
    """``elapsed_ms`` as JUnit has it."""
    return f"{elapsed_ms // 1000}.{elapsed_ms % 1000:03}"


def timestamp(started_at: str) -> str:
    """``started_at``, a time in UTC, without a zone or fractions, as Ant's schema wants it."""
    return started_at[: len("2026-01-01T00:00:00")]


def attributes(values: Mapping[str, str]) -> str:
    """``values`` as attributes of an element, with a space before each."""
    return "".join(f' {name}="{html.escape(visible(values[name]))}"' for name in values)


def lines(texts: Iterable[str]) -> str:
    """``texts`` as the content of an element, each on a line of its own."""
    return html.escape("\n".join(visible(text, MAX_LINE_CHARACTERS) for text in texts))
