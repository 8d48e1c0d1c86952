"""A fixture's server as a file starts it: a program of its own that logs what it is asked."""

from __future__ import annotations

import http.client
import socket
from pathlib import Path
from typing import Any

from tests.session.scenario.scripted import python

SERVER = """
import http.server, os, sys
log, port = sys.argv[1], int(sys.argv[2])
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path = self.path.partition("?")[0]
        with open(log, "a") as file:
            file.write("GET " + path + "\\n")
        if path == "/die":
            print("out of coffee", flush=True)
            os._exit(3)
        pages = {"/": b"<title>Fixture</title><p>Welcome</p>"}
        body = PAGES.get(path) or pages.get(path, b"ok")
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_):
        pass
PAGES = {}
PREPARE
with open(log, "a") as file:
    file.write("server starts\\n")
with open(log + ".leash", "w") as file:
    file.write(str(os.getppid()))
http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
"""


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on, and that is not given out again at once."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def managed(log: Path, port: int, prepare: str = "", **readiness: Any) -> dict[str, Any]:
    """A fixture with a server of its own; ``prepare`` is run before it listens."""
    base = f"http://127.0.0.1:{port}"
    return {
        "baseUrl": f"{base}/",
        "server": {
            "mode": "managed",
            "start": python(SERVER.replace("PREPARE", prepare), str(log), str(port)),
            "readiness": {"url": f"{base}/health", "expectedStatus": 200, **readiness},
        },
    }


def external(url: str, **readiness: Any) -> dict[str, Any]:
    """A fixture whose server is somebody else's."""
    return {"baseUrl": url, "server": {"mode": "external", "readiness": {"url": url, **readiness}}}


def asked(port: int, path: str) -> int | None:
    """The status that a GET of ``path`` has, or None where nobody answers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except OSError:
        return None
    except http.client.HTTPException:
        return None
    finally:
        connection.close()
