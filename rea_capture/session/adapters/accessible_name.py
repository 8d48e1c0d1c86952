"""The built-in adapter: an element is meant whose accessible name the instruction says. No model.

    1. Of elements whose name equals a text that the instruction quotes, the single one.
    2. Where there is none: of elements whose name occurs in the instruction as whole words, the single one.

Capitals and runs of white space do not count. Several are as bad as none: nothing is guessed.

Below: ``failing``. Above: ``adapters``.
"""

from __future__ import annotations

import re
from typing import Final

from rea_capture.contracts.runtime.results import ObservedElement, ObserveResult
from rea_capture.session.adapters.failing import adapter_failed, candidates
from rea_capture.wording import on_one_line

_QUOTED: Final = re.compile(
    r"\"([^\"]+)\"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|`([^`]+)`|\u2018([^\u2019]+)\u2019|(?<!\w)'(.+?)'(?!\w)",
    re.DOTALL,
)
"""A single quotation mark within a word is an apostrophe."""

_RECOVERY: Final = "Quote the whole accessible name of one element in the instruction, or give its ref."


class ByAccessibleName:
    """See the module."""

    name: Final = "accessible-name"

    async def choose(self, step_instruction: str, action: str, observation: ObserveResult) -> str:
        """The ref of the single element that is named. Raises as the protocol says."""
        named = named_in(step_instruction, observation.elements)
        if len(named) == 1:
            return named[0].ref
        if named:
            raise adapter_failed(
                f"the instruction names several elements to {action}: {candidates(named)}", _RECOVERY
            )
        raise adapter_failed(
            f"the instruction names none of the elements to {action}; there are: "
            f"{candidates(each for each in observation.elements if each.name)}",
            _RECOVERY,
        )


def named_in(instruction: str, elements: tuple[ObservedElement, ...]) -> list[ObservedElement]:
    """Those of ``elements`` that ``instruction`` quotes, else those whose names it says."""
    quoted = {_alike(text) for found in _QUOTED.findall(instruction) for text in found if text}
    equal = [each for each in elements if each.name and _alike(each.name) in quoted]
    if equal:
        return equal
    said = _alike(instruction)
    return [each for each in elements if _occurs(_alike(each.name), said)]


def _alike(text: str) -> str:
    return on_one_line(text).casefold()


def _occurs(name: str, said: str) -> bool:
    return bool(name) and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said) is not None
