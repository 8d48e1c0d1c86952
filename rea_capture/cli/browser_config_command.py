"""``rea browser config``: the settings of browser sessions, who says them, and changing them.

Below: ``session.configuration``, imported when it is needed. Above: ``browser_command``.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from rea_capture.cli.options import json_option
from rea_capture.cli.output import opened_output
from rea_capture.cli.terminal import printable
from rea_capture.errors import UnavailableError

if TYPE_CHECKING:
    from rea_capture.session.configuration.files import Scope
    from rea_capture.session.configuration.showing import Shown

Function = TypeVar("Function", bound=Callable[..., Any])


def _scope_options(function: Function) -> Function:
    project = click.option(
        "--project", "scope", flag_value="project", help="Change .rea/browser.toml of this project."
    )
    user = click.option("--user", "scope", flag_value="user", help="Change the file of this user.")
    return project(user(function))


@click.group("config", invoke_without_command=True)
@json_option
@click.pass_context
def command(context: click.Context, as_json: bool) -> int:
    """Show the settings that browser sessions are opened with, and change them.

    What a call says goes before .rea/browser.toml of the project (the nearest above the working folder), that
    before the file of the user, that before environment variables, and these before what is built in.
    Without a command, this is show.
    """
    if context.invoked_subcommand is None:
        context.invoke(show, as_json=as_json)
    return 0


@command.command("show")
@json_option
def show(as_json: bool) -> int:
    """Show every setting, and which file, line or variable says it. Secrets are hidden."""
    from rea_capture.session.configuration.showing import shown  # noqa: PLC0415 - heavy

    with opened_output(as_json=as_json) as out:
        found = shown(_here(), os.environ)
        out.document(_json(found.document()), lambda stream: _table(found, stream))
    return 0


@command.command("get")
@click.argument("key")
@json_option
def get(key: str, as_json: bool) -> int:
    """Print the value of KEY, as it would be for a session opened now; with --json, who says it too."""
    from rea_capture.session.configuration.editing import parts_of  # noqa: PLC0415 - heavy
    from rea_capture.session.configuration.showing import entry, shown  # noqa: PLC0415 - heavy

    parts_of(key)
    with opened_output(as_json=as_json) as out:
        values = {each.key: each for each in shown(_here(), os.environ).configuration.values}
        if key not in values:
            raise UnavailableError(f"{key} has no value: no file and no variable says one that is used")
        told = entry(values[key])
        text = printable(_plain(told["value"])) if out.on_terminal else _plain(told["value"])
        out.write(_json(told) if as_json else text.encode() + b"\n")
    return 0


@command.command("set")
@click.argument("key")
@click.argument("value")
@_scope_options
@json_option
def set_(key: str, value: str, scope: Scope | None, as_json: bool) -> int:
    """Let KEY be VALUE: a value of TOML, or else what its variable would take.

    Without --project or --user, that is in the project's file if there is one, else in the user's. Comments
    of the file stay. A credential is a table, such as '{source = "environment", variable = "NAME"}'.
    """
    from rea_capture.session.configuration.editing import set_value  # noqa: PLC0415 - heavy

    with opened_output(as_json=as_json) as out:
        scope, path = _target(scope)
        set_value(scope, path, key, value)
        _warn_of_literals(key, scope, path)
        told = {"key": key, "file": str(path), "changed": True}
        out.document(_json(told), lambda stream: _say(stream, f"{key} is set in {path}."))
    return 0


@command.command("unset")
@click.argument("key")
@_scope_options
@json_option
def unset(key: str, scope: Scope | None, as_json: bool) -> int:
    """Remove KEY from a file, so that what is next in order says it. A key that means nothing can go too."""
    from rea_capture.session.configuration.editing import unset_value  # noqa: PLC0415 - heavy

    with opened_output(as_json=as_json) as out:
        scope, path = _target(scope)
        changed = unset_value(scope, path, key)
        told = {"key": key, "file": str(path), "changed": changed}
        done = f"{key} is not in {path} any more." if changed else f"{key} was not in {path}."
        out.document(_json(told), lambda stream: _say(stream, done))
    return 0


def _here() -> Path:
    try:
        return Path.cwd()
    except OSError as error:
        reason = (error.strerror or "no reason").lower()
    raise UnavailableError(f"the working folder cannot be told: {reason}")


def _target(scope: Scope | None) -> tuple[Scope, Path]:
    from rea_capture.session.configuration.showing import files_of  # noqa: PLC0415 - heavy

    files = files_of(_here(), os.environ)
    if scope is None:
        scope = "project" if files["project"].exists() else "user"
    return scope, files[scope]


def _warn_of_literals(key: str, scope: Scope, path: Path) -> None:
    from rea_capture.session.configuration.files import read_file  # noqa: PLC0415 - heavy

    file = read_file(scope, path)
    value = None if file is None else file.values.get(key)
    if isinstance(value, dict) and value.get("source") == "literal":
        with suppress(OSError, ValueError):
            sys.stderr.write(
                f"rea: {printable(key)} is in the file itself now, and perhaps in your shell's history; a "
                "reference to a variable or to another file would keep it out of both.\n"
            )


def _table(found: Shown, stream: IO[str]) -> None:
    told = found.document()
    rows = [(each["key"], _plain(each["value"]), _who(each)) for each in told["settings"]]
    rows += [(key, "-", "nobody says it") for key in told["unset"]]
    rows += [(each["key"], _plain(each["value"]), f"{_who(each)}; not used") for each in told["unused"]]
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for key, value, who in rows:
        _say(stream, f"{key:{widths[0]}}  {value:{min(widths[1], 60)}}  {who}")
    for each in told["files"]:
        there = "" if each["exists"] else ", which is not there"
        _say(stream, f"The {each['layer']}'s file is {each['path']}{there}.")
    for note in told["notes"]:
        _say(stream, note)


def _who(told: dict[str, Any]) -> str:
    where = told["where"]
    if where is None:
        return str(told["layer"])
    return f"{told['layer']}, {where}" + ("" if told["line"] is None else f":{told['line']}")


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _json(document: dict[str, Any]) -> bytes:
    return json.dumps(document).encode() + b"\n"


def _say(stream: IO[str], line: str) -> None:
    stream.write(f"{printable(line)}\n")
