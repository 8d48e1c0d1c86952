"""The demo shop serves two versions from plain files, the same way every time."""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.resources import files
from urllib.parse import urlencode

import pytest

from rea_capture.demo.pages import Version, catalogue, site_file
from rea_capture.demo.shop import CUSTOMER, Shop, open_shop

PASSWORD = "a password"


@pytest.fixture
def shop() -> Iterator[Shop]:
    with open_shop(PASSWORD) as opened:
        yield opened


def ask(shop: Shop, method: str, path: str, body: str = "", cookie: str = "") -> http.client.HTTPResponse:
    host = shop.origin.removeprefix("http://")
    connection = http.client.HTTPConnection(host, timeout=10)
    headers = {"Cookie": cookie} if cookie else {}
    connection.request(method, path, body or None, headers)
    answer = connection.getresponse()
    answer.text = answer.read().decode("utf-8")  # type: ignore[attr-defined]  # kept beyond the connection
    connection.close()
    return answer


def text_of(shop: Shop, path: str) -> str:
    answer = ask(shop, "GET", path)
    assert answer.status == 200
    text = answer.text  # type: ignore[attr-defined]  # set in ask
    assert isinstance(text, str)
    return text


def sign_in(shop: Shop, password: str) -> http.client.HTTPResponse:
    return ask(shop, "POST", "/login", urlencode({"email": CUSTOMER, "password": password}))


class _References(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in {"src", "href", "action"} and value]


def references_of(shop: Shop, path: str) -> list[str]:
    references = _References()
    references.feed(text_of(shop, path))
    return references.found


@pytest.mark.parametrize("path", ["/", "/login", "/cart", "/product/desk-lamp"])
def test_every_reference_of_a_page_is_answered_by_the_shop_itself(shop: Shop, path: str) -> None:
    references = references_of(shop, path)
    local = [reference for reference in references if not reference.startswith("data:")]
    assert local
    for reference in local:
        assert reference.startswith("/")
        assert ask(shop, "GET", reference).status == 200


def test_no_file_of_the_site_names_another_host() -> None:
    site = files("rea_capture.demo") / "site"
    texts = [entry.read_text() for layer in site.iterdir() for entry in layer.iterdir() if entry.is_file()]
    assert len(texts) > 10
    addresses = [address for text in texts for address in re.findall(r"https?://[^\s\"']+", text)]
    assert addresses == []


def test_two_visits_of_one_version_get_the_same_bytes_and_headers(shop: Shop) -> None:
    first, second = ask(shop, "GET", "/"), ask(shop, "GET", "/")
    assert first.getheaders() == second.getheaders()
    assert first.text == second.text  # type: ignore[attr-defined]  # set in ask
    assert first.getheader("Date") is None
    assert first.getheader("Cache-Control") == "no-store"


def test_the_deploy_changes_one_price_the_theme_a_template_a_script_and_a_redirect() -> None:
    layer = files("rea_capture.demo") / "site" / "deployed"
    changed = {entry.name for entry in layer.iterdir()}
    assert changed == {"products.json", "theme.css", "product.html", "login.js", "redirects.json"}
    for name in changed:
        assert site_file(Version.BEFORE, name) != site_file(Version.DEPLOYED, name)
    before, after = catalogue(Version.BEFORE), catalogue(Version.DEPLOYED)
    different = [(old.price, new.price) for old, new in zip(before, after, strict=True) if old != new]
    assert different == [("24.90 €", "249.00 €")]


def test_the_deploy_forgets_one_picture(shop: Shop) -> None:
    shop.deploy()
    missing = [each for each in references_of(shop, "/product/desk-lamp") if each.startswith("/")]
    missing = [each for each in missing if ask(shop, "GET", each).status != 200]
    assert missing == ["/pictures/badge-new.svg"]


def test_a_deploy_switches_what_the_running_shop_serves(shop: Shop) -> None:
    assert "24.90 €" in text_of(shop, "/product/desk-lamp")
    shop.deploy()
    assert "249.00 €" in text_of(shop, "/product/desk-lamp")


def test_signing_in_leads_to_the_account_by_one_redirect_before_the_deploy_and_two_after(shop: Shop) -> None:
    assert sign_in(shop, PASSWORD).getheader("Location") == "/signed-in"
    assert ask(shop, "GET", "/signed-in").getheader("Location") == "/account"
    shop.deploy()
    assert ask(shop, "GET", "/signed-in").getheader("Location") == "/welcome"
    assert ask(shop, "GET", "/welcome").getheader("Location") == "/account"


def test_the_account_is_for_customers_who_signed_in(shop: Shop) -> None:
    assert ask(shop, "GET", "/account").getheader("Location") == "/login"
    cookie = str(sign_in(shop, PASSWORD).getheader("Set-Cookie")).partition(";")[0]
    assert CUSTOMER in ask(shop, "GET", "/account", cookie=cookie).text  # type: ignore[attr-defined]  # ask


def test_a_wrong_password_is_refused(shop: Shop) -> None:
    refused = sign_in(shop, "another one")
    assert refused.status == 403
    assert refused.getheader("Set-Cookie") is None


def test_the_search_finds_articles_by_name(shop: Shop) -> None:
    assert "Floor lamp" in text_of(shop, "/api/search?q=LAMP")
    assert text_of(shop, "/api/search?q=sofa") == "[]"


@pytest.mark.parametrize(
    "path", ["/nowhere", "/api/stock", "/product/sofa", "/../before/theme.css", "/layout.html"]
)
def test_what_the_shop_does_not_have_is_not_found(shop: Shop, path: str) -> None:
    assert ask(shop, "GET", path).status == 404
    assert ask(shop, "POST", path).status == 404


def test_a_form_of_unreasonable_size_is_refused(shop: Shop) -> None:
    assert ask(shop, "POST", "/login", "x" * 5_000).status == 400
