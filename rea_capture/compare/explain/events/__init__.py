"""What changed in the events of a step.

Below: ``compare.event_digest``. Above: ``explain``, by ``transactions``.
"""
