"""A home, a repository in it and an environment, so that no configuration but the test's counts.

Below: the package. Above: the tests of this folder.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rea_capture.contracts.runtime.settings import SessionSettings
from rea_capture.session.configuration import Configuration, Setting, configured


@dataclass
class Machine:
    """``home`` has a repository ``shop``, and ``below`` is a folder in it. Nothing is configured at first."""

    home: Path
    environ: dict[str, str]

    @property
    def shop(self) -> Path:
        return self.home / "shop"

    @property
    def below(self) -> Path:
        return self.shop / "tests" / "deep"

    @property
    def project(self) -> Path:
        return self.shop / ".rea" / "browser.toml"

    @property
    def user(self) -> Path:
        return self.home / "config" / "rea" / "browser.toml"

    def configured(self, call: dict[str, Any] | SessionSettings | None = None) -> Configuration:
        return configured(call or {}, folder=self.below, environ=self.environ)

    def value(self, key: str, call: dict[str, Any] | None = None) -> Setting:
        return next(each for each in self.configured(call).values if each.key == key)


def make_machine(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine in ``folder``, which is also the home of this process."""
    machine = Machine(folder / "home", {"HOME": str(folder / "home")})
    machine.below.mkdir(parents=True)
    (machine.shop / ".git").mkdir()
    monkeypatch.setenv("HOME", str(machine.home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(machine.home / "config"))
    for name in [name for name in os.environ if name.startswith("REA_")]:
        monkeypatch.delenv(name)
    return machine


def write(path: Path, text: str) -> Path:
    """``text`` in the file at ``path``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path
