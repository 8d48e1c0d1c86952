"""Any name and value arrives unchanged; what the browser refuses is reported without being shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.async_api import async_playwright

from tests.browser.seeding.conftest import Lab, Site, first, launch_options, open_lab

pytestmark = pytest.mark.asyncio(loop_scope="session")  # the browser is shared by all tests

AWKWARD = {
    "quotes \" ' `": "\" ' ` \\ ${x} </script> <!--",
    "lines": "one\ntwo\r\nthree\u2028four\u2029\tfive\0six",
    "grüße ☃ 😀": "naïve 日本語 😀\u202e",
    "__proto__": "prototype",
    "constructor": "",
    "setItem": "a name of Storage itself",
    "length": "7",
    "": "the empty name",
    "long": "x" * 1_000_000,
}


async def test_awkward_names_and_values_arrive_unchanged(lab: Lab) -> None:
    await lab.seed({"a.test": AWKWARD}, {"a.test": AWKWARD})
    await lab.goto("a.test")
    read = (
        "[localStorage, sessionStorage].map(s => Array.from({length: Storage.prototype.__lookupGetter__("
        "'length').call(s)}, (_, i) => Storage.prototype.key.call(s, i))"
        ".map(k => [k, Storage.prototype.getItem.call(s, k)]))"
    )
    stored = await lab.page.evaluate(read)
    assert [dict(entries) for entries in stored] == [AWKWARD, AWKWARD]
    assert lab.problems == []


async def test_a_million_quotes_reach_a_third_party_frame(lab: Lab) -> None:
    lab.site.pages["/outer"] = "<iframe name=inner src='http://b.test:{port}/inner'></iframe>"
    await lab.seed({"b.test": {"a": '"\\' * 500_000}})
    await lab.page.goto(lab.site.url("a.test", "/outer"))
    inner = await lab.frame("inner")
    assert await inner.evaluate("localStorage.a === '\"\\\\'.repeat(500000)")


async def test_an_entry_over_the_quota_is_reported_with_its_origin_and_the_rest_is_stored(lab: Lab) -> None:
    secret = "hunter2" * 1_000_000
    await lab.seed({"a.test": {"secret-name": secret, "a": "seed"}})
    assert await lab.goto("a.test") == ["seed", None]
    assert lab.problems == [
        "The browser refused 1 of 2 local storage seed entries for "
        f"{lab.site.origin('a.test')} (QuotaExceededError)."
    ]
    await lab.page.reload()
    assert len(lab.problems) == 1


async def test_denied_storage_is_reported_with_its_origin_and_the_page_runs(
    site: Site, tmp_path: Path
) -> None:
    """A profile that blocks all cookies denies every page its storage."""
    profile = tmp_path / "profile" / "Default"
    profile.mkdir(parents=True)
    preferences = {"profile": {"default_content_setting_values": {"cookies": 2}}}
    (profile / "Preferences").write_text(json.dumps(preferences))
    async with async_playwright() as playwright:
        context = await playwright.chromium.launch_persistent_context(profile.parent, **launch_options())
        lab = await open_lab(context, site)
        await lab.seed({"a.test": {"hunter1": "hunter2"}}, {"a.test": {"hunter1": "hunter2"}})
        assert await lab.goto("a.test") == "SecurityError"
        assert lab.problems == [
            f"The browser refused 1 of 1 {kind} storage seed entries for "
            f"{site.origin('a.test')} (SecurityError)."
            for kind in ("local", "session")
        ]
        await context.close()


async def test_a_persistent_context_is_seeded_like_any_other(site: Site, tmp_path: Path) -> None:
    async with async_playwright() as playwright:
        context = await playwright.chromium.launch_persistent_context(tmp_path, **launch_options())
        lab = await open_lab(context, site)
        await lab.seed({"b.test": {"a": "seed"}}, {"b.test": {"s": "session seed"}})
        await lab.goto("a.test")
        popup = await lab.popup(f"window.open('{site.url('b.test')}', '_blank', 'noopener')")
        assert await first(popup) == ["seed", "session seed"]
        await context.close()
