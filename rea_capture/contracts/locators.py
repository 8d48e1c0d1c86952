"""How an action names the element it acts on.

Below: ``inputs``. Above: ``actions``.
"""

from __future__ import annotations

import re
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field

from rea_capture.contracts.inputs import InputModel

AriaRole = Literal[
    "alert",
    "alertdialog",
    "application",
    "article",
    "banner",
    "blockquote",
    "button",
    "caption",
    "cell",
    "checkbox",
    "code",
    "columnheader",
    "combobox",
    "complementary",
    "contentinfo",
    "definition",
    "deletion",
    "dialog",
    "directory",
    "document",
    "emphasis",
    "feed",
    "figure",
    "form",
    "generic",
    "grid",
    "gridcell",
    "group",
    "heading",
    "img",
    "insertion",
    "link",
    "list",
    "listbox",
    "listitem",
    "log",
    "main",
    "marquee",
    "math",
    "menu",
    "menubar",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "meter",
    "navigation",
    "none",
    "note",
    "option",
    "paragraph",
    "presentation",
    "progressbar",
    "radio",
    "radiogroup",
    "region",
    "row",
    "rowgroup",
    "rowheader",
    "scrollbar",
    "search",
    "searchbox",
    "separator",
    "slider",
    "spinbutton",
    "status",
    "strong",
    "subscript",
    "superscript",
    "switch",
    "tab",
    "table",
    "tablist",
    "tabpanel",
    "term",
    "textbox",
    "time",
    "timer",
    "toolbar",
    "tooltip",
    "tree",
    "treegrid",
    "treeitem",
]
"""Every role that the browser driver can look for (WAI-ARIA 1.2)."""


_QUOTED: Final = re.compile(r"""\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'""")


def _css_only(selector: str) -> str:
    if ">>" in _QUOTED.sub("", selector):
        raise ValueError('must be one CSS selector; ">>" is no part of CSS')
    return selector


class CssLocator(InputModel):
    """An element by CSS selector; open shadow roots are looked into."""

    kind: Literal["css"]
    selector: Annotated[str, Field(min_length=1), AfterValidator(_css_only)]


class RoleLocator(InputModel):
    """An element by ARIA role and its exact accessible name."""

    kind: Literal["role"]
    role: AriaRole
    name: str


class TestIdLocator(InputModel):
    """An element by its ``data-testid`` attribute."""

    kind: Literal["test_id"]
    value: Annotated[str, Field(min_length=1)]


Locator = Annotated[CssLocator | RoleLocator | TestIdLocator, Field(discriminator="kind")]
