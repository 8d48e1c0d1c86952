"""The side that has the browsers.

Below: ``browser.runtime``. Above: ``transport``, ``rea browser serve``.
"""
