"""Whether a run of a hostile page was as its case says.

Below: ``case``, ``running``. Above: the tests, and ``__main__``.
"""

from __future__ import annotations

from tests.hostile.case import Case
from tests.hostile.looking import Result
from tests.hostile.running import Outcome


def problems(case: Case, outcome: Outcome) -> list[str]:
    """What of ``outcome`` is not as ``case`` says; empty when all is well."""
    result = outcome.result
    if result is None:
        return [f"no Evidence, status {outcome.status}: {outcome.errors[-1_000:]}"]
    found = [f"left behind: {what}" for what in outcome.leftovers]
    if outcome.status != 0:
        found.append(f"status {outcome.status}: {outcome.errors[-1_000:]}")
    if outcome.took_s > case.bound_s:
        found.append(f"took {outcome.took_s:.1f} s of {case.bound_s:.1f} s")
    late = (*case.statuses[:-1], "failed") if case.may_fail else case.statuses
    if result.statuses not in (case.statuses, late):
        found.append(f"steps: {result.statuses}")
    for word, seen, needed in (
        ("missing", result.missing, case.missing),
        ("truncated", result.truncated, case.truncated),
    ):
        if not needed <= seen <= needed | case.may_miss:
            found.append(f"{word}: {sorted(seen)}")
    found += [f"does not say {pattern!r}" for pattern in case.says if not result.says(pattern)]
    found += [] if case.goes_on else _silent_losses(result)
    found += _broken_promise(case, result)
    if result.missing | result.truncated and result.capture["completeness"]["equality_eligible"]:
        found.append("is eligible for equality all the same")
    return found


def _silent_losses(result: Result) -> list[str]:
    """The servers count: what they were asked is known to the capture, or it says that events are missing."""
    if "events" in result.missing | result.truncated or result.says("had it loaded once more"):
        return []
    return [f"nothing said of {requests}" for requests in result.unknown_requests()]


def _broken_promise(case: Case, result: Result) -> list[str]:
    if case.holds is None:
        return []
    try:
        case.holds(result)
    except (AssertionError, KeyError, ValueError) as error:
        return [f"does not hold: {str(error) or type(error).__name__}"]
    return []
