"""What changed in a picture.

Below: NumPy and Pillow. Above: ``explain``, by ``pixels``.
"""
