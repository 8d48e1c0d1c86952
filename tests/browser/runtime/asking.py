"""Requests of the runtime in few words, and what a refused one says."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

import pytest

from rea_capture.browser.runtime.live import LiveSession
from rea_capture.contracts.runtime.errors import BrowserErrorDetails, BrowserOperationError
from rea_capture.contracts.runtime.operations import (
    ActRequest,
    AssertRequest,
    CloseTabRequest,
    ListTabsRequest,
    NavigateRequest,
    ObserveRequest,
    ReadRequest,
    ReloadRequest,
    SelectTabRequest,
    Step,
    WaitPopupRequest,
)
from rea_capture.contracts.runtime.policy import OriginPolicy
from rea_capture.contracts.runtime.results import ActResult, ListTabsResult, NavigateResult, ReadResult, Tab


async def go(
    live: LiveSession, url: str, policy: OriginPolicy = "*", tab: str | None = None
) -> NavigateResult:
    return await live.navigate(NavigateRequest(url=url, tab=tab), policy)


async def reload(live: LiveSession, policy: OriginPolicy = "*") -> NavigateResult:
    return await live.reload(ReloadRequest(), policy)


async def read(live: LiveSession, policy: OriginPolicy = "*", **request: Any) -> ReadResult:
    return await live.read(ReadRequest(**request), policy)


async def tabs(live: LiveSession, policy: OriginPolicy = "*", **request: Any) -> ListTabsResult:
    return await live.list_tabs(ListTabsRequest(**request), policy)


async def popup(live: LiveSession, policy: OriginPolicy = "*", opener: str | None = None) -> Tab:
    return (await live.wait_popup(WaitPopupRequest(opener=opener), policy)).tab


async def expect(
    live: LiveSession,
    policy: OriginPolicy = "*",
    *,
    wait: str = "none",
    tab: str | None = None,
    **assertion: Any,
) -> None:
    request = AssertRequest.model_validate({"assertion": assertion, "wait": wait, "tab": tab})
    held = await live.assert_(request, policy)  # noqa: PT009 - not unittest's
    assert held.held


async def click(live: LiveSession, name: str, policy: OriginPolicy = "*", **step: Any) -> ActResult:
    """Click what is called ``name``."""
    seen = await live.observe(ObserveRequest(), policy)
    (ref,) = (element.ref for element in seen.elements if element.name == name)
    request = Step.model_validate({"instruction": f"Click {name}", "action": "click", "ref": ref, **step})
    return await live.act(ActRequest(step=request), policy, None)


async def close_popups(live: LiveSession) -> None:
    """Leave the session with the tab it began with, selected."""
    first, *others = (await tabs(live)).tabs
    for each in others:
        await live.close_tab(CloseTabRequest(tab=each.tab_id), "*")
    await live.select_tab(SelectTabRequest(tab=first.tab_id), "*")


async def failed(work: Awaitable[object], code: str) -> BrowserErrorDetails:
    """What ``work`` fails with, whose code is ``code``."""
    with pytest.raises(BrowserOperationError) as error:
        await work
    details = error.value.details
    assert details.code == code, details
    return details
