"""Ways to reach a worker.

Below: ``worker``. Above: ``runtime``.
"""
