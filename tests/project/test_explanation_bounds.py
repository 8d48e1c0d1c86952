"""The bounds that the page about explanations states are those of the program."""

from __future__ import annotations

import re

import pytest

from rea_capture.compare.explain import bounds
from rea_capture.compare.explain.events import changes, fields, pairing, step_events
from rea_capture.compare.explain.pixels import pixels, regions
from rea_capture.compare.explain.text import css_paths, elements, lines, page_tree, parse_cost, words
from rea_capture.compare.explain.values import values
from tests.project.tree import ROOT

BOUNDS = {
    "one comparison": [
        bounds.MAX_EXPLANATIONS_BYTES // 2**20,
        bounds.MAX_EXPLAINED_PIXELS,
        bounds.MAX_EXPLAINED_CHARACTERS,
        bounds.MAX_EXPLAINED_STEPS,
        bounds.MAX_EXPLAINED_CHANGES,
        bounds.MAX_EXPLAINED_PARSE_STEPS,
        bounds.MAX_EXPLAINED_PAIRS,
    ],
    "a text's `diff`": [
        lines.CONTEXT_LINES,
        lines.MAX_HUNKS,
        lines.MAX_DIFF_LINES,
        lines.MAX_DIFF_CHARACTERS,
        lines.MAX_LINE_CHARACTERS,
        lines.MAX_STRETCH_LINES,
        lines.MAX_COMPARED_LINES,
    ],
    "`elements`": [
        elements.MAX_ITEMS,
        words.MAX_VALUE_CHARACTERS,
        css_paths.MAX_PATH_CHARACTERS,
        elements.MAX_PATHS_CHARACTERS,
        page_tree.MAX_NODES,
        parse_cost.MAX_PARSE_STEPS,
    ],
    "`pixels`": [regions.MAX_REGIONS, pixels.MAX_PIXELS],
    "`values`": [values.MAX_CHANGES, values.MAX_VALUE_CHARACTERS],
    "`events`": [
        changes.MAX_TRANSACTIONS,
        changes.MAX_FIELDS,
        fields.MAX_VALUE_CHARACTERS,
        changes.MAX_URL_CHARACTERS,
        changes.MAX_METHOD_CHARACTERS,
        step_events.MAX_REDIRECTS,
        changes.MAX_REDIRECT_CHARACTERS,
        pairing.MAX_SCORED_PAIRS,
    ],
}


@pytest.mark.parametrize("subject", BOUNDS)
def test_each_bound_is_stated_as_it_is(subject: str) -> None:
    page = (ROOT / "docs" / "explanations.md").read_text("utf-8")
    stated_bounds = page.partition("\n## Bounds\n")[2]
    row = next(line for line in stated_bounds.splitlines() if line.startswith(f"| {subject} | "))
    stated = [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", row)]
    assert stated == BOUNDS[subject]
