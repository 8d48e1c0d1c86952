"""Reports: comparisons, made readable. Documents in, bytes or text out; nothing is read or fetched.

    view    comparisons and captures as what a report shows: the only thing that renderers know
    html    one file for a browser

Below: ``contracts``, ``canonical``, ``wording``, ``limits``. Above: ``workflows``.
"""
