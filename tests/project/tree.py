"""The project's own files, as its tests see them."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@cache
def tracked_files() -> tuple[Path, ...]:
    """Every file that belongs to the project: tracked, or new and not ignored."""
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, check=True, text=True,
    )  # fmt: skip
    return tuple(path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file())


def package_files() -> tuple[Path, ...]:
    """Every Python file of the package."""
    return tuple(
        path for path in tracked_files() if path.suffix == ".py" and ROOT / "rea_capture" in path.parents
    )


def named(path: Path) -> str:
    """``path`` as it is named inside the project."""
    return path.relative_to(ROOT).as_posix()
