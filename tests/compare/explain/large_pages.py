"""Two pages of 20,000 elements that have nothing in common, for what large pages cost.

Below: ``text_cases``. Above: the tests of explained texts and the measurements of ``tests/bench``.
"""

from __future__ import annotations

from typing import Final

from tests.compare.explain.text_cases import HEAD

_ROW: Final = (
    '<div class="row r{0}" data-id="{1}"><h3>Item {1}</h3><p>Price <b>{2}</b> EUR</p>'
    '<ul><li>a</li><li>b</li></ul><a href="/item/{1}">more</a></div>\n'
)
LARGE: Final = HEAD + "".join(_ROW.format(i % 7, i, i * 3 % 97) for i in range(2_500)) + "</body></html>"
OTHER: Final = HEAD + "".join(
    f'<section class="k{i}"><em>{i * i}</em><u>w{i}</u></section>' for i in range(6_600)
)
