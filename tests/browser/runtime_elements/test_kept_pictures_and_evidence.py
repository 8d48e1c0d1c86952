"""A picture, and a whole Evidence document, of a page as it is."""

from __future__ import annotations

import base64
import io
import os

import orjson
from PIL import Image
from playwright.async_api import Page

from rea_capture.browser.artifacts import ArtifactReader
from rea_capture.browser.runtime.evidence import IN_SESSION, full_evidence
from rea_capture.browser.runtime.payloads import payload_of, picture_payload, room_left
from rea_capture.browser.runtime.screenshot import take_screenshot
from rea_capture.contracts.capture_evidence import CaptureEvidence
from rea_capture.contracts.runtime.budgets import MAX_DIAGNOSTICS_BYTES, MAX_FRAME_BYTES, MAX_SCREENSHOT_BYTES
from rea_capture.contracts.runtime.results import ArtifactPayload, CaptureEvidencePayload
from rea_capture.contracts.runtime.settings import AttachSettings, SessionSettings
from rea_capture.evidence import parse
from rea_capture.redaction import NO_SECRETS, Redactor
from rea_capture.workflows.compare import compare
from tests.loopback import Loopback

TIMEOUT_MS = 15_000
MAGENTA = (255, 0, 255)


def data(payload: ArtifactPayload | None) -> bytes:
    assert payload is not None
    held = base64.b64decode(payload.data_base64)
    assert len(held) == payload.byte_length
    return held


def picture(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


async def test_a_picture_shows_the_viewport(page: Page) -> None:
    await page.set_content("<body style='background:#00ff00'>")
    payload, said = await take_screenshot(page, NO_SECRETS, TIMEOUT_MS)
    image = picture(data(payload))
    assert (image.size, image.getpixel((250, 200)), said) == ((500, 400), (0, 255, 0), ())
    assert payload is not None
    assert (payload.kind, payload.content_type, payload.truncated) == ("screenshot", "image/png", False)


async def test_a_picture_has_known_secrets_painted_over(page: Page) -> None:
    await page.set_content("<input value=open-sesame style='position:fixed;inset:0;width:200px;height:50px'>")
    payload, said = await take_screenshot(page, Redactor({"word": "open-sesame"}), TIMEOUT_MS)
    assert picture(data(payload)).getpixel((100, 25)) == MAGENTA
    assert said == ("screenshot has 1 region painted over that may show a secret.",)


async def test_a_page_that_does_not_answer_has_no_picture_and_a_reason(page: Page) -> None:
    await page.evaluate("setTimeout(() => { const end = Date.now() + 900; while (Date.now() < end); })")
    payload, said = await take_screenshot(page, Redactor({"word": "open-sesame"}), 200)
    assert payload is None
    assert said == ("There is no screenshot: the page did not answer within 200 ms.",)


def test_a_picture_that_is_too_large_is_made_smaller_and_says_so() -> None:
    out = io.BytesIO()
    Image.frombytes("RGB", (400, 300), os.urandom(400 * 300 * 3)).save(out, format="PNG")
    payload, said = picture_payload(out.getvalue(), 60_000)
    assert len(data(payload)) <= 60_000
    assert payload is not None
    assert payload.truncated
    width, height = picture(data(payload)).size
    assert (
        said
        == (
            f"The picture was made smaller, to {round(100 * width / 400)} % of its width, to stay within "
            "60000 bytes.",
        )[0]
    )
    assert abs(width / height - 4 / 3) < 0.02


async def evidence(
    page: Page,
    redactor: Redactor = NO_SECRETS,
    settings: SessionSettings | None = None,
    max_bytes: int | None = None,
) -> ArtifactPayload:
    payload, said = await full_evidence(
        page,
        redactor,
        settings or SessionSettings(),
        product="Chromium",
        version="1.2",
        timeout_ms=TIMEOUT_MS,
        max_bytes=room_left(()) if max_bytes is None else max_bytes,
    )
    assert (payload is not None, said) == (True, ())
    assert payload is not None
    return payload


def parsed(payload: ArtifactPayload) -> CaptureEvidence:
    """The Evidence, its id recomputed; that is what `rea verify` does."""
    document = parse(data(payload), "the Evidence").document
    assert isinstance(document, CaptureEvidence)
    return document


async def test_evidence_verifies_and_holds_everything_of_the_moment(page: Page, loopback: Loopback) -> None:
    await page.goto(loopback.route("/", "<title>x</title><h1>Hello</h1>"))
    await page.evaluate("localStorage.setItem('a', 'b')")
    found = parsed(await evidence(page))
    start, step = found.normalized_result.steps
    assert (start.step_id, step.step_id) == ("scenario_start", "as_it_is")
    states = {name: getattr(step.artifacts, name).state for name in ("dom", "accessibility", "storage")}
    assert set(states.values()) == {"captured"}
    assert found.normalized_result.completeness.equality_eligible
    assert IN_SESSION in found.limitations
    assert found.normalized_result.scenario.environment.viewport.width == 500


async def test_evidence_of_an_attached_browser_says_that_it_is_not_ours(page: Page) -> None:
    settings = SessionSettings(browser=AttachSettings(mode="attach", cdp_endpoint="http://127.0.0.1:1"))
    found = parsed(await evidence(page, settings=settings))
    assert (found.normalized_result.browser.mode, found.normalized_result.browser.cleanup) == (
        "connect",
        "disconnected-external",
    )


async def test_evidence_shows_no_known_secret(page: Page, loopback: Loopback) -> None:
    await page.goto(loopback.route("/", "<p>open-sesame<input value=open-sesame>") + "?q=open-sesame")
    payload = await evidence(page, Redactor({"word": "open-sesame"}))
    assert b"open-sesame" not in data(payload)
    parsed(payload)


async def test_two_of_the_same_page_are_unchanged_and_another_one_is_not(
    page: Page, loopback: Loopback
) -> None:
    await page.goto(loopback.route("/", "<h1>Hello</h1>"))
    before = await evidence(page)
    again = await evidence(page)
    await page.evaluate("document.querySelector('h1').textContent = 'Goodbye'")
    after = await evidence(page)
    assert compared(before, again) == "unchanged"
    assert compared(before, after) == "changed"


def compared(before: ArtifactPayload, after: ArtifactPayload) -> str:
    """What a comparison of the two says."""
    return compare(data(before), data(after)).normalized_result.overall_status


async def test_evidence_that_is_too_large_says_what_is_missing_in_it(page: Page) -> None:
    await page.set_content(f"<p>{'x' * 50_000}")
    whole = await evidence(page)
    payload = await evidence(page, max_bytes=whole.byte_length - 40_000)
    assert payload.truncated
    step = parsed(payload).normalized_result.steps[1]
    assert step.artifacts.dom.state == "missing"
    assert "dom" in step.completeness.missing_sections
    assert step.artifacts.accessibility.state == "captured"


async def test_evidence_that_cannot_be_small_enough_is_none_and_says_so(page: Page) -> None:
    kept = await full_evidence(
        page, NO_SECRETS, SessionSettings(), product="x", version="1", timeout_ms=TIMEOUT_MS, max_bytes=100
    )
    assert kept == (None, ("There is no evidence: it would have more than 100 bytes.",))


async def test_a_reader_that_was_closed_hears_nothing_of_a_page_that_goes_on(page: Page) -> None:
    reader = await ArtifactReader.attach(page, redactor=NO_SECRETS, command_timeout_ms=TIMEOUT_MS)
    await reader.close()
    popup = await page.context.new_page()
    others = await ArtifactReader.attach(popup, redactor=NO_SECRETS, command_timeout_ms=TIMEOUT_MS)
    await reader.close()
    await popup.close()
    assert await others.life.gone == "the page was closed"
    assert not reader.life.gone.done()


def test_all_artifacts_together_fit_into_a_line_of_the_transport() -> None:
    shot = payload_of("screenshot", "image/png", bytes(MAX_SCREENSHOT_BYTES))
    logged = payload_of("diagnostics", "application/json", bytes(MAX_DIAGNOSTICS_BYTES))
    whole = payload_of("evidence", "application/json", bytes(room_left([shot, logged])))
    kept = CaptureEvidencePayload(
        status="complete", artifacts=(shot, logged, whole), limitations=("x" * 9_999,)
    )
    size = len(orjson.dumps(kept.wire()))
    assert MAX_FRAME_BYTES - 2 * MAX_DIAGNOSTICS_BYTES * 3 < size < MAX_FRAME_BYTES - MAX_DIAGNOSTICS_BYTES
    assert room_left([shot, whole, whole]) == 0
