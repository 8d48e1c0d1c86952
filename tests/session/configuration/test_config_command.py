"""``rea browser config`` shows what holds and who says it, hides what is secret, and changes files."""

from __future__ import annotations

import json
import os
import stat
from typing import Any

from tests.cli.running import Run, rea, rea_on_terminal
from tests.session.configuration.machine import Machine, write

SECRET = "correct horse battery staple"
LITERAL = f'[credentials.password]\nsource = "literal"\nvalue = "{SECRET}"\n'


def config(machine: Machine, *arguments: str) -> Run:
    done = rea("browser", "config", *arguments, cwd=machine.below, env=machine.environ)
    assert SECRET.encode() not in done.stdout + done.stderr
    return done


def told(run: Run, key: str) -> Any:
    return next(each for each in run.document["settings"] if each["key"] == key)


def test_every_value_is_shown_with_who_says_it_and_secrets_are_hidden(machine: Machine) -> None:
    machine.environ["REA_BROWSER_HEADLESS"] = "false"
    write(machine.user, LITERAL)
    write(machine.project, 'allowedOrigins = "*"\n')
    shown = config(machine)
    assert shown.status == 0
    assert shown.document == config(machine, "show", "--json").document
    assert told(shown, "browser.headless") == {
        "key": "browser.headless", "value": False, "layer": "environment",
        "where": "REA_BROWSER_HEADLESS", "line": None,
    }  # fmt: skip
    assert told(shown, "allowedOrigins")["where"] == str(machine.project)
    assert told(shown, "credentials.password")["value"] == {"source": "literal", "value": "(hidden)"}
    assert "browser.product" in shown.document["unset"]
    assert [note for note in shown.document["notes"] if "'password'" in note]
    assert [note for note in shown.document["notes"] if note.startswith("Others can read")]
    assert [each["exists"] for each in shown.document["files"]] == [True, True]


def test_what_an_endpoint_may_hold_of_a_secret_is_hidden(machine: Machine) -> None:
    machine.environ["REA_BROWSER_CDP_ENDPOINT"] = "ws://ada:passw0rd@127.0.0.1:1/x?token=t0ken"
    shown = config(machine)
    assert told(shown, "browser.cdpEndpoint")["value"] == "ws://(hidden)@127.0.0.1:1/x"
    assert b"t0ken" not in shown.stdout
    assert b"passw0rd" not in shown.stdout


def test_a_person_at_a_terminal_sees_a_table(machine: Machine) -> None:
    write(machine.user, 'browser.product = "chrome"\n' + LITERAL)
    env = {**machine.environ, "XDG_CONFIG_HOME": os.environ["XDG_CONFIG_HOME"]}
    status, text = rea_on_terminal("browser", "config", env=env)
    assert status == 0
    assert SECRET not in text
    (line,) = [line for line in text.splitlines() if line.startswith("browser.product")]
    assert line.split() == ["browser.product", "chrome", "user,", f"{machine.user}:1"]
    assert "(hidden)" in text


def test_one_value_can_be_asked_for(machine: Machine) -> None:
    write(machine.project, 'browser.product = "chrome"\n' + LITERAL)
    assert config(machine, "get", "browser.product").stdout == b"chrome\n"
    assert config(machine, "get", "browser.viewport.width").stdout == b"1280\n"
    assert json.loads(config(machine, "get", "credentials.password").stdout)["value"] == "(hidden)"
    assert config(machine, "get", "browser.product", "--json").document["line"] == 1


def test_a_value_that_nobody_says_is_unavailable_and_a_key_that_there_is_not_is_a_mistake(
    machine: Machine,
) -> None:
    assert config(machine, "get", "browser.product").status == 69
    unknown = config(machine, "get", "browser.colour")
    assert unknown.status == 64
    assert "there is no key 'browser.colour'" in unknown.error["message"]


def test_a_value_is_set_in_the_users_file_unless_the_project_has_one(machine: Machine) -> None:
    first = config(machine, "set", "browser.headless", "false")
    assert first.document == {"key": "browser.headless", "file": str(machine.user), "changed": True}
    assert stat.S_IMODE(machine.user.stat().st_mode) == 0o600
    config(machine, "set", "--project", "browser.product", "chromium")
    assert machine.project.read_text() == '[browser]\nproduct = "chromium"\n'
    assert config(machine, "set", "browser.headless", "true").document["file"] == str(machine.project)
    assert config(machine, "get", "browser.headless").stdout == b"true\n"
    assert config(machine, "unset", "browser.headless").document["changed"] is True
    assert config(machine, "unset", "browser.headless").document["changed"] is False
    assert config(machine, "get", "browser.headless").stdout == b"false\n"
    assert config(machine, "unset", "--user", "browser.headless").document["changed"] is True


def test_a_literal_credential_is_taken_with_a_warning(machine: Machine) -> None:
    table = f'{{source = "literal", value = "{SECRET}"}}'
    done = config(machine, "set", "credentials.password", table)
    assert done.status == 0
    assert b"shell's history" in done.stderr
    assert SECRET in machine.user.read_text()


def test_a_bad_file_is_told_as_bad_input_with_its_line(machine: Machine) -> None:
    write(machine.project, f"{LITERAL}\n[browser]\nheadles = 1\n")
    for arguments in ((), ("get", "adapter"), ("set", "browser.headless", "true")):
        refused = config(machine, *arguments)
        assert refused.status == 65
        assert [detail["file"] for detail in refused.error["details"]] == [f"{machine.project}:6"]
    assert config(machine, "unset", "browser.headles").status == 0
    assert config(machine).status == 0


def test_json_may_be_asked_for_without_a_command(machine: Machine) -> None:
    assert config(machine, "--json").document == config(machine, "show", "--json").document


def test_origins_are_set_as_their_variable_takes_them(machine: Machine) -> None:
    assert (
        config(machine, "set", "--user", "allowedOrigins", "http://127.0.0.1:8000 http://a.test").status == 0
    )
    assert told(config(machine), "allowedOrigins")["value"] == ["http://127.0.0.1:8000", "http://a.test"]
    wrong = config(machine, "set", "--user", "allowedOrigins", "http://127.0.0.1:80/")
    assert wrong.status == 65
    assert b"must be an exact origin" in wrong.stderr
