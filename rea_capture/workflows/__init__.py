"""What a user can ask for, one function a verb: capture, compare, verify, print a schema, diagnose.

Each composes rooms and decides nothing that a room can decide. Playwright is loaded only to capture.

Below: every room but ``cli`` and ``demo``. Above: the command line, the Python API, the demo.
"""
