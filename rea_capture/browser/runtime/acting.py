"""One action on one element, done once, and what can be seen of it.

The driver waits until the element can be acted on, for :data:`VERIFICATION`; its log tells whether anything
was done by then. What it waited for in vain was not attempted; of anything else nobody knows.

Below: ``faults``, ``keys``, Playwright, ``contracts.runtime``. Above: ``elements``.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import orjson
from playwright.async_api import Error as DriverError
from playwright.async_api import Frame, Locator
from playwright.async_api import TimeoutError as DriverTimeoutError

from rea_capture.browser.failures import is_closing, reason_of
from rea_capture.browser.runtime.faults import failure
from rea_capture.browser.runtime.keys import is_key
from rea_capture.capture.limitations import bounded_sentence
from rea_capture.contracts.runtime.budgets import VERIFICATION
from rea_capture.contracts.runtime.errors import BrowserErrorCode, BrowserOperationError
from rea_capture.contracts.runtime.operations import ActionName
from rea_capture.redaction import Redactor
from rea_capture.visible import visible
from rea_capture.wording import listed, shortened

VerifiedBy = Literal["value", "state"]


ACTION: Final = "act"
CHECK_MS: Final = 1_000
"""For one look at an element that was acted on."""
STATE_POLL_S: Final = 0.05
"""Between two looks at a state that a page may change a moment after it was clicked."""

MAX_NAMED_OPTIONS: Final = 16
MAX_OPTION_CHARACTERS: Final = 40
"""Of the options that an error names: a list is not told to its end."""

_REFUSED: Final = re.compile(r"\A[^\n]*rea-refused:([a-z]+)")
_PERFORMED: Final = re.compile(r"^\s*(?:- |\d+ \u00d7 )performing ", re.MULTILINE)
_POINTED: Final = frozenset({"click", "hover", "check", "uncheck"})
"""Only of these does the driver log that it begins."""
_RETRYING: Final = re.compile(r"\n\s*(?:- |\d+ \u00d7 )(?:retrying [a-z ]+ action|waiting \d+ms)\s*\Z")
"""How the log ends while the driver waits for another attempt: the one before did nothing. No page has a say
in it: what the driver repeats of an element is on one line, which begins otherwise."""
_HINDERED: Final = re.compile(
    r"^\s*(?:- |\d+ \u00d7 )(?:<.*)?(element is inside a hidden frame|element is not [a-z]+|element is inert"
    r"|element is outside of the viewport|intercepts pointer events"
    r"|did not find some options|option being selected is not enabled)(?:, retrying)?$",
    re.MULTILINE,
)
_REFUSALS: Final[dict[str, tuple[BrowserErrorCode, str]]] = {
    "stale": ("stale_document", "The document that the ref belongs to is no longer there."),
    "forgotten": ("unknown_ref", "The ref is one of too many; older ones were given up."),
    "detached": ("not_actionable", "The element is no longer in its document."),
    "hidden": ("not_actionable", "The element is not visible."),
    "disabled": ("not_actionable", "The element is disabled."),
    "unfocusable": ("not_actionable", "The element cannot have the focus, so no key reaches it."),
    "file": ("unsupported", "The element takes files, which nothing here can give it."),
    "rich": ("unsupported", "The element holds formatted text, which cannot be filled."),
    "unfillable": ("unsupported", "The element cannot be filled; it is no text field."),
    "unselectable": ("unsupported", "The element is no list of options (<select>)."),
    "uncheckable": (
        "unsupported",
        "The element cannot be checked; it is no checkbox, radio button or switch.",
    ),
    "radio": ("unsupported", "A radio button cannot be unchecked; check another one of its group."),
}
_NO_OPTION: Final = "did not find some options"
_HINDRANCES: Final = {
    "intercepts pointer events": "another element covers it",
    _NO_OPTION: "it has no option of that label or value",
    "option being selected is not enabled": "the option is disabled",
}


@dataclass(frozen=True, slots=True)
class Acted:
    """How a change was seen, None where only a postcondition can tell; the tab's title, if that was."""

    verified_by: VerifiedBy | None
    title: str | None


@dataclass(frozen=True, slots=True)
class Target:
    """An element as the engine knows it."""

    frame: Frame
    engine: str
    number: int
    key: str

    def locator(self, action: ActionName) -> Locator:
        """The element itself, or an error of the driver when ``action`` is none for it."""
        return self.frame.locator(f"{self.engine}=act:{self.number}:{self.key}:{action}")

    async def facts(self) -> dict[str, Any]:
        """What it holds now. Raises the driver's errors."""
        text = await self.frame.text_content(
            f"{self.engine}=facts:{self.number}:{self.key}", timeout=CHECK_MS
        )
        facts: dict[str, Any] = orjson.loads(text or "{}")
        return facts


async def perform(target: Target, action: ActionName, value: str | None, redactor: Redactor) -> Acted:
    """Do it, once, and look whether it shows; see :meth:`Elements.act`."""
    given = _value_of(action, value)
    try:
        await _do(target.locator(action), action, given)
    except DriverError as error:
        if not (
            action in ("check", "uncheck") and "did not change its state" in str(error).partition("\n")[0]
        ):
            raise await _failed(target, action, error, redactor) from None
    return await _verified(target, action, given, redactor)


def _value_of(action: ActionName, value: str | None) -> str:
    if action not in ("fill", "select", "press"):
        return ""
    if value is None:
        raise failure(ACTION, "request", "invalid_request", f"{action} needs a value.")
    if action == "press" and not is_key(value):
        raise failure(ACTION, "request", "invalid_request", "press needs the name of a key, such as Enter.")
    return value


async def _do(element: Locator, action: ActionName, value: str) -> None:
    timeout = VERIFICATION.default_ms
    match action:
        case "click":
            await element.click(timeout=timeout)
        case "hover":
            await element.hover(timeout=timeout)
        case "press":
            await element.press(value, timeout=timeout)
        case "fill":
            await element.fill(value, timeout=timeout)
        case "select":
            await element.select_option(value, timeout=timeout)
        case "check":
            await element.check(timeout=timeout)
        case "uncheck":
            await element.uncheck(timeout=timeout)


async def _failed(
    target: Target, action: ActionName, error: DriverError, redactor: Redactor
) -> BrowserOperationError:
    """What ``error`` means, and whether the page was touched by then."""
    text = str(error)
    performed = _PERFORMED.search(text) is not None
    refused = _REFUSED.search(text)
    if refused and refused[1] in _REFUSALS and not performed:
        code, message = _REFUSALS[refused[1]]
        return failure(ACTION, "resolve", code, message)
    if "Cannot type text into input[type=number]" in text.partition("\n")[0]:
        return failure(ACTION, "request", "invalid_request", "A field for numbers takes no other text.")
    hindered = _HINDERED.findall(text)
    untouched = not performed if action in _POINTED else _RETRYING.search(text) is not None
    if hindered and untouched and isinstance(error, DriverTimeoutError):
        why = _HINDRANCES.get(hindered[-1], hindered[-1])
        if hindered[-1] == _NO_OPTION:
            why += await _options(target, redactor)
        waited = f"The element could not be acted on within {VERIFICATION.default_ms} ms: {why}."
        return failure(ACTION, "execute", "not_actionable", waited)
    return _lost(target, action, error, redactor)


async def _options(target: Target, redactor: Redactor) -> str:
    """What can be selected instead, as far as there is room for it."""
    try:
        labels: list[str] = (await target.facts()).get("options", [])
    except DriverError:
        return ""
    shown = [shortened(visible(redactor.abridged(label)), MAX_OPTION_CHARACTERS) for label in labels]
    return f"; it has {listed(map(repr, shown), MAX_NAMED_OPTIONS)}" if shown else "; it has none"


def _lost(
    target: Target, action: ActionName, error: DriverError, redactor: Redactor
) -> BrowserOperationError:
    if is_closing(error) or target.frame.page.is_closed():
        what = f"The tab was closed while {action} was under way."
        return failure(ACTION, "execute", "unknown_tab", what, "unknown")
    if target.frame.is_detached() or "context was destroyed" in str(error):
        what = f"The document went away while {action} was under way."
        return failure(ACTION, "execute", "stale_document", what, "unknown")
    if "imeout" in str(error):
        what = f"{action} did not end within {VERIFICATION.default_ms} ms."
        return failure(ACTION, "execute", "timeout", what, "unknown")
    reason = reason_of(error).removeprefix("Error: ")
    what = bounded_sentence(f"{action} failed: {reason}", redactor)
    return failure(ACTION, "execute", "not_actionable", what, "unknown")


async def _verified(target: Target, action: ActionName, value: str, redactor: Redactor) -> Acted:
    if action in ("click", "hover", "press"):
        return Acted(None, None)
    loop = asyncio.get_running_loop()
    until = loop.time() + CHECK_MS / 1_000
    while True:
        facts = await _facts_after(target, action)
        if _shows(facts, action, value):
            is_top = target.frame is target.frame.page.main_frame
            return Acted("value" if action == "fill" else "state", str(facts["title"]) if is_top else None)
        if action in ("fill", "select") or loop.time() > until:
            raise _unverified(action, "The element does not hold what it was given.")
        await asyncio.sleep(STATE_POLL_S)


async def _facts_after(target: Target, action: ActionName) -> dict[str, Any]:
    try:
        facts = await target.facts()
    except DriverError:
        raise _unverified(action, "The page did not tell what became of it.") from None
    if "gone" in facts:
        raise _unverified(action, "The element went away with it.")
    return facts


def _unverified(action: ActionName, why: str) -> BrowserOperationError:
    return failure(
        ACTION, "verify", "verification_failed", f"{action} was done but not seen. {why}", "unknown"
    )


def _shows(facts: dict[str, Any], action: ActionName, value: str) -> bool:
    if action == "fill":
        return _holds(facts, value)
    if action == "select":
        return _is_selected(facts["selected"], value)
    return bool(facts.get("checked") == ("true" if action == "check" else "false"))


def _holds(facts: dict[str, Any], value: str) -> bool:
    held = facts.get("value")
    if not isinstance(held, str):
        return False
    if facts.get("edited"):
        # Editing keeps spaces apart by making them unbreakable.
        return held.replace("\xa0", " ") == value.replace("\xa0", " ")
    return held == value


def _is_selected(selected: Sequence[Sequence[str]], value: str) -> bool:
    return len(selected) == 1 and any(
        value == each or " ".join(value.split()) == " ".join(each.split()) for each in selected[0]
    )
