"""What the doctor says of machines that lack something."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rea_capture.browser.discovery import find_browser, installed_browsers
from rea_capture.workflows import doctor
from rea_capture.workflows.doctor import SandboxState, SharedMemoryState, diagnose, diagnosis_bytes


def browser(path: Path, answer: str = "Chromium 156.0.1.2 built on Debian", status: int = 0) -> Path:
    """An executable that answers like a browser."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{answer}'\nexit {status}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """An environment without any browser."""
    return {"PATH": str(tmp_path / "bin"), "HOME": str(tmp_path / "home")}


def test_browsers_on_path_come_first_and_then_those_in_the_cache(
    bare: dict[str, str], tmp_path: Path
) -> None:
    cache = tmp_path / "home/.cache/ms-playwright"
    shell = browser(cache / "chromium_headless_shell-1200/chrome-linux/headless_shell", "Chromium 141.0.1.1")
    old = browser(cache / "chromium-900/chrome-linux/chrome", "Chromium 99.0.1.1")
    new = browser(cache / "chromium-1200/chrome-linux64/chrome", "Chromium 141.0.1.1")
    edge = browser(tmp_path / "bin/microsoft-edge", "Microsoft Edge 140.0.1.1 ")
    chrome = browser(tmp_path / "bin/google-chrome", "Google Chrome 140.0.2.2")
    found = installed_browsers(bare)
    assert [one.path for one in found] == [str(path) for path in (chrome, edge, new, old, shell)]
    assert (found[1].product, found[1].version) == ("Microsoft Edge", "140.0.1.1")
    assert find_browser(bare) == str(chrome)


def test_two_names_of_one_browser_are_one_browser(bare: dict[str, str], tmp_path: Path) -> None:
    stable = browser(tmp_path / "bin/google-chrome-stable", "Google Chrome 140.0.2.2")
    (tmp_path / "bin/google-chrome").symlink_to(stable)
    assert len(installed_browsers(bare)) == 1


def test_the_cache_can_be_named(bare: dict[str, str], tmp_path: Path) -> None:
    named = browser(tmp_path / "browsers/chromium-1/chrome-linux/chrome")
    assert find_browser({**bare, "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path / "browsers")}) == str(named)


@pytest.mark.parametrize("answer", ["", "Please install the snap", "120"])
def test_what_does_not_answer_like_a_browser_is_listed_and_not_used(
    answer: str, bare: dict[str, str], tmp_path: Path
) -> None:
    browser(tmp_path / "bin/chromium-browser", answer, status=1)
    assert [one.usable for one in installed_browsers(bare)] == [False]
    assert find_browser(bare) is None
    assert not diagnose(bare).ready


def test_a_machine_without_a_browser_is_told_to_install_one(bare: dict[str, str]) -> None:
    diagnosis = diagnose(bare)
    assert not diagnosis.ready
    [problem] = diagnosis.problems
    assert "browser" in problem.what
    assert "Install" in problem.remedy


def test_a_machine_with_a_browser_is_ready(bare: dict[str, str], tmp_path: Path) -> None:
    browser(tmp_path / "bin/chromium")
    diagnosis = diagnose(bare)
    assert diagnosis.ready
    assert diagnosis.problems == ()


def test_a_named_browser_counts_and_a_wrong_name_is_a_problem(bare: dict[str, str], tmp_path: Path) -> None:
    named = browser(tmp_path / "elsewhere/chromium")
    assert diagnose({**bare, "REA_EXECUTABLE_PATH": str(named)}).ready
    wrong = diagnose({**bare, "REA_EXECUTABLE_PATH": str(tmp_path / "absent")})
    assert ["REA_EXECUTABLE_PATH" in problem.what for problem in wrong.problems] == [True]


def used(environ: dict[str, str]) -> list[tuple[str, bool]]:
    """The browsers that are shown, and whether captures use them."""
    document = json.loads(diagnosis_bytes(diagnose(environ)))
    return [(one["path"], one["used_by_captures"]) for one in document["browsers"]]


def test_the_browser_that_captures_use_is_marked_and_comes_first(
    bare: dict[str, str], tmp_path: Path
) -> None:
    listed = str(browser(tmp_path / "bin/chromium"))
    other = str(browser(tmp_path / "bin/google-chrome"))
    elsewhere = str(browser(tmp_path / "elsewhere/chrome"))
    link = tmp_path / "link"
    link.symlink_to(other)
    assert used(bare) == [(listed, False), (other, False)]
    assert used({**bare, "REA_EXECUTABLE_PATH": other}) == [(other, True), (listed, False)]
    assert used({**bare, "REA_EXECUTABLE_PATH": str(link)}) == [(str(link), True), (listed, False)]
    named = used({**bare, "REA_EXECUTABLE_PATH": elsewhere})
    assert named == [(elsewhere, True), (listed, False), (other, False)]
    assert used({**bare, "REA_EXECUTABLE_PATH": "/absent"}) == [(listed, False), (other, False)]


def test_a_named_browser_that_a_capture_would_refuse_is_a_problem(
    bare: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser(tmp_path / "chromium")
    monkeypatch.chdir(tmp_path)
    diagnosis = diagnose({**bare, "REA_EXECUTABLE_PATH": "./chromium"})
    assert [problem.what for problem in diagnosis.problems] == ["REA_EXECUTABLE_PATH is not absolute."]


def test_a_missing_driver_is_a_problem(bare: dict[str, str], tmp_path: Path) -> None:
    browser(tmp_path / "bin/chromium")
    diagnosis = diagnose({**bare, "PLAYWRIGHT_NODEJS_PATH": str(tmp_path / "absent")})
    assert diagnosis.playwright.driver is None
    assert ["driver" in problem.what for problem in diagnosis.problems] == [True]


def test_a_folder_for_temporary_files_that_cannot_be_used_is_a_problem(
    bare: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser(tmp_path / "bin/chromium")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "absent"))
    assert ["TMPDIR" in problem.remedy for problem in diagnose(bare).problems] == [True]


def test_a_small_shared_memory_and_root_are_notes_that_stop_nothing(
    bare: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser(tmp_path / "bin/chromium")
    monkeypatch.setattr(doctor, "_shared_memory", lambda: SharedMemoryState(64 * 2**20, 64 * 2**20))
    monkeypatch.setattr(doctor, "_sandbox", lambda: SandboxState(False, True, True))
    diagnosis = diagnose(bare)
    assert diagnosis.ready
    naming, root, memory = diagnosis.notes
    assert naming.endswith(f"by export REA_EXECUTABLE_PATH={tmp_path / 'bin/chromium'}")
    assert "root" in root
    assert "64 MiB" in memory


def test_the_diagnosis_is_one_json_object(bare: dict[str, str]) -> None:
    document = json.loads(diagnosis_bytes(diagnose(bare)))
    assert document["ready"] is False
    assert set(document) >= {
        "browsers",
        "playwright",
        "python",
        "sandbox",
        "shared_memory",
        "problems",
        "notes",
    }
    assert document["python"]["version"].startswith("3.")
    assert document["playwright"]["version"]


def test_a_named_program_that_is_no_browser_is_a_problem(tmp_path: Path) -> None:
    program = tmp_path / "true"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    diagnosis = diagnose({"PATH": "", "REA_EXECUTABLE_PATH": str(program)})
    assert not diagnosis.ready
    assert any("does not tell a browser's version" in problem.what for problem in diagnosis.problems)
