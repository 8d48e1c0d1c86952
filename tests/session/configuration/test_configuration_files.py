"""A bad file is refused with its name, the line and the key, and with none of its values."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rea_capture.errors import InputError
from rea_capture.session.configuration.files import MAX_CONFIGURATION_BYTES
from rea_capture.session.configuration.lines import line_of, lines_of
from tests.session.configuration.machine import Machine, write

SECRET = "correct horse battery staple"


def refusal(machine: Machine) -> InputError:
    with pytest.raises(InputError) as caught:
        machine.configured()
    return caught.value


@pytest.mark.parametrize(
    ("text", "line", "pointer"),
    [
        ("[browser]\nheadless = true\nheadles = true\n", 3, "/browser/headles"),
        ("# a comment\nbrowser.headless = 1\n", 2, "/browser/headless"),
        ('allowedOrigins = [\n  "http://127.0.0.1/path",\n]\n', 1, "/allowedOrigins/0"),
        ('[browser.viewport]\nheight = 1\n\nwidth = "wide"\n', 4, "/browser/viewport/width"),
        ("[browser]\nviewport = { width = 0 }\n", 2, "/browser/viewport/width"),
        ('[credentials.password]\nsource = "vault"\n', 2, "/credentials/password/source"),
        ('[credentials."my.password"]\nsource = "file"\n', 1, "/credentials/my.password/path"),
        ('apiKey = "k"\n', 1, "/apiKey"),
        ("[adapter]\nkind = \"command\"\nargv = []\n", 3, "/adapter/argv"),
        ("[browser]\nexecutable_path = \"x\"\n", 2, "/browser/executable_path"),
        ("browser.product = 1979-05-27\n", 1, "/browser/product"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_the_file_the_line_and_the_key(
    machine: Machine, text: str, line: int, pointer: str
) -> None:
    write(machine.project, text)
    error = refusal(machine)
    assert (f"{machine.project}:{line}", pointer) in [(fault.file, fault.pointer) for fault in error.faults]
    assert f"{machine.project}:{line}" in error.message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("browser = \n", "line 1"),
        ("a = 1\na = 2\n", "line 2"),
        ("a = " + "[" * 5_000, "nested"),
        ("#" * (MAX_CONFIGURATION_BYTES + 1), "more than"),
    ],
)
def test_what_is_no_toml_is_told_with_its_place(machine: Machine, text: str, said: str) -> None:
    write(machine.project, text)
    error = refusal(machine)
    assert str(machine.project) in error.message
    assert said in error.message


def test_what_is_no_text_is_refused(machine: Machine) -> None:
    write(machine.project, "").write_bytes(b'allowedOrigins = "\xff"')
    assert "not UTF-8" in refusal(machine).message


def test_a_bad_file_does_not_show_the_credentials_in_it(machine: Machine) -> None:
    credential = f'[credentials.password]\nsource = "literal"\nvalue = "{SECRET}"\n'
    for text in (f"{credential}nonsense = 1\n", f"{credential}nonsense", f'{credential}value = "{SECRET}"\n'):
        write(machine.project, text)
        error = refusal(machine)
        assert SECRET not in error.message + "".join(map(str, error.faults))


def test_a_file_of_somebody_else_is_not_believed(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    write(machine.project, "browser.headless = false\n")
    if not machine.project.stat().st_uid:  # files of root are believed, as everything of root is
        os.chown(machine.project, 12_345, -1)
    monkeypatch.setattr(os, "geteuid", lambda: 23_456)
    assert "belongs to somebody else" in refusal(machine).message


@pytest.mark.parametrize("which", ["file", "folder"])
def test_a_file_that_everybody_can_write_is_not_believed(machine: Machine, which: str) -> None:
    write(machine.project, "browser.headless = false\n")
    os.chmod(machine.project if which == "file" else machine.project.parent, 0o777)
    assert "written by everybody" in refusal(machine).message


def test_what_is_no_file_is_refused_at_once(machine: Machine) -> None:
    machine.project.parent.mkdir()
    os.mkfifo(machine.project)
    assert "no regular file" in refusal(machine).message


def test_a_link_to_the_users_file_is_followed(machine: Machine) -> None:
    elsewhere = write(machine.home / "dotfiles" / "browser.toml", "browser.headless = false\n")
    machine.user.parent.mkdir(parents=True)
    machine.user.symlink_to(elsewhere)
    assert machine.value("browser.headless").origin.where == str(machine.user)


def test_keys_are_found_in_their_lines_past_strings_of_several() -> None:
    text = '''a = """
[not.a.table]
b = 1
"""  # "
'c d' = 1
[x . "y.z"]
e.f = {g = 1}  # """
h = \'\'\'one line\'\'\'
i = [
  1,
]
j = "\\""
k = 1
'''
    lines = lines_of(text)
    assert lines == {
        ("a",): 1, ("c d",): 5, ("x", "y.z"): 6, ("x", "y.z", "e"): 7, ("x", "y.z", "e", "f"): 7,
        ("x", "y.z", "h"): 8, ("x", "y.z", "i"): 9, ("x", "y.z", "j"): 12, ("x", "y.z", "k"): 13,
    }  # fmt: skip
    assert line_of(("x", "y.z", "e", "f", "g"), lines) == 7
    assert line_of(("nowhere",), lines) is None


def test_files_with_carriage_returns_are_read(machine: Machine) -> None:
    write(machine.project, "").write_bytes(b"[browser]\r\nheadless = false\r\n")
    assert machine.value("browser.headless").origin.line == 2
    assert Path(machine.project).exists()
