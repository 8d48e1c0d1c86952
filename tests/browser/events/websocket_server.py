"""The server's side of a WebSocket (RFC 6455), as far as these tests go: short frames, no fragments.

Below: the standard library. Above: the tests of WebSocket events.
"""

from __future__ import annotations

import base64
import hashlib
from http.server import BaseHTTPRequestHandler

_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TEXT, BINARY, CLOSE = 1, 2, 8


class ServerSocket:
    """One accepted WebSocket on the connection of a request handler."""

    def __init__(self, connection: BaseHTTPRequestHandler) -> None:
        self._connection = connection
        key = connection.headers["Sec-WebSocket-Key"]
        accept = base64.b64encode(hashlib.sha1(f"{key}{_GUID}".encode()).digest()).decode()
        connection.send_response(101)
        for name, value in (
            ("Upgrade", "websocket"),
            ("Connection", "Upgrade"),
            ("Sec-WebSocket-Accept", accept),
        ):
            connection.send_header(name, value)
        connection.end_headers()

    def send(self, opcode: int, payload: bytes) -> None:
        """Send one unmasked frame (section 5.2)."""
        size = len(payload)
        if size < 126:
            header = bytes([0x80 | opcode, size])
        elif size < 2**16:
            header = bytes([0x80 | opcode, 126]) + size.to_bytes(2, "big")
        else:
            header = bytes([0x80 | opcode, 127]) + size.to_bytes(8, "big")
        self._connection.wfile.write(header + payload)
        self._connection.wfile.flush()

    def receive(self) -> tuple[int, bytes]:
        """Opcode and payload of one masked frame (section 5.3)."""
        first, second = self._connection.rfile.read(2)
        size = second & 0x7F
        if size >= 126:
            size = int.from_bytes(self._connection.rfile.read(2 if size == 126 else 8), "big")
        mask = self._connection.rfile.read(4)
        masked = self._connection.rfile.read(size)
        return first & 0x0F, bytes(byte ^ mask[index % 4] for index, byte in enumerate(masked))
