"""A capture of a page in a browser that is somebody else's."""

from __future__ import annotations

import asyncio
import base64
import html
import io
import re
from typing import Any

import pytest
from PIL import Image

from rea_capture import compare
from rea_capture.browser.connect.limitations import ATTACHED_LIMITATIONS, GAP
from rea_capture.capture.progress import Progress, StepStarted
from rea_capture.capture.stop import Stop
from rea_capture.contracts.capture_evidence import CaptureEvidence
from rea_capture.errors import UnavailableError
from tests.browser.capture.conftest import ALL_FAMILIES, css, literal, pause
from tests.browser.capture.probing import PROBE, SETTINGS, SETTINGS_AS_SAID, said_by_probe
from tests.browser.connect.conftest import RunAttached, SomebodysBrowser
from tests.browser.connect.fake_endpoint import fake_endpoint, switching
from tests.browser.connect.looks import ENVIRONMENT, LOOKS, everything
from tests.browser.connect.raw_cdp import RawClient
from tests.loopback import Answer, Loopback


def events_of(evidence: CaptureEvidence, kind: str) -> list[Any]:
    return [event for event in evidence.normalized_result.events.items if event.kind == kind]


def dom_of(evidence: CaptureEvidence) -> str:
    dom = evidence.normalized_result.steps[-1].artifacts.dom
    assert dom.state == "captured"
    return html.unescape(dom.value.text)


def click(step_id: str, selector: str) -> dict[str, Any]:
    return {"step_id": step_id, "action": "click", "locator": css(selector), "timeout_ms": 10_000}


async def test_every_setting_reaches_the_page_but_for_its_languages(
    run_attached: RunAttached, loopback: Loopback
) -> None:
    evidence = await run_attached(loopback.route("/", PROBE), environment=SETTINGS)
    said = said_by_probe(evidence)
    assert said == {**SETTINGS_AS_SAID, "language": "en-US", "languages": said["languages"]}


async def test_frames_of_other_processes_get_the_environment_too(
    run_attached: RunAttached, loopback: Loopback
) -> None:
    port = loopback.origin.rpartition(":")[2]
    tell = (
        "<script>parent.postMessage([new Date(0).getHours(), (1.5).toLocaleString(), "
        "matchMedia('(prefers-color-scheme: dark)').matches].join(' '), '*')</script>"
    )
    loopback.route("/frame", tell)
    hear = "<script>onmessage = event => document.title = event.data</script>"
    page = f"{hear}<iframe src='http://localhost:{port}/frame'></iframe>"
    wait = {
        "step_id": "told",
        "action": "wait_for",
        "locator": css("title"),
        "state": "attached",
        "timeout_ms": 9000,
    }
    evidence = await run_attached(
        loopback.route("/", page),
        [wait, pause("then", 300)],
        environment={"timezone": "Asia/Tokyo", "locale": "de-DE", "color_scheme": "dark"},
    )
    assert "<title>9 1,5 true</title>" in dom_of(evidence)


async def test_evidence_says_whose_browser_it_was_and_that_it_is_never_complete(
    run_attached: RunAttached, loopback: Loopback
) -> None:
    evidence = await run_attached(loopback.route("/", "<p>x"), capture={"at_end": ["url"]})
    result = evidence.normalized_result
    assert (result.browser.mode, result.browser.process_ownership) == ("connect", "external")
    assert result.browser.cleanup == "disconnected-external"
    assert re.fullmatch(r"\d+(\.\d+)+", result.browser.version)
    assert evidence.parameters.browser_mode == "connect"
    assert evidence.environment is not None
    assert evidence.environment.isolation.startswith("external-browser")
    assert set(ATTACHED_LIMITATIONS) | {GAP} <= set(result.limitations)
    assert [step.completeness.equality_eligible for step in result.steps] == [False, False]
    assert result.completeness.missing_sections == ("events",)
    assert compare(evidence, evidence).normalized_result.overall_status == "unknown"


async def test_every_artifact_and_every_family_comes_of_an_attached_page(
    run_attached: RunAttached, loopback: Loopback
) -> None:
    loopback.route("/worker.js", Answer("1", "text/javascript"))
    script = "console.log('hello'); new Worker('/worker.js'); setTimeout(() => { throw 1 })"
    page = f"<p>seen</p><script>{script}</script><iframe srcdoc=x></iframe>"
    evidence = await run_attached(loopback.route("/", page))
    artifacts = evidence.normalized_result.steps[-1].artifacts
    states = {
        getattr(artifacts, name).state
        for name in ("screenshot", "dom", "accessibility", "url", "history", "storage")
    }
    assert states == {"captured"}
    kinds = {event.kind for event in evidence.normalized_result.events.items}
    assert {"console", "page-error", "request", "response", "worker-created", "frame-attached"} <= kinds


async def test_what_other_tabs_do_is_not_in_the_events(
    run_attached: RunAttached, loopback: Loopback, browser: SomebodysBrowser, owner: RawClient
) -> None:
    noisy = "<script>setInterval(() => { console.log('other'); fetch('/other') }, 20)</script>"
    other = browser.new_tab(loopback.route("/noisy", noisy))
    try:
        evidence = await run_attached(loopback.route("/", "<p>x"), [pause(duration_ms=300)])
    finally:
        browser.close_tab(other)
    assert loopback.targets().count("GET /other") > 3
    told = evidence.normalized_result.events.items
    assert told
    assert not [event for event in told if "other" in str(event)]


@pytest.mark.parametrize(
    "opener",
    [
        "<button onclick=\"window.open('/popup')\">open</button>",
        "<a href=/popup target=_blank rel=noopener>open</a>",
    ],
    ids=["window.open", "noopener"],
)
async def test_popups_are_part_of_the_capture_and_go_with_it(
    run_attached: RunAttached, loopback: Loopback, browser: SomebodysBrowser, opener: str
) -> None:
    loopback.route("/popup", "<script>console.log('from the popup', innerWidth)</script>")
    before = browser.pages()
    evidence = await run_attached(
        loopback.route("/", opener),
        [click("open", "button, a"), pause(duration_ms=1_000)],
        environment={"viewport": {"width": 456, "height": 300}},
    )
    assert [event.url.url for event in events_of(evidence, "popup-opened")] == [f"{loopback.origin}/popup"]
    assert [event.text for event in events_of(evidence, "console")] == ["from the popup 456"]
    assert [each for each in evidence.normalized_result.limitations if "found to come of it" in each]
    assert browser.pages().keys() == before.keys()


async def test_downloads_of_the_page_are_cancelled_and_recorded(
    run_attached: RunAttached, loopback: Loopback
) -> None:
    attachment = [("Content-Disposition", "attachment; filename=big.bin")]
    loopback.route("/file", Answer(b"0" * 1000, "application/octet-stream", 200, attachment))
    evidence = await run_attached(
        loopback.route("/", "<a href=/file>get</a>"), [click("get", "a"), pause(duration_ms=200)]
    )
    (cancelled,) = events_of(evidence, "download-cancelled")
    assert cancelled.suggested_filename == "big.bin"
    assert not [each for each in evidence.normalized_result.limitations if "could not be cancelled" in each]


async def test_a_page_of_another_browser_context_is_found_by_its_id(
    run_attached: RunAttached, loopback: Loopback, owner: RawClient
) -> None:
    context = (await owner.send("Target.createBrowserContext"))["browserContextId"]
    made = await owner.send("Target.createTarget", {"url": "about:blank", "browserContextId": context})
    cookie = {"name": "mine", "value": literal("x"), "destination": {"url": loopback.origin + "/"}}
    try:
        evidence = await run_attached(
            loopback.route("/", "<p>here</p>"), target_id=made["targetId"], storage={"cookies": [cookie]}
        )
        storage = evidence.normalized_result.steps[-1].artifacts.storage
        assert storage.state == "captured"
        assert [each.name for each in storage.value.cookies] == ["mine"]
        left = await owner.send("Storage.getCookies", {"browserContextId": context})
        assert left["cookies"] == []
        contexts = await owner.send("Target.getBrowserContexts")
        assert context in contexts["browserContextIds"]
    finally:
        await owner.send("Target.disposeBrowserContext", {"browserContextId": context})


async def test_a_target_that_is_gone_or_is_no_page_is_refused_with_what_to_do(
    run_attached: RunAttached, loopback: Loopback, browser: SomebodysBrowser
) -> None:
    gone = browser.new_tab()
    browser.close_tab(gone)
    while gone in browser.pages():
        pass
    with pytest.raises(UnavailableError, match=f"has no target '{gone}'; `rea list-browser-targets"):
        await run_attached(loopback.origin, target_id=gone)
    other = next(each["id"] for each in browser.asked("/json/list") if each["type"] != "page")
    with pytest.raises(UnavailableError, match="not a page; `rea list-browser-targets"):
        await run_attached(loopback.origin, target_id=other)


async def test_a_tab_that_closes_during_the_capture_ends_it_with_what_was_seen(
    run_attached: RunAttached, loopback: Loopback, browser: SomebodysBrowser, tab: str
) -> None:
    def close_it(news: Progress) -> None:
        if isinstance(news, StepStarted) and news.step_id == "long":
            browser.close_tab(tab)

    evidence = await run_attached(
        loopback.route("/", "<p>x"),
        [pause("long", 30_000)],
        progress=close_it,
        capture={"events": ALL_FAMILIES},
    )
    assert [step.status for step in evidence.normalized_result.steps] == ["completed", "failed"]
    assert evidence.normalized_result.steps[1].error == "the page was closed"


async def test_seeds_are_there_before_the_first_script_and_secrets_stay_out(
    run_attached: RunAttached, loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATTACHED_TOKEN", "swordfish-4711")
    page = "<body><script>document.body.textContent = `${localStorage.a} ${sessionStorage.b}`</script>"
    url = loopback.route("/", page)
    entries = [{"name": "a", "value": {"source": "secret", "secret_id": "token"}}]
    storage = {
        "local_storage": [{"origin": loopback.origin, "entries": entries}],
        "session_storage": [{"origin": loopback.origin, "entries": [{"name": "b", "value": literal("two")}]}],
    }
    declared = [{"secret_id": "token", "environment_variable": "ATTACHED_TOKEN"}]
    evidence = await run_attached(url, storage=storage, secrets=declared)
    assert "[REDACTED:token] two" in dom_of(evidence)
    assert "swordfish" not in str(evidence)
    assert [each for each in evidence.normalized_result.limitations if "seeds were written" in each]


async def test_a_setting_that_another_client_holds_is_refused_and_left_to_it(
    run_attached: RunAttached, loopback: Loopback, owner: RawClient, tab: str
) -> None:
    session = await owner.attach(tab)
    await owner.send("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Tokyo"}, session)
    with pytest.raises(UnavailableError, match=r"setTimezoneOverride was refused .* another client"):
        await run_attached(loopback.route("/", "<p>x"), environment={"timezone": "Europe/Berlin"})
    zone = "Intl.DateTimeFormat().resolvedOptions().timeZone"
    assert await owner.evaluate(session, zone) == "Asia/Tokyo"
    assert loopback.targets() == []


async def test_a_tab_that_hangs_is_one_line_within_the_command_timeout(
    run_attached: RunAttached, loopback: Loopback, browser: SomebodysBrowser, owner: RawClient
) -> None:
    hung = browser.new_tab()
    session = await owner.attach(hung)
    asking = asyncio.ensure_future(owner.evaluate(session, "for (;;);"))
    try:
        with pytest.raises(
            UnavailableError, match=r"could not be attached to: .* close one that hangs"
        ) as raised:
            await run_attached(loopback.route("/", "<p>x"), command_timeout_ms=1_000, own_driver=True)
        assert "\n" not in raised.value.message
    finally:
        asking.cancel()
        browser.close_tab(hung)


async def test_a_secret_on_screen_is_painted_over_in_the_picture_of_another_session(
    run_attached: RunAttached, loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATTACHED_TOKEN", "swordfish-4711")
    page = "<body style='margin:0;background:#fff'><p style='margin:20px'>swordfish-4711</p>"
    evidence = await run_attached(
        loopback.route("/", page),
        secrets=[{"secret_id": "token", "environment_variable": "ATTACHED_TOKEN"}],
        environment={"viewport": {"width": 200, "height": 100, "device_scale_factor": 2}},
    )
    screenshot = evidence.normalized_result.steps[-1].artifacts.screenshot
    assert screenshot.state == "captured"
    picture = Image.open(io.BytesIO(base64.b64decode(screenshot.value.data_base64))).convert("RGB")
    assert picture.size == (400, 200)
    assert picture.getpixel((60, 60)) == (255, 0, 255)
    assert picture.getpixel((380, 190)) == (255, 255, 255)


async def test_a_debugger_that_falls_silent_is_one_line_within_the_command_timeout(
    run_attached: RunAttached, loopback: Loopback
) -> None:
    async def silent(writer: asyncio.StreamWriter) -> None:
        writer.write(switching(fake.heads[-1]))
        await asyncio.sleep(60)

    async with fake_endpoint() as fake:
        fake.replies["/devtools/browser/0000-1111"] = silent
        where = {"mode": "connect", "cdp_endpoint": fake.address, "target_id": "A"}
        with pytest.raises(UnavailableError, match="the browser could not be attached to: ") as raised:
            await run_attached(loopback.origin, browser_entry=where, command_timeout_ms=500, own_driver=True)
    assert "\n" not in raised.value.message


@pytest.mark.parametrize("delay_s", [0.3, 0.9, 1.2, 1.5, 2.0])
async def test_a_stop_while_attaching_leaves_the_page_alone(
    run_attached: RunAttached, loopback: Loopback, owner: RawClient, tab: str, delay_s: float
) -> None:
    session = await owner.attach(tab)
    before = await everything(owner), await owner.evaluate(session, LOOKS)
    stop = Stop()
    asyncio.get_running_loop().call_later(delay_s, stop.request, "SIGTERM")  # the moment is the case
    evidence = await run_attached(
        loopback.route("/", "<p>x"),
        [pause("long", 30_000)],
        stop=stop,
        environment=ENVIRONMENT,
        own_driver=True,
    )
    assert evidence.normalized_result.steps[-1].status == "cancelled"
    assert set(ATTACHED_LIMITATIONS) <= set(evidence.normalized_result.limitations)
    assert (await everything(owner), await owner.evaluate(session, LOOKS)) == before
