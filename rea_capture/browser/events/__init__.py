"""Listening to a browser: what its pages log, throw, request and open becomes recorded events.

    observer        begins and ends observation; the only door of this package
    listening       every listener: guarded, counted, taken off again
    network         requests and their outcomes
    content_reads   header values and bodies, a bounded number of reads at a time
    console         console messages and uncaught errors
    pages           frames, workers, WebSockets, popups and downloads of each page

Below: playwright, ``capture.recorder``. Above: ``session``.
"""

from rea_capture.browser.events.observer import EventObserver

__all__ = ["EventObserver"]
