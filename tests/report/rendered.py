"""Markdown as renderers read it: what is code, what is text, and what stands in the page.

Two of them: markdown-it, which gives a tree, and the one that GitHub uses, which gives HTML.

Below: markdown-it-py, cmarkgfm. Above: the tests of Markdown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

import cmarkgfm  # type: ignore[import-untyped]
from cmarkgfm.cmark import Options  # type: ignore[import-untyped]
from markdown_it import MarkdownIt
from markdown_it.token import Token

RENDERER = MarkdownIt("gfm-like", {"html": True, "linkify": True})
"""Tables, HTML and addresses in text, as on GitHub."""


@dataclass
class Rendered:
    """``text`` is what is neither code nor HTML, ``inline`` that and code spans.

    ``table_rows`` are the cells of each row, headings too.
    """

    kinds: set[str] = field(default_factory=set)
    headings: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    inline: list[str] = field(default_factory=list)
    code: list[str] = field(default_factory=list)
    fences: list[str] = field(default_factory=list)
    html_tags: list[str] = field(default_factory=list)
    html_attributes: list[str] = field(default_factory=list)
    html_text: list[str] = field(default_factory=list)
    html_code: list[str] = field(default_factory=list)
    table_rows: list[list[str]] = field(default_factory=list)


class _Html(HTMLParser):
    def __init__(self, into: Rendered) -> None:
        super().__init__(convert_charrefs=True)
        self._into = into
        self._in_code = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._into.html_tags.append(tag)
        self._into.html_attributes += [name for name, _ in attrs]
        self._in_code = tag == "code"

    def handle_endtag(self, tag: str) -> None:
        self._into.html_tags.append(f"/{tag}")
        self._in_code = False

    def handle_data(self, data: str) -> None:
        (self._into.html_code if self._in_code else self._into.html_text).append(data)

    def handle_comment(self, data: str) -> None:
        self._into.html_tags.append("!--")

    def handle_decl(self, decl: str) -> None:
        self._into.html_tags.append("!")


def rendered(text: str) -> Rendered:
    """``text`` rendered."""
    result = Rendered()
    html = _Html(result)
    tokens = RENDERER.parse(text)
    for position, token in enumerate(tokens):
        if token.type == "tr_open":
            result.table_rows.append([])
        elif token.type in {"th_open", "td_open"}:
            result.table_rows[-1].append(tokens[position + 1].content)
        elif token.type == "heading_open":
            result.headings.append(tokens[position + 1].content)
    for token in _flat(tokens):
        result.kinds.add(token.type)
        if token.type in {"html_block", "html_inline"}:
            html.feed(token.content)
        elif token.type == "text":
            result.text.append(token.content)
            result.inline.append(token.content)
        elif token.type == "code_inline":
            result.code.append(token.content)
            result.inline.append(token.content)
        elif token.type == "fence":
            result.fences.append(token.content)
    html.close()
    return result


def _flat(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _flat(token.children or [])


@dataclass
class GithubPage:
    """What GitHub's renderer makes of a text. ``text`` is what is in no code, where mentions are looked for.

    ``open_tags`` are those that were left open, or closed out of order.
    """

    tags: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    text: list[str] = field(default_factory=list)
    code: list[str] = field(default_factory=list)
    cells_of_rows: set[int] = field(default_factory=set)
    open_tags: list[str] = field(default_factory=list)


class _GithubHtml(HTMLParser):
    def __init__(self, into: GithubPage) -> None:
        super().__init__(convert_charrefs=True)
        self._into = into
        self._cells = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._into.tags.add(tag)
        self._into.attributes |= {name for name, _ in attrs}
        self._into.open_tags.append(tag)
        self._cells = 0 if tag == "tr" else self._cells + (tag in {"td", "th"})

    def handle_endtag(self, tag: str) -> None:
        if self._into.open_tags[-1:] == [tag]:
            self._into.open_tags.pop()
        if tag == "tr":
            self._into.cells_of_rows.add(self._cells)

    def handle_data(self, data: str) -> None:
        (self._into.code if "code" in self._into.open_tags else self._into.text).append(data)

    def handle_comment(self, data: str) -> None:
        self._into.tags.add("!--")

    def handle_decl(self, decl: str) -> None:
        self._into.tags.add("!")

    def handle_pi(self, data: str) -> None:
        self._into.tags.add("?")


def on_github(text: str) -> GithubPage:
    """``text`` rendered by GitHub's renderer, raw HTML and footnotes included."""
    options = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES
    page = GithubPage()
    parser = _GithubHtml(page)
    parser.feed(cmarkgfm.github_flavored_markdown_to_html(text, options))
    parser.close()
    return page
