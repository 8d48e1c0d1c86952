"""Listening to a browser: what its pages log, throw, request and open becomes recorded events.

    observer        begins and ends observation; the only door of this package
    backlog         what is still to be told when observation ends
    listening       every listener: guarded, counted, taken off again
    network         requests and their outcomes
    preflights      requests that the browser asks permission for first
    cors            which requests those are
    viewer          requests and names of the browser's own PDF viewer
    content_reads   header values and bodies, a bounded number of reads at a time
    reported        what the driver told of requests, for the browser's own log to be matched with
    bodies          what headers say about a body that is not there
    console         console messages and uncaught errors
    icons           the site icon, which no page asked for
    pages           frames, workers and popups of each page
    sockets         WebSockets
    downloads       downloads, which are cancelled
    unseen          shared workers and worklets, of which nothing is seen
    departures      documents whose last moment is not seen

Below: playwright, ``capture.recorder``. Above: ``session``.
"""

from rea_capture.browser.events.observer import EventObserver

__all__ = ["EventObserver"]
