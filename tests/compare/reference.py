"""Every digest of a comparison, computed the slow way from plain JSON: json, rfc8785 and hashlib only.

Written from the wire format and not from the package, so that the two can disagree.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

import rfc8785

from rea_capture.canonical import record_bytes
from rea_capture.contracts.capture import CaptureResult

NUMBERING = {
    "sequence",
    "step_index",
    "transaction_id",
    "redirected_from_transaction_id",
    "source_event_sequence",
}
NETWORK = {
    "request",
    "response",
    "request-finished",
    "request-failed",
    "request-unfinished",
    "network-content",
}


def plain(capture: CaptureResult) -> Any:
    """``capture`` as a reader of its JSON sees it."""
    return json.loads(record_bytes(capture))


def digest(value: Any) -> str:
    return hashlib.sha256(rfc8785.dumps(value)).hexdigest()


def ruled(value: Any, rules: Iterable[Any], artifact: str) -> Any:
    """``value`` after the rules that name ``artifact``; ``kind`` and ``content`` of events are left alone."""
    chosen = sorted(
        (rule for rule in rules if artifact in rule["artifacts"]), key=lambda rule: rule["rule_id"]
    )
    left_alone = {"kind", "content"} if artifact == "events" else set()

    def apply(item: Any) -> Any:
        if isinstance(item, str):
            for rule in chosen:
                item = item.replace(rule["match"], rule["replacement"])
            return item
        if isinstance(item, list):
            return [apply(one) for one in item]
        if isinstance(item, dict):
            return {key: one if key in left_alone else apply(one) for key, one in item.items()}
        return item

    return apply(value)


def artifact_digest(step: Any, artifact: str, rules: Iterable[Any] = ()) -> str | None:
    """The digest of ``action_state`` or of one of the six artifacts; None when it was not captured."""
    if artifact == "action_state":
        fields = ("action", "status", "before_url", "after_url", "error")
        return digest(ruled({name: step[name] for name in fields}, rules, artifact))
    state = step["artifacts"][artifact]
    if state["state"] != "captured":
        return None
    value = state["value"]
    if artifact == "screenshot":
        return digest({name: value[name] for name in ("sha256", "bytes", "media_type")})
    return digest(ruled(value["text"] if artifact in {"dom", "accessibility"} else value, rules, artifact))


def step_of_transaction(capture: Any, transaction_id: int) -> int | None:
    """The step index of the request of a transaction; None unless there is exactly one request."""
    found = [event["step_index"] for event in requests_of(capture, transaction_id)]
    return found[0] if len(found) == 1 else None


def requests_of(capture: Any, transaction_id: int) -> list[Any]:
    return [
        event
        for event in capture["events"]["items"]
        if event["kind"] == "request" and event["transaction_id"] == transaction_id
    ]


def fingerprint(
    capture: Any, transaction_id: int, rules: Iterable[Any] = (), above: tuple[int, ...] = ()
) -> str | None:
    """The fingerprint of a transaction; None when its ancestry is absent, unknown or circular."""
    requests = requests_of(capture, transaction_id)
    if len(requests) != 1 or transaction_id in above:
        return None
    predecessor = requests[0]["redirected_from_transaction_id"]
    ancestor = None
    if predecessor is not None:
        ancestor = fingerprint(capture, predecessor, rules, (*above, transaction_id))
        if ancestor is None:
            return None
    elif requests[0].get("redirected_from_transaction_state") != "root":
        return None
    digests = [
        event_digest(event, rules)
        for event in capture["events"]["items"]
        if event.get("transaction_id") == transaction_id
    ]
    return digest({"events": sorted(digests), "redirected_from": ancestor})


def stripped(event: Any, rules: Iterable[Any]) -> Any:
    return ruled({key: value for key, value in event.items() if key not in NUMBERING}, rules, "events")


def event_digest(event: Any, rules: Iterable[Any]) -> str:
    return digest(stripped(event, rules))


def events_digest(capture: Any, step_index: int, rules: Iterable[Any] = ()) -> str | None:
    """The digest of the events of a step; None when one of its transactions has no fingerprint."""
    items = capture["events"]["items"]
    network = []
    for transaction_id in {event["transaction_id"] for event in items if event["kind"] in NETWORK}:
        requests = requests_of(capture, transaction_id)
        received = [event for event in items if event.get("transaction_id") == transaction_id]
        if step_index in {event["step_index"] for event in requests or received}:
            network.append(fingerprint(capture, transaction_id, rules))
    if None in network:
        return None
    others = [
        stripped(event, rules)
        for event in items
        if event["kind"] not in NETWORK and event["step_index"] == step_index
    ]
    return digest({"events": others, "network": sorted(str(one) for one in network)})


ENDS = {"request-finished", "request-failed", "request-unfinished"}
FAMILY_OF_PREFIX = {
    "console": "console",
    "page": "page-errors",
    "websocket": "websockets",
    "frame": "frames",
    "worker": "workers",
    "popup": "popups",
    "download": "downloads",
}


def is_whole(event: Any, capture: Any) -> bool:
    """Whether all that was asked for of ``event`` is there, and nothing that was not."""
    kind, wanted = event["kind"], capture["scenario"]["network_content"]
    family = "network" if kind in NETWORK else FAMILY_OF_PREFIX[kind.split("-")[0]]
    selected = [*capture["scenario"]["event_families"], *(["network"] if any(wanted.values()) else [])]
    if family not in selected:
        return False
    if kind == "network-content":
        return is_whole_content(event, capture)
    if kind.startswith("websocket-frame") and event["payload_type"] == "text":
        text = event["payload_text"]
        return text is not None and len(text.encode()) == event["payload_bytes"] and not event["truncated"]
    return True


def is_whole_content(event: Any, capture: Any) -> bool:
    """Whether network content holds what was selected, no more and no less, of an event that is there."""
    wanted, phase = capture["scenario"]["network_content"], event["phase"]
    headers, body = event["headers"]["state"], event["body"]["state"]
    states = {"captured"} if phase == "response" else {"captured", "not_exposed"}
    source = [one for one in capture["events"]["items"] if one["sequence"] == event["source_event_sequence"]]
    return (
        headers == ("captured" if wanted["header_values"] else "not_requested")
        and body in (states if wanted[f"{phase}_body"] else {"not_requested"})
        and [(one["kind"], one["transaction_id"]) for one in source] == [(phase, event["transaction_id"])]
    )


def is_whole_transaction(capture: Any, transaction_id: int) -> bool:
    """Whether a transaction has an outcome, at most one end, and content where content was selected."""
    wanted = capture["scenario"]["network_content"]
    events = [one for one in capture["events"]["items"] if one.get("transaction_id") == transaction_id]
    kinds = [one["kind"] for one in events]
    phases = {one["phase"] for one in events if one["kind"] == "network-content"}
    return (
        bool({*kinds} & {"response", *ENDS})
        and sum(kind in ENDS for kind in kinds) <= 1
        and all(
            phase in phases
            for phase in ("request", "response")
            if phase in kinds and (wanted["header_values"] or wanted[f"{phase}_body"])
        )
    )


def is_sound(capture: Any) -> bool:
    """Whether the events of ``capture`` say all that a claim of equality needs."""
    omissions = capture["events"]["omissions"]
    families = capture["scenario"].get("event_families")
    return (
        families is not None
        and not omissions["network_transactions"]
        and all(is_whole(event, capture) for event in capture["events"]["items"])
        and all(
            is_whole_transaction(capture, event["transaction_id"])
            for event in capture["events"]["items"]
            if event["kind"] in NETWORK
        )
        and all(events_digest(capture, step["step_index"]) is not None for step in capture["steps"])
    )
