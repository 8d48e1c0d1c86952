"""The documents of the persistent browser runtime: operations, results, errors, sessions, scenario files.

Below: ``contracts``. Above: ``browser.runtime``, ``session``, the doors.
"""
