"""What changed in a text, and in the elements of a document.

Below: selectolax, in ``page_tree``. Above: ``explain``, by ``text``.
"""
