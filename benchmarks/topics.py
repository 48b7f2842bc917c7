"""What topics come of journals: `topics.py PROJECT...`, each a memory whose journals no cycle has slept on.

Sleeps on all of them in memory and prints for each tier its topics with their fragments, the share of `general`, and
how many fragments went from one topic to another between cycles. Changes nothing.
"""

from __future__ import annotations

import os
import sys
from collections import Counter

from sleep.cycle import cycle_plan, topics
from sleep.documents import paths
from sleep.memory import place
from sleep.memory.view import View
from sleep.records.topic import GENERAL
from sleep.store.tree import FixedTree, Overlay, WorkTree

NOW = "2026-11-21T10:00:00Z"


def main(folder: str) -> None:
    """Print the topics of one project."""
    where = place.find(folder, folder)
    tree, writes = WorkTree(where.root), {}
    view, homes = View(FixedTree(Overlay(tree, writes))), {}
    moved = stayed = 0
    for number, path in enumerate(cycle_plan.chosen(view, None), 1):
        if cycle_plan.nothing_in(view, path):
            continue
        for action, _ in cycle_plan.planned(where.settings, view, path, number, NOW):
            writes.update(action.decided.writes)
        view = View(FixedTree(Overlay(tree, writes)), view)
        was, homes = homes, _homes(view)
        kept = [(was[key], home) for key, home in homes.items() if was.get(key, GENERAL) != GENERAL]
        moved += sum(old != home for old, home in kept)
        stayed += len(kept)
    print(f"{os.path.basename(folder)}: {moved} of {stayed} fragments in a topic went to another")
    for tier in (paths.WARM, paths.COLD):
        sizes = Counter(topics.base(paths.topic_of(path)) for path, _ in view.placed(tier))
        count = sizes.total()
        if count:
            listed = ", ".join(f"{name} {size}" for name, size in sizes.most_common())
            print(f"  {tier}: {count} fragments, {len(sizes)} topics, general {sizes[GENERAL] / count:.2f}: {listed}")


def _homes(view: View) -> dict[tuple[str, str, str], str]:
    """Return the topic of each fragment by tier, address and text."""
    placed = view.placed(paths.WARM, paths.COLD)
    return {
        (paths.tier_of(path), str(fragment.identity), fragment.text): topics.base(paths.topic_of(path))
        for path, fragment in placed
    }


if __name__ == "__main__":
    for project in sys.argv[1:]:
        main(os.path.realpath(project))
