"""What a reader of a wake knows, on the shared harness's projects and on ours: checklists against wakes, in memory.

    SLEEP_SHARED=DIRECTORY python benchmarks/brief.py [--missing | --pages]

Each project's journals are lived through one by one, without a disk and git. Then its wakes and its questions are held
against its checklist: those of the harness (`data/briefs`), and three other stretches of time (`labels/briefs`).
With `--pages` what a model wrote after it had read the journals (`data/pages/PROJECT.BUDGET.md`) is handed in as
`wake.page --write` would: its lines go through the gate, and what holds is told first.
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
from sleep.memory.view import View  # noqa: E402
from sleep.recall import search  # noqa: E402
from sleep.recall.index import access  # noqa: E402
from sleep.wake import page, page_gate  # noqa: E402

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


def pages(shared: str) -> None:
    """Print what a wake with a page tells, by project and budget, and the means."""
    sums: dict[int, list[float]] = {}
    for name, project in projects(shared):
        texts = {size: os.path.join(shared, "data", "pages", f"{name}.{size}.md") for size in brief.BUDGETS}
        texts = {size: path for size, path in texts.items() if os.path.exists(path)}
        lived = life.lived(journals(shared, project)) if texts else None
        for size, path in texts.items():
            assert lived
            with open(path, encoding="utf-8") as file:
                judged = page_gate.judge(View(lived.tree), file.read(), size)
            lived.tree.take({page.PATH: page.write(judged.lines)})
            scored = brief.score(brief.of_harness(project), lived.woken(size), size)
            judgement = f"lines {len(judged.lines)}, refused {len(judged.refused)}"
            print(f"{name:18}{size:6} {scored.share:.3f} ({len(scored.outdated)})  {judgement}")
            sums.setdefault(size, []).append(scored.share)
    for size, shares in sums.items():
        print(f"page through the gate, {size} tokens: {sum(shares) / len(shares):.3f}")


def main() -> int:
    """Print a line a project and budget, and what recall answers."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--missing", action="store_true", help="also print what is not told and not answered")
    parser.add_argument("--pages", action="store_true", help="only wakes with a page that a model wrote")
    options = parser.parse_args()
    shared = os.environ.get("SLEEP_SHARED", "")
    if not shared:
        parser.error("SLEEP_SHARED names no folder (with data/)")
    if options.pages:
        pages(shared)
        return 0
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
