"""Whatever stood in the place of a seeded cookie is there again afterwards, and nothing else is touched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import pytest_asyncio

from rea_capture.errors import UnavailableError
from tests.browser.capture.conftest import literal
from tests.browser.connect.conftest import RunAttached
from tests.browser.connect.raw_cdp import RawClient
from tests.loopback import Answer, Loopback

LASTING = 4_000_000_000
LOCAL = "shop.localhost"
"""Leads to the loopback interface, whose cookies are of one host."""
HOST = "shop.test"
"""Leads nowhere, and is none of the names that browsers trust without HTTPS."""
PARTITION = {"topLevelSite": "https://other.test", "hasCrossSiteAncestor": True}
SECURE: dict[str, Any] = {"url": f"https://{HOST}/", "secure": True, "expires": LASTING}


@pytest.fixture
def origin(loopback: Loopback) -> str:
    """The server under its name."""
    return f"http://{LOCAL}:{loopback.origin.rpartition(':')[2]}"


@pytest_asyncio.fixture(loop_scope="session")
async def cookies(owner: RawClient) -> Any:
    """Every cookie of the browser, as strings; none is there at first, and none stays."""

    async def all_of_them() -> list[str]:
        return sorted(str(each) for each in (await owner.send("Storage.getCookies"))["cookies"])

    await owner.send("Storage.clearCookies")
    yield all_of_them
    await owner.send("Storage.clearCookies")


@pytest.mark.parametrize(
    "users",
    [
        [{**SECURE, "httpOnly": True, "sameSite": "Lax"}],
        [{**SECURE, "sameSite": "None", "partitionKey": PARTITION}],
        [{**SECURE, "domain": f".{HOST}"}],
        [{**SECURE, "url": f"http://{HOST}/", "secure": False, "priority": "High"}],
        [{**SECURE, "url": f"http://{HOST}:81/", "secure": False}],
        [{"url": f"http://{HOST}/", "sameSite": "Lax", "value": "seeded"}],
        [
            {**SECURE, "sameSite": "Strict"},
            {**SECURE, "domain": f".{HOST}", "value": "d"},
            {**SECURE, "sameSite": "None", "partitionKey": PARTITION, "value": "p"},
        ],
    ],
    ids=["secure", "partitioned", "of-the-domain", "priority", "other-port", "the-same", "all-of-them"],
)
async def test_a_users_cookie_in_the_place_of_a_seed_is_as_it_was(
    run_attached: RunAttached, loopback: Loopback, owner: RawClient, tab: str,
    cookies: Callable[[], Any], users: list[dict[str, Any]],
) -> None:  # fmt: skip
    session = await owner.attach(tab)
    for user in users:
        await owner.send("Network.setCookie", {"name": "sid", "value": "USER", "path": "/", **user}, session)
    before = await cookies()
    assert len(before) == len(users)
    seeds = [{"name": "sid", "value": literal("seeded"), "destination": {"url": f"http://{HOST}/"}}]
    evidence = await run_attached(loopback.route("/", "<p>x"), storage={"cookies": seeds})
    assert await cookies() == before
    assert not [each for each in evidence.normalized_result.limitations if "taken out" in each]


@pytest.mark.parametrize(
    ("sets", "stays"),
    [("sid=of-the-server", ["of-the-server"]), ("sid=; Max-Age=0", []), ("other=1", ["1"])],
    ids=["replaces", "deletes", "adds"],
)
async def test_what_the_server_sets_stays_and_what_is_still_ours_goes(
    run_attached: RunAttached, loopback: Loopback, origin: str, owner: RawClient, cookies: Callable[[], Any],
    sets: str, stays: list[str],
) -> None:  # fmt: skip
    loopback.route("/", Answer("<p>x", "text/html", 200, [("Set-Cookie", sets)]))
    seeds = [{"name": "sid", "value": literal("seeded"), "destination": {"url": f"{origin}/"}}]
    await run_attached(f"{origin}/", storage={"cookies": seeds})
    left = (await owner.send("Storage.getCookies"))["cookies"]
    assert [each["value"] for each in left] == stays


async def test_a_users_cookie_comes_back_even_where_the_server_has_set_another(
    run_attached: RunAttached, loopback: Loopback, origin: str, owner: RawClient, tab: str,
    cookies: Callable[[], Any],
) -> None:  # fmt: skip
    session = await owner.attach(tab)
    await owner.send(
        "Network.setCookie", {"name": "sid", "value": "USER", **SECURE, "url": f"https://{LOCAL}/"}, session
    )
    before = await cookies()
    loopback.route("/", Answer("<p>x", "text/html", 200, [("Set-Cookie", "sid=of-the-server")]))
    seeds = [{"name": "sid", "value": literal("seeded"), "destination": {"url": f"{origin}/"}}]
    await run_attached(f"{origin}/", storage={"cookies": seeds})
    assert await cookies() == before


@pytest.mark.parametrize("path", ["/\u00e4/x", "/a%20b/x", "/a{b}/x"])
async def test_a_path_that_the_browser_writes_in_its_own_way_is_seeded_and_taken_out(
    run_attached: RunAttached, loopback: Loopback, origin: str, cookies: Callable[[], Any], path: str
) -> None:
    seeds = [{"name": "sid", "value": literal("seeded"), "destination": {"url": f"{origin}{path}"}}]
    loopback.route("/", "<p>x")
    await run_attached(f"{origin}/", storage={"cookies": seeds})
    assert await cookies() == []


async def test_a_seed_that_the_browser_does_not_keep_is_refused_and_nothing_runs(
    run_attached: RunAttached, loopback: Loopback, origin: str, monkeypatch: pytest.MonkeyPatch,
    cookies: Callable[[], Any],
) -> None:  # fmt: skip
    async def taken_in_vain(*_: Any) -> None:
        """As a browser that says yes and keeps nothing."""

    monkeypatch.setattr("rea_capture.browser.connect.cookies.install_cookies", taken_in_vain)
    seeds = [{"name": "sid", "value": literal("seeded"), "destination": {"url": f"{origin}/"}}]
    with pytest.raises(UnavailableError, match="/storage/cookies/0: the browser did not keep cookie 'sid'"):
        await run_attached(f"{origin}/", storage={"cookies": seeds})
    assert loopback.targets() == []
    assert await cookies() == []
