"""The private script that stops a document before its own scripts, and the expression that seeds it.

Below: `seeds`. Above: `target` installs the first, `writer` evaluates the second. Pure text.

The script runs in an isolated world that page code cannot reach, once per new document, before any
script of that document. It stops only where an origin has seeds; only that list of origins is in
it, never an entry. Entries travel in the expression, which the debugger evaluates in that same
world while the document is stopped, so a page can neither see nor patch what is called.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rea_capture.browser.seeding.seeds import Entries, StorageKind

ADMISSION: Final = "admitted = true"
"""What is evaluated in a stopped document that may go on."""
STOP_MS: Final = 0.5
"""Passing a ``debugger`` statement takes less, and a stop, which lasts until a message came back, more."""
_SOURCE: Final = """if ({wanted}) {{
  let admitted = false, wasStopped = false, isStopped;
  do {{
    const since = performance.now();
    debugger;
    isStopped = performance.now() - since >= {stop_ms};
    wasStopped ||= isStopped;
  }} while (isStopped && !admitted);
  {last_line}
}}
//# sourceURL={url}"""
_LOAD_NO_FURTHER: Final = "if (wasStopped && !admitted && self === top) stop();"
_ERROR_NAME: Final = re.compile(r"[A-Za-z]{1,40}\Z")


@dataclass(frozen=True, slots=True)
class PrivateScript:
    """The stopping script; ``url`` is unguessable, so that no page script can pass for it."""

    url: str
    origins: tuple[str, ...]
    own_browser: bool = True

    @property
    def source(self) -> str:
        """Its source text. ``self.origin`` rather than the URL's, because a sandbox takes it away.

        ``about:`` documents are let pass: what they inherit their origin from has its seed already,
        and the blank document of a new window must not be stopped while the browser holds the
        window back, because Chromium then forgets to let it go.

        The command to go on names no document, and one meant for an earlier document can arrive late.
        So a document that was not admitted stops again. When the browser has taken the debugger away,
        because the next document of the page is about to come up, it loads no further: nothing of it
        runs without its seeds. A document that never stopped (see `pauses`) needs no admission.

        In a browser that is somebody else's it is never stopped so: the debugger is taken away there too
        when the capture ends, and a page is not to be cut short for that.
        """
        wanted = f"location.protocol !== 'about:' && {json.dumps(self.origins)}.includes(self.origin)"
        last_line = _LOAD_NO_FURTHER if self.own_browser else ""
        return _SOURCE.format(wanted=wanted, stop_ms=STOP_MS, url=self.url, last_line=last_line)

    @property
    def others(self) -> str:
        """A regular expression for every script URL but this one (``Debugger.setBlackboxPatterns``)."""
        return f"^(?!{re.escape(self.url)}$)"


@dataclass(frozen=True, slots=True)
class WriteOutcome:
    """What became of the entries of one kind: how many the browser refused, and its error's name."""

    refused: int
    error_name: str


_WRITE: Final = """((expected, work) => {
  if (self.origin !== expected) return "moved";
  const outcome = {};
  for (const [kind, entries] of work) {
    let refused = 0, name = "";
    try {
      const store = kind === "local" ? self.localStorage : self.sessionStorage;
      for (const [key, value] of entries) {
        try { store.setItem(key, value); }
        catch (error) { refused += 1; name = String(error.name); }
      }
    } catch (error) { refused = entries.length; name = String(error.name); }
    outcome[kind] = [refused, name];
  }
  return outcome;
})"""


def write_expression(origin: str, work: Mapping[StorageKind, Entries]) -> str:
    """An expression that writes the entries if, and only if, the document still has that origin.

    ``json.dumps`` with its default ASCII output is valid JavaScript for every string, lone
    surrogates and U+2028 included; entries are pairs, so ``__proto__`` is a name like any other.
    """
    pairs = [[kind, [list(entry) for entry in entries]] for kind, entries in work.items()]
    return f"{_WRITE}({json.dumps(origin)}, {json.dumps(pairs)})"


def read_outcome(value: object) -> dict[StorageKind, WriteOutcome] | None:
    """The expression's result, or None when the document had moved to another origin."""
    if not isinstance(value, dict):
        return None
    outcome: dict[StorageKind, WriteOutcome] = {}
    kinds: tuple[StorageKind, ...] = ("local", "session")
    for kind in kinds:
        if kind in value:
            refused, name = value[kind]
            outcome[kind] = WriteOutcome(int(refused), name if _ERROR_NAME.match(name) else "Error")
    return outcome
