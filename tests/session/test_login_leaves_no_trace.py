"""A login with a credential of a JSON file works, and its value is nowhere but in the page and the file."""

from __future__ import annotations

import base64
import html
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.loopback import serving
from tests.session.login_application import LoginApplication
from tests.session.login_program import holds

ROOT = Path(__file__).resolve().parents[2]
SECRET = 'Grün & <hidden> "4711" /w%20rd+'
USER = "ada"
WAIT_S = 120

ADAPTER = """
import json, os, pathlib, sys
question = sys.stdin.read()
with open(pathlib.Path(sys.argv[1]) / "asked", "a") as file:
    file.write(json.dumps({"stdin": question, "argv": sys.argv, "environ": dict(os.environ)}) + "\\n")
asked = json.loads(question)
(ref,) = [each["ref"] for each in asked["elements"] if asked["instruction"].endswith(each["name"])]
print(json.dumps({"ref": ref}))
"""


@dataclass
class Login:
    """What is left of the program, which has ended."""

    folder: Path
    application: LoginApplication
    stdout: bytes
    stderr: bytes

    @property
    def told(self) -> dict[str, Any]:
        """What it was told, by the name of the call."""
        lines = [json.loads(line) for line in self.stdout.splitlines()]
        return {line["name"]: line for line in lines}

    @property
    def asked(self) -> list[Any]:
        """What the adapter was asked."""
        return [json.loads(line) for line in (self.folder / "adapter" / "asked").read_text().splitlines()]


@pytest.fixture(scope="module")
def login(tmp_path_factory: pytest.TempPathFactory, chromium_path: str) -> Login:
    """One run of the program, for every test of this file."""
    folder = tmp_path_factory.mktemp("login")
    for name in ("adapter", "home", "state", "tmp"):
        (folder / name).mkdir(mode=0o700)
    (folder / "adapter" / "adapter.py").write_text(ADAPTER)
    accounts = folder / "accounts.json"
    accounts.write_text(json.dumps({"user": USER, "password": SECRET}, ensure_ascii=False))
    with serving() as server:
        application = LoginApplication(server, USER, SECRET)
        request = json.dumps(_request(folder, server.origin, chromium_path))
        done = subprocess.run(
            [sys.executable, "-m", "tests.session.login_program", request],
            cwd=ROOT,
            env=_environ(folder),
            capture_output=True,
            timeout=WAIT_S,
            check=False,
        )
    assert done.returncode == 0, done.stderr.decode()
    return Login(folder, application, done.stdout, done.stderr)


def _request(folder: Path, origin: str, chromium: str) -> dict[str, Any]:
    accounts = str(folder / "accounts.json")
    argv = [sys.executable, "-I", "-S", str(folder / "adapter" / "adapter.py"), str(folder / "adapter")]
    settings = {
        "browser": {"executablePath": chromium},
        "allowedOrigins": [origin],
        "credentials": {
            "password": {"source": "jsonFile", "path": accounts, "entry": "password"},
            "absent": {"source": "jsonFile", "path": accounts, "entry": "absent"},
        },
        "adapter": {"kind": "command", "argv": argv},
    }
    return {
        "origin": origin,
        "user": USER,
        "accounts": accounts,
        "artifacts": str(folder / "artifacts"),
        "settings": settings,
    }


def _environ(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("REA_", "XDG_"))}
    places = {"HOME": "home", "XDG_STATE_HOME": "state", "TMPDIR": "tmp"}
    return {**kept, **{name: str(folder / place) for name, place in places.items()}, "PYTHONPATH": str(ROOT)}


def test_the_login_has_worked_and_the_page_has_said_the_password(login: Login) -> None:
    assert login.application.logins == 1
    assert not login.application.refused
    assert login.told["password"]["result"]["verifiedBy"] == "value"
    assert login.told["log in"]["result"]["verifiedBy"] == "postcondition"
    assert "Your password is" in login.told["read"]["result"]["text"]
    assert login.told["evidence"]["result"]["status"] == "complete"
    assert {each["kind"] for each in login.told["evidence"]["result"]["artifacts"]} == {
        "screenshot", "diagnostics", "evidence",
    }  # fmt: skip


def test_what_is_meant_to_fail_has_failed_and_has_left_evidence(login: Login) -> None:
    codes = {name: told["error"]["code"] for name, told in login.told.items() if "error" in told}
    assert codes == {
        "absent": "credential_unavailable",
        "unmet": "postcondition_failed",
        "not asserted": "assertion_failed",
        "not there": "unknown_ref",
        "elsewhere": "assertion_failed",
        "stale": "stale_document",
    }
    assert {login.told[name]["evidence"]["status"] for name in codes} == {"complete"}


def test_no_result_and_no_error_has_the_password(login: Login) -> None:
    told = login.told.items()
    assert not [name for name, each in told if holds(json.dumps(each, ensure_ascii=False).encode(), SECRET)]
    assert not holds(login.stdout, SECRET)


def test_nothing_that_was_written_to_standard_error_has_the_password(login: Login) -> None:
    assert not holds(login.stderr, SECRET)


def test_the_adapter_was_asked_about_the_page_that_says_the_password_and_did_not_see_it(login: Login) -> None:
    names = [each["name"] for asked in login.asked for each in json.loads(asked["stdin"])["elements"]]
    assert [name for name in names if name.startswith("Forget ")]
    assert not holds(json.dumps(login.asked, ensure_ascii=False).encode(), SECRET)
    assert {key for asked in login.asked for key in json.loads(asked["stdin"])} == {
        "instruction", "action", "elements",
    }  # fmt: skip


def test_no_process_has_had_the_password_in_its_arguments_or_environment(login: Login) -> None:
    looked = [told["processes"] for name, told in login.told.items() if name != "end"]
    assert len(looked) == 20
    assert not [exposed for exposed in looked if exposed]


def test_no_file_that_is_left_has_the_password_but_the_credentials_own(login: Login) -> None:
    files = [path for path in login.folder.rglob("*") if path.is_file()]
    assert len([path for path in files if path.is_relative_to(login.folder / "artifacts")]) >= 10
    with_it = [path.name for path in files if holds(path.read_bytes(), SECRET)]
    assert with_it == ["accounts.json"]


def test_of_the_browser_no_file_is_left(login: Login) -> None:
    assert not list((login.folder / "tmp").iterdir())


def test_the_search_for_the_password_finds_it_as_programs_write_it() -> None:
    for written in (SECRET, json.dumps(SECRET), quote(SECRET), html.escape(SECRET)):
        assert holds(written.encode(), SECRET)
        assert holds(base64.b64encode(b"in a body: " + written.encode()), SECRET)
