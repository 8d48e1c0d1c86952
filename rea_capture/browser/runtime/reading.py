"""What somebody can read in a tab, and whether it is what was expected.

Read by a script in a world that the page's own scripts neither see nor can change. See ``js/visible_text.js``
for what counts as visible.

Below: ``artifacts.world``, ``contracts.runtime``. Above: ``live``.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from playwright.async_api import Error

from rea_capture.browser.artifacts.world import ReadError, retrying
from rea_capture.browser.runtime.guard import soon
from rea_capture.browser.runtime.tab import OpenTab
from rea_capture.browser.runtime.telling import Telling
from rea_capture.contracts.runtime.budgets import MAX_READ_CHARACTERS
from rea_capture.contracts.runtime.operations import Assertion, TextAssertion, TitleAssertion
from rea_capture.contracts.urls import origin_of
from rea_capture.wording import counted

TITLE_TIMEOUT_MS: Final = 1_000
"""A page that hangs still has a title: the one that the browser knows."""

MAX_SEEN_CHARACTERS: Final = 200
"""What a failed assertion shows of what was there instead."""

MARGIN_CHARACTERS: Final = 65_536
"""Read beyond what is shown, so that no secret is cut before it is redacted."""


def _script() -> str:
    """A function that passes its arguments to that of ``visible_text.js``, with what it needs before it."""
    own, artifacts = files(__package__) / "js", files("rea_capture.browser.artifacts") / "js"
    prototypes, reaching, visible = (
        (folder / name).read_text("utf-8")
        for folder, name in (
            (artifacts, "prototypes.js"),
            (own, "reaching.js"),
            (own, "visible_text.js"),
        )
    )
    return "\n".join(
        [
            "(...sent) => {",
            prototypes,
            reaching,
            "const visibleText =",
            visible,
            ";return visibleText(...sent); }",
        ]
    )


_VISIBLE_TEXT: Final = _script()


@dataclass(frozen=True, slots=True)
class Look:
    """A document at one moment. Nothing in it is redacted yet."""

    document_id: str
    url: str
    title: str
    text: str
    omitted: int
    is_ready: bool
    holds: bool
    """Whether its text has in it what was sought."""
    frames: int
    editable: int
    """How many visible frames and editable regions were left out."""


async def look(tab: OpenTab, *, sought: str | None = None, most: int = MAX_READ_CHARACTERS) -> Look:
    """The document of ``tab`` as it is now. Raises the driver's ``Error`` or :class:`ReadError`."""

    async def once() -> Look:
        document_id = tab.document_id
        seen = await tab.world.call(_VISIBLE_TEXT, most + MARGIN_CHARACTERS, sought)
        return Look(
            document_id=document_id,
            url=tab.url,
            title=str(seen["title"]),
            text=str(seen["text"]),
            omitted=int(seen["omitted"]),
            is_ready=bool(seen["ready"]),
            holds=bool(seen["held"]),
            frames=int(seen["frames"]),
            editable=int(seen["editable"]),
        )

    while True:
        seen = await retrying(once)
        if seen.document_id == tab.document_id:
            return seen


async def title_of(tab: OpenTab) -> str:
    """The title of ``tab``, or nothing where nobody tells."""
    asked = await soon(_asked_title(tab), TITLE_TIMEOUT_MS, None)
    if asked is not None:
        return asked
    return await soon(_known_title(tab), TITLE_TIMEOUT_MS, "")


async def _asked_title(tab: OpenTab) -> str | None:
    return await tab.elements.title(tab.page, TITLE_TIMEOUT_MS)


async def _known_title(tab: OpenTab) -> str:
    try:
        info = await tab.cdp.send("Target.getTargetInfo")
        return str(info["targetInfo"]["title"])
    except (Error, ReadError):
        return ""


def shown_text(seen: Look, telling: Telling) -> tuple[str, int]:
    """The text that may be shown, and how many characters were left out."""
    text = telling.redactor().text(seen.text)
    return text[:MAX_READ_CHARACTERS], max(0, len(text) - MAX_READ_CHARACTERS) + seen.omitted


def left_out(seen: Look) -> tuple[str, ...]:
    """Sentences about what was not read."""
    said = (
        (seen.frames, "visible frame", "was left out: frames are not read."),
        (seen.editable, "editable region", "was left out: what inputs hold is not read."),
    )
    return tuple(
        f"{counted(count, what)} {rest if count == 1 else rest.replace('was', 'were', 1)}"
        for count, what, rest in said
        if count
    )


def holds(assertion: Assertion, seen: Look) -> bool:
    """Whether ``assertion`` is true of what was seen."""
    if isinstance(assertion, TextAssertion):
        return seen.holds
    if isinstance(assertion, TitleAssertion):
        return seen.title == assertion.value if assertion.match == "exact" else assertion.value in seen.title
    if assertion.match == "origin":
        return origin_of(seen.url) == origin_of(assertion.value)
    return _same_address(seen.url, assertion.value)


def sought_by(assertion: Assertion | None) -> str | None:
    """The text that has to be looked for, if it is one."""
    return assertion.value if isinstance(assertion, TextAssertion) else None


def instead(assertion: Assertion, seen: Look, telling: Telling) -> str:
    """A sentence of what was seen where ``assertion`` did not hold."""
    if isinstance(assertion, TextAssertion):
        text = telling.piece(seen.text, MAX_SEEN_CHARACTERS)
        return f"The visible text does not contain what was expected; it begins {text!r}."
    if isinstance(assertion, TitleAssertion):
        verb = "is not" if assertion.match == "exact" else "does not contain"
        title = telling.piece(seen.title, MAX_SEEN_CHARACTERS)
        return f"The title {verb} what was expected; it is {title!r}."
    if assertion.match == "origin":
        return f"The address is not of the expected origin; its origin is {telling.origin(seen.url)}."
    address = telling.piece(telling.url(seen.url), MAX_SEEN_CHARACTERS)
    return f"The address is not the expected one; it is {address!r}."


def _same_address(seen: str, expected: str) -> bool:
    """Whether two addresses are the same, an empty path being that of the root."""
    origin = origin_of(expected)
    return seen == expected or (origin is not None and expected == origin and seen == f"{origin}/")
