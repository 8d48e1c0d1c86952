"""The sentences that say what a capture could not see, each stated once.

Below: ``errors``, ``limits``, ``wording``, ``redaction``. Above: the runner, the recorder, the browser room.
"""

from __future__ import annotations

from rea_capture.errors import Fault, UnavailableError
from rea_capture.limits import MAX_LIMITATIONS, MAX_SENTENCE_CHARACTERS
from rea_capture.redaction import Redactor
from rea_capture.wording import on_one_line, shortened


def bounded_sentence(text: str, redactor: Redactor) -> str:
    """``text`` redacted, on one line, and cut to ``MAX_SENTENCE_CHARACTERS`` with a count of the rest."""
    return shortened(on_one_line(redactor.abridged(text)), MAX_SENTENCE_CHARACTERS)


def bounded_error(error: UnavailableError, redactor: Redactor) -> UnavailableError:
    """``error`` with every text in it as :func:`bounded_sentence` makes it."""
    faults = [Fault(fault.pointer, bounded_sentence(fault.message, redactor)) for fault in error.faults]
    return UnavailableError(bounded_sentence(error.message, redactor), faults)


class Limitations:
    """An ordered set of sentences, redacted and bounded; what does not fit is counted."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._sentences: dict[str, None] = {}
        self._left_out_count = 0

    def add(self, sentence: str) -> None:
        """Keep ``sentence`` unless it is already there."""
        kept = bounded_sentence(sentence, self._redactor)
        if kept in self._sentences:
            return
        if len(self._sentences) < MAX_LIMITATIONS:
            self._sentences[kept] = None
        else:
            self._left_out_count += 1

    def sentences(self) -> tuple[str, ...]:
        """Every kept sentence, in the order first stated."""
        if not self._left_out_count:
            return tuple(self._sentences)
        return (*self._sentences, f"{self._left_out_count} more limitations were not kept.")
