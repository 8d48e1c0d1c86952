"""Closed shadow roots: whether a document has any, and whose they are.

No script can see one. The browser's own search counts the nodes of every document and author shadow
root of a process, without sending any; when that is what the private world can walk to, nothing is
hidden. Only otherwise is the tree itself fetched, which costs a hundred times more.

Below: one DevTools session. Above: the readers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from playwright.async_api import Error as DriverError

from rea_capture.browser.artifacts.world import PrivateWorld, Remote

_EVERY_NODE: Final = ""
"""A search text that every element, text and comment contains."""


@dataclass(frozen=True, slots=True)
class Host:
    """An element with a closed shadow root that holds something."""

    backend_node_id: int
    name: str
    in_main_document: bool


async def searched_node_count(world: PrivateWorld) -> int | None:
    """How many nodes the browser finds, closed roots and same-process frames included; None if it cannot.

    The three commands are sent at once, so the DOM domain is on for as short as can be; it reports
    nothing, since no document was asked for.
    """
    answers = await asyncio.gather(
        world.send("DOM.enable"),
        world.send("DOM.performSearch", {"query": _EVERY_NODE, "includeUserAgentShadowDOM": False}),
        world.send("DOM.disable"),
        return_exceptions=True,
    )
    for answer in answers:
        if isinstance(answer, BaseException) and not isinstance(answer, DriverError):
            raise answer
    found = answers[1]
    return int(found["resultCount"]) if isinstance(found, dict) else None


async def closed_hosts(world: PrivateWorld, *, walked: int, searched: int | None) -> tuple[Host, ...]:
    """The hosts of closed roots that are not inside another closed root, in document order.

    ``walked`` is how many nodes a script can reach. Raises the driver's error when the tree cannot
    be fetched.
    """
    if searched == walked:
        return ()
    snapshot = await world.send("DOMSnapshot.captureSnapshot", {"computedStyles": []})
    main = await world.frame_id()
    strings = snapshot["strings"]
    return tuple(
        Host(
            backend_node_id=document["nodes"]["backendNodeId"][index],
            name=str(strings[document["nodes"]["nodeName"][index]]).lower(),
            in_main_document=strings[document["frameId"]] == main,
        )
        for document in snapshot["documents"]
        for index in _outermost_hosts(document["nodes"], strings)
    )


def _outermost_hosts(nodes: dict[str, Any], strings: list[str]) -> list[int]:
    """Indexes of nodes outside every closed root whose children are inside one."""
    types = nodes.get("shadowRootType", {"index": [], "value": []})
    closed = {
        index
        for index, value in zip(types["index"], types["value"], strict=True)
        if strings[value] == "closed"
    }
    parents = nodes["parentIndex"]
    return sorted({parents[index] for index in closed if parents[index] not in closed})


async def closed_roots(world: PrivateWorld, hosts: tuple[Host, ...], context: int) -> list[Remote]:
    """The closed roots of ``hosts``, and those inside them, as objects of the private world."""
    described = await asyncio.gather(
        *(
            world.send(
                "DOM.describeNode", {"backendNodeId": host.backend_node_id, "depth": -1, "pierce": True}
            )
            for host in hosts
        )
    )
    roots = [root for answer in described for root in _closed_below(answer["node"])]
    return await world.resolve(roots, context)


def _closed_below(top: dict[str, Any]) -> Iterator[int]:
    pending = [top]
    while pending:
        node = pending.pop()
        for root in node.get("shadowRoots", ()):
            if root.get("shadowRootType") == "closed":
                yield int(root["backendNodeId"])
            pending.append(root)
        pending.extend(node.get("children", ()))
