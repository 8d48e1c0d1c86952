"""The law of the work that reading a document takes: what is counted is never less than what there is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rea_capture.compare.explain.text.page_tree import read_page
from rea_capture.compare.explain.text.parse_cost import parse_steps
from tests.fuzz.examples import examples

DEEP = "<b>" * 30

WORKS_AT_MOST = 3 * 30
"""Steps that a parser may take unseen: for the elements that each document has, with all of DEEP in them."""

TOKENS = (
    "<p>", "</p>", "<div>", "</b>", "<svg>", "</svg>", "<math>", "<mi>", "<foreignObject>",
    "<style>", "</style>", "</style ", "<style/>", "<script>", "</script>", "<xmp>", "</xmp>", "<title>",
    "<textarea>", "</textarea>", "<noscript>", "</noscript>", "<plaintext>", "<select>", "</select>",
    "<table>", "</table>", "<td>", "<col>", "<template>", "</template>", "<br>", "<frameset>", "<!--", "-->",
    "<!-->", "</foreignObject>", "<option>", "</>", "<?x>",
    "<!x>", "<![CDATA[", "]]>", '<a b="', "'>", '">', "</svg", "/>", "=", "x",
)  # fmt: skip


@examples(300)
@given(st.lists(st.sampled_from(TOKENS), max_size=9), st.lists(st.sampled_from(TOKENS), max_size=3))
def test_no_markup_hides_depth_from_being_counted(before: list[str], after: list[str]) -> None:
    text = "".join([*before, DEEP, *after])
    depths: list[int] = []
    for element in read_page(text, {}):
        depths.append(0 if element.parent < 0 else depths[element.parent] + 1)
    assert sum(depths) <= 2 * parse_steps(text) + WORKS_AT_MOST
