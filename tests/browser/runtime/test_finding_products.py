"""Which browser is taken where a product is named: that one or none."""

from __future__ import annotations

from pathlib import Path

import pytest

from rea_capture.browser.discovery import browser_at, find_product, is_product


def browser(path: Path, answer: str) -> Path:
    """An executable that answers as a browser does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{answer}'\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """An environment without any browser."""
    return {"PATH": str(tmp_path / "bin"), "HOME": str(tmp_path / "home")}


@pytest.mark.parametrize(
    ("product", "name", "answer"),
    [
        ("chromium", "chromium-browser", "Chromium 156.0.1.2 built on Debian"),
        ("chrome", "google-chrome-stable", "Google Chrome 156.0.1.2 "),
        ("vivaldi", "vivaldi-stable", "Vivaldi 8.1.3087.4 stable"),
    ],
)
def test_each_product_is_found_among_others(
    product: str, name: str, answer: str, bare: dict[str, str], tmp_path: Path
) -> None:
    browser(tmp_path / "bin/brave", "Brave Browser 156.0.1.2")
    browser(tmp_path / "bin/microsoft-edge", "Microsoft Edge 156.0.1.2")
    assert find_product(product, bare) is None
    there = browser(tmp_path / "bin" / name, answer)
    found = find_product(product, bare)
    assert found is not None
    assert found.path == str(there)
    assert is_product(found, product)


def test_a_name_that_another_product_has_taken_is_passed_over(bare: dict[str, str], tmp_path: Path) -> None:
    browser(tmp_path / "bin/chromium", "Google Chrome 156.0.1.2")
    browser(tmp_path / "bin/chrome", "Chromium 156.0.1.2")
    assert find_product("chromium", bare) is None
    real = browser(tmp_path / "bin/chromium-browser", "Chromium 156.0.1.2")
    found = find_product("chromium", bare)
    assert found is not None
    assert found.path == str(real)


def test_chromium_is_found_in_the_cache_of_the_driver_too(bare: dict[str, str], tmp_path: Path) -> None:
    cached = browser(
        tmp_path / "home/.cache/ms-playwright/chromium-1200/chrome-linux64/chrome", "Chromium 156.0.1.2"
    )
    found = find_product("chromium", bare)
    assert found is not None
    assert found.path == str(cached)
    assert find_product("chrome", bare) is None


def test_what_does_not_tell_its_name_is_no_product(tmp_path: Path) -> None:
    silent = browser_at(str(browser(tmp_path / "chromium", "")))
    assert not any(is_product(silent, product) for product in ("chromium", "chrome", "vivaldi"))
