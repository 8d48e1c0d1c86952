"""What the page can tell about where it runs is what the scenario says."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tests.browser.capture.conftest import RunScenario, literal
from tests.browser.capture.probing import PROBE, SETTINGS, SETTINGS_AS_SAID, said_by_probe
from tests.loopback import Answer, Loopback


async def probed(run: RunScenario, loopback: Loopback, **parts: Any) -> dict[str, object]:
    url = loopback.route("/", PROBE)
    return said_by_probe(await run(url, capture={"at_end": ["dom", "screenshot"]}, **parts))


async def test_the_defaults_are_those_of_the_contract(run_scenario: RunScenario, loopback: Loopback) -> None:
    found = await probed(run_scenario, loopback)
    assert found == {
        "language": "en-US",
        "languages": ["en-US"],
        "number": "1,234.5",
        "zone": "UTC",
        "dark": False,
        "reduced": True,
        "size": [1280, 720, 1],
        "cookie": "",
        "picture": [1280, 720],
    }


async def test_every_setting_reaches_the_page_and_the_server(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    assert await probed(run_scenario, loopback, environment=SETTINGS) == SETTINGS_AS_SAID
    assert loopback.seen[0].headers["accept-language"].startswith("de-DE")


async def test_cookies_are_there_at_the_first_request(run_scenario: RunScenario, loopback: Loopback) -> None:
    cookies = [
        {"name": "seen", "value": literal("yes"), "destination": {"url": loopback.origin}},
        {"name": "hidden", "value": literal("1"), "destination": {"url": loopback.origin}, "http_only": True,
         "same_site": "Strict"},
        {"name": "other", "value": literal("no"), "destination": {"url": f"{loopback.origin}/elsewhere/"}},
        {"name": "safe", "value": literal("s"), "destination": {"url": loopback.origin}, "secure": True,
         "same_site": "None"},
    ]  # fmt: skip
    url = loopback.route("/", PROBE)
    evidence = await run_scenario(url, storage={"cookies": cookies}, capture={"at_end": ["storage"]})
    sent = set(loopback.seen[0].headers["cookie"].split("; "))
    assert sent == {"seen=yes", "hidden=1", "safe=s"}
    state = evidence.normalized_result.steps[-1].artifacts.storage
    assert state.state == "captured"
    assert [
        (cookie.name, cookie.secure, cookie.http_only, cookie.same_site) for cookie in state.value.cookies
    ] == [("hidden", False, True, "Strict"), ("safe", True, False, "None"), ("seen", False, False, "Lax")]


async def test_the_profile_is_private_while_it_lives_and_gone_afterwards(
    run_scenario: RunScenario, loopback: Loopback, tmp_path: Path
) -> None:
    seen: list[tuple[int, int]] = []

    def look(_: object, __: object) -> Answer:
        folders = [path for path in tmp_path.iterdir() if path.is_dir()]
        seen.extend((folder.stat().st_mode & 0o777, folder.stat().st_uid) for folder in folders)
        return Answer("<p>hello")

    import tempfile

    url = loopback.route("/", look)
    before, tempfile.tempdir = tempfile.tempdir, str(tmp_path)
    try:
        evidence = await run_scenario(url)
    finally:
        tempfile.tempdir = before
    assert set(seen) == {(0o700, os.getuid())}
    assert os.listdir(tmp_path) == []
    browser = evidence.normalized_result.browser
    assert (browser.mode, browser.process_ownership, browser.cleanup) == (
        "launch",
        "provider-owned",
        "terminated-owned-process",
    )
    assert evidence.environment.id == f"{browser.product}@{browser.version}"
