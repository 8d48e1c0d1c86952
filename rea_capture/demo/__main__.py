"""``python -m rea_capture.demo``: the demo from a command line.

Below: ``story``, ``shop``, ``browser.discovery``. Above: nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from pathlib import Path
from typing import TextIO

from rea_capture import ReaError, UnavailableError
from rea_capture.browser.discovery import EXECUTABLE_VARIABLE, find_browser
from rea_capture.demo.shop import open_shop
from rea_capture.demo.story import PASSWORD, tell_story, told


def main() -> int:
    """Run the demo. Returns 0 when both verdicts are what they have to be, else 1 or an error's status."""
    options = _parsed()
    try:
        if options.serve is not None:
            return _serve(options.serve)
        executable = options.executable_path or os.environ.get(EXECUTABLE_VARIABLE) or find_browser()
        story = asyncio.run(tell_story(options.output, executable, _say))
    except ReaError as error:
        _say(f"rea_capture.demo: {error.message}", sys.stderr)
        return error.exit_status
    for line in told(story):
        _say(line)
    if not story.as_expected:
        _say("This is not what the demo should show: unchanged for the control, changed for the deploy.")
        return 1
    return 0


def _parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m rea_capture.demo",
        description="Capture a bundled demo shop, deploy a change to it, capture it again, and compare.",
    )
    parser.add_argument("--output", type=Path, default=Path("demo-output"), metavar="DIR",
                        help="where the documents go (demo-output)")  # fmt: skip
    parser.add_argument("--executable-path", metavar="PATH", help="the browser to use")
    parser.add_argument("--serve", type=int, choices=range(65_536), metavar="PORT",
                        help="only serve the shop, for captures of your own")  # fmt: skip
    return parser.parse_args()


def _serve(port: int) -> int:
    """Keep the shop open until standard input ends; each line deploys."""
    try:
        with open_shop(PASSWORD, port) as shop:
            _say(f"The shop is open at {shop.origin}. Enter deploys the new version; Ctrl-D closes the shop.")
            for _ in sys.stdin:
                shop.deploy()
                _say("Deployed.")
    except KeyboardInterrupt:
        pass
    except OSError as error:
        raise UnavailableError(f"the shop cannot open on port {port}: {error.strerror}") from None
    return 0


def _say(line: str, stream: TextIO | None = None) -> None:
    print(line, file=stream or sys.stdout, flush=True)


if __name__ == "__main__":
    sys.exit(main())
