"""What a ``changed`` artifact's difference looks like, for a person. It never decides a verdict.

Four kinds, after what was compared: text (``dom``, ``accessibility``), pixels (``screenshot``), values
(``url``, ``history``, ``storage``, ``action_state``) and events; and one that says why there is none. Each
is made of what the captures hold, after caller rules, and is bounded: what is left out is counted.

Below: ``base``, ``selection``. Above: ``comparison``, ``compare.explain``, the report.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from rea_capture.contracts.base import Constraint, SafeInteger, record
from rea_capture.contracts.selection import EventFamily


@record
class DiffLine:
    """One line of a difference; ``omitted_characters`` were cut off its end.

    ``text`` has the line's own end, if it has one: the lines of a side, joined, are its text.
    """

    change: Literal["context", "removed", "added"]
    omitted_characters: SafeInteger
    text: str

    @property
    def lacks_end(self) -> bool:
        """Whether the line is here whole and has no line feed at its end."""
        return not self.omitted_characters and not self.text.endswith("\n")


@record
class Hunk:
    """Lines that differ, with a few around them; starts count lines from 0, as the lists of lines do."""

    after_count: SafeInteger
    after_start: SafeInteger
    before_count: SafeInteger
    before_start: SafeInteger
    lines: tuple[DiffLine, ...]


@record
class TextDiff:
    """A unified difference of two lists of lines.

    ``added_lines`` and ``removed_lines`` count the whole difference; ``omitted_hunks`` and
    ``omitted_lines`` what of it is not in ``hunks`` (a hunk of which a part is here counts as here). With
    nothing omitted and no line cut, putting the hunks into the lines before gives the lines after.
    """

    added_lines: SafeInteger
    hunks: tuple[Hunk, ...]
    omitted_hunks: SafeInteger
    omitted_lines: SafeInteger
    removed_lines: SafeInteger

    @property
    def ends_differ(self) -> bool:
        """Whether one side ends with a line feed and the other does not: a difference that is not seen."""
        lacking = {line.change for hunk in self.hunks for line in hunk.lines if line.lacks_end}
        return ("added" in lacking) is not ("removed" in lacking)


@record
class ElementChange:
    """One element of the document, or one attribute of it, that differs.

    The paths are CSS selectors, null on the side on which the element is not. ``name`` is that of an
    attribute. ``before`` and ``after`` are the text or the attribute's value, cut to a bounded length;
    for an element that came, went or moved, how it begins.
    """

    after: str | None
    after_path: str | None
    before: str | None
    before_path: str | None
    change: Literal["added", "removed", "moved", "text", "attribute"]
    name: str | None


@record
class ElementChanges:
    """Which elements changed, in document order, and how many in all.

    ``matched`` is false where the documents have too little in common to tell which element became
    which: then there are counts of elements only on either side, as added and removed.
    """

    added: SafeInteger
    attributes: SafeInteger
    items: tuple[ElementChange, ...]
    matched: bool
    moved: SafeInteger
    omitted: SafeInteger
    removed: SafeInteger
    texts: SafeInteger


@record
class TextExplanation:
    """``dom`` or ``accessibility``: the difference by line, and for the DOM by element.

    ``split`` is where a line ends: after a line feed, or also before each tag (``markup``), since a
    document may well be a single line. Either way the lines, joined, are the text.
    """

    diff: TextDiff
    elements: ElementChanges | None
    kind: Literal["text"] = "text"
    split: Literal["lines", "markup"]
    summary: str


@record
class Size:
    """In device pixels."""

    height: SafeInteger
    width: SafeInteger


@record
class Region:
    """The bounding box of changed pixels that hang together, in device pixels from the top left corner."""

    changed_pixels: SafeInteger
    height: SafeInteger
    width: SafeInteger
    x: SafeInteger
    y: SafeInteger


@record
class VerticalShift:
    """Content that only moved: all below ``from_y`` in the picture before is ``pixels`` up or down after."""

    direction: Literal["up", "down"]
    from_y: SafeInteger
    pixels: SafeInteger


@record
class PixelTolerance:
    """What is not counted as changed. ``method`` is the published algorithm that this is a form of.

    ``threshold_percent`` of the greatest difference of two colours that the eye can tell (YIQ);
    ``antialiased_pixels`` differ by more than that, and only in how an edge was smoothed.
    """

    antialiased_pixels: SafeInteger
    below_threshold_pixels: SafeInteger
    method: Literal["pixelmatch"]
    threshold_percent: SafeInteger


@record
class PixelExplanation:
    """``screenshot``. Sizes that differ are both padded to the larger; what only one side has is changed.

    ``regions`` are ordered from top to bottom and cover every changed pixel: where there would be too many,
    neighbours are joined, ``joined_regions`` times.
    """

    after: Size
    before: Size
    changed_parts_per_million: SafeInteger
    changed_pixels: SafeInteger
    compared_pixels: SafeInteger
    joined_regions: SafeInteger
    kind: Literal["pixels"] = "pixels"
    regions: tuple[Region, ...]
    shift: VerticalShift | None
    summary: str
    tolerance: PixelTolerance


@record
class ValueChange:
    """One value inside an artifact; ``path`` is a JSON pointer into the artifact, ``words`` a sentence.

    ``before`` and ``after`` are JSON texts, cut to a bounded length, and null where there is no value.
    """

    after: str | None
    before: str | None
    change: Literal["added", "removed", "changed", "moved"]
    path: str
    words: str


@record
class ValueExplanation:
    """``url``, ``history``, ``storage`` or ``action_state``."""

    changes: tuple[ValueChange, ...]
    kind: Literal["values"] = "values"
    omitted: SafeInteger
    summary: str


@record
class FieldChange:
    """One field of a transaction's event that differs; ``event`` is the kind of the event.

    ``before`` and ``after`` are JSON texts, cut to a bounded length, and null where there is no value.
    """

    after: str | None
    before: str | None
    event: str
    field: str


@record
class TransactionChange:
    """A network transaction that is on one side only, or on both with a difference.

    Paired by method, URL and redirect ancestry, then by best match. Ids are those of the two captures.
    ``redirected_from`` are the URLs of its redirects, from the first. ``after_status`` and
    ``before_status`` are apart from ``fields``: they are what a reader looks for first.
    """

    after_id: SafeInteger | None
    after_status: SafeInteger | None
    after_url: str | None
    before_id: SafeInteger | None
    before_status: SafeInteger | None
    before_url: str | None
    change: Literal["added", "removed", "changed"]
    fields: tuple[FieldChange, ...]
    method: str
    omitted_fields: SafeInteger
    redirected_from: tuple[str, ...]
    words: str


@record
class NetworkChanges:
    """The transactions of one step. ``reordered`` counts those that are alike and came in another order.

    The order of transactions is never a change; it is told since it may explain one.
    """

    added: SafeInteger
    changed: SafeInteger
    items: tuple[TransactionChange, ...]
    omitted: SafeInteger
    removed: SafeInteger
    reordered: SafeInteger


@record
class FamilyDiff:
    """The events of one family other than network, a line each, in the order they came."""

    diff: TextDiff
    family: EventFamily


@record
class EventsExplanation:
    """``events``: transactions, then the other families that differ, sorted by name.

    ``interleaved`` is true where no family differs and only the order between families does.
    """

    families: tuple[FamilyDiff, ...]
    interleaved: bool
    kind: Literal["events"] = "events"
    network: NetworkChanges
    summary: str


@record
class NoExplanation:
    """There is none, and why: what was spent, or what could not be read."""

    kind: Literal["none"] = "none"
    summary: str


AnyExplanation: TypeAlias = (
    TextExplanation | PixelExplanation | ValueExplanation | EventsExplanation | NoExplanation
)
Explanation = Annotated[AnyExplanation, Constraint(discriminator="kind")]
