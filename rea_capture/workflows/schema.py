"""JSON Schemas: printing one, and writing the folder that is checked in.

Below: ``contracts.schemas``. Above: the command line and the session that writes ``schemas/``.
"""

from __future__ import annotations

from pathlib import Path

from rea_capture.contracts.schemas import SCHEMAS, schema_text
from rea_capture.errors import CommandLineError
from rea_capture.evidence import write_document


def schema_names() -> tuple[str, ...]:
    """The names :func:`schema` takes."""
    return tuple(SCHEMAS)


def schema(name: str) -> bytes:
    """The JSON Schema ``name`` as indented JSON. Raises :class:`CommandLineError` for an unknown name."""
    if name not in SCHEMAS:
        raise CommandLineError(f"there is no schema {name!r}; the names are: {', '.join(SCHEMAS)}")
    return schema_text(name)


def write_schemas(folder: Path) -> None:
    """Write every schema to ``folder`` as ``NAME.schema.json``. Raises :class:`OutputError`."""
    for name in SCHEMAS:
        write_document(folder / f"{name}.schema.json", schema_text(name))
