"""Observing and acting in short words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from playwright.async_api import Page

from rea_capture.browser.runtime.acting import VerifiedBy
from rea_capture.browser.runtime.elements import Elements, Observation
from rea_capture.contracts.runtime.errors import BrowserErrorDetails, BrowserOperationError
from rea_capture.contracts.runtime.operations import ActionName, Step
from rea_capture.contracts.runtime.results import ObservedElement
from rea_capture.redaction import Redactor
from tests.loopback import Loopback

DOCUMENT = "document-1"


def elsewhere(server: Loopback) -> str:
    """The origin of ``server`` by another name, which is another site: its frames have their own process."""
    return server.origin.replace("127.0.0.1", "localhost")


class Hands:
    """The elements of one page, by their names."""

    def __init__(self, page: Page, secrets: Mapping[str, str] | None = None) -> None:
        self.page = page
        redactor = Redactor(secrets or {})
        self.elements = Elements(lambda: redactor)
        self.seen: Observation | None = None

    async def look(self, document_id: str = DOCUMENT) -> list[ObservedElement]:
        """What is there now."""
        self.seen = await self.elements.observe(self.page, document_id)
        return list(self.seen.elements)

    async def names(self) -> list[tuple[str, str]]:
        """Roles and names of what is there now."""
        return [(each.role, each.name) for each in await self.look()]

    def ref(self, name: str) -> str:
        """The ref of the one element of this name that was seen last."""
        assert self.seen is not None
        (found,) = [each.ref for each in self.seen.elements if each.name == name]
        return found

    async def state(self, name: str) -> dict[str, Any]:
        """The state of the one element of this name, as it is now."""
        (found,) = [each.state.wire() for each in await self.look() if each.name == name]
        return found

    async def act(
        self, action: ActionName, ref: str, value: str | None = None, document_id: str = DOCUMENT
    ) -> VerifiedBy | None:
        """Do it to the element of this ref."""
        step = Step(instruction="do it", action=action, ref=ref)
        return (await self.elements.act(self.page, document_id, step, value)).verified_by

    async def do(self, action: ActionName, name: str, value: str | None = None) -> VerifiedBy | None:
        """Do it to the element of this name, which is looked for anew."""
        await self.look()
        return await self.act(action, self.ref(name), value)

    async def refused(
        self, action: ActionName, ref: str, value: str | None = None, document_id: str = DOCUMENT
    ) -> BrowserErrorDetails:
        """How doing it fails."""
        with pytest.raises(BrowserOperationError) as caught:
            await self.act(action, ref, value, document_id)
        assert caught.value.__cause__ is None
        return caught.value.details
