"""How the tests put a described difference into a text, and follow a described path into a document."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence
from typing import Final, Literal, TypeAlias

from selectolax.lexbor import LexborHTMLParser, LexborNode

from rea_capture.contracts.explanation import (
    DiffLine,
    ElementChange,
    ElementChanges,
    Hunk,
    TextDiff,
    TextExplanation,
)

HEAD: Final = "<!DOCTYPE html><html><head><title>t</title></head><body>"

LineChange: TypeAlias = Literal["context", "removed", "added"]
ElementWord: TypeAlias = Literal["added", "removed", "moved", "text", "attribute"]

_MIRRORED_LINE: Final[dict[LineChange, LineChange]] = {
    "context": "context",
    "removed": "added",
    "added": "removed",
}
_MIRRORED_ELEMENT: Final[dict[ElementWord, ElementWord]] = {
    "added": "removed",
    "removed": "added",
    "moved": "moved",
    "text": "text",
    "attribute": "attribute",
}


def applied(diff: TextDiff, before: Sequence[str]) -> str:
    """The text that the hunks, put into the lines ``before``, give: every context and count is checked."""
    done: list[str] = []
    place = 0
    for hunk in diff.hunks:
        done.extend(before[place : hunk.before_start])
        assert len(done) == hunk.after_start
        old = [line.text for line in hunk.lines if line.change != "added"]
        new = [line.text for line in hunk.lines if line.change != "removed"]
        assert list(before[hunk.before_start : hunk.before_start + hunk.before_count]) == old
        assert len(new) == hunk.after_count
        done.extend(new)
        place = hunk.before_start + hunk.before_count
    return "".join([*done, *before[place:]])


def told_lines(diff: TextDiff) -> int:
    """Removed and added lines in the hunks."""
    return sum(line.change != "context" for hunk in diff.hunks for line in hunk.lines)


def mirrored(explanation: TextExplanation) -> TextExplanation:
    """What is to be told of the same two texts, called the other way round, but for the summary."""
    elements = explanation.elements
    return dataclasses.replace(
        explanation,
        diff=mirrored_diff(explanation.diff),
        elements=elements and mirrored_elements(elements),
        summary="",
    )


def mirrored_diff(diff: TextDiff) -> TextDiff:
    """``diff`` with added and removed exchanged, removed lines first in each stretch as ever."""
    return dataclasses.replace(
        diff,
        added_lines=diff.removed_lines,
        removed_lines=diff.added_lines,
        hunks=tuple(_mirrored_hunk(hunk) for hunk in diff.hunks),
    )


def _mirrored_hunk(hunk: Hunk) -> Hunk:
    lines = [dataclasses.replace(line, change=_MIRRORED_LINE[line.change]) for line in hunk.lines]
    ordered: list[DiffLine] = []
    stretch: list[DiffLine] = []
    for line in lines:
        if line.change == "context":
            ordered += [*sorted(stretch, key=lambda changed: changed.change != "removed"), line]
            stretch = []
        else:
            stretch.append(line)
    ordered += sorted(stretch, key=lambda changed: changed.change != "removed")
    return dataclasses.replace(
        hunk,
        after_count=hunk.before_count,
        after_start=hunk.before_start,
        before_count=hunk.after_count,
        before_start=hunk.after_start,
        lines=tuple(ordered),
    )


def mirrored_elements(elements: ElementChanges) -> ElementChanges:
    """``elements`` with their words exchanged."""
    return dataclasses.replace(
        elements,
        added=elements.removed,
        removed=elements.added,
        items=tuple(
            dataclasses.replace(
                item,
                change=_MIRRORED_ELEMENT[item.change],
                after=item.before,
                after_path=item.before_path,
                before=item.after,
                before_path=item.after_path,
            )
            for item in elements.items
        ),
    )


def found(document: LexborHTMLParser, path: str) -> list[LexborNode]:
    """What a path of an explanation finds: each part where the one before leads to."""
    root = document.root
    assert root is not None
    *hosts, last = path.split(" >>> ")
    for host in hosts:
        (node,) = _matches(root, host)
        templates = [child for child in node.iter() if child.tag == "template"]
        template = node if node.tag == "template" else templates[0]
        (root,) = template.template_fragments()
    return _matches(root, last)


def _matches(root: LexborNode, selector: str) -> list[LexborNode]:
    return list(root.css(selector))


_START: Final = re.compile(r"<([^ >]+)")


def assert_paths_lead_to_what_is_told(item: ElementChange, before: str, after: str) -> None:
    """Each path of ``item`` finds one element, of which what ``item`` says is true."""
    for path, value, text in ((item.before_path, item.before, before), (item.after_path, item.after, after)):
        assert (path is None) == (item.change == ("added" if text is before else "removed"))
        if path is None:
            continue
        (node,) = found(LexborHTMLParser(text, scripting=True), path)
        match item.change:
            case "attribute":
                assert item.name is not None
                assert (value is None) == (item.name not in node.attributes)
                assert value is None or _says(node.attributes[item.name] or "", value)
            case "text":
                assert value is not None
                own = [child.text_content or "" for child in _own(node) if child.is_text_node]
                assert _says(_squeezed(own), _squeezed([value]))
            case _:
                assert value is not None
                begun = _START.match(value)
                assert begun is not None
                assert begun[1] == node.tag


def _own(node: LexborNode) -> Iterable[LexborNode]:
    fragments = node.template_fragments() if node.tag == "template" else []
    inside = fragments[0] if fragments else node
    child = inside.first_child
    while child is not None:
        yield child
        child = child.next


def _squeezed(texts: Iterable[str]) -> str:
    return re.sub(r"[ \t\n\f\r]+", "", "".join(texts))


def _says(whole: str, shown: str) -> bool:
    return shown.strip("…") in whole if "…" in shown else shown == whole
