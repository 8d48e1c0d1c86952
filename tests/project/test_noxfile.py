"""``python3 noxfile.py`` brings its own nox, once, and says in one sentence why it cannot.

Each test works in a copy of the file, with an interpreter that sees nothing but the standard library.
The nox that is installed here is a stand-in from a folder, so nothing is asked of a network.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.project.tree import ROOT

NOXFILE = "noxfile.py"
SECONDS = 180
OLDEST_GRAMMAR = (3, 7)

STAND_IN = """
import sys
class Session:
    pass
class _Options:
    pass
options = _Options()
def session(function):
    return function
def main():
    print("nox was started with", *sys.argv[3:])
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    folder = tmp_path / "clone"
    folder.mkdir()
    shutil.copy(ROOT / NOXFILE, folder)
    return folder


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """A folder of packages with a stand-in for nox."""
    folder = tmp_path / "packages"
    folder.mkdir()
    with zipfile.ZipFile(folder / "nox-2099.1.1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("nox/__init__.py", STAND_IN)
        info = "nox-2099.1.1.dist-info"
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: nox\nVersion: 2099.1.1\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    return folder


def starting(clone: Path, *arguments: str, **environ: str) -> subprocess.Popen[str]:
    """Start the file the way a person does, with an interpreter that has no nox."""
    own = {
        name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON", "REA_"))
    }
    return subprocess.Popen(
        [sys.executable, "-S", NOXFILE, *arguments],
        cwd=clone, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**own, "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, **environ},
    )  # fmt: skip


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=SECONDS)
    return process.returncode, out, err


def test_without_nox_it_makes_one_and_starts_itself_there(clone: Path, index: Path) -> None:
    # Two at once, once more, and once more after a broken one: in one test, since making an
    # environment takes seconds.
    find = {"PIP_FIND_LINKS": str(index)}
    both = [ended(run) for run in [starting(clone, "-s", "tests", **find) for _ in range(2)]]
    assert [(status, out) for status, out, _ in both] == [(0, "nox was started with -s tests\n")] * 2
    assert "".join(err for _, _, err in both).count("Setting up nox in .nox") == 1

    assert ended(starting(clone, "--list")) == (0, "nox was started with --list\n", "")

    (installed,) = (clone / ".nox").glob("own-nox-*/lib/python*/site-packages/nox")
    shutil.rmtree(installed)
    status, out, err = ended(starting(clone, "--list", **find))
    assert (status, out) == (0, "nox was started with --list\n"), err


def test_without_a_package_index_it_says_so_in_one_sentence(clone: Path) -> None:
    status, out, err = ended(starting(clone, "-s", "tests"))
    assert (status, out) == (1, "")
    assert err.splitlines()[-1].startswith(
        "nox could not be installed, which needs pip to reach a package index"
    )
    assert "Traceback" not in err


def test_without_the_venv_module_it_says_what_to_install(clone: Path, tmp_path: Path) -> None:
    fake = tmp_path / "fake" / "venv"
    fake.mkdir(parents=True)
    (fake / "__init__.py").write_text("")
    (fake / "__main__.py").write_text("raise SystemExit('ensurepip is not available')")
    status, out, err = ended(starting(clone, "-s", "tests", PYTHONPATH=str(fake.parent)))
    assert (status, out) == (1, "")
    assert "cannot make virtual environments; install its venv module" in err
    assert f"apt-get install python{sys.version_info[0]}.{sys.version_info[1]}-venv" in err
    assert err.splitlines()[-1].endswith("It said: ensurepip is not available")


def test_it_does_not_start_itself_for_ever(clone: Path) -> None:
    status, out, err = ended(starting(clone, REA_NOXFILE_STARTED_ITSELF="1"))
    assert (status, out) == (1, "")
    assert err.startswith("nox cannot be imported from ")


def test_an_old_python_can_read_the_file_far_enough_to_refuse() -> None:
    tree = ast.parse((ROOT / NOXFILE).read_text("utf-8"), feature_version=OLDEST_GRAMMAR)
    kinds = [type(node).__name__ for node in tree.body[:4]]
    assert kinds == ["Expr", "ImportFrom", "Import", "If"]
    assert "sys.version_info < (3, 11)" in ast.unparse(tree.body[3])
