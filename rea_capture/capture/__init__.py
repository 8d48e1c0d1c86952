"""Running a scenario against a browser it knows only as a protocol, and recording what happened.

Below: ``redaction``, ``contracts``. Above: ``browser``, which implements the protocol, and
``workflows``. No Playwright here.
"""
