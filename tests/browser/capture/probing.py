"""A page that says what it can tell about where it runs, and a scenario's every setting for it.

Below: the contracts. Above: the tests of launched and of attached captures.
"""

from __future__ import annotations

import html
import json
import re
from typing import Any, Final

from rea_capture.contracts.capture_evidence import CaptureEvidence

PROBE: Final = """<!doctype html><body><script>
document.body.textContent = JSON.stringify({
  language: navigator.language, languages: navigator.languages,
  number: (1234.5).toLocaleString(), zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  dark: matchMedia('(prefers-color-scheme: dark)').matches,
  reduced: matchMedia('(prefers-reduced-motion: reduce)').matches,
  size: [innerWidth, innerHeight, devicePixelRatio], cookie: document.cookie,
});
</script>"""

SETTINGS: Final[dict[str, Any]] = {
    "viewport": {"width": 400, "height": 300, "device_scale_factor": 1.5},
    "locale": "de-DE",
    "timezone": "Asia/Tokyo",
    "color_scheme": "dark",
    "reduced_motion": "no-preference",
}
SETTINGS_AS_SAID: Final[dict[str, object]] = {
    "language": "de-DE",
    "languages": ["de-DE"],
    "number": "1.234,5",
    "zone": "Asia/Tokyo",
    "dark": True,
    "reduced": False,
    "size": [400, 300, 1.5],
    "cookie": "",
    "picture": [600, 450],
}


def said_by_probe(evidence: CaptureEvidence) -> dict[str, object]:
    """What the page said at the end of the capture, and the size of its picture."""
    artifacts = evidence.normalized_result.steps[-1].artifacts
    assert artifacts.dom.state == "captured"
    (printed,) = re.findall(r"(\{.*\})</body>", artifacts.dom.value.text)
    found: dict[str, object] = json.loads(html.unescape(printed))
    assert artifacts.screenshot.state == "captured"
    found["picture"] = [artifacts.screenshot.value.width, artifacts.screenshot.value.height]
    return found
