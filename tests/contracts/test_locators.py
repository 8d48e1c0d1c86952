"""Locators: the roles are those that the driver knows, and a selector is one CSS selector."""

from __future__ import annotations

import inspect
from typing import get_args

import pytest
from playwright.async_api import Page
from pydantic import ValidationError

from rea_capture.contracts.locators import AriaRole, CssLocator


def test_every_role_that_the_driver_knows_can_be_named() -> None:
    known = inspect.get_annotations(Page.get_by_role, eval_str=True)["role"]
    assert set(get_args(AriaRole)) == set(get_args(known))


@pytest.mark.parametrize("selector", ["#go", "ul > li", '[title=">>"]', "[title='a >> b'] b", r'[a="\">>"]'])
def test_css_is_accepted(selector: str) -> None:
    assert CssLocator(kind="css", selector=selector).selector == selector


@pytest.mark.parametrize("selector", ["", "#a >> #b", "#a>>text=x"])
def test_what_is_not_css_is_refused(selector: str) -> None:
    with pytest.raises(ValidationError):
        CssLocator(kind="css", selector=selector)
