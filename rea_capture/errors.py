"""The one error tree of the package.

    ReaError                       something a reader is told in one sentence
    ├── CommandLineError           the command line is wrong (exit status 64)
    ├── InputError                 a document is not valid; carries every fault found (65)
    ├── UnavailableError           browser, target, secret or executable is not available (69)
    │   └── SecretRefusedError     a secret value that cannot be redacted safely (69)
    ├── OutputError                the output could not be written (73)
    └── DefectError                a broken promise of this program (70)

Below: the standard library. Above: every room. Only the command line turns an error into an exit
status; everybody else raises. No message ever holds a secret value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a document.

    ``pointer`` is a JSON Pointer (RFC 6901) into it, the empty string for the whole document;
    ``message`` is a sentence that says what is wrong and what would be right. ``file`` is which document,
    where several may be meant.
    """

    pointer: str
    message: str
    file: str | None = None

    def __str__(self) -> str:
        file = "" if self.file is None else f"{self.file}: "
        return f"{file}{_on_one_line(self.pointer) or '(document)'}: {self.message}"


def _on_one_line(pointer: str) -> str:
    """``pointer`` to be read in a sentence: a key may hold anything, line feeds and lone surrogates too."""
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii") for sign in pointer
    )


class ReaError(Exception):
    """Base of every error this package raises on purpose.

    ``code`` is the stable machine-readable name, ``exit_status`` what a command ends with, ``recovery`` what
    to do about an error of this kind.
    """

    code: str = "error"
    exit_status: ClassVar[int] = 70
    recovery: str = "Please report it, with the request that led to it."

    def __init__(self, message: str, faults: Sequence[Fault] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.faults = tuple(faults)


class CommandLineError(ReaError):
    """The command line itself is wrong."""

    code = "command_line"
    exit_status = 64
    recovery = "Correct the command line; `rea COMMAND --help` tells what a command takes."


class InputError(ReaError):
    """A document is not valid. ``faults`` lists every fault found, not only the first."""

    code = "invalid_input"
    exit_status = 65
    recovery = "Correct what each pointer names as its sentence says. Then ask again."


class UnavailableError(ReaError):
    """The browser, target, secret or executable that the request needs is not available."""

    code = "unavailable"
    exit_status = 69
    recovery = "Provide what the message names, then ask again; `rea doctor` shows what this machine has."


class SecretRefusedError(UnavailableError):
    """A secret value is too short to be redacted without destroying the text around it."""

    code = "secret_refused"
    recovery = "Give the variable that the message names a longer value, then ask again."


class OutputError(ReaError):
    """The output could not be written."""

    code = "output_failed"
    exit_status = 73
    recovery = "Make room or name another place, then ask again; nothing is left half-written."


class DefectError(ReaError):
    """This program broke a promise of its own."""

    code = "defect"
    exit_status = 70
