"""Files out of packages of the npm registry, for tests that check against what others publish.

A package is fetched once, as its archive; nothing of it is installed or run. What a file has to be is pinned
by its digest, so that a test means the same on every machine. Where npm is missing, or cannot fetch, the
test that asks is skipped and says so: the package itself needs no npm.

Below: npm. Above: tests that ask for a file.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

FETCH_S = 180
"""A registry answers in seconds; one that is asked by many gets its time."""


def npm_file(cache: Path, package: str, member: str, sha256: str) -> bytes:
    """The file ``member`` of ``package`` (``name@version``), from ``cache`` if it is there already."""
    kept = cache / sha256
    if not kept.exists():
        found = _fetched(cache, package, member)
        assert hashlib.sha256(found).hexdigest() == sha256, f"{member} of {package} is another file"
        kept.write_bytes(found)
    return kept.read_bytes()


def _fetched(cache: Path, package: str, member: str) -> bytes:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip(f"npm is not on PATH; it fetches {package}, which this checks against")
    done = subprocess.run(
        [npm, "pack", package, "--silent", "--ignore-scripts", "--pack-destination", str(cache)],
        capture_output=True,
        text=True,
        timeout=FETCH_S,
        check=False,
    )
    if done.returncode != 0:
        pytest.skip(f"npm cannot fetch {package}: {done.stderr.strip()[-200:]}")
    archive = cache / done.stdout.split()[-1]
    try:
        with tarfile.open(archive) as opened:
            extracted = opened.extractfile(f"package/{member}")
            assert extracted is not None
            return extracted.read()
    finally:
        archive.unlink()
