"""How well a wake ranks the lines of journals, beside grades that readers gave to every line.

    SLEEP_SHARED=DIRECTORY python benchmarks/grades.py

Readers saw the journals alone (`labels/README.md`). A project's lines are judged as a wake judges them, and the share
of pairs is printed in which a line that belongs on the first pages (grades A and B) is ranked above another: the area
under the curve (.5 is chance), for small wakes and for those with room; then how high outdated lines (X) are ranked, as
the mean of their ranks from 0 (last) to 1.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from typing import TYPE_CHECKING, Any

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

import brief  # noqa: E402  # the path has to be there first

from sleep.journal.imports import conversion  # noqa: E402
from sleep.records.address import InstanceId  # noqa: E402
from sleep.wake import quality  # noqa: E402
from sleep.wake.journal_lines import excerpt  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sleep.wake.quality import SourceLine

GRADES = os.path.join(HERE, "labels", "grades")
FIRST = ("A", "B")  # grades of what belongs on the first pages
_TAG = "mem"


def key(text: str) -> str:
    """Return by what a line is named in the files of grades, which hold no words of it."""
    return hashlib.sha256(text.encode()).hexdigest()[:10]


def lines(texts: Iterable[str]) -> Iterator[SourceLine]:
    """Yield the lines of journals, given oldest first, as a wake reads them."""
    for age, text in enumerate(texts):
        instance = InstanceId(age + 1, _TAG)
        fields = {"started": "2026-01-01T00:00:00Z", "source": "journal.md"}
        written, _ = conversion.canonical(text, instance, fields, {})
        yield from (line.line._replace(instance=age) for line in excerpt.read(written))


def area(ranks: Sequence[float], is_first: Sequence[bool]) -> float:
    """Return the share of pairs of a first and another line in which the first one ranks higher; ties count half."""
    order = sorted(zip(ranks, is_first, strict=True))
    others, pairs = 0, 0
    for _, first in order:
        pairs += others if first else 0
        others += not first
    firsts = len(order) - others
    return pairs / (firsts * others) if firsts and others else 0.5


def report(grades: dict[str, Any], shared: str) -> str:
    """Return the row of a project."""
    own = list(lines(brief.journals(shared, grades)))
    grade_of = {name: grade for grade, names in grades["grades"].items() for name in names}
    own_grades = [grade_of.get(key(line.text), "") for line in own]
    is_first = [grade in FIRST for grade in own_grades]
    cells = []
    for weights in (quality.WEIGHTS, quality.ROOMY):
        ranks = [each.score**0.5 for each in quality.judge_lines(own, len(grades["files"]), weights).lines]
        outdated = [rank for rank, grade in zip(ranks, own_grades, strict=True) if grade == "X"]
        cells.append(f"{area(ranks, is_first):.3f} ({sum(outdated) / max(1, len(outdated)):.2f})")
    return f"{len(own):6} {sum(is_first):6} {cells[0]:>13} {cells[1]:>13}"


def main() -> int:
    """Print a row for each project."""
    argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0]).parse_args()
    shared = os.environ.get("SLEEP_SHARED", "")
    if not shared:
        sys.exit("SLEEP_SHARED names no folder (with data/)")
    print(f"{'project':18}{'lines':>6} {'A, B':>6} {'small (X)':>13} {'roomy (X)':>13}")
    for name in sorted(os.listdir(GRADES)):
        with open(os.path.join(GRADES, name), encoding="utf-8") as file:
            print(f"{name.removesuffix('.json'):18}{report(json.load(file), shared)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
