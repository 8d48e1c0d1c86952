"""The pages of the documentation: their links, their headings and their checked blocks.

A comment ``<!-- check: … -->`` right above a fenced block says how that block is checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.project.tree import ROOT, tracked_files

_BLOCK = re.compile(
    r"(?:<!-- check: (?P<check>[^>]+?) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.M | re.S
)
_LINK = re.compile(r"!?\[[^\]]*\]\((?P<target>[^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} (?P<title>.+)$", re.M)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block; ``check`` is empty when the page does not say how to check it."""

    page: Path
    check: str
    language: str
    text: str


def pages() -> tuple[Path, ...]:
    """Every Markdown page of the project, decision records apart."""
    decisions = ROOT / "docs" / "decisions"
    return tuple(path for path in tracked_files() if path.suffix == ".md" and decisions not in path.parents)


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of ``page``."""
    for match in _BLOCK.finditer(page.read_text("utf-8")):
        yield Block(page, match["check"] or "", match["language"], match["text"])


def links(page: Path) -> list[str]:
    """The targets of the links and pictures of ``page``, code left out."""
    text = re.sub(r"`[^`\n]*`", "", _BLOCK.sub("", page.read_text("utf-8")))
    return [match["target"] for match in _LINK.finditer(text)]


def anchors(page: Path) -> set[str]:
    """What the headings of ``page`` are called in an address, as code forges make it."""
    text = _BLOCK.sub("", page.read_text("utf-8"))
    return {_slug(match["title"]) for match in _HEADING.finditer(text)}


def _slug(title: str) -> str:
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
