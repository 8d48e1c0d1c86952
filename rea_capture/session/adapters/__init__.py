"""Who says which element a step means, where the step itself does not.

None is used unless the session's settings name it. An adapter is asked with the instruction, the action and
what was observed: never with a value, a credential, a path or an address.

Below: ``contracts.runtime``. Above: the worker.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from rea_capture.contracts.runtime.results import ObserveResult
from rea_capture.contracts.runtime.settings import AccessibleNameAdapter, Adapter


class ElementAdapter(Protocol):
    """Chooses an element. ``name`` is what a result calls it."""

    @property
    def name(self) -> str: ...

    async def choose(self, step_instruction: str, action: str, observation: ObserveResult) -> str:
        """The ``ref`` of one of ``observation.elements``.

        Raises :class:`BrowserOperationError` with ``adapter_failed``: nothing was attempted then. When it is
        cancelled, it ends what it has started first.
        """
        ...


def adapter_of(adapter: Adapter | None, *, withheld: Collection[str] = ()) -> ElementAdapter | None:
    """The adapter that settings name; None where they name none.

    A program does not get the environment variables ``withheld`` (see ``credentials.variables_of``).
    """
    if adapter is None:
        return None
    if isinstance(adapter, AccessibleNameAdapter):
        from rea_capture.session.adapters.accessible_name import ByAccessibleName  # noqa: PLC0415 - as named

        return ByAccessibleName()
    from rea_capture.session.adapters.command import ByCommand  # noqa: PLC0415 - as named

    return ByCommand(adapter, withheld)
