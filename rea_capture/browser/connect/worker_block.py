"""Refusing what pages of an attached capture ask to register, until the capture lets go of them.

As in a browser of our own (``browser.service_workers``), but for the pages of the capture alone and for no
longer than it lasts: the documents that live on get their own ``register()`` back, and a reference to the
refusing one that a page has kept does what the own one does.

The sign to do so is an event with a random name at the document's own service worker container. It reaches
the page's world from a private one; no page can send or stop it, and no document loses its listener for it.
A document that goes into the back/forward cache is given back at once.

Below: ``browser.service_workers``. Above: ``session``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

from rea_capture.browser.service_workers import REFUSAL, ServiceWorkerBlock

_SCRIPT: Final = """(() => {
  const container = globalThis.ServiceWorkerContainer;
  let own;
  try { own = navigator.serviceWorker; } catch { return; }
  if (!container || !own) return;
  const { apply } = Reflect, { defineProperty, getOwnPropertyDescriptor } = Object;
  const report = console.debug.bind(console), Refusal = DOMException, { prototype } = container;
  const original = getOwnPropertyDescriptor(prototype, 'register');
  if (!original || !original.configurable) return;
  let refuses = false, isOver = false;
  const { register } = {
    register(scriptURL) {
      if (!refuses) return apply(original.value, this, arguments);
      report(%(token)s + String(scriptURL));
      return Promise.reject(new Refusal(%(refusal)s, 'SecurityError'));
    },
  };
  const refusing = { ...original, value: register };
  const set = refuse => {
    refuses = refuse;
    const now = getOwnPropertyDescriptor(prototype, 'register');
    if (now && now.value === (refuse ? original.value : register))
      defineProperty(prototype, 'register', refuse ? refusing : original);
  };
  set(true);
  own.addEventListener(%(token)s, () => { isOver = true; set(false); });
  addEventListener('pagehide', event => { if (event.persisted) set(false); });
  addEventListener('pageshow', event => { if (event.persisted && !isOver) set(true); });
})()"""

_RESTORE: Final = """(() => {
  try { navigator.serviceWorker?.dispatchEvent(new Event(%(token)s)); } catch {}
})()"""


class AttachedWorkerBlock:
    """The scripts of one capture's block, and what it did."""

    def __init__(self, report: Callable[[str], None]) -> None:
        self._block = ServiceWorkerBlock(report)
        token = json.dumps(self._block.token)
        self.script = _SCRIPT % {"token": token, "refusal": json.dumps(REFUSAL)}
        """Runs in each new document of the capture."""
        self.restore = _RESTORE % {"token": token}
        """Evaluated in a private world of each live document at the end."""

    def owns(self, console_text: str) -> bool:
        """Whether a console message is our own report; see :meth:`ServiceWorkerBlock.owns`."""
        return self._block.owns(console_text)
