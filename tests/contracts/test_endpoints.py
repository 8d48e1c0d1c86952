"""Where a scenario may attach: a literal loopback address with a port, and nothing else."""

from __future__ import annotations

import json

import pytest

from rea_capture.contracts.reading import read_scenario
from rea_capture.contracts.scenario import ConnectBrowser
from rea_capture.errors import InputError


def scenario(endpoint: object, target_id: object = "A1") -> bytes:
    return json.dumps(
        {
            "browser": {"mode": "connect", "cdp_endpoint": endpoint, "target_id": target_id},
            "start_url": {"url": "http://a.test/"},
            "actions": [{"step_id": "wait", "action": "wait_for_timeout", "duration_ms": 1}],
        }
    ).encode()


@pytest.mark.parametrize(
    ("endpoint", "meant"),
    [
        ("http://127.0.0.1:9222", "http://127.0.0.1:9222"),
        ("http://127.0.0.1:9222/", "http://127.0.0.1:9222"),
        ("http://[::1]:9222", "http://[::1]:9222"),
        ("http://127.0.0.1:80", "http://127.0.0.1:80"),
        ("http://127.0.0.1:65535", "http://127.0.0.1:65535"),
    ],
)
def test_a_literal_loopback_address_with_a_port_is_accepted(endpoint: str, meant: str) -> None:
    browser = read_scenario(scenario(endpoint)).browser
    assert isinstance(browser, ConnectBrowser)
    assert browser.cdp_endpoint == meant


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://localhost:9222",
        "http://127.0.0.1",
        "http://127.0.0.1:",
        "http://127.0.0.1:0",
        "http://127.0.0.1:65536",
        "http://127.0.0.1:09222",
        "http://127.0.0.1:\uff19\uff12\uff12\uff12",
        "http://127.0.0.1:9222//",
        "http://127.0.0.1:9222/json",
        "http://127.0.0.1:9222/devtools/browser/x",
        "http://127.0.0.1:9222?a=b",
        "http://127.0.0.1:9222/?",
        "http://127.0.0.1:9222#",
        "http://user@127.0.0.1:9222",
        "http://user:pass@127.0.0.1:9222",
        "http://@127.0.0.1:9222",
        "http://127.0.0.1:9222@192.0.2.1",
        "http://127.0.0.1:9222\\@192.0.2.1:9222",
        "https://127.0.0.1:9222",
        "ws://127.0.0.1:9222",
        "HTTP://127.0.0.1:9222",
        "//127.0.0.1:9222",
        "127.0.0.1:9222",
        "http://127.0.0.2:9222",
        "http://127.1:9222",
        "http://2130706433:9222",
        "http://0x7f.0.0.1:9222",
        "http://0177.0.0.1:9222",
        "http://0.0.0.0:9222",
        "http://192.0.2.1:9222",
        "http://example.com:9222",
        "http://127.0.0.1.example.com:9222",
        "http://[::]:9222",
        "http://[0:0:0:0:0:0:0:1]:9222",
        "http://[::ffff:127.0.0.1]:9222",
        "http://[::1%25lo]:9222",
        "http://::1:9222",
        "http://[::1]",
        " http://127.0.0.1:9222",
        "http://127.0.0.1:9222\n",
        "http://127.0.0.1:92\n22",
        "http://127.0.0.1:+9222",
        "",
        None,
        9222,
    ],
)
def test_everything_else_is_refused_with_a_pointer(endpoint: object) -> None:
    with pytest.raises(InputError) as raised:
        read_scenario(scenario(endpoint))
    (fault,) = raised.value.faults
    assert fault.pointer == "/browser/cdp_endpoint"
    if isinstance(endpoint, str):
        assert "must be http://127.0.0.1:PORT or http://[::1]:PORT" in fault.message


@pytest.mark.parametrize("target_id", ["", "x" * 201, None])
def test_a_target_has_to_be_named(target_id: object) -> None:
    with pytest.raises(InputError) as raised:
        read_scenario(scenario("http://127.0.0.1:9222", target_id))
    assert [fault.pointer for fault in raised.value.faults] == ["/browser/target_id"]
