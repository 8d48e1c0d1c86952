"""Sessions that a program opens by lines have what is configured where the worker runs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from rea_capture.contracts.runtime.settings import LaunchSettings, SessionSettings
from tests.session.configuration.machine import Machine, make_machine
from tests.session.worker.asking import Asker

PROJECT = """allowedOrigins = ["https://project.test"]

[browser]
executablePath = "/opt/project/chromium"
"""
USER = """allowedOrigins = ["https://user.test"]

[browser]
headless = false
"""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = make_machine(tmp_path, monkeypatch)
    for path, text in ((made.project, PROJECT), (made.user, USER)):
        path.parent.mkdir(parents=True)
        path.write_text(text)
        path.chmod(0o600)
    return made


@pytest_asyncio.fixture
async def configured(machine: Machine) -> AsyncIterator[tuple[Asker, list[SessionSettings]]]:
    asker = Asker(machine.below, machine.environ)
    seen: list[SessionSettings] = []
    open_live = asker.browsers.open

    async def noting(settings: SessionSettings) -> Any:
        seen.append(settings)
        return await open_live(settings)

    asker.worker._open_live = noting
    yield asker, seen
    await asker.worker.close()


async def test_a_session_has_the_settings_of_the_project_then_of_the_user(
    configured: tuple[Asker, list[SessionSettings]],
) -> None:
    asker, seen = configured
    await asker.opened()
    [settings] = seen
    assert settings.allowed_origins == ("https://project.test",)
    assert isinstance(settings.browser, LaunchSettings)
    assert settings.browser.executable_path == "/opt/project/chromium"
    assert settings.browser.headless is False


async def test_what_a_call_says_comes_first_and_leaves_the_rest(
    configured: tuple[Asker, list[SessionSettings]],
) -> None:
    asker, seen = configured
    await asker.opened(allowedOrigins=["https://call.test"])
    [settings] = seen
    assert settings.allowed_origins == ("https://call.test",)
    assert isinstance(settings.browser, LaunchSettings)
    assert settings.browser.executable_path == "/opt/project/chromium"


async def test_the_policy_of_the_project_binds_the_session(
    configured: tuple[Asker, list[SessionSettings]],
) -> None:
    asker, _ = configured
    session = await asker.opened()
    narrowed = await asker.ask(
        "narrowOriginPolicy", session, request={"allowedOrigins": ["https://other.test"]}
    )
    assert narrowed["error"]["code"] == "origin_refused"


async def test_settings_that_are_complete_are_taken_as_they_are(
    configured: tuple[Asker, list[SessionSettings]],
) -> None:
    asker, seen = configured
    assert "result" in await asker.ask("open", request={"settings": {}, "configured": True})
    assert seen == [SessionSettings()]


async def test_an_error_of_the_configuration_names_the_file_the_line_and_the_key(
    configured: tuple[Asker, list[SessionSettings]], machine: Machine
) -> None:
    asker, seen = configured
    machine.project.write_text('\n[browser]\nheadless = "no"\n')
    error = (await asker.ask("open"))["error"]
    assert (error["code"], error["mutationState"]) == ("invalid_request", "not_attempted")
    [fault] = error["faults"]
    assert fault["pointer"] == "/browser/headless"
    assert f"{machine.project}:3" in fault["message"]
    assert seen == []
