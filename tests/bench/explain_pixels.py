"""What explaining two screenshots costs: ``python -m tests.bench.explain_pixels``.

Medians on the clock and of the processors, with decoding: a small change, another text, every pixel changed.

Below: the package's pixel explanation. Above: whoever measures.
"""

from __future__ import annotations

import statistics
import time

from PIL import Image

from rea_capture.compare.explain.pixels.pixels import pixel_explanation
from tests.compare.explain.drawn import png_of, text_page


def main() -> None:
    for height, repeats in ((720, 9), (20_000, 3)):
        page = text_page(1280, height)
        few = page.copy()
        few.paste("red", (100, 100, 200, 140))
        cases = {
            "a box": few,
            "other text": text_page(1280, height, seed=1),
            "all": Image.eval(page, lambda value: 255 - value),
        }
        before = png_of(page)
        for name, after in cases.items():
            print(f"1280 by {height}, {name}: {_cost(before, png_of(after), repeats)}")


def _cost(before: bytes, after: bytes, repeats: int) -> str:
    runs = []
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        pixel_explanation(before, after)
        runs.append((time.perf_counter() - wall, time.process_time() - cpu))
    wall_ms, cpu_ms = (statistics.median(each) * 1000 for each in zip(*runs, strict=True))
    return f"{wall_ms:.0f} ms, {cpu_ms:.0f} ms of the processors"


if __name__ == "__main__":
    main()
