"""What changed in a small value: an address, a history, what is stored, the state of an action.

Below: deepdiff. Above: ``explain``, by ``values``.
"""
