"""What a session says: without any secret that it knows of by then, and bounded.

A session learns of secrets as it goes. So what it keeps for later is redacted once more when it is said.

Below: ``redaction``, ``contracts``. Above: every file of this package that says something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from rea_capture.browser.failures import reason_of
from rea_capture.browser.runtime.faults import failure
from rea_capture.capture.limitations import bounded_sentence
from rea_capture.contracts.runtime.base import MAX_TITLE_CHARACTERS, MAX_URL_CHARACTERS
from rea_capture.contracts.urls import observed_url, origin_of
from rea_capture.errors import SecretRefusedError
from rea_capture.redaction import NO_SECRETS, Redactor
from rea_capture.wording import on_one_line, shortened

MAX_NOTES: Final = 64
"""Sentences about a session; more than these say nothing new."""

MAX_REMARKS: Final = 8
"""Of one call. The first ones are what matters."""


class Telling:
    """The secrets of one session, and what it has to say of itself."""

    def __init__(self) -> None:
        self._secrets: dict[str, str] = {}
        self._redactor = NO_SECRETS
        self._notes: dict[str, None] = {}
        self._hearing: list[dict[str, None]] = []
        self._own_notes: dict[str, None] = {}
        """Sentences in which there is nothing of a page; they are said as they stand."""

    def redactor(self) -> Redactor:
        """That of all secrets known by now."""
        return self._redactor

    def learn(self, secret_id: str, value: str) -> None:
        """Never show ``value`` from now on. Raises :class:`BrowserOperationError` when that is not possible.

        Nothing can be shown of an empty value. A name that had another value before keeps both secret.
        """
        if not value or value in self._secrets.values():
            return
        name, number = secret_id, 1
        while name in self._secrets:
            number += 1
            name = f"{secret_id}-{number}"
        try:
            self._redactor = Redactor({**self._secrets, name: value})
        except SecretRefusedError as refused:
            raise failure("act", "resolve", "credential_unavailable", str(refused)) from None
        self._secrets[name] = value
        if name in self._redactor.short_secret_ids:
            self._own_notes[
                f"Credential {secret_id!r} is short; text that holds it by chance is redacted as well, and "
                "what is around it may give it away."
            ] = None

    def note(self, sentence: str) -> None:
        """Keep ``sentence`` as a limitation of the session."""
        if len(self._notes) < MAX_NOTES:
            self._notes[self.sentence(sentence)] = None

    def remark(self, sentence: str) -> None:
        """Keep what a page did that came to nothing, and tell it to whoever hears what happens meanwhile."""
        self.note(sentence)
        for heard in self._hearing:
            if len(heard) < MAX_REMARKS:
                heard[sentence] = None

    @contextmanager
    def hearing(self) -> Iterator[Callable[[], tuple[str, ...]]]:
        """Gives, when asked for them, the remarks that were made while the block ran."""
        heard: dict[str, None] = {}
        self._hearing.append(heard)
        try:
            yield lambda: tuple(self.sentence(each) for each in heard)
        finally:
            self._hearing[:] = [each for each in self._hearing if each is not heard]

    def notes(self) -> tuple[str, ...]:
        """All limitations so far."""
        return (*self._own_notes, *(self.sentence(each) for each in self._notes))

    def sentence(self, text: str) -> str:
        """``text`` on one line."""
        return bounded_sentence(text, self._redactor)

    def reason(self, error: BaseException) -> str:
        """Why ``error`` happened, in one line."""
        return self.sentence(reason_of(error))

    def title(self, raw: str) -> str:
        """A title as a page has it."""
        return self.piece(raw, MAX_TITLE_CHARACTERS)

    def piece(self, raw: str, most: int) -> str:
        """The beginning of a text of a page, on one line."""
        return shortened(on_one_line(self._redactor.text(raw)), most)

    def url(self, raw: str) -> str:
        """An address, without user name and password."""
        return shortened(observed_url(raw, self._redactor.text).url, MAX_URL_CHARACTERS)

    def origin(self, raw: str) -> str | None:
        """The origin of an address, if it has one."""
        origin = origin_of(raw)
        return None if origin is None else self._redactor.text(origin)
