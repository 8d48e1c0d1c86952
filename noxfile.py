"""Every habit of this project as one command: ``python3 noxfile.py -s SESSION``.

A plain Python 3.11 or newer is enough. When nox is not installed, this file makes a private virtual
environment for it in ``.nox/`` and starts itself again there; the sessions then install what they
need into environments of their own. A browser is looked for on PATH and in Playwright's cache; on
Debian, as root, a missing one is installed.

    demo     run the whole job on the bundled demo shop and print the verdict
    tests    run the whole test suite
    lint     ruff, mypy --strict, import-linter
    schemas  write schemas/ from the contracts
    golden   write golden/ again, for review as a diff
    bench    measure against bare programs and print the ratios
    fuzz     run the property tests with many more examples
    repeat   capture pages that do not change, on a busy machine, and count false alarms
    hostile  capture pages that hang, crash, flood and never stay, at full size
    pictures take the pictures of the HTML report in docs/ again
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - an old python3 is what this sentence is for
    sys.exit("rea-capture needs Python 3.11 or newer; start this file with one, as in: python3.11 noxfile.py")

import contextlib
import hashlib
import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NoReturn

ROOT: Final = Path(__file__).resolve().parent
STARTED_ITSELF: Final = "REA_NOXFILE_STARTED_ITSELF"
OWN_NOX: Final = ROOT / ".nox" / "own-nox-{}.{}".format(*sys.version_info)
NOX_YEAR: Final = 2025  # its versions are dates; the first of this year knows every option used here
NOX_REQUIREMENT: Final = f"nox>={NOX_YEAR}"


def recent_nox_is_here() -> bool:
    """Whether this Python has a nox that knows the options used below."""
    try:
        year = int(importlib.metadata.version("nox").partition(".")[0])
    except (importlib.metadata.PackageNotFoundError, ValueError):
        return False
    return year >= NOX_YEAR and importlib.util.find_spec("nox") is not None


def run_with_own_nox(arguments: list[str]) -> NoReturn:
    """Run ``arguments`` with a nox of our own, made on first use. Does not return."""
    if os.environ.get(STARTED_ITSELF):
        sys.exit(f"nox cannot be imported from {OWN_NOX}; delete that folder and try again")
    own_python = OWN_NOX / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    with one_at_a_time(OWN_NOX.with_name(f"{OWN_NOX.name}.lock")):
        if not can_import_nox(own_python):
            make_own_nox(own_python)
    environment = {**os.environ, STARTED_ITSELF: "1"}
    command = [str(own_python), str(Path(__file__).resolve()), *arguments]
    if os.name == "nt":
        sys.exit(subprocess.run(command, env=environment, check=False).returncode)
    os.execve(own_python, command, environment)


def make_own_nox(own_python: Path) -> None:
    """Make the private environment. Exits with one sentence when that is not possible."""
    print(f"Setting up nox in {OWN_NOX.relative_to(ROOT)} (once) ...", file=sys.stderr, flush=True)
    made = quiet([sys.executable, "-m", "venv", "--clear", str(OWN_NOX)])
    if made is not None:
        package = "python{}.{}-venv".format(*sys.version_info)
        sys.exit(
            f"{sys.executable} cannot make virtual environments; install its venv module "
            f"(on Debian and Ubuntu: apt-get install {package}) and try again. It said: {made}"
        )
    installed = quiet(
        [str(own_python), "-m", "pip", "install", "--disable-pip-version-check", "-q", NOX_REQUIREMENT]
    )
    if installed is not None:
        sys.exit(
            "nox could not be installed, which needs pip to reach a package index; check the network "
            f"or pip's settings and try again. It said: {installed}"
        )


def quiet(command: list[str]) -> str | None:
    """Run ``command`` in silence. Returns None when it succeeded, else the last thing it said."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        return str(error)
    if done.returncode == 0:
        return None
    lines = (done.stderr.strip() or done.stdout.strip() or f"exit status {done.returncode}").splitlines()
    return next((line for line in reversed(lines) if line.startswith("ERROR")), lines[-1])


def can_import_nox(python: Path) -> bool:
    """Whether ``python`` exists, runs, and has nox."""
    return python.exists() and quiet([str(python), "-c", "import nox"]) is None


@contextlib.contextmanager
def one_at_a_time(lock: Path) -> Iterator[None]:
    """Hold ``lock``, waiting for other runs of this file; it falls with the process that holds it."""
    lock.parent.mkdir(exist_ok=True)
    with lock.open("w") as handle:
        if os.name != "nt":
            import fcntl  # noqa: PLC0415 - not there on Windows

            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


if __name__ == "__main__" and not recent_nox_is_here():
    run_with_own_nox(sys.argv[1:])
os.environ.pop(STARTED_ITSELF, None)  # a session may start this file for another clone

import nox

nox.needs_version = NOX_REQUIREMENT.removeprefix("nox")
nox.options.sessions = ["tests"]
nox.options.default_venv_backend = "virtualenv"
nox.options.reuse_venv = "yes"
nox.options.stop_on_first_error = True

BROWSER_ENVIRONMENT: Final = "REA_EXECUTABLE_PATH"
SECRETS_TEST: Final = "tests/browser/capture/test_secrets_everywhere.py"
"""A property test too: of random secrets, spread by a real page."""


@nox.session
def demo(session: nox.Session) -> None:
    """Capture the demo shop, deploy a change, capture again, compare, and say what changed."""
    install(session, ".")
    browser = browser_environment(session)
    session.run("python", "-m", "rea_capture.demo", *session.posargs, env=browser)


@nox.session
def tests(session: nox.Session) -> None:
    """The whole test suite, in four processes; arguments after ``--`` go to pytest instead."""
    install(session, ".[test]")
    # Four, since on two cores half of them wait: tests of signals and deadlines do. Files in their own
    # order, in which those with a browser come early, so that none is left to one process at the end.
    arguments = session.posargs or ["-n", "4", "--dist", "loadfile", "--no-loadscope-reorder"]
    session.run("python", "-m", "pytest", *arguments, env=browser_environment(session))


@nox.session
def lint(session: nox.Session) -> None:
    """Style, types and the arrows between rooms."""
    install(session, ".[test,lint]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("mypy")
    session.run("lint-imports", "--no-cache")


@nox.session
def schemas(session: nox.Session) -> None:
    """Write ``schemas/`` from the contracts, the shape for quick verification, and the list of tools."""
    install(session, ".")
    program = "import pathlib; from rea_capture.workflows.schema import write_schemas as write; {}"
    session.run("python", "-c", program.format('write(pathlib.Path("schemas"))'))
    session.run("python", "-m", "rea_capture.evidence.shape")
    session.run("python", "-m", "rea_capture.mcp_server.catalogue")


@nox.session
def golden(session: nox.Session) -> None:
    """Write ``golden/`` again; the change is then read as a diff."""
    install(session, ".[test]")
    session.run("python", "-m", "tests.golden.regenerate", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Paired medians of whole processes, as ratios; see docs/performance.md."""
    install(session, ".[test]")
    session.run("python", "-m", "tests.bench", *session.posargs, env=browser_environment(session))


@nox.session
def fuzz(session: nox.Session) -> None:
    """The property tests and the altered documents, with many times the examples and a new seed each time."""
    install(session, ".[test]")
    settings = ("--hypothesis-profile=fuzz", "--hypothesis-seed=random")
    session.run(
        "python", "-m", "pytest", "tests/property", "tests/fuzz", SECRETS_TEST,
        "tests/report", "--ignore=tests/report/html", *settings, *session.posargs,
        env=browser_environment(session),
    )  # fmt: skip


@nox.session
def repeat(session: nox.Session) -> None:
    """Count how often a page that did not change is said to have changed; see docs/performance.md."""
    install(session, ".[test]")
    session.run("python", "-m", "tests.repeatability", *session.posargs, env=browser_environment(session))


@nox.session
def hostile(session: nox.Session) -> None:
    """Capture every hostile page at full size, judge what comes of it, and print the table."""
    install(session, ".[test]")
    session.run("python", "-m", "tests.hostile", *session.posargs, env=browser_environment(session))


@nox.session
def pictures(session: nox.Session) -> None:
    """Write ``docs/pictures/``: each screen of the HTML report, of the demo shop, in light and dark."""
    install(session, ".[test]")
    session.run("python", "-m", "tests.report.pictures", *session.posargs, env=browser_environment(session))


def install(session: nox.Session, requirement: str) -> None:
    """Install this project into the session's environment, unless it already is as declared."""
    declared = (ROOT / "pyproject.toml").read_bytes() + requirement.encode() + sys.version.encode()
    stamp = Path(session.virtualenv.location) / "installed.sha256"
    digest = hashlib.sha256(declared).hexdigest()
    with one_at_a_time(ROOT / ".nox" / f"{session.name}.lock"):
        if stamp.exists() and stamp.read_text() == digest:
            return
        try:
            session.install("-e", requirement)
        except nox.command.CommandFailed:
            session.error(
                "The packages this session needs could not be installed (see above), which needs pip to "
                "reach a package index; check the network or pip's settings and try again."
            )
        stamp.write_text(digest)


def browser_environment(session: nox.Session) -> dict[str, str]:
    """The environment variable that names the browser to use; installs Chromium where that is ours to do."""
    found = os.environ.get(BROWSER_ENVIRONMENT) or discovered_browser(session)
    if not found and is_debian_root():
        session.log("No Chrome-family browser found; installing Debian's chromium.")
        session.run("apt-get", "update", "-q", external=True, silent=True)
        session.run(
            "apt-get", "install", "-q", "-y", "chromium",
            external=True, silent=True, env={"DEBIAN_FRONTEND": "noninteractive"},
        )  # fmt: skip
        found = discovered_browser(session)
    if not found:
        session.error(
            "No Chrome-family browser was found on PATH or in Playwright's cache: install Chromium or "
            f"Google Chrome, or set {BROWSER_ENVIRONMENT} to the path of one."
        )
    return {BROWSER_ENVIRONMENT: found}


def discovered_browser(session: nox.Session) -> str:
    """Path of a Chrome-family browser as the installed package finds it, or the empty string."""
    said = session.run("python", "-c", FIND_BROWSER, silent=True, log=False)
    return said.strip() if isinstance(said, str) else ""


FIND_BROWSER: Final = """
from rea_capture.browser.discovery import find_browser
print(find_browser() or "")
"""


def is_debian_root() -> bool:
    """Whether this is Debian and we are root, where ``apt-get install chromium`` gives a browser."""
    try:
        release = Path("/etc/os-release").read_text()
    except OSError:
        return False
    debian = "ID=debian" in release.splitlines()
    return debian and os.geteuid() == 0 and shutil.which("apt-get") is not None


if __name__ == "__main__":
    sys.argv[1:1] = ["-f", str(Path(__file__).resolve())]
    nox.main()
