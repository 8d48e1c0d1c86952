"""Downloads of the selected page and its popups: each is cancelled by itself.

The browser's own rule for downloads is left alone, since it is everybody's, so the driver tells of none. A
small file may be complete before it can be cancelled; the capture then says so.

Below: ``instruments``, ``capture.recorder``. Above: ``session``.
"""

from __future__ import annotations

import asyncio
from typing import Any

from rea_capture.browser.channel import ChannelError
from rea_capture.browser.connect.instruments import Instruments
from rea_capture.capture.recorder import EventRecorder


class AttachedDownloads:
    """Cancels and records what the pages of an attached capture offer for download."""

    def __init__(self, instruments: Instruments, recorder: EventRecorder) -> None:
        self._instruments = instruments
        self._recorder = recorder
        self._cancellations: set[asyncio.Task[None]] = set()
        instruments.hear(self._on_event)

    def _on_event(self, method: str, params: dict[str, Any]) -> None:
        if method == "Page.downloadProgress" and params["state"] == "completed":
            self._recorder.gap(
                {"events"} if "downloads" in self._recorder.families else (),
                "A download was complete before it could be cancelled; the browser has kept its file.",
            )
        elif method == "Page.downloadWillBegin":
            task = asyncio.get_running_loop().create_task(self._cancel(str(params["guid"])))
            self._cancellations.add(task)
            task.add_done_callback(self._cancellations.discard)
            if not self._recorder.has_ended:
                self._recorder.download_cancelled(str(params["suggestedFilename"]), str(params["url"]))

    async def _cancel(self, guid: str) -> None:
        try:
            await self._instruments.browser_command("Browser.cancelDownload", {"guid": guid})
        except ChannelError as fault:
            self._recorder.gap(
                {"events"} if "downloads" in self._recorder.families else (),
                f"A download could not be cancelled and may have been completed: {fault}.",
            )

    async def settle(self) -> None:
        """Wait for the cancellations under way; each command is bounded."""
        if self._cancellations:
            await asyncio.wait(self._cancellations)
