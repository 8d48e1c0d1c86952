"""A step without a ``ref`` gets one from the session's adapter, or there is no step.

Below: ``adapters``, ``live``. Above: ``session``.
"""

from __future__ import annotations

from typing import Final

from rea_capture.contracts.runtime.failing import failure
from rea_capture.contracts.runtime.operations import ActRequest, ObserveRequest
from rea_capture.contracts.runtime.policy import OriginPolicy
from rea_capture.contracts.runtime.results import ObserveResult
from rea_capture.contracts.runtime.settings import SessionSettings
from rea_capture.redaction import NO_SECRETS, Redactor
from rea_capture.session.adapters import adapter_of
from rea_capture.session.credentials import variables_of
from rea_capture.session.worker.answers import redacted
from rea_capture.session.worker.deadlines import ADAPTER_MS, OBSERVE_MS, within
from rea_capture.session.worker.live import Live

NO_ADAPTER: Final = (
    "the step has no ref, and the session has no adapter that could say which element is meant"
)


async def chosen(
    request: ActRequest, policy: OriginPolicy, live: Live, settings: SessionSettings, redactor: Redactor
) -> tuple[str, str, str]:
    """The ref that the adapter chooses, the document it is of, and the adapter's name.

    The adapter sees the instruction, the action and what can be observed, none of it with anything that was
    resolved so far. Raises :class:`BrowserOperationError`; nothing was attempted then.
    """
    adapter = adapter_of(settings.adapter, withheld=variables_of(settings.credentials))
    if adapter is None:
        raise failure("act", "resolve", "adapter_missing", NO_ADAPTER)
    seen = await within(live.observe(ObserveRequest(tab=request.tab), policy), OBSERVE_MS)
    # Another document than the caller means is refused by the live session.
    document_id = request.step.document_id or seen.tab.document_id
    instruction = redactor.text(request.step.instruction)
    ref = await within(adapter.choose(instruction, request.step.action, _shown(seen, redactor)), ADAPTER_MS)
    if all(ref != each.ref for each in seen.elements):
        said = f"the adapter {adapter.name!r} answered with a ref that it was not offered"
        raise failure("act", "resolve", "adapter_failed", said)
    return ref, document_id, adapter.name


def _shown(seen: ObserveResult, redactor: Redactor) -> ObserveResult:
    if redactor is NO_SECRETS:
        return seen
    return ObserveResult.model_validate(redacted(seen.wire(), redactor), strict=False)
