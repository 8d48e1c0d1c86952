"""Browsers of a session's own: which one is taken, what is refused, and that nothing is left of it."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
from pathlib import Path

import pytest
from playwright.async_api import Playwright

from rea_capture.browser.processes import Process, processes_of
from rea_capture.browser.runtime.live import LiveSession
from rea_capture.browser.runtime.opening import open_live
from rea_capture.contracts.runtime.budgets import STARTUP
from rea_capture.contracts.runtime.errors import BrowserErrorDetails
from rea_capture.contracts.runtime.operations import AssertRequest, NavigateRequest, TextAssertion
from rea_capture.contracts.runtime.settings import EnvironmentCredential, LaunchSettings, SessionSettings
from tests.browser.runtime.asking import failed, go, read, tabs
from tests.browser.runtime.conftest import OpenSession
from tests.loopback import Loopback


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where profiles of this test are made."""
    folder = tmp_path / "t"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def left_in(folder: Path) -> list[Path]:
    """What is still there."""
    return list(folder.iterdir())


def environment_of(process: Process) -> bytes:
    return Path(f"/proc/{process.pid}/environ").read_bytes()


def running_in(folder: Path) -> list[Process]:
    """The processes of browsers whose profiles are there."""
    return [each for profile in folder.glob("*/*") for each in processes_of(profile)]


def fake(folder: Path, name: str, version: str) -> Path:
    """A program that answers as a browser does and never comes up."""
    path = folder / name
    path.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo "{version}" && exit\nexec sleep 60\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


async def refused(
    driver: Playwright, code: str, environ: dict[str, str] | None = None, **launch: object
) -> BrowserErrorDetails:
    settings = SessionSettings(browser=LaunchSettings.model_validate(launch))
    details = await failed(open_live(driver, settings, environ=environ or {}), code)
    assert (details.operation, details.mutation_state) == ("open", "not_attempted")
    return details


async def test_a_session_begins_with_one_blank_selected_tab(open_session: OpenSession) -> None:
    live = await open_session()
    (tab,) = (await tabs(live)).tabs
    assert (tab.url, tab.origin, tab.selected, tab.opener) == ("about:blank", None, True, None)
    assert await live.selected_tab() == tab
    assert live.version.split(".")[0].isdigit()
    assert live.limitations == ()


async def test_a_named_product_is_found_and_told_by_its_name(
    driver: Playwright, chromium_path: str, tmp_path: Path
) -> None:
    there = tmp_path / "chromium"
    there.symlink_to(chromium_path)
    fake(tmp_path, "google-chrome", "Google Chrome 156.0.1.2")
    environ = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    settings = SessionSettings(browser=LaunchSettings(product="chromium"))
    live = await open_live(driver, settings, environ=environ)
    try:
        assert live.product == "Chromium"
    finally:
        assert await live.close() == ()


async def test_a_product_that_is_not_there_is_not_replaced_by_another(
    driver: Playwright, chromium_path: str, tmp_path: Path
) -> None:
    (tmp_path / "chromium").symlink_to(chromium_path)
    environ = {"PATH": str(tmp_path), "REA_EXECUTABLE_PATH": chromium_path}
    details = await refused(driver, "unavailable", environ, product="vivaldi")
    assert "no vivaldi on this machine" in details.message
    fake(tmp_path, "vivaldi", "Chromium 156.0.1.2")
    await refused(driver, "unavailable", environ, product="vivaldi")


async def test_an_executable_that_is_another_product_than_named_is_refused(
    driver: Playwright, chromium_path: str
) -> None:
    details = await refused(driver, "unavailable", executablePath=chromium_path, product="vivaldi")
    assert "browser.product is 'vivaldi'" in details.message


@pytest.mark.parametrize("product", ["firefox", "webkit"])
async def test_other_engines_are_refused_by_name(
    product: str, driver: Playwright, chromium_path: str
) -> None:
    details = await refused(driver, "unsupported", {"REA_EXECUTABLE_PATH": chromium_path}, product=product)
    assert product in details.message


async def test_nothing_is_guessed_where_nothing_is_named(driver: Playwright) -> None:
    details = await refused(driver, "unavailable", dict(os.environ) | {"REA_EXECUTABLE_PATH": ""})
    assert "REA_EXECUTABLE_PATH" in details.message


async def test_the_environment_names_a_browser_where_nothing_else_does(
    driver: Playwright, chromium_path: str
) -> None:
    environ = {**os.environ, "REA_EXECUTABLE_PATH": chromium_path}
    live = await open_live(driver, SessionSettings(), environ=environ)
    assert await live.close() == ()
    missing = await refused(driver, "unavailable", environ, executablePath="/not/there")
    assert "/not/there" in missing.message


async def test_a_window_without_a_display_is_refused_with_advice(
    driver: Playwright, chromium_path: str
) -> None:
    details = await refused(driver, "unavailable", executablePath=chromium_path, headless=False)
    assert "no display" in details.message


async def test_a_browser_that_never_comes_up_is_given_up_and_ended(
    driver: Playwright, tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mute = fake(tmp_path, "mute", "Chromium 1.2.3")
    monkeypatch.setattr("rea_capture.browser.runtime.opening.STARTUP", STARTUP.__class__(1_000, 1_000))
    begun = asyncio.get_running_loop().time()
    await refused(driver, "timeout", dict(os.environ), executablePath=str(mute))
    assert asyncio.get_running_loop().time() - begun < 8
    assert left_in(temporary) == []


async def test_an_opening_that_is_cancelled_leaves_nothing(
    driver: Playwright, chromium_path: str, temporary: Path
) -> None:
    settings = SessionSettings(browser=LaunchSettings(executable_path=chromium_path))
    opening = asyncio.ensure_future(open_live(driver, settings, environ=os.environ))
    async with asyncio.timeout(10):
        while not running_in(temporary):  # noqa: ASYNC110 - another process is waited for
            await asyncio.sleep(0.01)
    opening.cancel()
    assert isinstance((await asyncio.gather(opening, return_exceptions=True))[0], asyncio.CancelledError)
    assert left_in(temporary) == []


async def test_closing_leaves_no_process_and_no_profile_and_can_be_done_again(
    open_session: OpenSession, temporary: Path, site: Loopback
) -> None:
    live = await open_session()
    await go(live, site.route("/", "here"))
    assert running_in(temporary)
    assert list(await asyncio.gather(live.close(), live.close())) == [(), ()]
    assert left_in(temporary) == []
    details = await failed(read(live), "browser_gone")
    assert "closed" in details.message


async def test_a_close_that_is_cancelled_is_done_all_the_same(
    open_session: OpenSession, temporary: Path
) -> None:
    live = await open_session()
    closing = asyncio.ensure_future(live.close())
    await asyncio.sleep(0)
    closing.cancel()
    await asyncio.gather(closing, return_exceptions=True)
    assert left_in(temporary) == []
    assert await live.close() == ()


async def test_a_browser_that_is_killed_is_told_and_its_profile_goes(
    open_session: OpenSession, temporary: Path, site: Loopback
) -> None:
    live = await open_session()
    await go(live, site.route("/", "here"))
    assertion = AssertRequest(assertion=TextAssertion(kind="text", value="never"), wait="bounded")
    waiting = asyncio.ensure_future(live.assert_(assertion, "*"))  # noqa: PT009 - not unittest's
    await asyncio.sleep(0)
    for process in running_in(temporary):
        os.kill(process.pid, signal.SIGKILL)
    details = await failed(waiting, "browser_gone")
    assert details.mutation_state == "not_attempted"
    navigating = live.navigate(NavigateRequest(url=f"{site.origin}/"), "*")
    assert (await failed(navigating, "browser_gone")).mutation_state == "not_attempted"
    await live.close()
    assert left_in(temporary) == []


async def test_a_browser_is_told_no_variable_that_holds_a_credential(
    open_session: OpenSession, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_PASSWORD", "hunter2")
    monkeypatch.setenv("SHOP_COLOUR", "green")
    password = EnvironmentCredential(source="environment", variable="SHOP_PASSWORD")
    await open_session(credentials={"password": password})
    told = [environment_of(each) for each in running_in(temporary)]
    assert any(b"SHOP_COLOUR=green" in each for each in told)
    assert not any(b"hunter2" in each for each in told)


async def test_sessions_have_nothing_in_common(open_session: OpenSession, site: Loopback) -> None:
    shows = "<p id=p></p><script>p.textContent = 'cookie:' + document.cookie</script>"
    site.route("/shows", shows)
    sets = site.route("/sets", "<script>document.cookie = 'mine=1'</script>")
    first, second = await asyncio.gather(open_session(), open_session())
    await asyncio.gather(go(first, sets), go(second, sets.replace("/sets", "/shows")))
    await asyncio.gather(*(go(live, f"{site.origin}/shows") for live in (first, second)))
    assert [(await read(live)).text for live in (first, second)] == ["cookie:mine=1", "cookie:"]


async def test_a_navigation_that_is_cancelled_is_given_up_and_the_session_goes_on(
    open_session: OpenSession, site: Loopback
) -> None:
    asked = asyncio.Event()
    loop, never = asyncio.get_running_loop(), asyncio.Event()

    def hold(_: object, __: object) -> None:
        loop.call_soon_threadsafe(asked.set)
        asyncio.run_coroutine_threadsafe(asyncio.wait_for(never.wait(), 20), loop).result(30)

    site.route("/held", hold)
    live: LiveSession = await open_session()
    before = (await go(live, site.route("/", "here"))).tab
    going = asyncio.ensure_future(go(live, f"{site.origin}/held"))
    await asyncio.wait_for(asked.wait(), 10)
    going.cancel()
    assert isinstance((await asyncio.gather(going, return_exceptions=True))[0], asyncio.CancelledError)
    assert (await read(live)).tab == before
    assert (await go(live, f"{site.origin}/")).status == 200
    never.set()


async def test_what_cannot_be_reached_is_told_and_the_session_goes_on(
    open_session: OpenSession, site: Loopback
) -> None:
    live = await open_session()
    details = await failed(go(live, "http://127.0.0.1:1/"), "navigation_failed")
    assert "net::ERR" in details.message
    assert (details.mutation_state, details.phase) == ("unknown", "execute")
    assert (await go(live, f"{site.origin}/none")).status == 404
