"""Start a server and wait for its first ``tools/list`` answer: ``python first_answer.py COMMAND...``.

With ``--to-its-end`` first, wait for the end of COMMAND instead, so that a yardstick is started in the same
way. Imports little, since what it costs falls on both.
"""

import os
import subprocess
import sys

HELLO = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
    b'"capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}\n'
    b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
    b'{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n'
)


def main() -> None:
    """Run as said above. Exits with 1 when the answer is not one."""
    if sys.argv[1] == "--to-its-end":
        sys.exit(subprocess.run(sys.argv[2:], check=False).returncode)
    server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write(HELLO)
    server.stdin.flush()
    answers = [server.stdout.readline() for _ in range(2)]
    server.kill()
    server.wait()
    os._exit(0 if b'"capture_browser_scenario"' in answers[1] else 1)


if __name__ == "__main__":
    main()
