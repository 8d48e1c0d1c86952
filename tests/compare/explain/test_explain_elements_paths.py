"""Paths lead to their elements, in the library that wrote them and in a browser."""

from __future__ import annotations

import html
from typing import Any

import pytest
from playwright.sync_api import sync_playwright
from selectolax.lexbor import LexborHTMLParser

from rea_capture.compare.explain.text.css_paths import MAX_PATH_CHARACTERS, CssPaths, css_identifier
from rea_capture.compare.explain.text.page_tree import read_page
from tests.compare.explain.text_cases import HEAD, found

NAMES = (
    "a", "Überschrift", "1", "-1", "-", "--x", "1 a", 'q"u\'o', "a.b#c:d>e", "\\", "a\tb", "\x7f",
    "[x]", "日本", "😀", "x\u00a0y", "ª", "①", "a\u200bb", "\u212a", "k", "\U0001fae8",
)  # fmt: skip

PAGE = (
    HEAD
    + "".join(f'<p id="{html.escape(name)}"><b>{index}</b></p>' for index, name in enumerate(NAMES))
    + '<i id="twice">1</i><div><i id="TWICE">2</i><i id="">3</i></div>'
    + "<ul>" + "<li>a<ul><li>b</li><li>c</li></ul></li>" * 3 + "</ul>"
    + "<svg><g><foreignObject><p>f</p></foreignObject>"
    + "<template><a/></template><linearGradient/><linearGradient><stop/></linearGradient></g></svg>"
    + "<x-é.y><a:b>n</a:b></x-é.y><table><tr><td>1</td><td>2</td></tr></table>"
    + '<section><template shadowrootmode="open"><div><p>deep</p></div><p>1</p><p>2</p><em id="in">x</em>'
    + '<div><template shadowrootmode="open"><p>deeper</p><p>still</p></template></div>'
    + "</template><p>light</p></section>"
    + '<template><p>kept</p><template><p id="in">more</p></template></template>'
    + "</body></html>"
)  # fmt: skip

FIND = """paths => paths.map(path => {
  const parts = path.split(' >>> ');
  let root = document;
  while (parts.length > 1) {
    const nodes = root.querySelectorAll(parts.shift());
    if (nodes.length !== 1) return 'host: ' + nodes.length;
    root = nodes[0].shadowRoot || nodes[0].content;
  }
  const nodes = root.querySelectorAll(parts[0]);
  return nodes.length === 1 ? [nodes[0].localName, nodes[0].id, own(nodes[0])] : nodes.length;
  function own(node) {
    const inside = node instanceof HTMLTemplateElement ? node.content : node;
    return [...inside.childNodes].filter(each => each.nodeType === 3).map(each => each.data).join('');
  }
})"""


def told(with_shadow_roots: bool = True) -> dict[str, list[Any]]:
    """Every path of the page, and what is at its end."""
    elements = read_page(PAGE, {})
    paths = CssPaths(elements)
    every = {}
    for number, element in enumerate(elements):
        path = paths.path(number)
        assert path is not None
        if with_shadow_roots or "shadowrootmode" not in element.attributes:
            every[path] = [element.tag, element.attributes.get("id", ""), "".join(element.texts)]
    return every


def test_every_element_has_a_path_of_its_own_that_finds_it() -> None:
    document = LexborHTMLParser(PAGE, scripting=True)
    every = told()
    assert len(every) == len(read_page(PAGE, {}))
    for path, (tag, name, _) in every.items():
        (node,) = found(document, path)
        assert (node.tag, node.attributes.get("id") or "") == (tag, name)


def test_a_browser_finds_the_same_elements(chromium_path: str) -> None:
    every = told(with_shadow_roots=False)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium_path, chromium_sandbox=False)
        try:
            page = browser.new_page()
            page.set_content(PAGE)
            answers = page.evaluate(FIND, list(every))
        finally:
            browser.close()
    assert dict(zip(every, answers, strict=True)) == every


def test_a_path_starts_at_the_nearest_id_that_occurs_once() -> None:
    paths = told()
    assert "#a > b" in paths
    assert "html > body > i" in paths, "an id that differs in case only is no selector in quirks mode"
    assert "html > body > div > i:nth-of-type(2)" in paths


def test_a_path_that_would_be_too_long_is_none() -> None:
    elements = read_page(HEAD + "<div>" * 300, {})
    paths = CssPaths(elements)
    found_paths = [paths.path(number) for number in range(len(elements))]
    assert found_paths[-1] is None
    assert all(path is None or len(path) <= MAX_PATH_CHARACTERS for path in found_paths)
    assert sum(path is not None for path in found_paths) > 100


def test_a_name_that_is_very_long_is_not_in_a_path() -> None:
    page = HEAD + f'<p>1</p><{"x" * 500} id="{"y" * 500}">2</{"x" * 500}>'
    path = CssPaths(read_page(page, {})).path(5)
    assert path == "html > body > :nth-child(2)"
    assert len(found(LexborHTMLParser(page), path)) == 1


@pytest.mark.parametrize(
    ("name", "escaped"),
    [
        ("a", "a"),
        ("1a", "\\31 a"),
        ("-1", "-\\31 "),
        ("-", "\\-"),
        ("a b", "a\\ b"),
        ("\0", "\\fffd "),
        ("é", "\\e9 "),
        ("x\U0001fae8", "x\\1fae8 "),
        ("\n", "\\a "),
    ],
)
def test_identifiers_are_ascii_and_escaped_alike_in_every_edition_of_unicode(name: str, escaped: str) -> None:
    assert css_identifier(name) == escaped
