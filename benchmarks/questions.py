"""What recall answers, and what it marks as not sure: a colleague's questions about six stretches of journals.

    SLEEP_SHARED=DIRECTORY python benchmarks/questions.py [--misses]

The questions are ours (`labels/questions`), half of them without an answer; the journals are the shared harness's. They
are split by project: what is fitted is fitted on `fit` alone. An answer counts where the ways to say it stand within
four lines, as `brief.py` counts it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import TYPE_CHECKING

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

import brief as briefs  # noqa: E402  # the path has to be there first

from sleep.evaluation import brief, life, own_brief  # noqa: E402
from sleep.recall import search  # noqa: E402
from sleep.recall.index import access  # noqa: E402

if TYPE_CHECKING:
    from sleep.recall.index.database import Index


def answers(index: Index, known: brief.Checklist) -> tuple[brief.Answers, list[str]]:
    """Return what recall answers, and the questions without an answer that it is sure of."""
    sure: list[str] = []

    def ask(question: str, budget: int) -> tuple[str, bool]:
        result = search.recall(index, question, budget)
        if not result.nothing:
            sure.append(question)
        return result.text if result.passages else "", not result.nothing

    told = brief.answers(known, ask)
    empty = {point.text for point in known.questions if point.ways is None}
    return told, [question for question in sure if question in empty]


def together(parts: list[brief.Answers]) -> brief.Answers:
    """Return the answers of several stretches as one."""
    within = tuple((budget, sum(dict(part.within)[budget] for part in parts)) for budget in brief.ANSWERS)
    asked, unsure, empty, refused = (
        sum(getattr(part, name) for part in parts) for name in ("asked", "unsure", "empty", "refused")
    )
    return brief.Answers(asked, within, unsure, empty, refused, ())


def main() -> int:
    """Print a line a stretch and a line a half."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--misses", action="store_true", help="also print what is not answered, and what is not marked")
    options = parser.parse_args()
    shared = os.environ.get("SLEEP_SHARED", "")
    if not shared:
        parser.error("SLEEP_SHARED names no folder (with data/)")
    halves: dict[str, list[brief.Answers]] = {}
    folder = os.path.join(HERE, "labels", "questions")
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            project = json.load(file)
        lived = life.lived(briefs.journals(shared, project))
        known = brief.of_harness({"points": (), "stale": (), **project})
        told, sure = answers(access.index_tree(lived.tree), known)
        print(f"{name.removesuffix('.json'):14}{project['half']:7}{own_brief.sentence(told)}")
        if options.misses:
            missed = (f"not answered: {question}" for question in told.missed)
            print(
                *(f"{'':21}{each}" for each in (*missed, *(f"not marked: {question}" for question in sure))), sep="\n"
            )
        halves.setdefault(project["half"], []).append(told)
    for half, parts in sorted(halves.items()):
        print(f"{half:21}{own_brief.sentence(together(parts))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
