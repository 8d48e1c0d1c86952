"""The pure parts: origins, storage keys, areas, the private script and the write expression."""

from __future__ import annotations

import asyncio
import json
import re

import pytest

from rea_capture.browser.seeding.areas import AreaLedger, area_of
from rea_capture.browser.seeding.errands import REPORTED_PROBLEMS_COUNT, Reporter
from rea_capture.browser.seeding.script import PrivateScript, WriteOutcome, read_outcome, write_expression
from rea_capture.browser.seeding.seeder import WindowScope
from rea_capture.browser.seeding.seeds import StorageSeeds
from rea_capture.browser.seeding.writer import storage_key_origin


@pytest.mark.parametrize(
    ("given", "normal"),
    [
        ("http://Example.COM", "http://example.com"),
        ("HTTP://example.com:80", "http://example.com"),
        ("https://example.com:443/", "https://example.com"),
        ("https://example.com:80", "https://example.com:80"),
        ("http://[::1]:8080", "http://[::1]:8080"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
    ],
)
def test_origins_are_spelled_as_location_origin_spells_them(given: str, normal: str) -> None:
    assert StorageSeeds({given: (("name", "value"),)}, {}).origins == (normal,)


def test_two_spellings_of_one_origin_are_joined_and_empty_ones_dropped() -> None:
    seeds = StorageSeeds(
        {"http://a.test": (("one", "1"),), "HTTP://A.test:80": (("two", "2"),)}, {"http://b.test": ()}
    )
    assert seeds.entries("local", "http://a.test") == (("one", "1"), ("two", "2"))
    assert seeds.origins == ("http://a.test",)
    assert seeds
    assert not StorageSeeds({}, {"http://b.test": ()})


def test_a_printed_seed_shows_no_value() -> None:
    assert "hunter2" not in repr(StorageSeeds({"http://a.test": (("hunter2", "hunter2"),)}, {}))


@pytest.mark.parametrize("partition", ["", "^0http://b.test", "^31", "^1123^2456"])
def test_the_origin_of_a_storage_key_is_what_precedes_its_partition(partition: str) -> None:
    assert storage_key_origin(f"http://a.test:8080/{partition}") == "http://a.test:8080"


def test_local_areas_are_shared_by_pages_and_session_areas_are_not() -> None:
    assert area_of("local", "key", "page 1") == area_of("local", "key", "page 2")
    assert area_of("session", "key", "page 1") != area_of("session", "key", "page 2")
    assert area_of("local", "key", "page 1") != area_of("local", "other key", "page 1")


async def test_an_area_is_claimed_once_and_can_be_claimed_again_only_after_a_release() -> None:
    ledger = AreaLedger()
    area = area_of("local", "key", "")
    assert ledger.claim(area)
    assert not ledger.claim(area)
    waiting = asyncio.ensure_future(ledger.wait(area))
    ledger.release(area)
    assert await waiting is False
    assert ledger.claim(area)
    ledger.settle(area)
    assert await ledger.wait(area) is True
    assert not ledger.claim(area)


def test_the_private_script_holds_origins_and_no_entry_and_hides_every_other_script() -> None:
    script = PrivateScript("seed-0123", ("http://a.test",))
    assert "stop()" in script.source
    assert "stop()" not in PrivateScript("seed-0123", ("http://a.test",), own_browser=False).source
    assert "http://a.test" in script.source
    assert not re.search(script.others, "seed-0123")
    assert re.search(script.others, "seed-01234")
    assert re.search(script.others, "http://a.test/x.js?seed-0123")


def test_the_write_expression_is_ascii_and_keeps_pairs() -> None:
    text = write_expression("http://a.test", {"local": (("__proto__", "\u2028\ud800"),)})
    assert text.isascii()
    assert json.dumps([["local", [["__proto__", "\u2028\ud800"]]]]) in text


def test_outcomes_are_read_strictly() -> None:
    assert read_outcome("moved") is None
    assert read_outcome({"local": [1, "QuotaExceededError"], "session": [0, ""]}) == {
        "local": WriteOutcome(1, "QuotaExceededError"),
        "session": WriteOutcome(0, "Error"),
    }
    assert read_outcome({"local": [1, "<b>no name</b>"]}) == {"local": WriteOutcome(1, "Error")}


def test_a_problem_is_reported_once_and_problems_are_bounded() -> None:
    problems: list[str] = []
    report = Reporter(problems.append)
    for number in [0, *range(REPORTED_PROBLEMS_COUNT * 2)]:
        report(str(number))
    assert problems == [str(number) for number in range(REPORTED_PROBLEMS_COUNT)]


def test_in_a_shared_browser_only_the_page_and_what_descends_from_it_are_admitted() -> None:
    scope = WindowScope("root", None)
    assert scope.admits({"targetId": "root", "browserContextId": "context"})
    assert scope.admits({"targetId": "child", "openerId": "root"})
    assert scope.admits({"targetId": "grandchild", "openerId": "child"})
    assert not scope.admits({"targetId": "stranger", "browserContextId": "context"})
    assert not scope.admits({"targetId": "strange child", "openerId": "stranger"})


def test_in_an_own_browser_every_window_of_the_context_is_admitted() -> None:
    scope = WindowScope("root", "context")
    assert scope.admits({"targetId": "no opener", "browserContextId": "context"})
    assert not scope.admits({"targetId": "elsewhere", "browserContextId": "another context"})
