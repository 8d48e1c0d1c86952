"""Settings that nobody has to say again: the project's file, the user's file, the environment.

    1. what a call says
    2. ``.rea/browser.toml`` of the project, the nearest above the working folder
    3. ``browser.toml`` in the user's configuration folder
    4. environment variables (``environment.VARIABLES``)
    5. what is built in

Each value comes from the first of these that has it, and knows which that was. Everything is read anew for
each session. A project's file names programs that are started and files that are read, so it is as trusted
as a build script of that project: it has to belong to whoever runs this.

Below: ``contracts``. Above: ``runtime``, the command line, MCP.
"""

from rea_capture.session.configuration.effective import Configuration, Origin, Setting, configured
from rea_capture.session.configuration.opening import configuration_for

__all__ = ["Configuration", "Origin", "Setting", "configuration_for", "configured"]
