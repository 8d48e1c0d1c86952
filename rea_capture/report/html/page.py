"""One HTML file: the policy, the style, the first lines, the data and the script.

The policy is in the file, since a file has no server: nothing is loaded, and only this style and this script,
by their digests, are in force. Pictures are data of the file.

Below: ``first_lines``, ``contents``, ``pictures``, ``escaping``, ``canonical``. Above: ``workflows``.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Final

from rea_capture.canonical import sha256_hex
from rea_capture.report.html.contents import contents
from rea_capture.report.html.escaping import data_block, well_formed
from rea_capture.report.html.first_lines import index, plain_rows, title, verdict
from rea_capture.report.html.pictures import Picture, pictures
from rea_capture.report.view import Report
from rea_capture.report.visible import visible

SCRIPT_PIECES: Final = (
    "nodes",
    "data",
    "parts",
    "folds",
    "differences",
    "screenshots",
    "waterfall",
    "messages",
    "panels",
    "step",
    "timeline",
    "about",
    "comparison",
    "keys",
    "report",
)
"""The files of ``assets/``, in an order in which each finds what it needs in those before it."""

STYLE_PIECES: Final = ("base", "parts", "views", "print")


def html_report(report: Report) -> bytes:
    """The file, in UTF-8. It needs no other file, and no network."""
    style, script = _style(), _script()
    page = Template(_asset("page.html")).substitute(
        policy=_policy(style, script),
        title=escape(visible(well_formed(title(report)))),
        style=style,
        verdict=verdict(report),
        index=index(report),
        plain_rows=plain_rows(report),
    )
    head, tail = page.split(_DATA)
    data = b"".join(_data(report))
    end = tail.replace(_SCRIPT, script)
    return b"".join((head.encode("utf-8"), data, end.encode("utf-8")))


_DATA: Final = "<!-- data -->"
_SCRIPT: Final = "/* script */"


def _data(report: Report) -> Iterator[bytes]:
    """The script elements that hold data: the names of each are those that ``data.js`` asks for."""
    shown = pictures(report)
    found = contents(report)
    yield data_block("report", {"comparisons": [one.comparison["name"] for one in found]})
    yield data_block("pictures", {one.sha256: _described(one) for one in shown})
    for number, one in enumerate(found):
        yield data_block(f"comparison-{number}", one.comparison)
        for side, events in one.events.items():
            yield data_block(f"events-{number}-{side}", events)
    for picture in shown:
        if picture.data is not None:
            yield data_block(f"picture-{picture.sha256}", picture.data)


def _described(picture: Picture) -> dict[str, object]:
    described = asdict(picture)
    del described["data"], described["sha256"]
    return described


@cache
def _asset(name: str) -> str:
    return files(__package__).joinpath("assets", name).read_text("utf-8")


def _style() -> str:
    return "\n".join(_asset(f"{piece}.css") for piece in STYLE_PIECES)


def _script() -> str:
    """All pieces in one strict function, so that nothing of it is global."""
    pieces = "\n".join(_asset(f"{piece}.js") for piece in SCRIPT_PIECES)
    return f'(() => {{\n"use strict";\n{pieces}\n}})();\n'


def _policy(style: str, script: str) -> str:
    """Only this style and this script, pictures of the file, and text never as markup (Trusted Types)."""
    return "; ".join((
        "default-src 'none'",
        f"script-src '{_source(script)}'",
        f"style-src '{_source(style)}'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ))  # fmt: skip


def _source(text: str) -> str:
    """The source expression for an element with exactly ``text`` (CSP level 3, section 6.7.3.3)."""
    digest = bytes.fromhex(sha256_hex(text.encode("utf-8")))
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"
