"""Browser sessions that a client of the protocol drives step by step.

Below: ``session``. Above: ``tools``, ``catalogue``.
"""
