"""Seeding neither hangs a page nor shows itself to it."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import pytest
from playwright.async_api import Error as PlaywrightError

from tests.browser.seeding.conftest import FIRST, WAIT_S, Lab, first

pytestmark = pytest.mark.asyncio(loop_scope="session")  # the browser is shared by all tests

SEEDED = ["seed", "session seed"]


async def _seed(lab: Lab) -> None:
    await lab.seed({"a.test": {"a": "seed"}}, {"a.test": {"s": "session seed"}})


TRAPS = """
  debugger;
  eval('debugger');
  new Function('debugger')();
  eval('debugger\\n//# sourceURL=seed-something');
  Promise.resolve().then(() => { debugger; });
  setTimeout('debugger', 0);
"""


async def test_debugger_statements_of_every_kind_do_not_stop_a_page(lab: Lab) -> None:
    lab.site.pages["/trap"] = FIRST + f"<script>{TRAPS}; passed = true</script>"
    await _seed(lab)
    for host in ("b.test", "a.test"):  # the second document lives in another process
        await asyncio.wait_for(lab.page.goto(lab.site.url(host, "/trap")), WAIT_S)
        ran = lab.page.evaluate(
            f"() => {{ {TRAPS}; return new Promise(done => setTimeout(done, 1, passed)) }}"
        )
        assert await asyncio.wait_for(ran, WAIT_S)
    assert await first(lab.page) == SEEDED


async def test_a_debugger_statement_does_not_stop_a_window_or_a_frame(lab: Lab) -> None:
    lab.site.pages["/trap"] = FIRST + "<script>debugger; eval('debugger'); passed = true</script>"
    lab.site.pages["/outer"] = "<iframe name=inner src='http://b.test:{port}/trap'></iframe>"
    await _seed(lab)
    await asyncio.wait_for(lab.page.goto(lab.site.url("a.test", "/outer")), WAIT_S)
    inner = await lab.frame("inner")
    await inner.goto(lab.site.url("c.test", "/trap"))
    assert await asyncio.wait_for(inner.evaluate("() => { eval('debugger'); return passed }"), WAIT_S)
    popup = await lab.popup(f"window.open('{lab.site.url('b.test', '/trap')}')")
    assert await asyncio.wait_for(popup.evaluate("() => { eval('debugger'); return passed }"), WAIT_S)


async def test_the_page_cannot_see_that_it_was_seeded(lab: Lab) -> None:
    look = """<!doctype html><script>
      events = [];
      addEventListener('storage', e => events.push(e.key));
      addEventListener('error', e => events.push(e.message));
      const plain = document.createElement('iframe');
      look = () => ({
        globals: Object.getOwnPropertyNames(window).filter(n => !(n in reference)),
        native: [Storage.prototype.setItem, eval, JSON.stringify, Function.prototype.toString,
                 Array.prototype.includes].map(f => Function.prototype.toString.call(f)),
        elements: document.querySelectorAll('*').length,
        resources: performance.getEntriesByType('resource').map(e => e.name)
          .filter(name => !name.endsWith('favicon.ico')),
      });
    </script>"""
    lab.site.pages["/look"] = look
    lab.site.pages["/watch"] = look + "<iframe name=inner src='http://a.test:{port}/look'></iframe>"
    views: list[Any] = []
    for seeded in (False, True):
        if seeded:
            await _seed(lab)
        await lab.page.goto(lab.site.url("a.test", "/watch"))
        await lab.frame("inner")
        await lab.page.evaluate("reference = {}")
        views.append(await lab.page.evaluate("[look(), events]"))
    assert lab.problems == []
    assert views[0] == views[1]
    assert views[1][1] == []
    assert lab.console == []


async def test_workers_start_beside_seeding(lab: Lab) -> None:
    lab.site.pages["/work.js"] = "postMessage('dedicated')"
    lab.site.pages["/shared.js"] = "onconnect = e => e.ports[0].postMessage('shared')"
    lab.site.pages["/page"] = (
        "<script>answers = Promise.all(["
        "new Promise(done => new Worker('/work.js').onmessage = e => done(e.data)),"
        "new Promise(done => new SharedWorker('/shared.js').port.onmessage = e => done(e.data))])</script>"
        "<iframe name=inner src='http://b.test:{port}/inner'></iframe>"
    )
    lab.site.pages["/inner"] = (
        "<script>answers = new Promise(done => new Worker('/work.js').onmessage = e => done(e.data))</script>"
    )
    await _seed(lab)
    await lab.page.goto(lab.site.url("a.test", "/page"))
    assert await asyncio.wait_for(lab.page.evaluate("answers"), WAIT_S) == ["dedicated", "shared"]
    assert await asyncio.wait_for((await lab.frame("inner")).evaluate("answers"), WAIT_S) == "dedicated"


async def test_a_service_worker_starts_beside_seeding(lab: Lab) -> None:
    lab.site.pages["/sw.js"] = "onfetch = () => {}"
    await lab.seed({"127.0.0.1": {"a": "seed"}})
    await lab.goto("127.0.0.1")
    ready = (
        "navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => 1)"
    )
    assert await asyncio.wait_for(lab.page.evaluate(ready), WAIT_S) == 1
    await lab.page.reload()
    assert await first(lab.page) == ["seed", None]


TELLING = (
    "<!doctype html><script>fetch('/saw?' + location.pathname + ' ' + localStorage.getItem('a') + ' ' +"
    " sessionStorage.getItem('s'), {keepalive: true}).catch(() => {})</script>"
)


async def test_no_document_of_interrupted_navigations_starts_unseeded_and_unreported(lab: Lab) -> None:
    for number in range(30):
        lab.site.pages[f"/{number}"] = TELLING
    await _seed(lab)
    left: list[asyncio.Task[Any]] = []
    for number in range(30):  # each interrupts the one before, at several stages of it
        url = lab.site.url(f"{'ab'[number % 2]}.test", f"/{number}")
        left.append(asyncio.ensure_future(lab.page.goto(url, wait_until="commit")))
        await asyncio.wait(left[-1:], timeout=0.02 * (number % 4))
    await asyncio.gather(*left, return_exceptions=True)
    for _ in range(30):  # what is left of an earlier navigation may interrupt the last one
        with contextlib.suppress(PlaywrightError):
            await asyncio.wait_for(lab.page.goto(lab.site.url("a.test", "/end")), WAIT_S)
            break
    assert lab.page.url.endswith("/end")
    assert await lab.page.evaluate("[localStorage.a, sessionStorage.s]") == SEEDED
    seeded_paths = {f"/{number}" for number in range(0, 30, 2)}
    told = [report for report in lab.site.reports if report.split(" ", 1)[0] in seeded_paths]
    assert lab.problems or all(report.endswith(" seed session seed") for report in told), told


@pytest.mark.parametrize("path", ["/nothing", "/file.bin"])
async def test_an_answer_that_is_no_document_leaves_the_next_one_its_seed(lab: Lab, path: str) -> None:
    await _seed(lab)
    with pytest.raises(PlaywrightError, match=r"ERR_ABORTED|Download is starting"):
        await asyncio.wait_for(lab.page.goto(lab.site.url("a.test", path)), WAIT_S)
    assert await lab.goto("a.test") == SEEDED
    assert lab.problems == []


async def test_documents_that_follow_each_other_in_one_process_all_stop_for_seeds(lab: Lab) -> None:
    await lab.seed({"a.test": {"a": "seed"}, "x.a.test": {"a": "seed of x"}})
    for host, expected in (("a.test", "seed"), ("x.a.test", "seed of x"), ("a.test", "seed")):
        assert await lab.goto(host) == [expected, None]
    assert lab.problems == []


async def test_a_page_that_navigates_itself_again_and_again_does_not_hang(lab: Lab) -> None:
    lab.site.pages["/hop"] = (
        FIRST + "<script>const n = Number(location.search.slice(1)); seen = first;"
        "if (n < 20) location.replace('/hop?' + (n + 1))</script>"
    )
    await _seed(lab)
    await lab.page.goto(lab.site.url("a.test", "/hop?0"))
    await lab.page.wait_for_url("**/hop?20", timeout=WAIT_S * 1000)
    assert await first(lab.page) == SEEDED


async def test_a_page_closed_while_it_is_being_seeded_raises_nothing(lab: Lab) -> None:
    await _seed(lab)
    spare = await lab.context.new_page()
    navigation = asyncio.ensure_future(lab.page.goto(lab.site.url("a.test")))
    await lab.page.close()
    await asyncio.wait([navigation], timeout=WAIT_S)
    assert navigation.done()
    assert navigation.exception() is not None
    assert lab.problems == []
    await spare.goto(lab.site.url("a.test"))


async def test_after_uninstall_pages_load_without_a_seed_and_without_a_pause(lab: Lab) -> None:
    seeder = await lab.seed({"a.test": {"a": "seed"}, "b.test": {"a": "seed"}})
    await lab.goto("a.test")
    await seeder.uninstall()
    assert await asyncio.wait_for(lab.goto("b.test"), WAIT_S) == [None, None]
    await seeder.uninstall()
    assert lab.problems == []


async def test_uninstall_after_the_browser_closed_is_quiet(lab: Lab) -> None:
    seeder = await lab.seed({"a.test": {"a": "seed"}})
    await lab.context.close()
    await asyncio.wait_for(seeder.uninstall(), WAIT_S)
    assert lab.problems == []
