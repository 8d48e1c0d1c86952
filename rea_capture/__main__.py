"""``python -m rea_capture`` is ``rea``.

Below: ``cli``. Above: nobody.
"""

from rea_capture.cli import main

if __name__ == "__main__":
    main()
