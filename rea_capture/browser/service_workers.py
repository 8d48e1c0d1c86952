"""Blocking service workers so that a page can tell, and a reader too.

The driver's own block lets ``register()`` resolve with nothing, which breaks pages that use the
result and looks like their fault. Here ``register()`` rejects with a ``SecurityError`` whose message
says who did it, as it would in a browser that refuses service workers; each refusal is reported to
us by a console message that starts with a random token and is never shown as the page's.

Below: playwright. Above: ``driver``.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from typing import Final

from playwright.async_api import BrowserContext

REFUSAL: Final = (
    "Service worker registration is blocked by this capture "
    '(environment.service_workers is "block"); it is not a fault of the page.'
)

_SCRIPT: Final = """(() => {
  const container = globalThis.ServiceWorkerContainer;
  if (!container) return;
  const report = console.debug.bind(console), Refusal = DOMException;
  const { register } = {
    register(scriptURL) {
      report(%(token)s + String(scriptURL));
      return Promise.reject(new Refusal(%(refusal)s, 'SecurityError'));
    },
  };
  Object.defineProperty(container.prototype, 'register',
    { value: register, writable: true, enumerable: true, configurable: true });
})()"""


class ServiceWorkerBlock:
    """The block of one browser context, and what it did."""

    def __init__(self, report: Callable[[str], None]) -> None:
        self.token = f"{secrets.token_hex(16)}:"
        """What each report of ours starts with."""
        self._report = report

    async def install(self, context: BrowserContext) -> None:
        """Block in every document of ``context`` from now on."""
        await context.add_init_script(
            _SCRIPT % {"token": json.dumps(self.token), "refusal": json.dumps(REFUSAL)}
        )

    def owns(self, console_text: str) -> bool:
        """Whether a console message is our own report; if so, it is turned into a limitation."""
        if not console_text.startswith(self.token):
            return False
        script_url = console_text.removeprefix(self.token)
        self._report(
            f"A page asked to register the service worker {script_url!r}; the request was refused, "
            'since environment.service_workers is "block". Errors that follow are not the page\'s own.'
        )
        return True
