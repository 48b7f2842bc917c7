"""Whether recall's doubt knows what a memory lacks: five kinds of questions, each project left out of what is chosen.

    SLEEP_SHARED=DIRECTORY python benchmarks/doubt.py [--more FOLDER] [--sure]

The kinds: questions that readers wrote and the memory answers, in other words than its own (`other words`) or in the
same words (`same words`); those that readers wrote and nothing answers (`no answer`); those that other projects answer
(`elsewhere`); and the first once more, the lines that answer them taken out of the memory (`taken out`). The
last two are worded as answered questions are. So they tell doubt of what a memory lacks from a taste for wordings: of
the others alone none can, for readers ask for what is not there in other forms than for what is.

Printed by project: how many of each kind are marked as not sure by the rule as it was, by the rule with the limits that
all other projects choose, and by the rule as it is. Then the area under the curve (1: told apart, .5: by chance) of
each measure that the rule may look at, and of one that does not look at the memory at all.
`--more` reads further projects: NAME.json as a brief of the harness, its pages in NAME/.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest import mock

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

import brief as briefs  # noqa: E402  # the path has to be there first

from sleep.evaluation import brief, life  # noqa: E402
from sleep.recall import lookup, question, search  # noqa: E402
from sleep.recall.index import access  # noqa: E402
from sleep.store.tree import InMemory  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sleep.recall.index.database import Index

KINDS = ("other words", "same words", "no answer", "elsewhere", "taken out")
_ANSWERED = 2  # the kinds before the third
_PRICES = (-3, -1, 2, 1, 0)  # what a mark of each kind is worth
_ELSEWHERE = 12  # questions of other projects that each is asked
_SEED = 7
_BEFORE = (0.0, 0.0)  # limits that mark nothing: the rule as it was
_LIMITS = (_BEFORE, *itertools.product((0.6, 0.7, 0.8, 0.9, 1.0, 1.2), (0.4, 0.5, 0.6, 0.7)))
_MEASURES = ("covered", "rare", "whole", "besides", "words besides names")
_WINDOW = 4  # lines in which an answer stands
_FEW = 2  # questions of each side that an area is of


class Row(NamedTuple):
    """A question asked of a project: its kind, the measures, and by limits whether it is marked."""

    project: str
    kind: int
    text: str
    measures: tuple[float, ...]
    marks: tuple[bool, ...]


def projects(shared: str, more: Path | None) -> Iterator[tuple[str, list[dict[str, Any]], list[str]]]:
    """Yield by name the questions and the journals; further questions on the harness's projects are `labels/doubt`."""
    with open(os.path.join(HERE, "labels", "doubt.json"), encoding="utf-8") as file:
        further = json.load(file)
    for folder in (Path(shared, "data", "briefs"), Path(HERE, "labels", "questions"), *([more] if more else [])):
        for path in sorted(folder.glob("*.json")):
            known = json.loads(path.read_text("utf-8"))
            own = folder / known["project"]
            texts = (
                [(own / name).read_text("utf-8", "replace") for name in known["files"]]
                if folder == more
                else list(briefs.journals(shared, known))
            )
            extra = further.get(path.stem, []) if folder.name == "briefs" else []
            yield path.stem, [*known["questions"], *extra], texts


def family(project: str) -> str:
    """Return what is left out together: stretches of one project share their journals."""
    return re.sub(r"-(?:[a-f]|summaries)$", "", project)


def without(texts: Mapping[str, str], point: brief.Point) -> dict[str, str]:
    """Return a memory's texts without the lines that answer a question."""
    return {path: "\n".join(_without(text.split("\n"), point)) for path, text in texts.items()}


def _without(lines: list[str], point: brief.Point) -> list[str]:
    at = 0
    while at < len(lines):
        spoken = [number for number in range(at, len(lines)) if lines[number].strip()][:_WINDOW]
        window = "\n".join(lines[number] for number in spoken)
        way = next((way for way in point.ways or () if all(part.search(window) for part in way)), None)
        if way is None:
            at += 1
            continue
        for number in [each for each in spoken if any(part.search(lines[each]) for part in way)] or spoken:
            lines[number] = ""
        at = max(0, at - _WINDOW)
    return lines


def asked(project: str, kind: int, index: Index, text: str) -> Row:
    """Return what recall measures of a question, and whether it marks it, by limits."""
    parsed = question.parse(text)
    marks: list[bool] = []
    with index.reading() as base:
        found = lookup.find_matches(base, parsed)
    names = {term for _, own in parsed.names for term in own}
    alone = float(len(set(parsed.terms) - names))
    for besides, whole in _LIMITS:
        with mock.patch.object(search, "_BESIDES", besides), mock.patch.object(search, "_WHOLE", whole):
            marks.append(bool(search.recall(index, text, brief.ANSWERS[0]).nothing))
    marks.append(bool(search.recall(index, text, brief.ANSWERS[0]).nothing))
    return Row(project, kind, text, (found.covered, found.rare, found.whole, found.besides, alone), tuple(marks))


def rows(shared: str, more: Path | None) -> list[Row]:
    """Return every question asked of every project."""
    known = list(projects(shared, more))
    draw = random.Random(_SEED)
    every: list[Row] = []
    for name, questions, texts in known:
        tree = life.lived(texts).tree
        index = access.index_tree(tree)
        others = [
            each["q"]
            for other, own, _ in known
            for each in own
            if family(other) != family(name) and not each.get("unanswerable") and each["q"].isascii()
        ]
        every += [asked(name, 3, index, text) for text in draw.sample(others, min(_ELSEWHERE, len(others)))]
        for each in questions:
            kind = 2 if each.get("unanswerable") else int(bool(each.get("same_words")))
            every.append(asked(name, kind, index, each["q"]))
            if kind == 0:
                point = brief.of_harness({"points": (), "stale": (), "questions": [each]}).questions[0]
                left = access.index_tree(InMemory(without(tree.texts, point)))
                every.append(asked(name, 4, left, each["q"]))
    return every


def shares(every: Sequence[Row], at: int) -> list[float]:
    """Return by kind the share that is marked by the limits at a place, nan where there is none of a kind."""
    kinds = ([row.marks[at] for row in every if row.kind == kind] for kind in range(len(KINDS)))
    return [sum(own) / len(own) if own else float("nan") for own in kinds]


def chosen(every: Sequence[Row]) -> int:
    """Return at which place the limits are that projects choose, each alike."""
    by = [[row for row in every if family(row.project) == name] for name in {family(row.project) for row in every}]
    worth = [np.nansum(np.nanmean([shares(own, at) for own in by], axis=0) * _PRICES) for at in range(len(_LIMITS))]
    return int(np.argmax(worth))


def area(right: Sequence[float], wrong: Sequence[float]) -> float:
    """Return how often a right question has more than a wrong one, of all pairs; nan where there are few."""
    if min(len(right), len(wrong)) < _FEW:
        return float("nan")
    a, b = np.array(right)[:, None], np.array(wrong)[None, :]
    return float(np.mean(a > b) + np.mean(a == b) / 2)


def table(every: Sequence[Row]) -> None:
    """Print by project what is marked, before, with limits of the other projects, and now."""
    names = list(dict.fromkeys(row.project for row in every))
    place = {name: chosen([row for row in every if family(row.project) != family(name)]) for name in names}
    left_out = [row._replace(marks=(row.marks[0], row.marks[place[row.project]], row.marks[-1])) for row in every]
    print(f"{'marked: before, left out, now':32}" + "".join(f"{kind:>27}" for kind in KINDS))
    for name in (*names, ""):
        own = [row for row in left_out if name in ("", row.project)]
        counts = [sum(row.kind == kind for row in own) for kind in range(len(KINDS))]
        parts = zip(*(shares(own, at) for at in range(3)), counts, strict=True)
        cells = "".join(f"{one:9.2f}{two:5.2f}{three:5.2f} of {count:4}" for one, two, three, count in parts)
        print(f"{name or 'all':18}{str(_LIMITS[place[name]]) if name else '':14}{cells}")


def areas(every: Sequence[Row]) -> None:
    """Print by project and measure the area between answered questions and each kind that is not."""
    names = list(dict.fromkeys(row.project for row in every))
    print("\narea under the curve, answered in other words against: no answer, elsewhere, taken out")
    for name in (*names, ""):
        own = [row for row in every if name in ("", row.project)]
        cells = []
        for at in range(len(_MEASURES)):
            by = [[row.measures[at] for row in own if row.kind == kind] for kind in range(len(KINDS))]
            cells.append(" ".join(f"{area(by[0], by[kind]):.2f}" for kind in (2, 3, 4)))
        print(f"{name or 'all':18}" + "   ".join(f"{what} {cell}" for what, cell in zip(_MEASURES, cells, strict=True)))


def main() -> int:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--more", type=Path, help="a folder with further projects")
    parser.add_argument("--sure", action="store_true", help="also print the questions that are wrongly marked or not")
    options = parser.parse_args()
    shared = os.environ.get("SLEEP_SHARED", "")
    if not shared:
        parser.error("SLEEP_SHARED names no folder (with data/)")
    every = rows(shared, options.more)
    table(every)
    areas(every)
    if options.sure:
        wrong = (row for row in every if row.marks[-1] == (row.kind < _ANSWERED))
        print(*(f"{row.project:16}{KINDS[row.kind]:14}{row.text}" for row in wrong), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
