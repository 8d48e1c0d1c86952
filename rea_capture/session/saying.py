"""What a program in Python may say for a tab or for what a call is narrowed to.

Below: ``asking``, ``contracts``. Above: ``runtime``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from rea_capture.contracts.runtime.policy import OperationContext
from rea_capture.contracts.runtime.results import NarrowOriginPolicyResult, Tab
from rea_capture.session.asking import made

TabLike: TypeAlias = Tab | str
"""A tab of a result, or its ``tab_id``."""

ContextLike: TypeAlias = (
    OperationContext | NarrowOriginPolicyResult | Mapping[str, str | Sequence[str]] | None
)
"""The ``context`` of a result, the whole result, or the same as a mapping."""


def tab_id(tab: TabLike | None) -> str | None:
    """What a request calls ``tab``."""
    return tab.tab_id if isinstance(tab, Tab) else tab


def context_of(op: str, said: ContextLike) -> OperationContext | None:
    """What ``said`` narrows ``op`` to. Raises :class:`BrowserOperationError` with ``invalid_request``."""
    if said is None or isinstance(said, OperationContext):
        return said
    if isinstance(said, NarrowOriginPolicyResult):
        return said.context
    document = {"context": said}
    return made(op, NarrowOriginPolicyResult, None, **document).context
