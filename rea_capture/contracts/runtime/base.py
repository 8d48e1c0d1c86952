"""What the runtime's models share: strict, frozen, and in camel case on the wire.

Below: ``inputs``. Above: the other files of this package.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Final

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from rea_capture.contracts.inputs import InputModel

MAX_ID_CHARACTERS: Final = 128
MAX_URL_CHARACTERS: Final = 8_192
MAX_TEXT_CHARACTERS: Final = 4_096
"""An instruction, a value or an expected text. Longer ones are mistakes."""

MAX_TITLE_CHARACTERS: Final = 1_024
MAX_ORIGINS: Final = 64


class RuntimeModel(InputModel):
    """A document of the runtime; ``wire`` is how it is written."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_alias=True, validate_by_name=True)

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        """What there is; most of what an element may have is not."""
        return ((name, value) for name, value in super().__repr_args__() if value is not None)

    def wire(self) -> dict[str, Any]:
        """As plain JSON values, by the names of the wire; what is absent is left out."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


Name = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9._-]*$", max_length=MAX_ID_CHARACTERS)]
"""What a caller calls a thing: a run, an operation of a file, a credential."""

Handle = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+$", max_length=MAX_ID_CHARACTERS)]
"""What the runtime calls a thing: opaque, to be passed back as it is."""

TabId = Annotated[Handle, Field(description="A tabId, as the tab of a result has it.")]
Url = Annotated[str, Field(min_length=1, max_length=MAX_URL_CHARACTERS)]
Text = Annotated[str, Field(max_length=MAX_TEXT_CHARACTERS)]
NonEmptyText = Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARACTERS)]
