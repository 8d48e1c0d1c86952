"""What a session's pages logged and asked for, as it is told."""

from __future__ import annotations

import base64
from typing import Final

import pytest
from playwright.async_api import BrowserContext, Page

from rea_capture.browser.runtime import payloads
from rea_capture.browser.runtime.diagnostics import DiagnosticsLog
from rea_capture.browser.runtime.payloads import diagnostics_payload
from rea_capture.contracts.runtime.budgets import (
    MAX_CONSOLE_CHARACTERS,
    MAX_CONSOLE_ENTRIES,
    MAX_DIAGNOSTICS_BYTES,
)
from rea_capture.contracts.runtime.results import ConsoleEntry, Diagnostics, NetworkEntry, Tab
from rea_capture.redaction import NO_SECRETS, Redactor
from tests.loopback import Answer, Loopback

TAB: Final = Tab(tab_id="t", document_id="d", title="", url="about:blank", origin=None, selected=True)


class Log:
    """A log whose secrets become known later."""

    def __init__(self, context: BrowserContext) -> None:
        self.redactor = NO_SECRETS
        self.log = DiagnosticsLog(lambda: self.redactor)
        self.log.attach(context)

    def told(self) -> Diagnostics:
        return self.log.summary("captureEvidence", TAB)


async def logged(page: Page, script: str) -> None:
    """Run ``script`` in the page, and wait until word of what it logged has come."""
    async with page.context.expect_event("console", lambda message: message.text == "that is all"):
        await page.evaluate(f"() => {{ {script}; console.log('that is all') }}")


async def test_alike_messages_are_counted_and_errors_are_among_them(
    page: Page, context: BrowserContext
) -> None:
    log = Log(context)
    async with page.expect_event("pageerror"):
        await page.evaluate("setTimeout(() => { throw new Error('boom') })")
    await logged(page, "for (const n of [1, 2, 3]) console.warn('careful'); console.info('known')")
    assert [(entry.level, entry.message, entry.count) for entry in log.told().console] == [
        ("exception", "boom", 1),
        ("warning", "careful", 3),
        ("info", "known", 1),
        ("log", "that is all", 1),
    ]


async def test_the_latest_messages_are_kept_and_the_others_counted(
    page: Page, context: BrowserContext
) -> None:
    log = Log(context)
    await logged(page, "for (let n = 0; n < 250; n++) console.log('m' + n)")
    told = log.told()
    assert (len(told.console), told.console_omitted) == (MAX_CONSOLE_ENTRIES, 251 - MAX_CONSOLE_ENTRIES)
    assert told.console[-2].message == "m249"


async def test_a_message_is_bounded_and_shows_what_nobody_would_see(
    page: Page, context: BrowserContext
) -> None:
    log = Log(context)
    await logged(page, "console.log('x'.repeat(1 << 20)); console.log('a\\u202eb\\x1b[31mc')")
    long, odd, _ = log.told().console
    assert (len(long.message), long.message[-1]) == (MAX_CONSOLE_CHARACTERS, "…")
    assert odd.message == "a\\u202eb\\x1b[31mc"


async def test_what_turns_out_to_be_a_secret_is_redacted_in_what_was_logged_before(
    page: Page, context: BrowserContext
) -> None:
    log = Log(context)
    await logged(page, f"console.log('say open-sesame'); console.log('{'x' * 507}open-sesame')")
    assert "open-sesame" in log.told().model_dump_json()
    log.redactor = Redactor({"word": "open-sesame"})
    said = [entry.message for entry in log.told().console]
    assert said[0] == "say [REDACTED:word]"
    assert "open" not in said[1]


async def test_requests_are_told_by_their_origin_alone(
    page: Page, context: BrowserContext, loopback: Loopback
) -> None:
    log = Log(context)
    loopback.route("/script", Answer("1", "text/javascript"))
    url = loopback.route("/page", "<script src=/script?token=abc></script><script src=/none></script>")
    await page.goto(url + "?token=abc#token=abc")
    await page.evaluate("fetch('/script', {method: 'POST', body: 'abc', headers: {x: 'abc'}})")
    told = log.told()
    assert NetworkEntry(method="GET", origin=loopback.origin, status=200, category="document", count=1) in (
        told.network
    )
    assert {(each.method, each.status, each.category) for each in told.network} >= {
        ("GET", 200, "script"),
        ("GET", 404, "script"),
        ("POST", 200, "fetch"),
    }
    assert "abc" not in told.model_dump_json()
    assert {each.origin for each in told.network} == {loopback.origin}


async def test_requests_that_fail_and_those_that_are_blocked_are_told_apart(
    page: Page, context: BrowserContext, loopback: Loopback
) -> None:
    log = Log(context)
    await page.goto(loopback.route("/", "<p>x"))
    await page.route("**/blocked", lambda route: route.abort("blockedbyclient"))
    await page.route("**/broken", lambda route: route.abort("connectionreset"))
    try:
        await page.evaluate("Promise.allSettled([fetch('/blocked'), fetch('/broken')])")
    finally:
        await page.unroute_all()
    categories = {entry.category for entry in log.told().network if entry.status is None}
    assert categories == {"blocked", "failed"}


async def test_a_log_that_was_detached_hears_nothing_more(page: Page, context: BrowserContext) -> None:
    log = Log(context)
    log.log.detach()
    await logged(page, "console.log('x')")
    assert log.told().console == ()


def _full(message: str) -> Diagnostics:
    entry = ConsoleEntry(level="log", message=message, count=2)
    return Diagnostics(
        operation="observe",
        tab=TAB,
        console=(entry,) * MAX_CONSOLE_ENTRIES,
        console_omitted=1,
        network=(
            NetworkEntry(method="GET", origin="http://a.test", status=None, category="failed", count=1),
        ),
        network_omitted=0,
        limitations=("x.",),
    )


def test_diagnostics_as_an_artifact_can_be_read_back() -> None:
    payload, held = diagnostics_payload(_full("short"))
    assert (payload.kind, payload.content_type, payload.truncated) == (
        "diagnostics",
        "application/json",
        False,
    )
    assert Diagnostics.model_validate_json(base64.b64decode(payload.data_base64)) == held == _full("short")


def test_diagnostics_that_are_too_large_lose_their_oldest_entries_and_say_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = len(_full("x" * 500).model_dump_json())
    assert whole < MAX_DIAGNOSTICS_BYTES, "the bounds of entries keep within it by themselves"
    monkeypatch.setattr(payloads, "MAX_DIAGNOSTICS_BYTES", whole // 3)
    payload, held = diagnostics_payload(_full("x" * 500))
    assert payload.truncated
    assert payload.byte_length <= whole // 3
    assert held.console_omitted + 2 * len(held.console) == 1 + 2 * MAX_CONSOLE_ENTRIES
