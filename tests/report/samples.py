"""Comparisons with their captures, for tests of what a browser shows of them.

The captures are made by hand and compared by the program; what an explanation says is made here, so that a
test knows it.

Below: ``tests.builders``, ``tests.report.reported``, the contracts, Pillow. Above: tests of the HTML report.
"""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, Final, Literal

from PIL import Image, ImageDraw

from rea_capture import compare
from rea_capture.contracts.artifacts import CapturedScreenshot, Screenshot
from rea_capture.contracts.capture import CaptureResult
from rea_capture.contracts.comparison_evidence import ComparisonEvidence
from rea_capture.contracts.events import AnyEvent
from rea_capture.contracts.explanation import (
    AnyExplanation,
    DiffLine,
    ElementChange,
    ElementChanges,
    EventsExplanation,
    FamilyDiff,
    FieldChange,
    Hunk,
    NetworkChanges,
    NoExplanation,
    PixelExplanation,
    PixelTolerance,
    Region,
    Size,
    TextDiff,
    TextExplanation,
    TransactionChange,
    ValueChange,
    ValueExplanation,
    VerticalShift,
)
from rea_capture.evidence import seal_comparison
from rea_capture.report.view import Compared, Report, report_of
from tests import builders
from tests.report.reported import events_explanation, value_explanation

CONTEXT_LINES = 3
PICTURE = (320, 240)
BOX = (40, 60, 120, 30)
"""Where the two pictures differ: x, y, width and height."""


def picture(price: str, size: tuple[int, int] = PICTURE, seed: int = 0) -> CapturedScreenshot:
    """A small page with a price."""
    image = Image.new("RGB", size, (250, 250, 252))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, size[0], 36), fill=(20, 90 + seed % 100, 90))
    draw.text((12, 12), f"The Corner Shop {seed}", fill="white")
    x, y, width, height = BOX
    draw.rectangle((x, y, x + width - 1, y + height - 1), fill=(255, 225, 200) if "249" in price else "white")
    draw.text((x + 8, y + 8), price, fill="black")
    data = io.BytesIO()
    image.save(data, "PNG")
    return CapturedScreenshot(value=Screenshot.of(data.getvalue()))


def page_text(price: str, rows: int = 60) -> str:
    """The markup of a page of ``rows`` lines and a few more, of which one has the price."""
    lines = [f"  <li>Article {number}</li>" for number in range(rows)]
    lines[rows // 2] = f"  <li>Desk lamp {price}</li>"
    return "\n".join(["<main>", "<ul>", *lines, "</ul>", "</main>", ""])


def text_diff(before: str, after: str) -> TextDiff:
    """The whole difference of two texts, line by line."""
    one, other = before.splitlines(keepends=True), after.splitlines(keepends=True)
    groups = SequenceMatcher(None, one, other, autojunk=False).get_grouped_opcodes(CONTEXT_LINES)
    hunks = tuple(_hunk(one, other, group) for group in groups)
    changes = [line.change for hunk in hunks for line in hunk.lines]
    return TextDiff(
        added_lines=changes.count("added"),
        hunks=hunks,
        omitted_hunks=0,
        omitted_lines=0,
        removed_lines=changes.count("removed"),
    )


def _hunk(
    before: Sequence[str], after: Sequence[str], group: Sequence[tuple[str, int, int, int, int]]
) -> Hunk:
    lines: list[DiffLine] = []
    for tag, from_a, to_a, from_b, to_b in group:
        if tag == "equal":
            lines += [
                DiffLine(change="context", omitted_characters=0, text=text) for text in before[from_a:to_a]
            ]
            continue
        lines += [DiffLine(change="removed", omitted_characters=0, text=text) for text in before[from_a:to_a]]
        lines += [DiffLine(change="added", omitted_characters=0, text=text) for text in after[from_b:to_b]]
    first, last = group[0], group[-1]
    return Hunk(
        after_count=last[4] - first[3],
        after_start=first[3],
        before_count=last[2] - first[1],
        before_start=first[1],
        lines=tuple(lines),
    )


def text_explanation(before: str, after: str, elements: bool = True) -> TextExplanation:
    """What became of a text, with three elements of a document where ``elements`` is set."""
    changes = (
        ElementChange(
            after="Desk lamp 249.00",
            after_path="main > ul > li:nth-child(31)",
            before="Desk lamp 24.90",
            before_path="main > ul > li:nth-child(31)",
            change="text",
            name=None,
        ),
        ElementChange(
            after="sale",
            after_path="main > ul",
            before=None,
            before_path="main > ul",
            change="attribute",
            name="class",
        ),
        ElementChange(
            after="<p>New",
            after_path="main > p",
            before=None,
            before_path=None,
            change="added",
            name=None,
        ),
    )
    found = ElementChanges(
        added=1, attributes=1, items=changes, matched=True, moved=0, omitted=4, removed=0, texts=1
    )
    return TextExplanation(
        diff=text_diff(before, after),
        elements=found if elements else None,
        split="lines",
        summary="1 line changed: the price.",
    )


def pixel_explanation(size: tuple[int, int] = PICTURE) -> PixelExplanation:
    """The box where the pictures differ, and that what is below it moved."""
    x, y, width, height = BOX
    whole = Size(height=size[1], width=size[0])
    return PixelExplanation(
        after=whole,
        before=whole,
        changed_parts_per_million=width * height * 1_000_000 // (size[0] * size[1]),
        changed_pixels=width * height,
        compared_pixels=size[0] * size[1],
        joined_regions=2,
        regions=(Region(changed_pixels=width * height, height=height, width=width, x=x, y=y),),
        shift=VerticalShift(direction="down", from_y=200, pixels=4),
        summary="One region changed.",
        tolerance=PixelTolerance(
            antialiased_pixels=12, below_threshold_pixels=3, method="pixelmatch", threshold_percent=10
        ),
    )


def with_explanations(
    evidence: ComparisonEvidence, explanations: Mapping[tuple[str, str], AnyExplanation]
) -> ComparisonEvidence:
    """``evidence`` of which the rows named by step and artifact have these explanations, and no other has."""
    result = evidence.normalized_result
    steps = tuple(
        dataclasses.replace(
            step,
            artifact_diffs=tuple(
                dataclasses.replace(row, explanation=explanations.get((step.step_id, row.artifact)))
                for row in step.artifact_diffs
            ),
        )
        for step in result.steps
    )
    return seal_comparison(dataclasses.replace(result, steps=steps), evidence.parameters)


def shop_captures() -> tuple[CaptureResult, CaptureResult]:
    """A customer's way through a shop, before and after a change of the price of a lamp."""
    return _shop("24.90", after=False), _shop("249.00", after=True)


def _shop(price: str, *, after: bool) -> CaptureResult:
    steps = [
        builders.start(url=builders.location(), screenshot=picture("24.90")),
        builders.step("sign-in", 1, url=builders.location("/account"), elapsed_ms=40),
        builders.step(
            "cart",
            2,
            url=builders.location("/cart?sale=1" if after else "/cart"),
            screenshot=picture(price),
            dom=builders.text(page_text(price)),
            accessibility=builders.text(f'- listitem "Desk lamp {price}"\n'),
            storage=builders.storage(cart=price),
        ),
        builders.step(
            "pay", 3, screenshot=builders.missing() if after else picture("24.90", seed=7), action="press"
        ),
    ]
    if after:
        steps.append(builders.step("thanks", 4, screenshot=picture("24.90", seed=9)))
    odd: list[AnyEvent] = [
        builders.console("price is odd", 2, level="warning"),
        builders.page_error("no total", 2),
    ]
    odd = odd if after else []
    welcome = [*builders.transaction(4, 1, address="/welcome", status=303, after=3)] if after else []
    events: list[AnyEvent] = [
        *builders.transaction(1, 0, address="/"),
        *builders.transaction(2, 1, address="/login", status=303),
        *builders.transaction(3, 1, address="/signed-in", status=303, after=2),
        *welcome,
        *builders.transaction(5, 1, address="/account", after=4 if after else 3),
        builders.console("signing in", 1),
        *builders.transaction(6, 2, address="/api/cart", status=500 if after else 200),
        builders.console("cart is ready", 2),
        *odd,
        builders.lifecycle("frame-navigated", 2, address="/cart"),
    ]
    return builders.capture(
        steps,
        events,
        families=("console", "frames", "network", "page-errors"),
        limitations=["The page has a frame of another origin."] * after,
    )


def shop(name: str = "shop.json") -> Compared:
    """Everything a report can show, in one comparison."""
    before, after = shop_captures()
    one, other = page_text("24.90"), page_text("249.00")
    network = events_explanation("GET /api/cart answered 500, not 200.", summary="1 request changed.")
    found: dict[tuple[str, str], AnyExplanation] = {
        ("sign-in", "events"): _with_ids(network, 5),
        ("cart", "events"): dataclasses.replace(
            _with_ids(network, 6),
            families=(
                FamilyDiff(
                    diff=text_diff("log: cart is ready\n", "log: cart is ready\nwarning: price is odd\n"),
                    family="console",
                ),
            ),
        ),
        ("cart", "screenshot"): pixel_explanation(),
        ("cart", "dom"): text_explanation(one, other),
        ("cart", "accessibility"): text_explanation("- lamp 24.90\n", "- lamp 249.00\n", elements=False),
        ("cart", "url"): value_explanation("The query has sale=1."),
        ("cart", "storage"): ValueExplanation(
            changes=(
                ValueChange(
                    after='"b"', before='"a"', change="changed", path="/local_storage/0", words="cart differs"
                ),
            ),
            omitted=1,
            summary="1 stored value changed.",
        ),
    }
    return Compared(
        comparison=with_explanations(compare(before, after, explain=False), found),
        before=before,
        after=after,
        name=name,
    )


def _with_ids(explanation: EventsExplanation, transaction_id: int) -> EventsExplanation:
    items = tuple(
        dataclasses.replace(
            item,
            before_id=transaction_id,
            after_id=transaction_id,
            before_url=f"{builders.ORIGIN}/api/cart",
            after_url=f"{builders.ORIGIN}/api/cart?v=2",
            redirected_from=(f"{builders.ORIGIN}/login",),
        )
        for item in explanation.network.items
    )
    network = dataclasses.replace(explanation.network, items=items)
    return dataclasses.replace(explanation, network=network)


def alike(name: str = "home.json") -> Compared:
    """Two captures that are the same."""
    one = builders.capture([builders.start(url=builders.location(), screenshot=picture("24.90"))])
    return Compared(comparison=compare(one, one), before=one, after=one, name=name)


def samples() -> Report:
    """Three comparisons: of everything, of nothing, and without captures."""
    without = dataclasses.replace(shop("without captures.json"), before=None, after=None)
    return report_of([shop(), alike(), without])


def many_steps(count: int = 200) -> Report:
    """One comparison of ``count`` steps of which every other one changed."""

    def capture(price: str) -> CaptureResult:
        return builders.capture([
            builders.start(),
            *(
                builders.step(
                    f"step-{number}", number, dom=builders.text(page_text(price if number % 2 else "1.00"))
                )
                for number in range(1, count)
            ),
        ])  # fmt: skip

    before, after = capture("24.90"), capture("249.00")
    explanation = text_explanation(page_text("24.90"), page_text("249.00"))
    found = {(f"step-{number}", "dom"): explanation for number in range(1, count, 2)}
    return report_of(
        [
            Compared(
                with_explanations(compare(before, after, explain=False), found), before, after, "long.json"
            )
        ]
    )


_ELEMENT_CHANGES: Final[tuple[Literal["added", "removed", "moved", "text", "attribute"], ...]] = (
    "added",
    "removed",
    "moved",
    "text",
    "attribute",
)


def every_null() -> Compared:
    """A comparison and captures in which all is null that may be, and all is empty that may be.

    Its transaction has no URL, as one has of which a step has the content alone.
    """
    before, after = (_sparse(text) for text in ("a", "b"))
    found: dict[tuple[str, str], AnyExplanation] = {
        ("bare", "dom"): TextExplanation(
            diff=TextDiff(added_lines=0, hunks=(), omitted_hunks=0, omitted_lines=0, removed_lines=0),
            elements=ElementChanges(
                added=0,
                attributes=0,
                items=tuple(
                    ElementChange(
                        after=None, after_path=None, before=None, before_path=None, change=change, name=None
                    )
                    for change in _ELEMENT_CHANGES
                ),
                matched=False,
                moved=0,
                omitted=0,
                removed=0,
                texts=0,
            ),
            split="lines",
            summary="",
        ),
        ("bare", "accessibility"): dataclasses.replace(text_explanation("", ""), elements=None),
        ("bare", "screenshot"): dataclasses.replace(pixel_explanation(), regions=(), shift=None),
        ("bare", "storage"): ValueExplanation(
            changes=(ValueChange(after=None, before=None, change="changed", path="", words=""),),
            omitted=0,
            summary="",
        ),
        ("bare", "url"): NoExplanation(summary=""),
        ("bare", "events"): EventsExplanation(
            families=(),
            interleaved=False,
            network=NetworkChanges(
                added=0, changed=1, items=(_bare_transaction(),), omitted=0, removed=0, reordered=0
            ),
            summary="",
        ),
    }
    return Compared(
        comparison=with_explanations(compare(before, after, explain=False), found),
        before=before,
        after=after,
        name="null.json",
    )


def _bare_transaction() -> TransactionChange:
    return TransactionChange(
        after_id=None,
        after_status=None,
        after_url=None,
        before_id=None,
        before_status=None,
        before_url=None,
        change="changed",
        fields=(FieldChange(after=None, before=None, event="", field=""),),
        method="",
        omitted_fields=0,
        redirected_from=(),
        words="",
    )


def _sparse(text: str) -> CaptureResult:
    whole: dict[str, Any] = {
        "dom": builders.text(text),
        "accessibility": builders.text(text),
        "screenshot": picture("249.00" if text == "b" else "24.90"),
        "storage": builders.storage(cart=text),
        "url": builders.location(f"/{text}"),
    }
    steps = [builders.start(), builders.step("bare", 1, **whole), builders.step("loose", 2)]
    events: list[AnyEvent] = [
        dataclasses.replace(builders.console("", 1, level=""), url=None),
        dataclasses.replace(builders.page_error(text, 1), stack=None),
        builders.binary_frame(step_index=1),
        dataclasses.replace(builders.lifecycle(step_index=1), name=None, url=None),
        builders.request(2, 2, state=None),
        builders.unfinished(3, 2),
        builders.outcome("request-failed", 4, 2, status=None),
        builders.content(5, 2, body=text.encode()),
    ]
    return builders.capture(steps, events)


def repeated(compared: Iterable[Compared]) -> Report:
    """A report on ``compared``."""
    return report_of(compared)
