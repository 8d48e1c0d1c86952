"""What no attached capture can know, whatever it looked at. Pure text.

Below: nothing. Above: ``workflows.capture``, which states these before it attaches, so that partial captures
have them too; ``driver``.
"""

from __future__ import annotations

from typing import Final

ATTACHED_LIMITATIONS: Final = (
    "The browser is not ours: environment.locale set what Intl formats with; navigator.language, "
    "navigator.languages and the Accept-Language header stayed the caller's.",
    "Disconnecting may clear emulation that another client has set, of navigator.platform above all; that "
    "client has to set it again.",
    "What happened before this capture attached to the page is not in its events.",
    "The browser's context is shared with other pages: only events of the selected page and of the popups "
    "found to come of it are kept. The first requests of a popup, which have no frame yet, cannot be told "
    "from those of others and are left out.",
    "What shared workers, worklets and documents in their last moment did is not seen in a shared browser.",
)
"""On every attached capture."""

GAP: Final = (
    "An attached capture is never complete: the events of its steps may miss what a shared browser does not "
    "tell, so no equality is claimed."
)
