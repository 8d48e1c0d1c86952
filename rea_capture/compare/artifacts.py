"""The digest of each artifact, as anybody can recompute it from the capture.

Each is the SHA-256 of an RFC 8785 form, after the caller rules that name the artifact:

    screenshot           {"bytes": …, "media_type": …, "sha256": …} of the retained image; no rule applies
    dom, accessibility   the JSON string ``text``; nothing else about it is changed, not even line ends
    url, history, storage   the whole ``value``, lists in the order the capture has them
    action_state         {"action", "after_url", "before_url", "error", "status"} of the step

Rules apply to string values, never to keys.

Below: ``rules``, ``canonical``. Above: ``prepare``.
"""

from __future__ import annotations

from rea_capture.canonical import canonical_bytes, record_bytes, sha256_hex, value_sha256
from rea_capture.compare.prepared import PreparedArtifact
from rea_capture.compare.rules import Replacements
from rea_capture.contracts.artifacts import (
    AnyState,
    CapturedHistory,
    CapturedScreenshot,
    CapturedStorage,
    CapturedText,
    CapturedUrl,
    History,
    Screenshot,
    Storage,
)
from rea_capture.contracts.capture import Step
from rea_capture.contracts.states import NotRequested, Truncated
from rea_capture.contracts.urls import ObservedUrl


def prepared_artifact(state: AnyState, rules: Replacements) -> PreparedArtifact:
    """The state of an artifact, with its digest where it was captured and the reason where it was not."""
    if isinstance(state, NotRequested):
        return PreparedArtifact("not_requested")
    if isinstance(state, CapturedScreenshot):
        return PreparedArtifact("captured", screenshot_sha256(state.value))
    if isinstance(state, CapturedText):
        return PreparedArtifact("captured", text_sha256(state.value.text, rules))
    if isinstance(state, CapturedUrl | CapturedHistory | CapturedStorage):
        return PreparedArtifact("captured", record_sha256(state.value, rules))
    if isinstance(state, Truncated):
        return PreparedArtifact(
            "truncated",
            reason=f"{state.reason.rstrip('.')} ({state.retained} of {state.observed} bytes kept)",
        )
    return PreparedArtifact("missing", reason=state.reason)


def screenshot_sha256(value: Screenshot) -> str:
    """Digest of a screenshot: that of its content, not of its pixels' meaning."""
    return value_sha256({"bytes": value.bytes, "media_type": value.media_type, "sha256": value.sha256})


def text_sha256(text: str, rules: Replacements) -> str:
    """Digest of ``text`` after ``rules``, as a JSON string."""
    return sha256_hex(canonical_bytes(rules.text(text)))


def record_sha256(value: ObservedUrl | History | Storage, rules: Replacements) -> str:
    """Digest of a URL, history or storage value after ``rules``."""
    return sha256_hex(rules.normalized(record_bytes(value)))


def action_state_sha256(step: Step, rules: Replacements) -> str:
    """Digest of what an action was and what became of it, after ``rules``."""
    state = {
        "action": step.action,
        "after_url": step.after_url,
        "before_url": step.before_url,
        "error": step.error,
        "status": step.status,
    }
    return sha256_hex(rules.normalized(record_bytes(state)))
