"""A web application that one logs in to, and that tells the password to everybody afterwards.

Below: ``tests.loopback``. Above: ``test_login_leaves_no_trace``.
"""

from __future__ import annotations

import html
import json
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, quote

from tests.loopback import Answer, Loopback, Seen

LOGIN = """<!doctype html><title>Sign in</title>
<form method="post" action="/login">
<label>User name <input name="user"></label>
<label>Password <input name="password" type="password"></label>
<button>Sign in</button>
</form>"""


@dataclass
class LoginApplication:
    """Who knows ``user`` and ``password`` is let in; ``logins`` counts them."""

    server: Loopback
    user: str
    password: str
    logins: int = 0
    refused: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.server.route("/", LOGIN)
        self.server.route("/login", self._login)
        self.server.route("/account", self._account)

    def _login(self, connection: BaseHTTPRequestHandler, request: Seen) -> Answer:
        form = {name: values[0] for name, values in parse_qs(request.body.decode()).items()}
        if (form.get("user"), form.get("password")) != (self.user, self.password):
            self.refused.append(request.body.decode())
            return Answer("<title>No</title>Wrong user name or password.", status=403)
        self.logins += 1
        there = f"/account?password={quote(self.password, safe='')}#{quote(self.password)}"
        return Answer(status=303, headers=(("Location", there), ("Set-Cookie", "session=1")))

    def _account(self, connection: BaseHTTPRequestHandler, request: Seen) -> Answer:
        shown, script = html.escape(self.password), json.dumps(self.password).replace("<", "\\u003c")
        return Answer(f"""<!doctype html><title>Account {shown}</title>
<h1>Welcome {html.escape(self.user)}</h1>
<p>Your password is {shown}.</p>
<button onclick="document.body.append('Done')">Continue</button>
<button aria-label="Forget {shown}">Forget</button>
<input aria-label="Again" value="{shown}">
<script>
const password = {script};
console.log('log', password);
console.error('encoded', encodeURIComponent(password));
fetch('/api/' + encodeURIComponent(password) + '?again=' + encodeURIComponent(password));
setTimeout(() => {{ throw new Error(password); }});
</script>""")
