"""The command itself: what it imports, and what it says where it cannot serve."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from rea_capture.cli import serve_command
from rea_capture.mcp_server import limits
from tests.cli.running import WAIT_S, environment

WITHOUT_LIBRARY = """
import importlib.metadata, sys
found = importlib.metadata.version
def version(name):
    installed = {installed!r}
    if name == "mcp" and not installed:
        raise importlib.metadata.PackageNotFoundError(name)
    return installed if name == "mcp" else found(name)
importlib.metadata.version = version
from rea_capture.cli import main
main(["serve-mcp"])
"""


@pytest.mark.parametrize(
    ("installed", "said"), [(None, "is not installed"), ("1.27.0", "mcp 1.27.0 is installed")]
)
def test_without_the_library_it_says_how_to_install_it(installed: str | None, said: str) -> None:
    program = WITHOUT_LIBRARY.format(installed=installed)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, env=environment(), timeout=WAIT_S, check=False
    )
    error = json.loads(done.stderr)["error"]
    assert (done.returncode, done.stdout, error["code"]) == (69, b"", "unavailable")
    assert said in error["message"]
    assert "pip install 'rea-capture[mcp]'" in error["message"]


@pytest.mark.parametrize("arguments", [["--help"], ["serve-mcp", "--help"], ["doctor", "--help"]])
def test_help_does_not_import_the_library(arguments: list[str]) -> None:
    program = (
        "import sys\nfrom rea_capture.cli import main\n"
        "try:\n    main(sys.argv[1:])\n"
        "finally:\n    sys.stderr.write(chr(10).join(sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True, env=environment(), timeout=WAIT_S, check=True,
    )  # fmt: skip
    imported = {name.partition(".")[0] for name in done.stderr.decode().split()}
    assert not imported & {"mcp", "mcp_types", "anyio", "uvicorn", "starlette", "pydantic"}


def test_serving_imports_neither_contracts_nor_driver_before_the_first_call() -> None:
    program = (
        "import sys\nimport rea_capture.mcp_server.serve, rea_capture.mcp_server.stdio\nprint(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, env=environment(), timeout=WAIT_S, check=True
    )
    imported = set(done.stdout.decode().split())
    assert "mcp" in imported
    assert not {name for name in imported if name.startswith(("playwright", "rea_capture.contracts."))}


def test_the_defaults_that_help_shows_are_those_of_the_server() -> None:
    assert serve_command.DEFAULT_INLINE_BYTES == limits.DEFAULT_INLINE_BYTES
    assert serve_command.DEFAULT_MAX_CAPTURES == limits.DEFAULT_MAX_CAPTURES
