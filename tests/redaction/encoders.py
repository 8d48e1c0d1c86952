"""Real encoders, as pages, browsers and tools use them, by name."""

from __future__ import annotations

import html
import json
import unicodedata
from collections.abc import Callable
from urllib.parse import quote, quote_plus
from xml.sax.saxutils import escape, quoteattr

Encoder = Callable[[str], str]


def lower_hex(value: str) -> str:
    return "".join(f"%{byte:02x}" for byte in value.encode())


def unquoted(value: str) -> str:
    return value[1:-1]


def json_text(value: str) -> str:
    return unquoted(json.dumps(value, ensure_ascii=False))


def json_ascii(value: str) -> str:
    return unquoted(json.dumps(value))


def json_slashes(value: str) -> str:
    return json_ascii(value).replace("/", "\\/")


def json_for_scripts(value: str) -> str:
    """As Rails, Go and Next.js write JSON into HTML."""
    return json_ascii(value).replace("<", "\\u003c").replace(">", "\\u003E").replace("&", "\\u0026")


def yaml_double(value: str) -> str:
    """As Playwright writes aria snapshots: control characters as ``\\xHH``."""
    return "".join(f"\\x{ord(c):02x}" if ord(c) < 32 or 127 <= ord(c) < 160 else c for c in json_text(value))


def javascript(value: str) -> str:
    return value.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\r", "\\r")


def javascript_escape(value: str) -> str:
    """The ``escape`` function of ECMA-262, B.2.1."""
    units = [int.from_bytes(pair, "big") for pair in _pairs(value.encode("utf-16-be"))]
    return "".join(
        f"%u{unit:04X}" if unit > 255 else chr(unit) if chr(unit) in _UNESCAPED else f"%{unit:02X}"
        for unit in units
    )


def _pairs(data: bytes) -> list[bytes]:
    return [data[at : at + 2] for at in range(0, len(data), 2)]


_UNESCAPED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789@*_+-./"


def dom_attribute(value: str) -> str:
    """As browsers serialise an attribute (WHATWG HTML, 13.3)."""
    return value.replace("&", "&amp;").replace("\xa0", "&nbsp;").replace('"', "&quot;")


ENCODERS: dict[str, Encoder] = {
    "raw": lambda value: value,
    "percent": quote,
    "percent, nothing safe": lambda value: quote(value, safe=""),
    "percent, much safe": lambda value: quote(value, safe="!*'();:@&=+$,/?#[]"),
    "percent, every byte, lower case": lower_hex,
    "percent, plus for space": quote_plus,
    "percent twice": lambda value: quote(quote(value, safe=""), safe=""),
    "percent three times": lambda value: quote(quote(quote_plus(value), safe=""), safe=""),
    "escape()": javascript_escape,
    "JSON": json_text,
    "JSON in ASCII": json_ascii,
    "JSON with escaped slashes": json_slashes,
    "JSON for scripts": json_for_scripts,
    "JSON in JSON": lambda value: json_ascii(json_text(value)),
    "JSON in JSON in JSON": lambda value: json_text(json_ascii(json_ascii(value))),
    "JSON, upper case": lambda value: json_ascii(value).replace("\\u00", "\\u00").replace("\\ud8", "\\uD8"),
    "HTML": html.escape,
    "HTML text": lambda value: html.escape(value, quote=False),
    "HTML twice": lambda value: html.escape(html.escape(value)),
    "HTML attribute": dom_attribute,
    "HTML, every character decimal": lambda value: "".join(f"&#{ord(c)};" for c in value),
    "HTML, every character hexadecimal": lambda value: "".join(f"&#x{ord(c):X};" for c in value),
    "HTML in ASCII": lambda value: html.escape(value).encode("ascii", "xmlcharrefreplace").decode(),
    "XML": escape,
    "XML attribute": lambda value: unquoted(quoteattr(value)),
    "XML attribute, spelled out": lambda value: escape(value, {'"': "&quot;", "'": "&apos;", "\n": "&#10;"}),
    "YAML, double quotes": yaml_double,
    "YAML, single quotes": lambda value: value.replace("'", "''"),
    "JavaScript": javascript,
    "Python": lambda value: unquoted(ascii(value)),
    "JSON in an HTML attribute": lambda value: html.escape(json_ascii(value)),
    "JSON in a query": lambda value: quote(json_ascii(value), safe=""),
    "HTML in JSON": lambda value: json_for_scripts(html.escape(value)),
    "query in an HTML attribute": lambda value: html.escape(quote(value, safe="&'")),
    "composed": lambda value: unicodedata.normalize("NFC", value),
    "decomposed": lambda value: unicodedata.normalize("NFD", value),
    "UTF-8 read as Latin-1": lambda value: value.encode().decode("latin-1"),
    "white space collapsed": lambda value: " ".join(value.split()),
    "line breaks removed": lambda value: value.replace("\r", "").replace("\n", ""),
    "line breaks of Windows": lambda value: value.replace("\r\n", "\n").replace("\n", "\r\n"),
    "indented": lambda value: value.replace("\n", "\n        "),
}
