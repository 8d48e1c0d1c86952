"""Two captures in, one comparison out. Pure: no file, no clock, no browser.

    prepare(one side) ─┐
                       ├─▶ compare_prepared ─▶ ComparisonResult
    prepare(other)    ─┘

A prepared capture holds digests and states only, so that the capture it came from can be dropped
before the other one is loaded. :func:`compare_captures` does all three for captures that are small.

Below: ``contracts``, ``canonical``, ``limits``, ``errors``. Above: ``workflows``.
"""

from rea_capture.compare.prepare import prepare
from rea_capture.compare.prepared import PreparedCapture
from rea_capture.compare.rules import normalization_record
from rea_capture.compare.verdict import compare_captures, compare_prepared

__all__ = ["PreparedCapture", "compare_captures", "compare_prepared", "normalization_record", "prepare"]
