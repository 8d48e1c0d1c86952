"""Resolved secrets and all their spellings; pure text or bytes in, the same out.

Below: ``contracts.encodings``, ``limits``, ``errors``, the standard library. Above: everything that
keeps, prints or reports a value.
"""

from rea_capture.redaction.redactor import NO_SECRETS, Redactor
from rea_capture.redaction.wellformed import well_formed

__all__ = ["NO_SECRETS", "Redactor", "well_formed"]
