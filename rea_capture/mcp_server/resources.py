"""Everything that was captured and compared, as resources: whole documents, and parts by JSON Pointer.

    rea://evidence/{id}             the document, byte for byte
    rea://evidence/{id}/{pointer}   what the pointer names; its slashes may be written as they are or as %2F

Below: ``store``, ``paging``. Above: ``server``.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import unquote

import mcp_types as types

from rea_capture.canonical import canonical_bytes
from rea_capture.errors import Fault, InputError
from rea_capture.mcp_server.answers import JSON_TYPE
from rea_capture.mcp_server.limits import MAX_RESOURCE_BYTES
from rea_capture.mcp_server.paging import NoSuchPartError, part_of
from rea_capture.mcp_server.refusals import EvidenceGoneError
from rea_capture.mcp_server.store import URI_PREFIX, EvidenceStore, Stored

TEMPLATES: Final = (
    types.ResourceTemplate(
        uri_template=URI_PREFIX + "{id}",
        name="evidence",
        title="Evidence of this server",
        description="A document that this server captured or compared, byte for byte, while it is kept.",
        mime_type=JSON_TYPE,
    ),
    types.ResourceTemplate(
        uri_template=URI_PREFIX + "{id}/{pointer}",
        name="evidence-part",
        title="A part of Evidence",
        description="What a JSON Pointer names in such a document, as JSON.",
        mime_type=JSON_TYPE,
    ),
)


def resource(stored: Stored) -> types.Resource:
    """``stored`` as it is listed."""
    return types.Resource(
        uri=stored.uri,
        name=stored.evidence_id,
        title=f"Evidence of a {stored.kind}",
        mime_type=JSON_TYPE,
        size=stored.size_bytes,
    )


def read(store: EvidenceStore, uri: str) -> types.ReadResourceResult:
    """What ``uri`` names. Raises :class:`InputError` with a pointer into the parameters of the request."""
    if not uri.startswith(URI_PREFIX):
        raise _wrong(f"there are only resources {URI_PREFIX}…")
    evidence_id, slash, rest = uri.removeprefix(URI_PREFIX).partition("/")
    try:
        data = store.data(evidence_id)
    except EvidenceGoneError as error:
        raise EvidenceGoneError(error.message, [Fault("/uri", error.message)]) from None
    if rest:
        pointer = unquote(rest)
        data = _part(data, pointer if pointer.startswith("/") else slash + pointer)
    if len(data) > MAX_RESOURCE_BYTES:
        raise _wrong(
            f"it is larger than {MAX_RESOURCE_BYTES:,} bytes (MAX_RESOURCE_BYTES); read parts of it, "
            f"{URI_PREFIX}{{id}}/{{pointer}}, or pages with read_evidence"
        )
    contents = types.TextResourceContents(uri=uri, mime_type=JSON_TYPE, text=data.decode())
    return types.ReadResourceResult(contents=[contents])


def _part(data: bytes, pointer: str) -> bytes:
    try:
        return canonical_bytes(part_of(data, pointer))
    except NoSuchPartError as error:
        raise _wrong(f"its pointer {error}") from None


def _wrong(message: str) -> InputError:
    return InputError(f"the resource cannot be read: {message}", [Fault("/uri", message)])
