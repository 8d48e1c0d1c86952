"""Reading a page: the six artifacts of a step, without the page noticing.

Looking changes nothing. Every read runs in a private JavaScript world or in the browser itself, so
no page script, observer, policy report, console, storage or server can tell that it happened, and
the artifacts are the same whichever subset is asked for.

Below: Playwright (one DevTools session of our own), ``contracts``, ``redaction``. Above: the browser driver.
"""

from rea_capture.browser.artifacts.reader import ArtifactReader
from rea_capture.capture.driver import ArtifactReading

__all__ = ["ArtifactReader", "ArtifactReading"]
