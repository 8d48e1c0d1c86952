"""What is to be seeded: entries by origin and by kind of storage, already resolved.

The values may be secrets, so nothing here prints them (``repr`` shows counts only).

Below: ``contracts``. Above: the driver makes the value; ``writer`` and ``script`` read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from rea_capture.contracts.urls import origin_of

Entries = tuple[tuple[str, str], ...]
StorageKind = Literal["local", "session"]


@dataclass(frozen=True, slots=True, repr=False)
class StorageSeeds:
    """Entries to write, by origin; the values are plain text, secrets resolved by the caller.

    Any valid spelling of an ``http`` or ``https`` origin may be a key: upper case and an explicit
    default port are normalised to what ``location.origin`` prints. Two spellings of one origin are
    joined in the order given.
    """

    local_storage: Mapping[str, Entries]
    session_storage: Mapping[str, Entries]

    def __post_init__(self) -> None:
        object.__setattr__(self, "local_storage", _by_origin(self.local_storage))
        object.__setattr__(self, "session_storage", _by_origin(self.session_storage))

    def __bool__(self) -> bool:
        return bool(self.local_storage or self.session_storage)

    def __repr__(self) -> str:
        return f"StorageSeeds({len(self.local_storage)} local, {len(self.session_storage)} session origins)"

    @property
    def origins(self) -> tuple[str, ...]:
        """Every origin with at least one entry, sorted."""
        return tuple(sorted({*self.local_storage, *self.session_storage}))

    def entries(self, kind: StorageKind, origin: str) -> Entries:
        """The entries of one origin, empty when it has none."""
        store = self.local_storage if kind == "local" else self.session_storage
        return store.get(origin, ())


def _by_origin(given: Mapping[str, Entries]) -> dict[str, Entries]:
    joined: dict[str, Entries] = {}
    for origin, entries in given.items():
        if entries:
            key = origin_of(origin)
            if key is None:
                raise ValueError("a storage seed needs an origin with a host")
            joined[key] = joined.get(key, ()) + tuple(entries)
    return joined
