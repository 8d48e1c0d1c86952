"""Each storage area has its seed before the first script, once."""

from __future__ import annotations

import pytest

from tests.browser.seeding.conftest import FIRST, Lab, first

pytestmark = pytest.mark.asyncio(loop_scope="session")  # the browser is shared by all tests

SEEDED = ["seed", "session seed"]


async def test_the_first_script_of_a_page_sees_both_seeds(lab: Lab) -> None:
    await lab.seed({"a.test": {"a": "seed"}}, {"a.test": {"s": "session seed"}})
    assert await lab.goto("a.test") == SEEDED
    assert lab.problems == []


async def test_seeds_never_reach_another_origin(lab: Lab) -> None:
    await lab.seed({"a.test": {"a": "seed"}}, {"a.test": {"s": "session seed"}})
    assert await lab.goto("b.test") == [None, None]
    assert await lab.page.evaluate("localStorage.length + sessionStorage.length") == 0


async def test_updates_deletions_and_empty_values_of_the_application_survive_reloads(lab: Lab) -> None:
    entries = {"a": "seed", "gone": "seed", "kept": "", "emptied": "seed"}
    await lab.seed({"a.test": entries}, {"a.test": entries})
    await lab.goto("a.test")
    await lab.page.evaluate(
        """() => { for (const store of [localStorage, sessionStorage]) {
            store.a = "application"; store.removeItem("gone"); store.emptied = "" } }"""
    )
    await lab.page.reload()
    await lab.goto("b.test")
    await lab.goto("a.test", "/again")
    stored = await lab.page.evaluate("[{...localStorage}, {...sessionStorage}]")
    assert stored == [{"a": "application", "kept": "", "emptied": ""}] * 2


async def test_an_origin_first_reached_by_a_later_action_gets_its_seed_then(lab: Lab) -> None:
    await lab.seed({"b.test": {"a": "later"}}, {"b.test": {"s": "later session"}})
    assert await lab.goto("a.test") == [None, None]
    assert await lab.goto("b.test") == ["later", "later session"]


async def test_a_redirect_seeds_the_origin_it_ends_at(lab: Lab) -> None:
    await lab.seed({"b.test": {"a": "seed"}}, {"b.test": {"s": "session seed"}})
    assert await lab.goto("a.test", "/to/b.test/end") == SEEDED


async def test_same_origin_frames_share_the_page_s_areas_and_are_not_seeded_again(lab: Lab) -> None:
    lab.site.pages["/outer"] = (
        FIRST + "<script>localStorage.a = 'application'; sessionStorage.removeItem('s')</script>"
        "<iframe name=inner src='/inner'></iframe>"
    )
    await lab.seed({"a.test": {"a": "seed"}}, {"a.test": {"s": "session seed"}})
    assert await lab.goto("a.test", "/outer") == SEEDED
    assert await first(await lab.frame("inner")) == ["application", None]


async def test_a_third_party_frame_gets_its_own_seed_under_each_top_level_site(lab: Lab) -> None:
    lab.site.pages["/outer"] = "<iframe name=inner src='http://c.test:{port}/inner'></iframe>"
    await lab.seed({"c.test": {"a": "seed"}}, {"c.test": {"s": "session seed"}})
    await lab.page.goto(lab.site.url("a.test", "/outer"))
    inner = await lab.frame("inner")
    assert await first(inner) == SEEDED
    await inner.evaluate("() => { localStorage.a = 'application'; sessionStorage.s = 'application' }")
    await lab.page.goto(lab.site.url("b.test", "/outer"))
    assert await first(await lab.frame("inner")) == SEEDED
    await lab.page.goto(lab.site.url("a.test", "/outer"))
    assert await first(await lab.frame("inner")) == ["application", "application"]
    assert await lab.goto("c.test") == SEEDED
    assert lab.problems == []


async def test_nested_frames_of_other_sites_are_seeded_before_their_first_script(lab: Lab) -> None:
    lab.site.pages["/outer"] = "<iframe name=middle src='http://b.test:{port}/middle'></iframe>"
    lab.site.pages["/middle"] = FIRST + "<iframe name=inner src='http://c.test:{port}/inner'></iframe>"
    await lab.seed({"b.test": {"a": "b"}, "c.test": {"a": "c"}}, {"b.test": {"s": "b"}, "c.test": {"s": "c"}})
    await lab.page.goto(lab.site.url("a.test", "/outer"))
    assert await first(await lab.frame("middle")) == ["b", "b"]
    assert await first(await lab.frame("inner")) == ["c", "c"]


async def test_a_frame_that_changes_site_is_seeded_in_its_new_process(lab: Lab) -> None:
    lab.site.pages["/outer"] = "<iframe name=inner src='/inner'></iframe>"
    await lab.seed({"b.test": {"a": "b"}, "c.test": {"a": "c"}})
    await lab.page.goto(lab.site.url("a.test", "/outer"))
    inner = await lab.frame("inner")
    for host in ("b", "c"):
        await inner.goto(lab.site.url(f"{host}.test", "/inner"))
        assert await first(inner) == [host, None]
    await lab.page.evaluate(
        "() => new Promise(done => "
        "Object.assign(document.querySelector('iframe'), {src: '/back', onload: done}))"
        ".then(() => 1)"
    )
    assert await first(await lab.frame("inner")) == [None, None]


async def test_frames_that_inherit_an_origin_see_its_seed_and_opaque_ones_are_left_alone(lab: Lab) -> None:
    script = FIRST.replace("'", "&quot;").replace('"', "&quot;")
    lab.site.pages["/outer"] = (
        f'<iframe name=doc srcdoc="{script}"></iframe><iframe name=blank></iframe>'
        "<iframe name=boxed sandbox='allow-scripts' src='/inner'></iframe>"
        f'<iframe name=data src="data:text/html,{script}"></iframe>'
    )
    await lab.seed({"a.test": {"a": "seed"}}, {"a.test": {"s": "session seed"}})
    await lab.page.goto(lab.site.url("a.test", "/outer"))
    assert await first(await lab.frame("doc")) == SEEDED
    assert await (await lab.frame("blank")).evaluate("[localStorage.a, sessionStorage.s]") == SEEDED
    assert await first(await lab.frame("boxed")) == "SecurityError"
    assert await first(await lab.frame("data")) == "SecurityError"
    assert lab.problems == []


async def test_frames_of_one_site_that_load_together_are_each_seeded_first(lab: Lab) -> None:
    """They share a process, in which only one document can be stopped at a time."""
    names = [f"n{number}" for number in range(6)]
    lab.site.pages["/outer"] = "".join(
        f"<iframe name={name} src='http://{name}.b.test:{{port}}/inner'></iframe>" for name in names
    )
    seeds = {f"{name}.b.test": {"a": name, "s": name} for name in names}
    await lab.seed(seeds, seeds)
    await lab.page.goto(lab.site.url("a.test", "/outer"))
    assert [await first(await lab.frame(name)) for name in names] == [[name, name] for name in names]
    assert lab.problems == []
