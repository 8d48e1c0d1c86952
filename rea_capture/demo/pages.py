"""The shop's pages: template files filled with the catalogue.

Below: the files under ``site/``. Above: ``shop``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Any


class Version(Enum):
    """Which files the shop serves; those of ``deployed`` lie over those of ``before``."""

    BEFORE = ("before",)
    DEPLOYED = ("deployed", "before")


@dataclass(frozen=True, slots=True)
class Product:
    """An article; ``price`` is how a customer reads ``price_cents``."""

    id: str
    name: str
    price_cents: int
    about: str

    @property
    def price(self) -> str:
        return f"{self.price_cents / 100:.2f} €"

    def as_json(self) -> dict[str, Any]:
        return {"id": self.id, "name": self.name, "price": self.price, "price_cents": self.price_cents}


@cache
def site_file(version: Version, name: str) -> bytes | None:
    """The content of a file of the shop, or None when there is none of that name."""
    if ".." in name.split("/"):
        return None
    for layer in version.value:
        path = files("rea_capture.demo").joinpath("site", layer, *name.split("/"))
        if path.is_file():
            return path.read_bytes()
    return None


def catalogue(version: Version) -> tuple[Product, ...]:
    """Every article, in the order of the list."""
    return tuple(Product(**row) for row in json.loads(_text(version, "products.json")))


def redirects(version: Version) -> dict[str, str]:
    """Paths that only lead elsewhere, and where to."""
    return dict(json.loads(_text(version, "redirects.json")))


def page(version: Version, template: str, /, **values: str) -> str:
    """The page of ``template`` inside the shop's frame; values are escaped."""
    main = fill(version, template, **values)
    title = values.get("name") or template.partition(".")[0].capitalize()
    return Template(_text(version, "layout.html")).substitute(title=escape(title), main=main)


def product_list(version: Version) -> str:
    """The start page."""
    cards = "\n".join(
        fill(version, "card.html", id=product.id, name=product.name, price=product.price).strip()
        for product in catalogue(version)
    )
    main = Template(_text(version, "index.html")).substitute(products=cards)
    return Template(_text(version, "layout.html")).substitute(title="For the house", main=main)


def fill(version: Version, template: str, /, **values: str) -> str:
    """``template`` with escaped values."""
    escaped = {key: escape(value) for key, value in values.items()}
    return Template(_text(version, template)).substitute(escaped)


def _text(version: Version, name: str) -> str:
    content = site_file(version, name)
    assert content is not None, f"the package lacks {name}"
    return content.decode("utf-8")
