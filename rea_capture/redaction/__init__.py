"""Resolved secrets and all their spellings; pure text or bytes in, the same out.

Above: everything that keeps, prints or reports a value. Below: ``limits``, ``errors``, the standard library.
"""

from rea_capture.redaction.redactor import NO_SECRETS, Redactor
from rea_capture.redaction.wellformed import well_formed

__all__ = ["NO_SECRETS", "Redactor", "well_formed"]
