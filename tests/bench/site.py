"""The pages that captures are measured on, served from loopback in this process."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

REQUESTS = 500

_ITEMS = "".join(
    f'<li class="item"><h3>Product {n}</h3><p>A sturdy thing, number {n}, for everyday use.</p>'
    f'<button data-testid="add-{n}">Add</button></li>'
    for n in range(60)
)
_SHOP = f"""<!doctype html><html lang="en"><head><title>Shop</title><link rel="stylesheet" href="/style.css">
<script>
  localStorage.setItem('visits', '1'); sessionStorage.setItem('tab', 'x'); document.cookie = 'shop=1';
  console.log('shop ready');
  async function search() {{
    document.getElementById('results').dataset.state = 'loading';
    const found = await (await fetch('/search?q=' + document.getElementById('q').value)).json();
    document.getElementById('results').textContent = found.join(', ');
    document.getElementById('results').dataset.state = 'ready';
  }}
</script></head><body><header><h1>Shop</h1></header>
<main><form onsubmit="search(); return false"><label>Search <input id="q"></label>
<label><input type="checkbox" id="stock"> In stock</label>
<button id="go" type="button" onclick="search()">Search</button></form>
<p id="results" data-state="idle"></p><ul>{_ITEMS}</ul></main></body></html>"""

_MANY = f"""<!doctype html><title>Many</title><p id="out">loading</p><script>
  Promise.all(Array.from({{length: {REQUESTS}}}, (_, n) => fetch('/asset/' + n).then(r => r.text())))
    .then(all => {{ const p = document.createElement('p'); p.id = 'done'; p.textContent = all.length;
                    document.body.append(p); }});
</script>"""

_PAGES = {
    "/": ("text/html", _SHOP),
    "/many": ("text/html", _MANY),
    "/style.css": ("text/css", "body{font-family:sans-serif} .item{border:1px solid #ccc;margin:4px}"),
    "/search": ("application/json", '["Product 1","Product 2"]'),
}


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        media_type, text = _PAGES.get(urlsplit(self.path).path, ("text/plain", "x" * 100))
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the terminal shows the measurements."""


@contextmanager
def served() -> Iterator[str]:
    """The site's origin, while it is served."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
