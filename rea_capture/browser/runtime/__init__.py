"""A browser that stays: what the persistent runtime asks of it.

Below: the rest of ``browser``. Above: ``session.worker``.
"""
