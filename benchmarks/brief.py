"""What a reader of a wake knows, on the shared harness's projects and on ours: checklists against wakes, in memory.

    SLEEP_SHARED=DIRECTORY python benchmarks/brief.py [--missing]

Each project's journals are lived through one by one, without a disk and git. Then its wakes and its questions are held
against its checklist: those of the harness (`data/briefs`), and three other stretches of time (`labels/briefs`).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import TYPE_CHECKING, Any

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE)]

from sleep.evaluation import brief, life, own_brief  # noqa: E402  # the path has to be there first
from sleep.recall import search  # noqa: E402
from sleep.recall.index import access  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sleep.recall.index.database import Index


def projects(shared: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the checklists by name."""
    for folder in (os.path.join(shared, "data", "briefs"), os.path.join(HERE, "labels", "briefs")):
        for name in sorted(os.listdir(folder)):
            if name.endswith(".json"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    yield name.removesuffix(".json"), json.load(file)


def journals(shared: str, project: dict[str, Any]) -> Iterator[str]:
    """Yield a project's journals, oldest first."""
    for name in project["files"]:
        path = os.path.join(shared, "data", "journals", project["project"], os.path.basename(name))
        with open(path, encoding="utf-8", errors="replace") as file:
            yield file.read()


def main() -> int:
    """Print a line a project and budget, and what recall answers."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--missing", action="store_true", help="also print what is not told and not answered")
    options = parser.parse_args()
    shared = os.environ.get("SLEEP_SHARED", "")
    if not shared:
        parser.error("SLEEP_SHARED names no folder (with data/)")
    for name, project in projects(shared):
        lived = life.lived(journals(shared, project))
        known = brief.of_harness(project)
        scores = [brief.score(known, lived.woken(budget), budget) for budget in brief.BUDGETS]
        cells = "  ".join(f"{each.budget:6} {each.share:.3f} ({len(each.outdated)})" for each in scores)
        print(f"{name:18}{cells}  outdated of {len(known.outdated)}")
        index = access.index_tree(lived.tree)

        def ask(question: str, budget: int, index: Index = index) -> tuple[str, bool]:
            result = search.recall(index, question, budget)
            return result.text if result.passages else "", not result.nothing

        answers = brief.answers(known, ask)
        if known.questions:
            print(f"{'':18}{own_brief.sentence(answers)}")
        if options.missing:
            print(*(f"{'':18}{line}" for line in own_brief.complaints(scores, answers)), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
