"""What the page can tell about where it runs is what the scenario says."""

from __future__ import annotations

import html
import json
import os
import re
from pathlib import Path
from typing import Any

from tests.browser.capture.conftest import RunScenario, literal
from tests.loopback import Answer, Loopback

PROBE = """<!doctype html><body><script>
document.body.textContent = JSON.stringify({
  language: navigator.language, languages: navigator.languages,
  number: (1234.5).toLocaleString(), zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  dark: matchMedia('(prefers-color-scheme: dark)').matches,
  reduced: matchMedia('(prefers-reduced-motion: reduce)').matches,
  size: [innerWidth, innerHeight, devicePixelRatio], cookie: document.cookie,
});
</script>"""


async def probed(run: RunScenario, loopback: Loopback, **parts: Any) -> dict[str, object]:
    url = loopback.route("/", PROBE)
    evidence = await run(url, capture={"at_end": ["dom", "screenshot"]}, **parts)
    artifacts = evidence.normalized_result.steps[-1].artifacts
    assert artifacts.dom.state == "captured"
    text = artifacts.dom.value.text
    (printed,) = re.findall(r"(\{.*\})</body>", text)
    found: dict[str, object] = json.loads(html.unescape(printed))
    assert artifacts.screenshot.state == "captured"
    found["picture"] = [artifacts.screenshot.value.width, artifacts.screenshot.value.height]
    return found


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
    environment = {
        "viewport": {"width": 400, "height": 300, "device_scale_factor": 1.5},
        "locale": "de-DE",
        "timezone": "Asia/Tokyo",
        "color_scheme": "dark",
        "reduced_motion": "no-preference",
    }
    found = await probed(run_scenario, loopback, environment=environment)
    assert found == {
        "language": "de-DE",
        "languages": ["de-DE"],
        "number": "1.234,5",
        "zone": "Asia/Tokyo",
        "dark": True,
        "reduced": False,
        "size": [400, 300, 1.5],
        "cookie": "",
        "picture": [600, 450],
    }
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
