"""The JavaScript that runs in the private world. It reads; what it must touch, it puts back.

Each file of ``js/`` holds named pieces. A script is some of these files, in an order in which each finds
what it needs in those before it, and the name of the function that is called.

Below: the files of ``js/``, the browser. Above: the readers.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Final

_FOLDER: Final = files(__package__) / "js"

_WALK: Final = ("prototypes", "survey")


def _script(entry: str, *pieces: str) -> str:
    """A function that passes its arguments to ``entry``, in a scope of its own that holds ``pieces``."""
    texts = [(_FOLDER / f"{piece}.js").read_text("utf-8") for piece in pieces]
    return "\n".join(["(...sent) => {", *texts, f"return {entry}(...sent);", "}"])


FACTS: Final = _script("facts", "facts")
"""(whether storage is wanted) → address, history and, where wanted, storage."""

DOCUMENT: Final = _script("documentText", *_WALK, "document_text")
"""(whether its text is wanted) → the markup of the document, and how many nodes were walked."""

FONTS_READY: Final = _script("fontsReady", *_WALK, "fonts_ready")
"""() → a promise that settles when no font of any document is loading."""

BEFORE_SHOT: Final = _script("beforeShot", *_WALK, "before_shot")
"""(for how many ms to hide the caret) → whether fonts are loading, and what was hidden."""

AFTER_SHOT: Final = _script("afterShot", "after_shot")
"""() → nothing; shows the caret again."""

SECRET_REGIONS: Final = _script("secretRegions", *_WALK, "shown_secrets", "places", "secret_regions")
"""(spellings of secrets, closed shadow roots…) → where the page shows one, in CSS pixels of the viewport."""
