"""Which elements of a document are said to have changed, and what of them."""

from __future__ import annotations

import random

import pytest

from rea_capture.compare.explain.text import elements
from rea_capture.compare.explain.text.elements import element_changes
from rea_capture.compare.explain.text.words import MAX_VALUE_CHARACTERS
from rea_capture.contracts.explanation import ElementChange, ElementChanges
from tests.compare.explain.text_cases import HEAD, assert_paths_lead_to_what_is_told, mirrored_elements

CARD = '<div class="card"><h3>Title number {}</h3><time>{} min</time></div>'


def changes(before: str, after: str) -> ElementChanges:
    """Of the two bodies. Every path is followed, and exchanged bodies have the same changes exchanged."""
    before, after = HEAD + before, HEAD + after
    told = element_changes(before, after)
    assert told.matched
    for item in told.items:
        assert_paths_lead_to_what_is_told(item, before, after)
    assert mirrored_elements(told) == element_changes(after, before)
    return told


def words(told: ElementChanges) -> list[tuple[str, str | None, str | None]]:
    return [(item.change, item.before, item.after) for item in told.items]


def test_a_text_that_changed_is_told_at_its_element() -> None:
    (item,) = changes("<p>a</p><p>b</p>", "<p>a</p><p>c</p>").items
    assert item == ElementChange(
        after="c",
        after_path="html > body > p:nth-of-type(2)",
        before="b",
        before_path="html > body > p:nth-of-type(2)",
        change="text",
        name=None,
    )


def test_attributes_that_changed_came_or_went_are_told_one_by_one() -> None:
    told = changes('<p id="x" class="a" title="">t</p>', '<p id="x" class="b" lang="en">t</p>')
    assert [(item.name, item.before, item.after) for item in told.items] == [
        ("class", "a", "b"),
        ("lang", None, "en"),
        ("title", "", None),
    ]
    assert {item.before_path for item in told.items} == {"#x"}
    assert told.attributes == 3


def test_the_order_of_attributes_is_no_change() -> None:
    assert changes('<p id="x" class="a">t</p>', '<p class="a" id="x">t</p>').items == ()


def test_an_element_that_came_is_told_with_how_it_begins_and_not_with_all_that_is_in_it() -> None:
    told = changes("<ul><li>one</li></ul>", '<ul><li>one</li><li a="1"><b>two</b> &amp; more</li></ul>')
    assert words(told) == [("added", None, '<li a="1"><b>two&amp; more')]


def test_an_unchanged_element_that_changed_places_among_its_siblings_has_moved() -> None:
    told = changes("<li>1</li><li>2</li><li>3</li><li>4</li>", "<li>4</li><li>1</li><li>2</li><li>3</li>")
    assert words(told) == [("moved", "<li>4", "<li>4")]


def test_an_unchanged_element_that_went_to_another_parent_has_moved() -> None:
    section = '<section><h2>About</h2><p class="x">A text of some length</p></section>'
    told = changes(f"<main>{section}</main><aside>b</aside>", f"<main></main><aside>b{section}</aside>")
    assert [item.change for item in told.items] == ["moved"]
    assert told.items[0].before_path == "html > body > main > section"
    assert told.items[0].after_path == "html > body > aside > section"


def test_an_element_that_got_a_wrapper_has_moved_into_it_with_its_changes() -> None:
    main = "<main><p>some long paragraph of text</p><p>{}</p></main>"
    told = changes(main.format("b"), f"<div>{main.format('c')}</div>")
    assert [item.change for item in told.items] == ["added", "moved", "text"]


def test_a_card_in_front_of_cards_that_all_changed_is_the_one_that_was_added() -> None:
    before = "".join(CARD.format(number, number) for number in range(1, 6))
    after = "".join(CARD.format(number, number + 7) for number in range(6))
    told = changes(before, after)
    assert (told.added, told.removed, told.moved, told.texts) == (1, 0, 0, 5)
    assert told.items[0].after == '<div class="card"><h3>Title number 0<time>7 min'


def test_an_element_is_known_by_its_id_wherever_it_is() -> None:
    told = changes('<div><i id="x">1</i></div><p>a</p>', '<div></div><p>a<i id="x">2</i></p>')
    assert [item.change for item in told.items] == ["moved", "text"]


def test_cells_that_say_other_numbers_have_changed_and_not_moved() -> None:
    row = "<tr><th>{}</th><td>{}</td></tr>"
    table = "<table><tbody>" + row * 3 + "</tbody></table>"
    told = changes(
        table.format("apples", 5, "pears", 3, "plums", 8), table.format("apples", 3, "pears", 7, "plums", 5)
    )
    assert (told.texts, told.moved, told.added, told.removed) == (3, 0, 0, 0)


def test_white_space_counts_only_where_it_is_content() -> None:
    assert changes("<p>a\n  b</p>\n<p>c</p>", "<p> a b </p><p>c</p>").items == ()
    assert words(changes("<pre>a\n b</pre>", "<pre>a\nb</pre>")) == [("text", "a\n b", "a\nb")]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<p>a<!-- 1 -->b</p>", "<p>ab</p>"),
        ("<p>a</p><!-- 1 -->", "<p>a</p><!-- 2 -->"),
        ("<b></b>a", "a<b></b>"),
    ],
)
def test_comments_and_the_order_of_text_are_no_change_of_an_element(before: str, after: str) -> None:
    assert changes(before, after).items == ()


def test_changes_inside_an_open_shadow_root_are_told() -> None:
    host = '<div id="h"><template shadowrootmode="open"><p>a</p><p>{}</p></template>light</div>'
    (item,) = changes(host.format("b"), host.format("c")).items
    assert (item.change, item.before, item.after) == ("text", "b", "c")
    assert item.after_path == "#h >>> p:not(* > *):nth-of-type(2)"


def test_scripts_and_styles_are_text_as_written() -> None:
    told = changes("<script>if (a < b) {}</script><style>a>b{}</style>", "<script>if (a <  b) {}</script>")
    assert [item.change for item in told.items] == ["text", "removed"]


def test_content_of_noscript_is_text_as_in_a_browser_with_scripting() -> None:
    (item,) = changes("<noscript><p>a</p></noscript>", "<noscript><p>b</p></noscript>").items
    assert item.before == "<p>a</p>"


def test_changes_are_in_document_order() -> None:
    told = changes("<h1>a</h1><p>gone</p><h2>b</h2><h3>c</h3>", "<h1>A</h1><h2>b</h2><em>new</em><h3>C</h3>")
    assert words(told) == [
        ("text", "a", "A"),
        ("removed", "<p>gone", None),
        ("added", None, "<em>new"),
        ("text", "c", "C"),
    ]


def test_of_long_values_the_part_that_differs_is_shown() -> None:
    (item,) = changes(f"<p>{'x' * 5_000}a</p>", f"<p>{'x' * 5_000}b{'y' * 5_000}</p>").items
    assert item.before == "…" + "x" * 60 + "a"
    assert item.after is not None
    assert item.after.startswith("…" + "x" * 60 + "b")
    assert len(item.after) == MAX_VALUE_CHARACTERS


def test_items_are_bounded_and_the_rest_is_counted() -> None:
    before = "".join(f'<p class="c">{number}</p>' for number in range(500))
    told = changes(before, before.replace('">', '">n'))
    assert len(told.items) == elements.MAX_ITEMS
    assert told.omitted == 500 - elements.MAX_ITEMS
    assert told.texts == 500


def test_paths_of_deep_elements_are_bounded_and_no_path_is_cut() -> None:
    deep = '<div class="a"><i></i><div></div>' * 400
    told = changes(f"<p>a</p>{deep}x", f"<p>b</p>{deep}y")
    assert [item.change for item in told.items] == ["text"]
    assert (told.texts, told.omitted) == (2, 1)


def test_documents_with_too_little_in_common_are_counted() -> None:
    chance = random.Random(5)
    one, other = (
        HEAD + "".join(f'<p class="c{chance.random()}">{chance.random()}</p>' for _ in range(count))
        for count in (300, 200)
    )
    told = element_changes(one, other)
    assert not told.matched
    assert (told.removed, told.added, told.items, told.omitted) == (304, 204, (), 0)
    assert mirrored_elements(told) == element_changes(other, one)


@pytest.mark.parametrize(
    "text", ["", "\0", "plain", "<", "<?xml version='1.0'?><a><b/></a>", "\ud800<p>\udfff"]
)
def test_whatever_is_no_document_is_read_as_a_browser_would(text: str) -> None:
    assert element_changes(text, text).items == ()
    assert element_changes(text, HEAD + "<p>x</p>").added >= 1


def test_what_is_in_every_card_does_not_move_from_a_card_that_went_to_one_that_came() -> None:
    card = '<article><h3>{}</h3><ul><li>a</li></ul><button class="buy">Add to the basket</button></article>'
    cards = [card.format(f"A title of card {number}") for number in range(4)]
    told = changes("".join(cards[:3]), f"<main>{cards[3]}</main>" + "".join(cards[1:3]))
    assert [item.change for item in told.items] == ["removed", "added"]


def test_what_lost_its_wrapper_has_moved_out_of_it() -> None:
    told = changes("<div><p>a b c</p></div>", "<p>a b c</p>")
    assert [item.change for item in told.items] == ["removed", "moved"]
