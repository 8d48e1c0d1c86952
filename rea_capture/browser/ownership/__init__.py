"""Who owns a browser and its folders, told so that it can be proved after the owner is gone.

    claim            a launch writes its record before it makes anything, and keeps it locked while it lives
    owned_folder     a private folder that is made and deleted in this way
    proof            whether the owner of a record is provably gone
    reclaim          what provably has no owner is killed and deleted; everything else stays
    before_launch    that, as the first thing a launch does

Below: ``state_folder``, ``processes``. Above: ``launch``, and the workflows that clean and diagnose.
"""

from __future__ import annotations

from rea_capture.browser.ownership.claim import Ownership
from rea_capture.browser.ownership.owned_folder import OwnedFolder
from rea_capture.browser.ownership.reclaim import Reclaimed, reclaim
from rea_capture.browser.ownership.registry import RecordState, recorded_launches

__all__ = [
    "OwnedFolder",
    "Ownership",
    "Reclaimed",
    "RecordState",
    "reclaim",
    "recorded_launches",
]
