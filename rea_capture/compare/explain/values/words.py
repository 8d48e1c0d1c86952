"""What a difference of one value means, in words a reader of the page understands.

The words of a difference seen from the other side are the opposite words: came and went, gained and lost.

Below: ``trees``, ``shown_text``. Above: ``values``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from rea_capture.compare.explain.shown_text import shown_text
from rea_capture.compare.explain.values.trees import Fields, ItemKey, Path, Tree, json_text

MAX_QUOTED_CHARACTERS: Final = 160
"""Of a value inside a sentence. The change beside it has more of it."""

_WHICH_URL: Final[Mapping[str, str]] = {
    "current_url": "the current URL",
    "after_url": "the URL after the action",
    "before_url": "the URL before the action",
}
_STORES: Final[Mapping[str, str]] = {
    "local_storage": "local storage entry",
    "session_storage": "session storage entry",
}
_LISTS: Final[Mapping[str, str]] = {
    "cookies": "the cookies",
    "local_storage": "the local storage entries",
    "session_storage": "the session storage entries",
}
_NOTHING: Final = "nothing"
_FLAGS: Final[Mapping[str, str]] = {
    "http_only": "hidden from scripts (HttpOnly)",
    "secure": "sent over HTTPS only (Secure)",
}


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference at ``path`` between the whole trees ``roots``; None on a side that has nothing there."""

    path: Path
    before: Tree | None
    after: Tree | None
    roots: tuple[Tree, Tree]


def words(difference: Difference) -> str:
    """A sentence, without a full stop, on one line."""
    one_sided = difference.before is None or difference.after is None
    if one_sided and isinstance(difference.path[-1], str):
        return _any(difference)  # a field that no record lacks
    for say in (_stored, _action, _history, _url):
        if (said := say(difference)) is not None:
            return said
    return _any(difference)


def moved_words(path: Path) -> str:
    """The sentence of a list at ``path`` of which the same items came in another order."""
    name = str(path[-1]) if path else ""
    return f"{_LISTS.get(name, f'the items of {_shown_path(path)}')} are in another order"


def quoted(text: str) -> str:
    """``text`` in single quotes, as sentences show it."""
    return f"'{shown_text(text, MAX_QUOTED_CHARACTERS)}'"


def _stored(difference: Difference) -> str | None:
    match difference.path:
        case ("cookies" | "local_storage" | "session_storage" as store, ItemKey() as key, *rest):
            return f"{_stored_noun(store, key)} {_of_stored([str(part) for part in rest], difference)}"
    return None


def _stored_noun(store: str, key: ItemKey) -> str:
    if store == "cookies":
        domain, path, name = key.identity
        at = shown_text(domain + ("" if path == "/" else path), MAX_QUOTED_CHARACTERS)
        return f"cookie {quoted(name)} for {at}"
    return f"{_STORES[store]} {quoted(key.identity[0])}"


def _of_stored(rest: list[str], difference: Difference) -> str:
    said = f"changed its {shown_text('/'.join(rest), MAX_QUOTED_CHARACTERS)} {_from_to(difference)}"
    match rest:
        case []:
            said = _came_or_went(difference)
        case ["value_sha256"] if "null" in (difference.before, difference.after):
            said = f"has a value that is {_then(difference, '{}', _known)}"
        case ["value_sha256"]:
            said = "changed its value"
        case ["value_state"]:
            said = f"has a value that {_then(difference, '{}', _secret)}"
        case [("http_only" | "secure") as flag]:
            said = _flag(difference, _FLAGS[flag])
        case ["same_site"]:
            said = f"changed its SameSite {_from_to(difference)}"
    return said


def _known(text: str) -> str:
    return "not recorded" if text == _NOTHING else "recorded by its digest"


def _secret(text: str) -> str:
    return "is a secret" if text == "redacted-secret" else "is no secret"


def _history(difference: Difference) -> str | None:
    match difference.path:
        case ("length",):
            return f"the number of history entries changed {_from_to(difference)}"
        case ("navigation_entries", int() as position):
            return f"navigation entry {position + 1} {_came_or_went(difference)}"
        case ("navigation_entries", int() as position, str() as name):
            what = "URL" if name == "name" else name
            return f"navigation entry {position + 1} changed its {what} {_from_to(difference)}"
    return None


def _action(difference: Difference) -> str | None:
    match difference.path:
        case ("status",):
            return f"the action {_then(difference, '{}', _status)}"
        case ("action",):
            return f"the kind of action changed {_from_to(difference)}"
        case ("error",):
            return _error(difference)
    return None


def _error(difference: Difference) -> str:
    if difference.before == "null":
        return f"the action {_outcome(difference.roots[1])}: {quoted(_text(difference.after))}"
    if difference.after == "null":
        outcome = _outcome(difference.roots[0])
        return f"the action {outcome} before and not after: {quoted(_text(difference.before))}"
    return f"the action's error changed {_from_to(difference)}"


def _url(difference: Difference) -> str | None:
    noun, rest = "the URL", difference.path
    if rest and rest[0] in _WHICH_URL:
        noun, rest = _WHICH_URL[str(rest[0])], rest[1:]
    match rest:
        case ("url",):
            return f"{noun} changed {_from_to(difference)}"
        case ("origin",):
            return f"the origin of {noun} changed {_from_to(difference)}"
        case ("redacted",):
            return f"{noun} {_flag(difference, 'redacted')}"
        case ("query_parameter_names", ItemKey() as key):
            of = "" if noun == "the URL" else f" of {noun}"
            verb = "gained" if difference.before is None else "lost"
            return f"the query parameter names{of} {verb} {quoted(key.identity[0])}"
    return None


def _outcome(root: Tree) -> str:
    return _status(_text(root.get("status")) if isinstance(root, Fields) else "failed")


def _status(text: str) -> str:
    return "was cancelled" if text == "cancelled" else text


def _came_or_went(difference: Difference) -> str:
    return "came" if difference.before is None else "went"


def _flag(difference: Difference, what: str) -> str:
    return f"is {'now' if difference.after == 'true' else 'no longer'} {what}"


def _any(difference: Difference) -> str:
    if difference.before is None:
        return f"{_shown_path(difference.path)} came: {quoted(_text(difference.after))}"
    if difference.after is None:
        return f"{_shown_path(difference.path)} went: {quoted(_text(difference.before))}"
    return f"{_shown_path(difference.path)} changed {_from_to(difference)}"


def _shown_path(path: Path) -> str:
    keys = (str(key.identity[-1]) if isinstance(key, ItemKey) else str(key) for key in path)
    return quoted("/".join(keys)) if path else "the value"


def _from_to(difference: Difference) -> str:
    return f"from {_plain(difference.before)} to {_plain(difference.after)}"


def _then(difference: Difference, form: str, say: Callable[[str], str] = str) -> str:
    before, after = (form.format(say(_text(side))) for side in (difference.before, difference.after))
    return f"{before} before and {after} after"


def _plain(tree: Tree | None) -> str:
    """A word or a number as it is, any other text in quotes."""
    text = _text(tree)
    is_word = text.isascii() and text.isalnum() and len(text) <= MAX_QUOTED_CHARACTERS
    return text if is_word else quoted(text)


def _text(tree: Tree | None) -> str:
    """The string itself where the value is one, its JSON text where not."""
    if tree is None:
        return _NOTHING
    text = json_text(tree)
    return str(json.loads(text)) if text.startswith('"') else _NOTHING if text == "null" else text
