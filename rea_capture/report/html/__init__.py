"""A report as one HTML file that opens from disk and needs nothing else.

    page          puts the file together: policy, style, first lines, data, script
    first_lines   what is there before the script has run, and without one
    contents      a comparison as the data that the script reads
    transactions  the network events of a capture as rows
    other_events  all other events as rows
    folds         the lines between the hunks of a difference
    pictures      which screenshots are in the file, and in what form
    fitting       what of explanations and events is in the file, where not all fits
    texts         all other texts of documents, where these are too long
    escaping      how captured text gets into the file
    assets        the template, the style and the pieces of the script

Below: ``view``, ``findings``, ``contracts``, ``canonical``, ``wording``. Above: ``workflows``.
"""
