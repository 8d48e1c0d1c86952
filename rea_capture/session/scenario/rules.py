"""What must hold between the parts of a scenario file, told with a pointer to each part that is wrong.

The rules read plain JSON, of any shape, so that a file that is also wrong in other ways still gets every
fault reported at once. What a reference may name is in ``reference_rules``.

Below: ``reference_rules``, ``contracts.runtime.policy``, ``errors``. Above: ``reading``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any, Final

from rea_capture.contracts.json_text import pointer_of
from rea_capture.contracts.runtime.base import MAX_ID_CHARACTERS
from rea_capture.contracts.runtime.policy import OriginPolicy, narrowed, required_origin
from rea_capture.errors import Fault
from rea_capture.session.scenario.reference_rules import reference_faults
from rea_capture.wording import shortened

_WITH_VALUE: Final = ("fill", "select", "press")
_WITHOUT_VALUE: Final = ("click", "check", "uncheck", "hover")
_PROGRAMS: Final = (
    ("hooks", "setup"),
    ("hooks", "reset"),
    ("hooks", "cleanup"),
    ("fixture", "server", "start"),
)


def scenario_file_faults(document: Any) -> list[Fault]:
    """Every broken rule of a scenario file."""
    operations = objects_of(document, "operations")
    base = _policy(_at(document, "settings", "allowedOrigins"))
    faults = [*_repeated_ids(operations), *reference_faults(operations), *_base_url_faults(document, base)]
    for index, operation in operations:
        faults += _step_faults(f"/operations/{index}/step", operation.get("step"))
        faults += _origin_faults(f"/operations/{index}", operation, base)
    for path in _PROGRAMS:
        faults += _program_faults(pointer_of(path), _at(document, *path))
    return faults


def objects_of(document: Any, key: str) -> list[tuple[int, dict[str, Any]]]:
    """The objects in the list at ``key``, each with its place in it."""
    items = document.get(key) if isinstance(document, dict) else None
    if not isinstance(items, list):
        return []
    return [(index, item) for index, item in enumerate(items) if isinstance(item, dict)]


def _at(value: Any, *path: str) -> Any:
    for part in path:
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _repeated_ids(operations: list[tuple[int, dict[str, Any]]]) -> Iterator[Fault]:
    first: dict[str, int] = {}
    for index, operation in operations:
        name = operation.get("id")
        if isinstance(name, str) and first.setdefault(name, index) != index:
            shown = shortened(name, MAX_ID_CHARACTERS)
            message = f"{shown!r} is already used at /operations/{first[name]}; it must be unique"
            yield Fault(f"/operations/{index}/id", message)


def _step_faults(pointer: str, step: Any) -> Iterator[Fault]:
    if not isinstance(step, dict):
        return
    for name in ("ref", "documentId"):
        if step.get(name) is not None:
            yield Fault(
                f"{pointer}/{name}",
                "is made when the file runs, so that no file can know one; leave it out, and let the adapter "
                "of the settings choose by the instruction",
            )
    action, value = step.get("action"), step.get("value")
    if action in _WITH_VALUE and value is None:
        yield Fault(f"{pointer}/value", f"{action} needs a value")
    if action in _WITHOUT_VALUE and value is not None:
        yield Fault(f"{pointer}/value", f"{action} takes no value")
    if isinstance(value, dict) and action in _WITH_VALUE and action != "fill":
        yield Fault(f"{pointer}/value", "only fill takes a credential")


def _policy(value: Any) -> OriginPolicy:
    """``value`` as a policy; what is none has a fault already and refuses nothing here."""
    if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
        return tuple(value)
    return "*"


def _origin(url: Any) -> str | None:
    try:
        return required_origin(url) if isinstance(url, str) else None
    except ValueError:  # a fault of its own
        return None


def _base_url_faults(document: Any, base: OriginPolicy) -> Iterator[Fault]:
    origin = _origin(_at(document, "fixture", "baseUrl"))
    if origin is not None and base != "*" and origin not in base:
        yield Fault(
            "/fixture/baseUrl", f"{origin!r} is none of /settings/allowedOrigins; add it, or go elsewhere"
        )


def _origin_faults(pointer: str, operation: dict[str, Any], base: OriginPolicy) -> Iterator[Fault]:
    asked = _policy(operation.get("allowedOrigins"))
    policy = narrowed(base, asked)
    if policy is None:
        yield Fault(
            f"{pointer}/allowedOrigins",
            "none of these is in /settings/allowedOrigins, which is never widened",
        )
        return
    request = operation.get("request")
    places = {
        "navigate": (("url",), _origin(_at(request, "url"))),
        "listTabs": (("select", "origin"), _origin(_at(request, "select", "origin"))),
    }
    path, origin = places.get(str(operation.get("op")), ((), None))
    if origin is not None and policy != "*" and origin not in policy:
        where = "/settings/allowedOrigins" if asked == "*" else f"what {pointer}/allowedOrigins leaves"
        yield Fault(f"{pointer}/request{pointer_of(path)}", f"{origin!r} is not in {where}")


def _program_faults(pointer: str, program: Any) -> Iterator[Fault]:
    if not isinstance(program, dict):
        return
    cwd = program.get("cwd")
    if isinstance(cwd, str) and PurePosixPath(cwd).is_absolute():
        yield Fault(f"{pointer}/cwd", "must be relative; it starts at the folder of the file")
    args = program.get("args")
    arguments = list(enumerate(args)) if isinstance(args, list) else []
    texts = [
        ("command", program.get("command")),
        ("cwd", cwd),
        *((f"args/{i}", text) for i, text in arguments),
    ]
    for name, text in texts:
        if isinstance(text, str) and "\0" in text:
            yield Fault(f"{pointer}/{name}", "must not hold a NUL character, which ends it for the system")
    variables = program.get("env")
    for name in variables if isinstance(variables, dict) else ():
        if not name or "=" in name or "\0" in name:
            yield Fault(f"{pointer}{pointer_of(('env', name))}", "is no name that a variable can have")
