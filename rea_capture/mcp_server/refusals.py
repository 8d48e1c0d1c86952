"""Every refusal as a client gets it: code, sentence, pointers, and what to do.

Below: ``errors``, ``workflows.unforeseen``. Above: ``answers``, and whoever refuses.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rea_capture.errors import Fault, InputError, ReaError, UnavailableError
from rea_capture.limits import MAX_SENTENCE_CHARACTERS
from rea_capture.mcp_server.limits import MAX_CALL_BYTES, MAX_CALL_VALUES, MAX_DETAILS
from rea_capture.mcp_server.messages import Refusal, RefusalDetail, RefusalError
from rea_capture.wording import listed, shortened
from rea_capture.workflows.unforeseen import foreseen

_MAX_NAME_CHARACTERS: Final = 100
_SOME_LISTED_RECOVERY: Final = (
    "Correct what each pointer names as its sentence says, then ask again; the faults that are only "
    "counted here are listed then."
)


class UnknownToolError(ReaError):
    """There is no tool of the name."""

    code = "unknown_tool"
    recovery = "Call one of the tools that tools/list gives."

    @classmethod
    def of(cls, name: str, names: Iterable[str]) -> UnknownToolError:
        """The refusal of a call of ``name``, where the tools are ``names``."""
        return cls(f"there is no tool {shortened(name, _MAX_NAME_CHARACTERS)!r}; there are {listed(names)}")


class TooLargeError(InputError):
    """A call's message is longer than this server takes, or has more in it."""

    code = "input_too_large"
    recovery = (
        'Send less: in place of a capture of this server send {"evidence_id": "ev_…"}; for larger documents '
        "use the command line, `rea compare-web-captures BEFORE AFTER` or `rea verify FILE`."
    )

    @classmethod
    def of(cls, name: str, size: int) -> TooLargeError:
        """The refusal of a call of ``name`` that has ``size`` bytes."""
        message = (
            f"the call of {name} has {size:,} bytes, and this server takes at most {MAX_CALL_BYTES:,} "
            "(MAX_CALL_BYTES)"
        )
        return cls(message, [Fault("", message)])

    @classmethod
    def in_values(cls, name: str) -> TooLargeError:
        """The refusal of a call of ``name`` that has more than ``MAX_CALL_VALUES`` values."""
        message = f"the call of {name} has more than {MAX_CALL_VALUES:,} values (MAX_CALL_VALUES)"
        return cls(message, [Fault("", message)])


class BusyError(UnavailableError):
    """More captures wait than may."""

    code = "busy"
    recovery = "Wait until captures have ended, then call again; --max-captures lets more run at one time."


class EvidenceGoneError(InputError):
    """The store does not have the document that is asked for."""

    code = "evidence_not_kept"
    recovery = (
        "Use an id that this server still has (resources/list gives them), capture or compare again, or send "
        "the document itself."
    )


def refusal(error: BaseException) -> Refusal:
    """``error`` as a client gets it. One that was not foreseen says where it happened and nothing else."""
    known = foreseen(error)
    details = [RefusalDetail(message=_plain(f.message), pointer=_plain(f.pointer)) for f in known.faults]
    omitted = max(0, len(details) - MAX_DETAILS)
    return Refusal(
        error=RefusalError(
            code=known.code,
            details=tuple(details[:MAX_DETAILS]),
            details_omitted=omitted,
            message=_plain(known.message),
            recovery=_SOME_LISTED_RECOVERY if omitted else known.recovery,
        )
    )


def _plain(text: str) -> str:
    """``text`` without lone surrogates, which no message can carry, and no longer than anybody reads."""
    return shortened(text, MAX_SENTENCE_CHARACTERS).encode("utf-8", "replace").decode()
