"""Every screen of the HTML report has its pictures in docs/, small ones, and the documentation shows them."""

from __future__ import annotations

import pytest
from PIL import Image

from tests.project.tree import ROOT
from tests.report.pictures import SCHEMES, SCREENS

FOLDER = ROOT / "docs" / "pictures"
NAMES = [f"{screen}-{scheme}.png" for screen in SCREENS for scheme in SCHEMES]
MAX_BYTES = 1_000_000


def test_every_screen_has_a_picture_in_light_and_one_in_dark_and_nothing_else_is_there() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_of_its_screen_and_the_documentation_leads_to_it(name: str) -> None:
    size, _, _ = SCREENS[name.rpartition("-")[0]]
    with Image.open(FOLDER / name) as image:
        assert image.size == size
    assert f"pictures/{name}" in (ROOT / "docs" / "report.md").read_text("utf-8")


def brightness(name: str) -> int:
    with Image.open(FOLDER / name) as image:
        return image.convert("L").resize((1, 1)).tobytes()[0]


@pytest.mark.parametrize("screen", SCREENS)
def test_the_dark_one_is_dark(screen: str) -> None:
    assert brightness(f"{screen}-dark.png") + 30 < brightness(f"{screen}-light.png")


def test_all_pictures_together_are_small() -> None:
    assert sum((FOLDER / name).stat().st_size for name in NAMES) < MAX_BYTES
