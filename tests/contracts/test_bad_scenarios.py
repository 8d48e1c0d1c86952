"""Bad scenarios: every fault is found, with a pointer to it and a sentence about it."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from rea_capture.contracts.reading import read_scenario
from rea_capture.errors import InputError
from rea_capture.limits import MAX_JSON_DEPTH, MAX_TIMER_MS

GOOD: dict[str, Any] = {
    "browser": {"mode": "launch", "executable_path": "/usr/bin/chromium"},
    "start_url": {"url": "http://127.0.0.1:3000/"},
    "secrets": [{"secret_id": "password", "environment_variable": "SHOP_PASSWORD"}],
    "actions": [
        {
            "step_id": "open",
            "action": "goto",
            "destination": {"url": "http://127.0.0.1:3000/login"},
            "wait_until": "load",
            "timeout_ms": 1000,
        },
        {
            "step_id": "type",
            "action": "fill",
            "locator": {"kind": "css", "selector": "#password"},
            "value": {"source": "secret", "secret_id": "password"},
        },
        {"step_id": "settle", "action": "wait_for_timeout", "duration_ms": 100},
    ],
    "environment": {"locale": "de-DE", "timezone": "Europe/Berlin", "viewport": {"width": 800}},
    "storage": {
        "cookies": [
            {
                "name": "theme",
                "value": {"source": "literal", "value": "dark"},
                "destination": {"url": "http://127.0.0.1:3000/"},
            }
        ],
        "local_storage": [
            {
                "origin": "http://127.0.0.1:3000",
                "entries": [{"name": "a", "value": {"source": "literal", "value": ""}}],
            }
        ],
    },
    "capture": {"at_end": ["dom", "url"], "events": ["network"], "network": {"response_body": True}},
    "command_timeout_ms": 30000,
}

Change = Callable[[dict[str, Any]], object]


def faults(data: bytes) -> dict[str, str]:
    """The message of each fault by its pointer."""
    with pytest.raises(InputError) as caught:
        read_scenario(data)
    assert caught.value.exit_status == 65
    assert all(fault.message and "\n" not in fault.message for fault in caught.value.faults)
    return {fault.pointer: fault.message for fault in caught.value.faults}


def changed(*changes: Change) -> bytes:
    document = copy.deepcopy(GOOD)
    for change in changes:
        change(document)
    return json.dumps(document).encode()


def at(pointer: str, value: Any) -> Change:
    """A change that sets what ``pointer`` points at."""
    *parents, last = [int(part) if part.isdigit() else part for part in pointer.split("/")[1:]]

    def change(document: Any) -> None:
        for part in parents:
            document = document[part] if isinstance(part, int) else document.setdefault(part, {})
        document[last] = value

    return change


def without(pointer: str) -> Change:
    """A change that takes out what ``pointer`` points at."""
    *parents, last = [int(part) if part.isdigit() else part for part in pointer.split("/")[1:]]

    def change(document: Any) -> None:
        for part in parents:
            document = document[part]
        del document[last]

    return change


def test_the_scenario_that_the_bad_ones_are_made_from_is_good() -> None:
    scenario = read_scenario(changed())
    assert [action.step_id for action in scenario.actions] == ["open", "type", "settle"]


@pytest.mark.parametrize("value", [1, MAX_TIMER_MS])
def test_times_from_one_to_the_longest_timer_are_good(value: int) -> None:
    times = ("/actions/0/timeout_ms", "/actions/2/duration_ms", "/command_timeout_ms")
    read_scenario(changed(*(at(pointer, value) for pointer in times)))


@pytest.mark.parametrize(
    "pointer", ["/actions/0/timeout_ms", "/actions/2/duration_ms", "/command_timeout_ms"]
)
@pytest.mark.parametrize("value", [0, -1, MAX_TIMER_MS + 1, 10**30, "100", True, 1.5, 1.0, [], {}])
def test_a_time_that_is_out_of_range_or_no_integer_is_refused(pointer: str, value: object) -> None:
    assert list(faults(changed(at(pointer, value)))) == [pointer]


@pytest.mark.parametrize(
    "pointer",
    [
        "/note",
        "/browser/note",
        "/start_url/note",
        "/actions/0/note",
        "/actions/0/destination/note",
        "/actions/1/locator/note",
        "/actions/1/value/note",
        "/actions/2/timeout_ms",
        "/environment/note",
        "/environment/viewport/note",
        "/secrets/0/value",
        "/storage/note",
        "/storage/cookies/0/note",
        "/storage/local_storage/0/note",
        "/storage/local_storage/0/entries/0/note",
        "/capture/note",
        "/capture/network/note",
        "/capture/limits/note",
    ],
)
def test_an_unknown_key_is_refused_at_every_level(pointer: str) -> None:
    found = faults(changed(at(pointer, 1)))
    assert found == {pointer: "this field is unknown; remove it or correct its name"}


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("/browser", []),
        ("/browser/mode", "attach"),
        ("/browser/headless", "true"),
        ("/browser/headless", 1),
        ("/browser/executable_path", ""),
        ("/start_url/url", 1),
        ("/actions", []),
        ("/actions", {}),
        ("/actions/0", "goto"),
        ("/actions/0/action", "hover"),
        ("/actions/0/wait_until", "networkidle"),
        ("/actions/1/locator/kind", "xpath"),
        ("/actions/1/value/source", "env"),
        ("/environment/viewport/width", "800"),
        ("/environment/viewport/width", 0),
        ("/environment/viewport/height", 16_385),
        ("/environment/viewport/device_scale_factor", "2"),
        ("/environment/viewport/device_scale_factor", 0),
        ("/environment/color_scheme", "blue"),
        ("/capture/at_end", "dom"),
        ("/capture/at_end/0", "video"),
        ("/capture/events/0", "requests"),
        ("/capture/network/response_body", 1),
        ("/capture/limits/max_events", 0),
        ("/capture/limits/max_events", True),
        ("/capture/limits/max_events", 2**53),
        ("/capture/limits/max_event_bytes", "4"),
        ("/secrets/0/secret_id", "with space"),
        ("/secrets/0/environment_variable", "1X"),
    ],
)
def test_a_wrong_type_value_or_range_is_refused_where_it_is(pointer: str, value: object) -> None:
    found = faults(changed(at(pointer, value)))
    assert pointer in found


@pytest.mark.parametrize(
    "pointer", ["/browser", "/start_url", "/actions", "/actions/1/locator", "/start_url/url"]
)
def test_a_missing_field_is_refused(pointer: str) -> None:
    assert faults(changed(without(pointer))) == {pointer: "this field is required"}


@pytest.mark.parametrize("pointer", ["/actions/1/action", "/browser/mode", "/actions/1/locator/kind"])
def test_a_missing_kind_is_refused(pointer: str) -> None:
    assert pointer in faults(changed(without(pointer)))


def test_a_duplicate_step_id_is_refused() -> None:
    found = faults(changed(at("/actions/2/step_id", "open")))
    assert list(found) == ["/actions/2/step_id"]
    assert "/actions/0" in found["/actions/2/step_id"]


@pytest.mark.parametrize("step_id", ["scenario_start", "", "1st", "a b", "a/b", "ä", "a\n", "x" * 201, 5])
def test_a_reserved_or_malformed_step_id_is_refused(step_id: object) -> None:
    assert list(faults(changed(at("/actions/0/step_id", step_id)))) == ["/actions/0/step_id"]


def test_an_undeclared_secret_is_refused_wherever_it_is_used() -> None:
    secret = {"source": "secret", "secret_id": "pin"}
    uses = (
        "/actions/1/value",
        "/storage/cookies/0/value",
        "/storage/local_storage/0/entries/0/value",
        "/start_url/query",
    )
    changes = [
        at(pointer, [{"name": "q", "value": secret}] if "query" in pointer else secret) for pointer in uses
    ]
    assert set(faults(changed(*changes))) == {
        "/actions/1/value/secret_id",
        "/storage/cookies/0/value/secret_id",
        "/storage/local_storage/0/entries/0/value/secret_id",
        "/start_url/query/0/value/secret_id",
    }


@pytest.mark.parametrize("key", ["secret_id", "environment_variable"])
def test_a_secret_declared_twice_is_refused(key: str) -> None:
    other = {"secret_id": "pin", "environment_variable": "SHOP_PIN"}
    found = faults(changed(at("/secrets", [*GOOD["secrets"], {**other, key: GOOD["secrets"][0][key]}])))
    assert list(found) == [f"/secrets/1/{key}"]


@pytest.mark.parametrize(
    "url",
    [
        "ftp://127.0.0.1/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "about:blank",
        "127.0.0.1:3000",
        "/login",
        "",
        "http://",
        "http://user@127.0.0.1/",
        "http://user:pass@127.0.0.1/",
        "http://:pass@127.0.0.1/",
        "http://127.0.0.1:port/",
        "http://127.0.0.1:99999/",
        "http://127.0.0.1/a b",
        "http://127.0.0.1/\n",
        "http://[::1/",
    ],
)
@pytest.mark.parametrize(
    "pointer", ["/start_url/url", "/actions/0/destination/url", "/storage/cookies/0/destination/url"]
)
def test_a_url_that_is_not_plain_http_is_refused(pointer: str, url: str) -> None:
    found = faults(changed(at(pointer, url)))
    assert list(found) == [pointer]
    assert "pass" not in found[pointer].replace("password", "")


def test_an_origin_with_a_path_is_refused() -> None:
    pointer = "/storage/local_storage/0/origin"
    assert list(faults(changed(at(pointer, "http://127.0.0.1:3000/login")))) == [pointer]


@pytest.mark.parametrize(
    ("origin", "sentence"),
    [
        ("http://bü..cher.de", "not an internationalised name"),
        ("http://" + "ü" * 64 + ".de", "not an internationalised name"),
        ("http://127.1", "four decimal numbers such as 127.0.0.1"),
        ("http://0x7f.1", "four decimal numbers such as 127.0.0.1"),
        ("http://2130706433", "four decimal numbers such as 127.0.0.1"),
        ("http://127.0.0.01", "four decimal numbers such as 127.0.0.1"),
        ("http://127.0.0.1.", "four decimal numbers such as 127.0.0.1"),
        ("http://1.2.3.4.5:80", "four decimal numbers such as 127.0.0.1"),
        ("http://\uff11\uff12\uff17.1", "four decimal numbers such as 127.0.0.1"),
        ("http://a%41.de", "write it in its canonical form"),
        ("http://a|b.de", "write it in its canonical form"),
        ("http://stra\u00dfe.de", "write it as punycode"),
        ("http://[::1%25eth0]", "zone"),
    ],
)
@pytest.mark.parametrize(
    "pointer",
    [
        "/storage/local_storage/0/origin",
        "/start_url/url",
        "/actions/0/destination/url",
        "/storage/cookies/0/destination/url",
    ],
)
def test_a_host_that_a_browser_would_print_as_another_is_refused(
    pointer: str, origin: str, sentence: str
) -> None:
    found = faults(changed(at(pointer, origin)))
    assert list(found) == [pointer]
    assert sentence in found[pointer]


@pytest.mark.parametrize("url", ["http://Bücher.example/", "http://Shop.Test/", "http://[0:0::1]:80/x"])
def test_a_url_is_kept_as_it_was_written(url: str) -> None:
    assert read_scenario(changed(at("/start_url/url", url))).start_url.url == url


@pytest.mark.parametrize(
    ("given", "printed"),
    [
        ("HTTP://Shop.Test:80", "http://shop.test"),
        ("https://shop.test:8443", "https://shop.test:8443"),
        ("https://Bücher.example", "https://xn--bcher-kva.example"),
        ("http://127.0.0.1:3000", "http://127.0.0.1:3000"),
        ("http://[0:0:0:0:0:0:0:1]:80", "http://[::1]"),
        ("http://[::FFFF:127.0.0.1]", "http://[::ffff:7f00:1]"),
        ("http://4you.test", "http://4you.test"),
    ],
)
def test_an_origin_is_kept_as_a_browser_prints_it(given: str, printed: str) -> None:
    scenario = read_scenario(changed(at("/storage/local_storage/0/origin", given)))
    assert scenario.storage.local_storage[0].origin == printed


@pytest.mark.parametrize("other", ["http://127.0.0.1:3000", "HTTP://127.0.0.1:3000"])
def test_two_spellings_of_one_origin_are_duplicates(other: str) -> None:
    def add(document: dict[str, Any]) -> None:
        document["storage"]["local_storage"].append({"origin": other, "entries": []})

    assert list(faults(changed(add))) == ["/storage/local_storage/1/origin"]


def test_one_origin_with_and_without_its_default_port_is_a_duplicate() -> None:
    def add(document: dict[str, Any]) -> None:
        document["storage"]["session_storage"] = [
            {"origin": origin, "entries": []}
            for origin in ("http://a.test", "http://b.test", "http://A.test:80")
        ]

    assert list(faults(changed(add))) == ["/storage/session_storage/2/origin"]


@pytest.mark.parametrize("locale", ["", "x", "en_US", "english language", "en-US\n", "../etc", "ä"])
def test_an_invalid_locale_is_refused(locale: str) -> None:
    assert list(faults(changed(at("/environment/locale", locale)))) == ["/environment/locale"]


@pytest.mark.parametrize("timezone", ["", "Mars/Olympus", "../../etc/passwd", "Europe/Berlin\n", "/UTC"])
def test_an_invalid_time_zone_is_refused(timezone: str) -> None:
    assert list(faults(changed(at("/environment/timezone", timezone)))) == ["/environment/timezone"]


def test_a_key_that_appears_twice_is_refused_at_any_depth() -> None:
    data = changed().replace(b'"width": 800', b'"width": 800, "width": 900')
    data = data.replace(b'"command_timeout_ms"', b'"command_timeout_ms": 1, "command_timeout_ms"')
    assert set(faults(data)) == {"/environment/viewport/width", "/command_timeout_ms"}


def test_all_faults_are_reported_at_once() -> None:
    data = changed(
        at("/start_url/url", "ftp://x/"),
        at("/actions/0/timeout_ms", 0),
        at("/actions/2/step_id", "type"),
        at("/actions/1/value/secret_id", "pin"),
        at("/environment/timezone", "Mars/Olympus"),
        at("/note", 1),
    ).replace(b'"locale"', b'"locale": "de", "locale"')
    assert set(faults(data)) == {
        "/start_url/url",
        "/actions/0/timeout_ms",
        "/actions/2/step_id",
        "/actions/1/value/secret_id",
        "/environment/timezone",
        "/environment/locale",
        "/note",
    }


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "it is empty"),
        (b" \n\t", "it is empty"),
        (b"\xef\xbb\xbf" + changed(), "byte order mark"),
        (changed().decode().encode("utf-16"), "UTF-16"),
        (changed().decode().encode("utf-16-le"), "UTF-16"),
        (changed().decode().encode("utf-16-be"), "UTF-16"),
        (changed().decode().encode("utf-32"), "UTF-32"),
        (b"{\xff}", "not UTF-8"),
        (changed().replace(b"30000", b"NaN"), "NaN"),
        (changed().replace(b"30000", b"Infinity"), "Infinity"),
        (changed().replace(b"30000", b"-Infinity"), "-Infinity"),
        (b"[" * 100_000, "nesting"),
        (b"[" * 100_000 + b"]" * 100_000, "nesting"),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nesting"),
        (b"[" * (MAX_JSON_DEPTH + 2) + b"]" * (MAX_JSON_DEPTH + 2), "nesting"),
        (changed()[:-1], "not JSON"),
        (changed() + b"x", "not JSON"),
        (b"'{}'", "not JSON"),
        (b"{'a': 1}", "not JSON"),
        (b'{"a": 1,}', "not JSON"),
        (b"1" * 5000, "not"),
    ],
)
def test_what_is_not_strict_json_is_refused_as_a_whole(data: bytes, sentence: str) -> None:
    found = faults(data)
    assert list(found) == [""]
    assert sentence in found[""]


@pytest.mark.parametrize("data", [b"null", b"[]", b'"text"', b"1", b"true"])
def test_json_that_is_no_object_is_refused(data: bytes) -> None:
    assert "" in faults(data)


def test_no_fault_repeats_a_value_it_refuses() -> None:
    secret = "correct-horse-battery"
    data = changed(at("/actions/1/value", {"source": "literal", "value": secret, "note": secret}))
    assert secret not in str(faults(data))
