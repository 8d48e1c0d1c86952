"""What a browser or its driver cuts or rewrites of a secret leaves no piece of it in the Evidence."""

from __future__ import annotations

import json

from rea_capture.evidence import evidence_bytes
from tests.browser.capture.conftest import ALL_FAMILIES, RunScenario, css, pause
from tests.loopback import Answer, Loopback

PASSPHRASE = "correct&horse battery/staple gravel window table lantern copper"
TOKEN = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
PIECES = ("corr", "horse", "staple", "copper", "wJal", "XUtn", "K7MD", "EXAMPLEKEY")

PAGE = """<!doctype html><title>t</title><body><a id=get>get</a><p class=both></p><p class=both></p>
<script>
const passphrase = %s, token = %s;
for (const shown of document.querySelectorAll('.both')) shown.textContent = passphrase;
get.href = URL.createObjectURL(new Blob(['x']));
get.download = 'key-' + token;
const escaped = shown => shown.replaceAll('&', '&amp;').replaceAll(' ', '&#32;');
console.log({shown: 'a b'.repeat(7) + escaped(passphrase) + 'c d'.repeat(40)});
console.log({lower: 'a b'.repeat(40) + encodeURIComponent(JSON.stringify(passphrase)).toLowerCase()});
for (const path of ['/token', '/inside'])
  fetch(path).then(answer => answer.json())
    .catch(error => { console.log('bad: ' + error.message); throw error });
</script>"""


async def test_no_piece_of_a_secret_is_left_where_a_browser_cuts_or_rewrites(
    run_scenario: RunScenario, loopback: Loopback
) -> None:
    url = loopback.route("/", PAGE % (json.dumps(PASSPHRASE), json.dumps(TOKEN)))
    loopback.route("/token", Answer(TOKEN, "application/json"))
    loopback.route("/inside", Answer(f'{{"some": "thing", "token": {PASSPHRASE}}}', "application/json"))
    told: list[str] = []
    evidence = await run_scenario(
        url,
        [
            {"step_id": "get", "action": "click", "locator": css("#get"), "timeout_ms": 10_000},
            pause(),
            {"step_id": "both", "action": "click", "locator": css(".both"), "timeout_ms": 10_000},
        ],
        environ={"REA_TEST_P": PASSPHRASE, "REA_TEST_T": TOKEN},
        progress=lambda news: told.append(str(news)),
        secrets=[
            {"secret_id": "p", "environment_variable": "REA_TEST_P"},
            {"secret_id": "t", "environment_variable": "REA_TEST_T"},
        ],
        capture={"events": ALL_FAMILIES},
    )
    result = evidence.normalized_result
    kinds = [event.kind for event in result.events.items]
    assert kinds.count("console") == 4
    assert kinds.count("page-error") == 2
    assert kinds.count("download-cancelled") == 1
    assert result.steps[-1].error is not None
    assert "resolved to 2 elements" in result.steps[-1].error
    kept = evidence_bytes(evidence).decode() + "".join(told)
    assert [piece for piece in PIECES if piece in kept] == []
    assert kept.count("[REDACTED:") >= 7
