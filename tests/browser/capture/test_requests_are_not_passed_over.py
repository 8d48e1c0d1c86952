"""What a server was asked for is in the events, or the capture is not complete and says why.

The server's own log is the witness. Each kind of request that the driver may not report has a page here
that makes it, and so have the ordinary kinds, of which nothing may be doubted.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any, Final

import pytest

from rea_capture.contracts.capture import CaptureResult
from tests.browser.capture.conftest import RunScenario, css, pause
from tests.loopback import Answer, Loopback, Seen

SCRIPT = "text/javascript"
ALLOWED = [(f"Access-Control-Allow-{name}", "*") for name in ("Origin", "Methods", "Headers")]
PREFLIGHT, POSSIBLE, WORKLET, LEFT, CLOSED = (
    "asks permission first",
    "whether the browser asked",
    "ran a worklet",
    "was left for another site",
    "was closed, or taken out",
)
LAST_WORDS = (
    "onpagehide = () => { navigator.sendBeacon('/said?beacon', 'x');"
    " fetch('/said?kept', {method: 'POST', keepalive: true, body: 'x'}) };"
)
SAY = "navigator.sendBeacon('/said', 'x')"
WHEN_HIDDEN = f"document.addEventListener('visibilitychange', () => {SAY})"
WHEN_UNLOADED = "onunload = () => { fetch('/said', {method: 'POST', keepalive: true, body: 'x'}) }"
NESTED = "<iframe src=/next></iframe>"
FRAMED = "document.body.insertAdjacentHTML('beforeend', `<iframe src='ELSEWHERE/{}' allow=unload>`);"


@dataclass(frozen=True)
class Site:
    """Two servers that differ in their port, and the first under another name."""

    here: Loopback
    there: Loopback

    @property
    def elsewhere(self) -> str:
        return self.here.origin.replace("127.0.0.1", "localhost")

    def page(self, script: str, path: str = "/") -> str:
        """Serve a page with ``script``, and whatever such a page may ask for. Returns its URL."""
        for name, value in (("THERE", self.there.origin), ("ELSEWHERE", self.elsewhere)):
            script = script.replace(name, value)
        for loopback in (self.here, self.there):
            loopback.route("/api", Answer("ok", headers=ALLOWED))
        self.here.route("/next", "next")
        self.here.route("/said", "heard")
        self.here.route("/moved", Answer("", status=307, headers=[("Location", f"{self.there.origin}/api")]))
        self.here.route("/leaf.js", Answer("1", SCRIPT))
        self.here.route("/worklet.js", Answer("import '/leaf.js'", SCRIPT))
        self.here.route("/worker.js", Answer("new Worker('/leaf.js'); fetch('/api')", SCRIPT))
        self.here.route("/frame", f"<script>{LAST_WORDS}</script>")
        self.here.route("/hidden", f"<script>{WHEN_HIDDEN}</script>")
        self.here.route("/unloaded", f"<script>{WHEN_UNLOADED}</script>")
        self.here.route("/attribute", f'<body onpagehide="{SAY}">')
        self.here.route("/silent", f"<script>onresize = onfocus = onbeforeunload = () => 0</script>{NESTED}")
        back = f"location = '{self.here.origin}/next'"
        self.here.route("/closes", "<script>setTimeout(close, 2000)</script>")
        self.here.route("/goes-back", f"<script>setTimeout(() => {{ {back} }}, 2000)</script>")
        self.here.route("/goes-back-at-once", f"<script>{back}</script>")
        self.here.route(
            "/redirected", Answer("", status=302, headers=[("Location", f"{self.here.origin}/next")])
        )
        self.here.route(
            "/speaks-and-back", f"<script>{LAST_WORDS} location = '{self.here.origin}/next'</script>"
        )
        self.here.route("/boxed", "<script>fetch('/api', {method: 'PUT'}).catch(() => 0)</script>")
        return self.here.route(path, f"<!doctype html><body><button>go</button><script>{script}</script>")

    def unreported(self, result: CaptureResult) -> Counter[str]:
        """What arrived and is in no event; the site icon is nobody's."""
        arrived = Counter(
            f"{seen.method} {seen.target}"
            for loopback in (self.here, self.there)
            for seen in list(loopback.seen)
            if seen.target != "/favicon.ico"
        )
        told = Counter(
            f"{event.method} /{event.url.url.split('/', 3)[3]}"
            for event in result.events.items
            if event.kind == "request" and event.url.url.startswith("http")
        )
        return arrived - told


@pytest.fixture
def site(loopback: Loopback, other_loopback: Loopback) -> Site:
    return Site(loopback, other_loopback)


CLICK = {"step_id": "go", "action": "click", "locator": css("button")}
ON_CLICK = "document.querySelector('button').onclick = () => "


async def captured(run_scenario: RunScenario, site: Site, script: str) -> CaptureResult:
    actions = [CLICK, pause("after", 400)] if ON_CLICK in script else [pause("after", 400)]
    evidence = await run_scenario(site.page(script), actions, capture={"events": ["network"]})
    return evidence.normalized_result


@pytest.mark.parametrize(
    ("sentence", "script"),
    [
        pytest.param(PREFLIGHT, "fetch('THERE/api', {method: 'PUT'})", id="a method of its own"),
        pytest.param(PREFLIGHT, "fetch('THERE/api', {headers: {'x-a': '1'}})", id="a header of its own"),
        pytest.param(
            PREFLIGHT, "fetch('THERE/api', {headers: {accept: 'a'.repeat(200)}})", id="a long ordinary header"
        ),
        pytest.param(
            PREFLIGHT,
            "x = new XMLHttpRequest; x.open('POST', 'THERE/api');"
            "x.setRequestHeader('content-type', 'application/json'); x.send('{}')",
            id="json from an XMLHttpRequest",
        ),
        pytest.param(
            PREFLIGHT,
            "navigator.sendBeacon('THERE/api', new Blob(['{}'], {type: 'application/json'}))",
            id="a beacon that its preflight refuses",
        ),
        pytest.param(PREFLIGHT, "fetch('/moved', {method: 'PUT'})", id="a redirect to another origin"),
        pytest.param(
            PREFLIGHT,
            "new Worker(URL.createObjectURL(new Blob([`fetch('THERE/api', {method: 'PUT'})`])))",
            id="a worker",
        ),
        pytest.param(
            PREFLIGHT,
            "document.body.insertAdjacentHTML('beforeend', `<iframe sandbox=allow-scripts src=/boxed>`)",
            id="a sandboxed frame of the same origin",
        ),
        pytest.param(
            POSSIBLE,
            "x = new XMLHttpRequest; x.open('POST', 'THERE/api'); x.upload.onprogress = () => 0; x.send('q')",
            id="an upload that is watched",
        ),
        pytest.param(
            POSSIBLE,
            "fetch('THERE/api', {method: 'POST', duplex: 'half', body: new ReadableStream({start(c)"
            "{ c.enqueue(new Uint8Array(3)); c.close() }})}).catch(() => 0)",
            id="a stream as a body",
        ),
        pytest.param(WORKLET, "CSS.paintWorklet.addModule('/worklet.js')", id="a paint worklet"),
        pytest.param(
            WORKLET, "new AudioContext().audioWorklet.addModule('/worklet.js')", id="an audio worklet"
        ),
        pytest.param(
            LEFT,
            LAST_WORDS + ON_CLICK + "{ location = 'ELSEWHERE/next' }",
            id="a page left for another site",
        ),
        pytest.param(
            CLOSED,
            "w = open('/frame');" + ON_CLICK + "w.close()",
            id="a popup that is closed",
        ),
        pytest.param(
            CLOSED,
            "document.body.insertAdjacentHTML('beforeend', `<iframe src='ELSEWHERE/frame'>`);"
            + ON_CLICK
            + "document.querySelector('iframe').remove()",
            id="a frame of another site that is taken out",
        ),
        pytest.param(
            LEFT,
            f"document.body.setAttribute('onpagehide', `{SAY}`);"
            + ON_CLICK
            + "{ location = 'ELSEWHERE/next' }",
            id="a page with an attribute for its end, left for another site",
        ),
        pytest.param(
            LEFT,
            f"onpageswap = () => {SAY};" + ON_CLICK + "{ location = 'ELSEWHERE/next' }",
            id="a page that listens for being swapped",
        ),
        pytest.param(
            LEFT,
            "document.body.insertAdjacentHTML('beforeend', `<iframe src=/attribute>`);"
            + ON_CLICK
            + "{ location = 'ELSEWHERE/next' }",
            id="a frame in a page that is left for another site",
        ),
        pytest.param(
            LEFT,
            ON_CLICK + "{ location = 'ELSEWHERE/speaks-and-back' }",
            id="a page that is only passed through",
        ),
        pytest.param(
            CLOSED,
            FRAMED.format("unloaded") + ON_CLICK + "{ location = '/next' }",
            id="a frame of another site in a page that is left for the same site",
        ),
        pytest.param(
            CLOSED,
            "w = open('/hidden');" + ON_CLICK + "w.close()",
            id="a popup that speaks when it is hidden",
        ),
    ],
)
async def test_a_request_that_is_not_reported_leaves_events_incomplete(
    run_scenario: RunScenario, site: Site, sentence: str, script: str
) -> None:
    result = await captured(run_scenario, site, script)
    assert site.unreported(result), "the page did not do what this is about"
    assert "events" in result.completeness.missing_sections
    stated = [limitation for limitation in result.limitations if sentence in limitation]
    assert stated
    if sentence in (LEFT, CLOSED):
        assert "for its own end" in stated[0]


ORDINARY: Final = {
    "its own origin": "fetch('/api', {method: 'DELETE', headers: {'x-a': '1'}})",
    "a plain fetch": "fetch('THERE/api'); fetch('THERE/api?1', {cache: 'no-cache'})",
    "what a form could send": (
        "fetch('THERE/api', {method: 'POST', body: new URLSearchParams('a=b')});"
        "fetch('THERE/api', {method: 'POST', body: new Blob(['q'])});"
        "fetch('THERE/api', {method: 'POST'})"
    ),
    "a beacon": "navigator.sendBeacon('THERE/api', 'x')",
    "pictures, styles, fonts and films from elsewhere": (
        "document.body.insertAdjacentHTML('beforeend', `<img src='THERE/api?i'>"
        "<img crossorigin src='THERE/api?c'><link rel=stylesheet crossorigin href='THERE/api?s'>"
        "<video crossorigin src='THERE/api?v'></video><style>@font-face { font-family: f;"
        "src: url(THERE/api?f) } body { font-family: f }</style>text`)"
    ),
    "workers in workers": "new Worker('/worker.js')",
    "an event source": "new EventSource('THERE/api')",
    "the ping of a link": (
        "document.body.insertAdjacentHTML('beforeend', `<a id=p ping=/said href='#x'>p</a>`); p.click()"
    ),
    "what is fetched ahead": (
        "document.body.insertAdjacentHTML('beforeend', `<link rel=prefetch href=/next>"
        "<link rel=modulepreload href=/leaf.js><link rel=manifest href=/said>`);"
        "s = document.createElement('script'); s.type = 'speculationrules';"
        'document.body.append(Object.assign(s, {textContent: \'{"prefetch": [{"urls": ["/said?early"],'
        ' "eagerness": "immediate"}]}\'}))'
    ),
    "the last words of a page on the same site": LAST_WORDS + ON_CLICK + "{ location = '/next' }",
    "the last words of a frame on the same site": (
        "document.body.insertAdjacentHTML('beforeend', `<iframe src=/frame>`);"
        + ON_CLICK
        + "document.querySelector('iframe').remove()"
    ),
    "another site is passed through by a redirect": ON_CLICK + "{ location = 'ELSEWHERE/redirected' }",
    "what is said before a page is left": f"onbeforeunload = () => {{ {SAY} }};"
    + ON_CLICK
    + "{ location = 'ELSEWHERE/next' }",
    "a page that does not listen any more, left for another site": (
        f"f = () => {SAY}; addEventListener('pagehide', f); removeEventListener('pagehide', f);"
        + ON_CLICK
        + "{ location = 'ELSEWHERE/next' }"
    ),
    "a silent frame of another site in a page that is left": FRAMED.format("silent")
    + ON_CLICK
    + "{ location = '/next' }",
    "a silent frame of another site that is taken out": FRAMED.format("silent")
    + ON_CLICK
    + "document.querySelector('iframe').remove()",
    "a silent popup is closed": "w = open('/silent');" + ON_CLICK + "w.close()",
    "a silent popup of another site is closed": "w = open('ELSEWHERE/silent');" + ON_CLICK + "w.close()",
}
"""What a page may do by what it is; nothing of it may be doubted."""


async def test_ordinary_requests_are_in_the_events_of_a_complete_capture(
    run_scenario: RunScenario, site: Site
) -> None:
    actions: list[dict[str, Any]] = []
    for number, script in enumerate(ORDINARY.values()):
        url = site.page(script, f"/ordinary-{number}")
        actions.append({"step_id": f"open-{number}", "action": "goto", "destination": {"url": url}})
        if ON_CLICK in script:
            actions.append({**CLICK, "step_id": f"go-{number}"})
        actions.append(pause(f"after-{number}", 400))
    start = site.here.route("/start", "start")
    result = (await run_scenario(start, actions, capture={"events": ["network"]})).normalized_result
    assert [step.error for step in result.steps if step.error] == []
    requests = Counter(
        _case_of(result.steps[event.step_index].step_id)
        for event in result.events.items
        if event.kind == "request"
    )
    assert [name for number, name in enumerate(ORDINARY) if requests[str(number)] < 2] == [], (
        "not what it says"
    )
    assert not site.unreported(result)
    missing = {step.step_id: step.completeness.missing_sections for step in result.steps}
    assert {step_id for step_id, sections in missing.items() if sections} == set(), result.limitations
    assert result.completeness.missing_sections == ()


def _case_of(step_id: str) -> str:
    return step_id.rpartition("-")[2]


@pytest.mark.parametrize(
    ("script", "is_over"),
    [
        pytest.param(
            ON_CLICK + "{ location = 'ELSEWHERE/goes-back' }",
            "GET /next",
            id="another site is passed through",
        ),
        pytest.param("open('/closes')", "GET /closes", id="a popup closes itself"),
    ],
)
async def test_a_silent_document_that_comes_and_goes_in_a_step_leaves_it_complete(
    run_scenario: RunScenario, site: Site, script: str, is_over: str
) -> None:
    url = site.page(script)
    actions = [CLICK, pause("after", 4_000)]
    result = (await run_scenario(url, actions, capture={"events": ["network"]})).normalized_result
    assert is_over in site.here.targets()
    assert not site.unreported(result)
    assert result.completeness.missing_sections == ()


async def test_a_document_that_goes_on_before_it_has_loaded_counts_as_one_that_may_speak(
    run_scenario: RunScenario, site: Site
) -> None:
    result = await captured(run_scenario, site, ON_CLICK + "{ location = 'ELSEWHERE/goes-back-at-once' }")
    assert "GET /next" in site.here.targets()
    assert result.completeness.missing_sections == ("events",)
    assert [stated for stated in result.limitations if "could not be asked" in stated]


async def test_a_document_is_not_taken_for_the_one_before_it_at_the_same_address(
    run_scenario: RunScenario, site: Site
) -> None:
    site.page("")
    silent = f"<button>go</button><script>{ON_CLICK}location.reload()</script>"
    speaking = f"<script>{LAST_WORDS} location = '{site.elsewhere}/next'</script>"

    def in_turn(_: BaseHTTPRequestHandler, __: Seen) -> Answer:
        return Answer(silent if site.here.targets().count("GET /") == 1 else speaking)

    url = site.here.route("/", in_turn)
    actions = [CLICK, pause("after", 1_000)]
    result = (await run_scenario(url, actions, capture={"events": ["network"]})).normalized_result
    assert site.unreported(result), "the page did not do what this is about"
    assert "events" in result.completeness.missing_sections


async def test_a_content_security_report_is_in_the_events(run_scenario: RunScenario, site: Site) -> None:
    site.page("")
    policy = [("Content-Security-Policy", "img-src 'none'; report-uri /said")]
    url = site.here.route("/", Answer("<img src=/x.png>", headers=policy))
    evidence = await run_scenario(url, [pause("after", 400)], capture={"events": ["network"]})
    assert "POST /said" in site.here.targets()
    assert not site.unreported(evidence.normalized_result)
    assert evidence.normalized_result.completeness.missing_sections == ()


async def test_an_answer_to_a_preflight_that_is_remembered_does_not_change_the_verdict(
    run_scenario: RunScenario, site: Site
) -> None:
    remembered = [*ALLOWED, ("Access-Control-Max-Age", "600")]
    url = site.page(ON_CLICK + "fetch('THERE/api', {method: 'PUT'})")
    site.there.route("/api", Answer("ok", headers=remembered))
    actions = [CLICK, {**CLICK, "step_id": "again"}]
    evidence = await run_scenario(url, actions, capture={"events": ["network"]})
    steps = evidence.normalized_result.steps
    assert [step.completeness.missing_sections for step in steps] == [(), ("events",), ("events",)]
    assert sum(target.startswith("OPTIONS") for target in site.there.targets()) == 1
