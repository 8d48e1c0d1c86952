"""Reports: comparisons, made readable. Documents in, bytes or text out; nothing is read or fetched.

    view         comparisons and captures as what a report shows: the only thing that renderers know
    html         one file for a browser
    markdown     a comment on a pull request; markdown_text gets captured text into it
    junit        test results
    annotations  commands to a GitHub workflow
    findings     what the last three list; explained, an explanation as lines; visible, text on one line

Below: ``contracts``, ``canonical``, ``wording``, ``limits``. Above: ``workflows``.
"""
