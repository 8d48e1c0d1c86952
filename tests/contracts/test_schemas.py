"""The checked-in JSON Schemas are those of the contracts, and describe what the contracts accept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rea_capture.contracts.schemas import SCHEMAS, schema_text
from rea_capture.workflows.schema import write_schemas

FOLDER = Path(__file__).resolve().parents[2] / "schemas"


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_schema_in_the_repository_is_up_to_date(name: str) -> None:
    stored = (FOLDER / f"{name}.schema.json").read_bytes()
    assert stored == schema_text(name), "run: python3 noxfile.py -s schemas"


def test_the_folder_holds_nothing_else() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.schema.json" for name in SCHEMAS}


@pytest.mark.parametrize("name", SCHEMAS)
def test_no_object_of_a_schema_admits_unknown_fields(name: str) -> None:
    schema = json.loads(schema_text(name))
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    objects = [part for part in (schema, *schema.get("$defs", {}).values()) if "properties" in part]
    assert objects
    assert all(part["additionalProperties"] is False for part in objects)


def test_writing_the_schemas_writes_each_whole(tmp_path: Path) -> None:
    write_schemas(tmp_path)
    written = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert written == {f"{name}.schema.json": schema_text(name) for name in SCHEMAS}
