"""A program that logs in through a browser session, tells all that it is told, and looks at all processes.

It is started as ``python -m tests.session.login_program REQUEST``; its standard error is that of everything
that it starts.

Below: ``rea_capture``. Above: ``test_login_leaves_no_trace``.
"""

from __future__ import annotations

import asyncio
import base64
import html
import json
import re
import sys
import traceback
from collections.abc import Awaitable
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

from rea_capture import BrowserRuntime
from rea_capture.contracts.runtime.errors import BrowserOperationError
from rea_capture.contracts.runtime.operations import EvidenceKind

KINDS: tuple[EvidenceKind, ...] = ("screenshot", "diagnostics", "evidence")
CREDENTIAL = {"credential": "password"}
_BASE64 = re.compile(rb"[A-Za-z0-9+/]{16,}")


def spellings(secret: str) -> set[bytes]:
    """``secret`` as it may be written in a file or a line."""
    texts = {
        secret,
        quote(secret),
        quote(secret, safe=""),
        quote_plus(secret),
        html.escape(secret),
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
    }
    return {text.encode() for text in texts}


def holds(data: bytes, secret: str) -> bool:
    """Whether ``data``, or what it has in base64, has ``secret`` in any spelling."""
    parts = [data, *map(decoded, _BASE64.findall(data))]
    return any(spelling in part for spelling in spellings(secret) for part in parts)


def decoded(text: bytes) -> bytes:
    """What ``text`` stands for in base64, without padding."""
    whole = text[:-1] if len(text) % 4 == 1 else text
    return base64.b64decode(whole + b"=" * (-len(whole) % 4))


def say(document: dict[str, Any]) -> None:
    """Write ``document`` as a line."""
    sys.stdout.write(json.dumps(document) + "\n")
    sys.stdout.flush()


class Told:
    """What the program was told: a line on standard output for each thing."""

    def __init__(self, secret: str) -> None:
        self._secret = secret

    async def of(self, name: str, call: Awaitable[Any]) -> Any:
        """Await ``call`` and tell its result or its error, whole; then look at the processes."""
        result = None
        try:
            result = await call
            said = {"result": result.wire()}
        except BrowserOperationError as error:
            evidence = None if error.evidence is None else error.evidence.wire()
            trace = "".join(traceback.format_exception(error))
            said = {"error": error.details.wire(), "trace": trace, "evidence": evidence}
        say({"name": name, **said, "processes": self._exposed()})
        return result

    def _exposed(self) -> list[str]:
        """Processes that show the secret to others in their arguments or environment."""
        found = []
        for folder in Path("/proc").iterdir():
            for name in ("cmdline", "environ"):
                try:
                    data = (folder / name).read_bytes() if folder.name.isdigit() else b""
                except OSError:
                    continue
                if holds(data, self._secret):
                    found.append(f"{folder.name} {name}")
        return found


async def log_in(request: dict[str, Any], told: Told) -> None:
    """Log in with the credential, and do everything there is to do afterwards."""
    browser = await BrowserRuntime.open(
        request["settings"], artifact_folder=request["artifacts"], failure_run_id="failures"
    )
    origin = request["origin"]
    async with browser:
        await told.of("navigate", browser.navigate(origin + "/"))
        await told.of("observe before", browser.observe())
        fill = browser.act
        await told.of("user", fill("Fill the User name", action="fill", value=request["user"]))
        await told.of("absent", fill("Fill the Password", action="fill", value={"credential": "absent"}))
        await told.of("password", fill("Fill the Password", action="fill", value=CREDENTIAL))
        await told.of("observe filled", browser.observe())
        await told.of("read filled", browser.read())
        held = {"kind": "text", "value": f"Welcome {request['user']}"}
        await told.of("log in", browser.act("Click Sign in", action="click", postcondition=held))
        await after(browser, told, origin)
        await told.of("close", browser.close())


async def after(browser: BrowserRuntime, told: Told, origin: str) -> None:
    """The page says the password in every way it can."""
    await told.of("read", browser.read())
    seen = await told.of("observe", browser.observe())
    await told.of("tabs", browser.list_tabs())
    await told.of("again", browser.act("Fill Again", action="fill", value=CREDENTIAL))
    held = browser.assert_
    never = {"kind": "text", "value": "Never said"}
    await told.of("unmet", browser.act("Click Continue", action="click", postcondition=never))
    await told.of("not asserted", held({"kind": "title", "value": "Other"}, wait="none"))
    await told.of("not there", browser.act("Click it", action="click", ref="e99-0"))
    await told.of("elsewhere", held({"kind": "url", "value": origin + "/"}, wait="none"))
    await told.of("evidence", browser.capture_evidence("login", include=KINDS))
    await told.of("reload", browser.reload())
    await told.of("stale", browser.act("Click it", action="click", ref=seen.elements[0].ref))


def main() -> None:
    """Read the request, whose credentials are in a file that only its path names."""
    request = json.loads(sys.argv[1])
    secret = json.loads(Path(request["accounts"]).read_bytes())["password"]
    asyncio.run(log_in(request, Told(secret)))
    say({"name": "end"})


if __name__ == "__main__":
    main()
