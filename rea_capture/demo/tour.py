"""The scenario of the demo: a customer signs in, searches, and fills a cart.

Each page change is one step that ends when the page has loaded, and each answer that a script waits
for has a ``wait_for`` of its own; so the same requests always belong to the same step.

Below: nothing. Above: ``story``, tests.
"""

from __future__ import annotations

from typing import Any, Final

PASSWORD_VARIABLE: Final = "REA_DEMO_PASSWORD"  # noqa: S105 - the name of a variable
PASSWORD_ID: Final = "shop_password"  # noqa: S105 - the name of a secret
ACTION_TIMEOUT_MS: Final = 15_000
"""The shop answers at once; this much time only passes when something is wrong."""


def tour(origin: str, customer: str) -> dict[str, Any]:
    """The scenario document for the shop at ``origin``; where the browser is, the caller says."""
    return {
        "browser": {"mode": "launch"},
        "start_url": {"url": f"{origin}/"},
        "secrets": [{"secret_id": PASSWORD_ID, "environment_variable": PASSWORD_VARIABLE}],
        "actions": [
            _goto("sign-in-page", f"{origin}/login"),
            _fill("email", _role("textbox", "E-mail"), {"source": "literal", "value": customer}),
            _fill("password", _css("#password"), {"source": "secret", "secret_id": PASSWORD_ID}),
            _click("sign-in", _role("button", "Sign in")),
            _wait_for("signed-in", _role("heading", "Your account")),
            _goto("list", f"{origin}/"),
            _fill("query", _role("searchbox", "Search the shop"), {"source": "literal", "value": "lamp"}),
            _click("search", _role("button", "Search")),
            _wait_for("results", _css("#results[data-state=ready]")),
            _goto("lamp", f"{origin}/product/desk-lamp"),
            _click("add-to-cart", {"kind": "test_id", "value": "add-to-cart"}),
            _goto("cart", f"{origin}/cart"),
            _wait_for("cart-ready", _css("#cart[data-state=ready]")),
        ],
        "capture": {
            "at_end": ["screenshot", "dom", "accessibility", "url", "history", "storage"],
            "events": ["console", "page-errors", "network"],
        },
    }


def _goto(step_id: str, url: str) -> dict[str, Any]:
    return _step(step_id, "goto", destination={"url": url})


def _fill(step_id: str, locator: dict[str, Any], value: dict[str, Any]) -> dict[str, Any]:
    return _step(step_id, "fill", locator=locator, value=value)


def _click(step_id: str, locator: dict[str, Any]) -> dict[str, Any]:
    return _step(step_id, "click", locator=locator)


def _wait_for(step_id: str, locator: dict[str, Any]) -> dict[str, Any]:
    return _step(step_id, "wait_for", locator=locator, state="visible")


def _step(step_id: str, action: str, **fields: Any) -> dict[str, Any]:
    return {"step_id": step_id, "action": action, **fields, "timeout_ms": ACTION_TIMEOUT_MS}


def _role(role: str, name: str) -> dict[str, Any]:
    return {"kind": "role", "role": role, "name": name}


def _css(selector: str) -> dict[str, Any]:
    return {"kind": "css", "selector": selector}
