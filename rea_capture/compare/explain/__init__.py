"""What a change looks like, made after the verdict and never deciding it.

Below: ``contracts``, ``compare.rules``. Above: ``workflows``. The parts that need a library
(``text.elements``, ``pixels``, ``values``) are imported when something of their kind changed.
"""

from rea_capture.compare.explain.explain import explained, unexplained
from rea_capture.compare.explain.parts import ChangedParts, changed_parts

__all__ = ["ChangedParts", "changed_parts", "explained", "unexplained"]
