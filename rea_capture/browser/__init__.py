"""The one room that knows Playwright: it drives a browser for the capture room's protocol.

Below: ``capture``, ``redaction``, ``contracts``. Above: ``workflows``, which loads it only to capture.
"""
