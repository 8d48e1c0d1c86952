"""References to tabs, resolved when the file runs: to the handles that earlier operations gave.

Below: ``contracts.runtime``, ``failing``. Above: ``operations``.
"""

from __future__ import annotations

from rea_capture.contracts.runtime.results import (
    ListTabsResult,
    OperationResult,
    SelectTabResult,
    WaitPopupResult,
)
from rea_capture.contracts.runtime.scenario_file import (
    FileOperation,
    InitialTab,
    OperationById,
    OperationTab,
    TabReference,
)
from rea_capture.session.scenario.failing import RunFailedError, failure


class Tabs:
    """What the operations that are done have given, and the tab that all began with."""

    def __init__(self, operations: tuple[FileOperation, ...], initial: str) -> None:
        self._initial = initial
        self._places = {each.id: index for index, each in enumerate(operations) if each.id is not None}
        self._results: dict[int, OperationResult] = {}

    def add(self, index: int, result: OperationResult) -> None:
        """Operation ``index`` gave ``result``."""
        self._results[index] = result

    def handle(self, reference: TabReference | None, op: str) -> str | None:
        """The handle that ``reference`` of an operation ``op`` stands for; None for none.

        Raises :class:`RunFailedError` for a place that the list of tabs does not have.
        """
        if reference is None:
            return None
        if isinstance(reference, InitialTab):
            return self._initial
        return _of_result(reference, self._result(reference), op)

    def _result(self, reference: OperationTab) -> OperationResult:
        named = reference.operation
        return self._results[self._places[named.id] if isinstance(named, OperationById) else named.index]


def _of_result(reference: OperationTab, result: OperationResult, op: str) -> str:
    if isinstance(result, SelectTabResult | WaitPopupResult):
        return result.tab.tab_id
    assert isinstance(result, ListTabsResult)  # the rules of the file say so
    if reference.index is None:
        if result.matched is None:
            raise _no_tab(op, "the list that is referred to picked no tab")
        return result.matched
    if reference.index >= len(result.tabs):
        raise _no_tab(
            op,
            f"the list that is referred to has {len(result.tabs)} tab(s), and so no index {reference.index}",
        )
    return result.tabs[reference.index].tab_id


def _no_tab(op: str, message: str) -> RunFailedError:
    return failure("unknown_tab", "resolve", message, operation=op)
