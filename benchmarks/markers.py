"""How long messages of 2 MiB take that are nothing but markers, or what delimits code: the least processor time.

`python benchmarks/markers.py` prints each form beside a search for `@@` in it, and exits with 1 if markers take more
than 50 ms. The worst that anybody may send is what the relay's other clients wait for.
"""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from sleep.relay.engine.markers import parse  # the path has to be there first

if TYPE_CHECKING:
    from collections.abc import Callable

MARKERS = (
    "@@sleep:1s@@",
    "@@sleep:1s:drop@@ ",
    "@@cb:1s@@x",
    "@@sleep:",
    "@@cb:",
    "@",
    "1",
    "@@sleep:1s@@@@cb:1s@@x",
    "@bob ",
)
CODE = ("` ", "`\n", "```\n", "~~~\n", "\\`", "\n\n    x", "\n\n\t`", "- `", "\n", " \n", "x")
SIZE, RUNS, BAR = 2**21, 7, 0.05


def least(act: Callable[[], object]) -> float:
    """Return the least processor time of some runs, in seconds."""
    best = 9.0
    for _ in range(RUNS):
        began = time.process_time()
        act()
        best = min(best, time.process_time() - began)
    return best


def main() -> int:
    """Measure and print the table."""
    over = False
    print(f"{'2 MiB of':28} {'ms':>6} {'a search':>9}")
    for pieces, head, bar in ((MARKERS, "@@sleep:", BAR), (CODE, "`x` @@sleep:1s@@", None)):
        for piece in pieces:
            content = f"{head}{piece * (SIZE // len(piece))}@@cb:1s@@x"
            took, floor = least(lambda: parse(content)), least(lambda: "@@!" in content)  # noqa: B023  # called at once
            over = over or (bar is not None and took > bar)
            print(
                f"{piece!r:28} {took * 1000:6.1f} {floor * 1000:9.1f}{'' if bar is None or took <= bar else '  OVER'}"
            )
    return int(over)


if __name__ == "__main__":
    sys.exit(main())
