"""A value is set or removed, and everything else of a file stays as it was."""

from __future__ import annotations

import os
import stat
import threading
import tomllib
from pathlib import Path
from typing import Any

import pytest

from rea_capture.errors import CommandLineError, InputError
from rea_capture.session.configuration.editing import set_value, unset_value
from tests.session.configuration.machine import write

COMMENTED = """\
# For the shop.
allowedOrigins = "*"   # everything

[browser]  # ours
headless = true  # no screen in CI
product = 'chromium'

[credentials.password]  # of the test account
source = "environment"
variable = "SHOP_PASSWORD"  # set by CI
"""


def document(path: Path) -> Any:
    return tomllib.loads(path.read_text())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write(tmp_path / ".rea" / "browser.toml", COMMENTED)


def test_a_value_is_changed_in_its_line_alone(file: Path) -> None:
    set_value("project", file, "browser.headless", "false")
    assert file.read_text() == COMMENTED.replace("headless = true ", "headless = false ")


def test_a_new_value_is_added_and_every_comment_stays(file: Path) -> None:
    set_value("project", file, "browser.viewport.width", "800")
    set_value("project", file, "artifactFolder", "out")
    expected = tomllib.loads(COMMENTED)
    expected["browser"]["viewport"] = {"width": 800}
    expected["artifactFolder"] = "out"
    assert document(file) == expected
    for line in COMMENTED.splitlines():
        assert line in file.read_text().splitlines()


@pytest.mark.parametrize(
    ("key", "before", "line"),
    [
        ("browser.product", "[browser]\nheadless = true\n\n# Accounts.\n[credentials]\n", 3),
        ("browser.product", "[browser]\nheadless = true\nviewport = { width = 1 }\n\n# End.\n", 4),
        ("browser.product", "browser.headless = true\n", None),
        ("browser.product", "[browser]\nheadless = true\n[browser.viewport]\nwidth = 1\n", 3),
        ("artifactFolder", '# Top.\nallowedOrigins = "*"\n\n# Ours.\n[browser]\n', 3),
        ("artifactFolder", 'allowedOrigins = [\n  "http://a.test",\n]\n\n# Ours.\n[browser]\n', None),
    ],
)
def test_a_new_value_stands_beside_the_others_of_its_table_and_not_below_the_next_comment(
    tmp_path: Path, key: str, before: str, line: int | None
) -> None:
    path = write(tmp_path / ".rea" / "browser.toml", before)
    set_value("project", path, key, "chromium")
    found = document(path)
    for part in key.split("."):
        found = found[part]
    assert found == "chromium"
    if line is not None:
        assert path.read_text().split("\n")[line - 1] == f'{key.rpartition(".")[2]} = "chromium"'


def test_a_table_is_replaced_whole(file: Path) -> None:
    set_value("project", file, "credentials.password", '{ source = "file", path = "p" }')
    assert document(file)["credentials"] == {"password": {"source": "file", "path": "p"}}
    assert "# of the test account" in file.read_text()


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("browser.targetId", "123", "123"),
        ("browser.executablePath", "/opt/my browser", "/opt/my browser"),
        ("browser.product", '"chrome"', "chrome"),
        ("allowedOrigins", '["http://127.0.0.1:1"]', ["http://127.0.0.1:1"]),
        ("adapter", '{kind = "accessible-name"}', {"kind": "accessible-name"}),
        ("credentials.a.b", '{source = "environment", variable = "V"}', None),
    ],
)
def test_a_value_is_toml_or_else_a_string(tmp_path: Path, key: str, text: str, value: object) -> None:
    path = tmp_path / ".rea" / "browser.toml"
    set_value("project", path, key, text)
    found = document(path)
    if value is None:
        assert found == {"credentials": {"a.b": {"source": "environment", "variable": "V"}}}
    else:
        for part in key.split("."):
            found = found[part]
        assert found == value


@pytest.mark.parametrize(
    ("key", "text", "pointer"),
    [
        ("browser.headless", "maybe", "/browser/headless"),
        ("browser.viewport.width", "0", "/browser/viewport/width"),
        ("adapter", "gpt", "/adapter"),
        ("credentials.password", "hunter2", "/credentials/password"),
        ("credentials.password", "1\nx = 2", "/credentials/password"),
    ],
)
def test_a_value_that_is_not_valid_changes_nothing(file: Path, key: str, text: str, pointer: str) -> None:
    with pytest.raises(InputError) as caught:
        set_value("project", file, key, text)
    assert pointer in {fault.pointer for fault in caught.value.faults}
    assert file.read_text() == COMMENTED


def test_a_change_that_is_refused_leaves_no_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        set_value("project", tmp_path / ".rea" / "browser.toml", "browser.headless", "maybe")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("key", ["headless", "browser", "credentials", "credentials.", "browser.viewport"])
def test_there_are_no_other_keys(file: Path, key: str) -> None:
    with pytest.raises(CommandLineError, match="there is no key"):
        set_value("project", file, key, "1")


def test_a_value_is_removed_and_its_absence_is_no_error(file: Path) -> None:
    assert unset_value("project", file, "browser.headless")
    assert file.read_text() == COMMENTED.replace("headless = true  # no screen in CI\n", "")
    assert not unset_value("project", file, "browser.headless")
    assert not unset_value("project", file.with_name("absent"), "browser.headless")


def test_a_key_that_means_nothing_can_be_removed(tmp_path: Path) -> None:
    path = write(tmp_path / "browser.toml", "[browser]\nheadles = true\nheadless = true\n")
    assert unset_value("user", path, "browser.headles")
    assert path.read_text() == "[browser]\nheadless = true\n"


def test_what_is_no_toml_is_not_touched(tmp_path: Path) -> None:
    path = write(tmp_path / "browser.toml", "nonsense")
    for change in (
        lambda: unset_value("user", path, "adapter"),
        lambda: set_value("user", path, "adapter", "1"),
    ):
        with pytest.raises(InputError, match="is no TOML"):
            change()
    assert path.read_text() == "nonsense"


def test_the_users_file_is_for_the_user_alone_and_its_folder_is_made(tmp_path: Path) -> None:
    path = tmp_path / "config" / "rea" / "browser.toml"
    set_value("user", path, "browser.headless", "false")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    os.chmod(path, 0o644)
    set_value("user", path, "browser.headless", "true")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", [0o644, 0o600, 0o664])
def test_a_projects_file_keeps_its_mode(file: Path, mode: int) -> None:
    os.chmod(file, mode)
    set_value("project", file, "browser.headless", "false")
    assert stat.S_IMODE(file.stat().st_mode) == mode


def test_nothing_but_the_file_is_left_in_its_folder(file: Path) -> None:
    set_value("project", file, "browser.headless", "false")
    assert os.listdir(file.parent) == ["browser.toml"]


def test_changes_at_once_are_all_kept(tmp_path: Path) -> None:
    path = tmp_path / ".rea" / "browser.toml"
    table = '{source = "environment", variable = "V"}'
    threads = [
        threading.Thread(target=set_value, args=("project", path, f"credentials.c{index}", table))
        for index in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(document(path)["credentials"]) == [f"c{index}" for index in range(8)]
