"""The library's own client, over both transports and in both eras of the protocol."""

from __future__ import annotations

import base64
import hashlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import MCPError
from PIL import Image

from rea_capture.evidence import parse
from rea_capture.mcp_server import catalogue
from rea_capture.mcp_server.limits import MAX_PICTURE_BYTES, MAX_PICTURE_EDGE_PX
from tests.browser.capture.conftest import pause, scenario_document
from tests.browser.cleanup.command import content
from tests.loopback import Loopback
from tests.mcp_server.serving import Place, served_http

CAPTURE = "capture_browser_scenario"
NOISE = (
    "<canvas width=1200 height=700></canvas><script>"
    "const c = document.querySelector('canvas').getContext('2d'); let n = 7;"
    "for (let x = 0; x < 1200; x += 4) for (let y = 0; y < 700; y += 4) { n = n * 16807 % 2147483647;"
    "c.fillStyle = `rgb(${n % 256} ${n % 251} ${n % 241})`; c.fillRect(x, y, 4, 4); }</script>"
)


@pytest.fixture
def errors(tmp_path: Path) -> Iterator[Any]:
    """Where a server's standard error goes, which a client wants to be a file."""
    with (tmp_path / "stderr").open("w+") as stream:
        yield stream


async def test_small_evidence_is_in_the_answer_itself_over_pipes(
    place: Place, loopback: Loopback, errors: Any
) -> None:
    page = loopback.route("/", "<p>here</p>")
    told: list[tuple[float, float | None, str | None]] = []

    async def tell(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    # The client checks structured content against the schema of its tool, and raises.
    async with Client(stdio_client(place.parameters(), errors), mode="legacy") as client:
        tools = (await client.list_tools()).tools
        result = await client.call_tool(
            CAPTURE, scenario_document(page, [pause("one")]), progress_callback=tell
        )
        answer = result.structured_content
        assert [each.model_dump(by_alias=True, exclude_none=True) for each in tools] == catalogue.tools()
        assert [each.type for each in result.content] == ["text", "resource_link"]
        assert json.loads(result.content[0].text) == answer  # type: ignore[union-attr] # it is text
        document = content(Path(answer["path"]))
        assert json.loads(document) == answer["evidence"]
        assert (len(document), hashlib.sha256(document).hexdigest()) == (
            answer["size_bytes"],
            answer["sha256"],
        )
        parse(document, "the capture")
        [resource] = (await client.list_resources()).resources
        assert (resource.uri, resource.size) == (answer["resource_uri"], len(document))
        verified = await client.call_tool("verify_evidence", {"document": answer["evidence"]})
        assert verified.structured_content["status"] == "verified"
    assert [message for _, _, message in told] == [
        "step 0 of 1: scenario_start (goto_start)",
        "step 0 of 1: scenario_start completed",
        "step 1 of 1: one (wait_for_timeout)",
        "step 1 of 1: one completed",
    ]
    numbers = [progress for progress, _, _ in told]
    assert numbers == sorted(set(numbers))
    assert {total for _, total, _ in told} == {numbers[-1]}
    errors.seek(0)
    assert errors.read() == ""
    assert place.leftovers() == []


async def test_large_evidence_is_summarised_and_can_be_read_in_parts_over_http(
    place: Place, loopback: Loopback
) -> None:
    page = loopback.route("/", NOISE)
    scenario = scenario_document(page, [pause("one")], capture={"at_end": ["screenshot", "dom"]})
    with served_http(place, "--inline-bytes", "1000") as (_, address):
        async with Client(address) as client:
            assert client.protocol_version == "2026-07-28"
            result = await client.call_tool(CAPTURE, scenario)
            answer = result.structured_content
            evidence_id = answer["evidence_id"]
            document = content(Path(answer["path"]))
            check_summary(answer, json.loads(document)["normalized_result"])
            check_picture(result.content[1], answer["picture"])

            assert (await read(client, answer["resource_uri"])).encode() == document
            pages = await pages_of(client, evidence_id, "/normalized_result/steps/1")
            assert json.loads(pages) == json.loads(document)["normalized_result"]["steps"][1]
            for uri in (f"rea://evidence/{evidence_id}/normalized_result/browser/mode",
                        f"rea://evidence/{evidence_id}/%2Fnormalized_result%2Fbrowser%2Fmode"):  # fmt: skip
                assert await read(client, uri) == '"launch"'
            with pytest.raises(MCPError, match="names 'no' at the top") as refused:
                await read(client, f"rea://evidence/{evidence_id}/no")
            assert refused.value.error.data["recovery"]

            side = {"evidence_id": evidence_id}
            compared = await client.call_tool(
                "compare_web_captures", {"before_scenario": side, "after_scenario": side}
            )
            assert compared.structured_content["summary"]["overall_status"] == "unchanged"
            first, _ = (await client.list_resources()).resources
            assert first.size == len(document)
        async with Client(address, mode="legacy") as another:
            uris = [each.uri for each in (await another.list_resources()).resources]
            assert uris[0] == answer["resource_uri"]
            templates = (await another.list_resource_templates()).resource_templates
            assert [each.uri_template for each in templates] == [
                "rea://evidence/{id}", "rea://evidence/{id}/{pointer}"
            ]  # fmt: skip
    assert place.leftovers() == []


def check_summary(answer: Any, result: Any) -> None:
    """The summary says of the capture what the capture says."""
    summary = answer["summary"]
    assert answer["evidence"] is None
    assert summary["status"] == result["completeness"]["status"] == "complete"
    assert summary["steps_by_status"] == {"completed": 2}
    assert summary["steps"][1]["artifacts"] == {"dom": "captured", "screenshot": "captured"}
    assert summary["events_retained"] == len(result["events"]["items"])
    assert summary["limitations"] == result["limitations"]


def check_picture(block: Any, note: Any) -> None:
    """The picture is one that clients take."""
    assert block.type == "image"
    data = base64.b64decode(block.data)
    assert len(data) <= MAX_PICTURE_BYTES
    picture = Image.open(io.BytesIO(data))
    assert max(picture.size) == MAX_PICTURE_EDGE_PX
    assert block.mime_type == f"image/{(picture.format or '').lower()}"
    assert note == {"cut": False, "step_id": "one"}


async def read(client: Client, uri: str) -> str:
    """The text of a resource."""
    [contents] = (await client.read_resource(uri)).contents
    text: str = contents.text  # type: ignore[union-attr] # every resource of this server is text
    return text


async def pages_of(client: Client, evidence_id: str, pointer: str) -> str:
    """The JSON text of a part, read page by page."""
    text = ""
    offset: int | None = 0
    while offset is not None:
        asked = {"evidence_id": evidence_id, "pointer": pointer, "offset": offset, "length": 64_000}
        page = (await client.call_tool("read_evidence", asked)).structured_content
        assert page["offset"] == len(text)
        text += page["text"]
        offset = page["next_offset"]
    return text
