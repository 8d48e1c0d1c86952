"""The seeds that a scenario declares, with the values of its secrets.

Below: ``seeds``, the contracts. Above: whoever installs a ``StorageSeeder``.
"""

from __future__ import annotations

from collections.abc import Callable

from rea_capture.browser.seeding.seeds import StorageSeeds
from rea_capture.contracts import scenario
from rea_capture.contracts.values import Value


def declared_seeds(storage: scenario.StorageSeeds, resolve: Callable[[Value], str]) -> StorageSeeds:
    """The web storage seeds of ``storage``; ``resolve`` gives the value of a literal or a secret."""

    def areas(declared: tuple[scenario.SeededStorage, ...]) -> dict[str, tuple[tuple[str, str], ...]]:
        return {
            area.origin: tuple((entry.name, resolve(entry.value)) for entry in area.entries)
            for area in declared
        }

    return StorageSeeds(
        local_storage=areas(storage.local_storage), session_storage=areas(storage.session_storage)
    )
