"""Where a browser of our own is told to write what does not belong to its profile."""

from __future__ import annotations

from pathlib import Path

from rea_capture.browser.home import places_outside_home


def test_a_browser_gets_places_of_its_own_where_the_home_has_none(tmp_path: Path) -> None:
    home, folder = tmp_path / "home", tmp_path / "folder"
    fonts = home / ".local" / "share" / "fonts"
    fonts.mkdir(parents=True)
    folder.mkdir()
    places = places_outside_home({"HOME": str(home)}, folder)
    assert places == {"XDG_RUNTIME_DIR": str(folder), "XDG_DATA_HOME": str(folder / "data")}
    assert (folder / "data" / "fonts").resolve() == fonts


def test_what_an_account_has_is_used_on(tmp_path: Path) -> None:
    for database in (".pki/nssdb", ".local/share/pki/nssdb"):
        home = tmp_path / database.replace("/", "-")
        (home / database).mkdir(parents=True)
        environ = {"HOME": str(home), "XDG_RUNTIME_DIR": "/run/user/1"}
        assert places_outside_home(environ, tmp_path) == {}


def test_without_a_home_nothing_is_said_about_one(tmp_path: Path) -> None:
    assert places_outside_home({"XDG_RUNTIME_DIR": "/run/user/1"}, tmp_path) == {}
    assert list(tmp_path.iterdir()) == []
