"""A sentence that has to be said even where nobody watches progress.

Below: nothing. Above: ``capture``, which sends one through ``progress``, and whoever shows progress.
"""

from __future__ import annotations


class Notice(str):
    """A sentence of progress that explains why nothing happens, such as a wait for another capture."""

    __slots__ = ()
