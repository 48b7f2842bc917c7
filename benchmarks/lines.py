"""What lines of journals are worth to the next reader, fitted on checklists and judged by projects left out.

    SLEEP_SHARED=DIRECTORY python benchmarks/lines.py [--more DIRECTORY] [--weights]

A line that says a point of its project's checklist (`benchmarks/brief.py` has them) is worth the point's importance,
half of it where the lines beside it say the rest, others nothing. Printed is, by project, how far up the lines that are
worth something stand (average precision) by the weights in use and by a logistic regression over the same features that
saw no line of the project. `--more` names a folder of further checklists, NAME.json, with the journals in NAME/: eight
of public projects, whose texts are not ours to keep, and the seven here gave the weights of `sleep.wake.quality` (ADR
101), by a forerunner of this script with two features more. `--weights` prints a fit on all.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest import mock

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

import brief  # noqa: E402  # the path has to be there first
import numpy as np  # noqa: E402
from _acts import regression  # noqa: E402

from sleep.evaluation import life  # noqa: E402
from sleep.memory.view import View  # noqa: E402
from sleep.wake import candidates, quality, render  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PRICE = 1.0  # of the square of a weight
_DAY = 8.0  # tokens of a heading: nothing here is chosen
_LINES = 1_000  # that the lines of a project count as, however many there are
_BESIDE = 3  # lines on each side that a point may be spread over
NAMES = tuple(quality.WEIGHTS)


class Project(NamedTuple):
    """A checklist and its lines: their features, what they are worth, and their score by the weights in use."""

    name: str
    group: str
    features: np.ndarray
    worth: np.ndarray
    score: np.ndarray


def projects(shared: str, more: Path | None) -> Iterator[tuple[str, dict[str, Any], list[str]]]:
    """Yield the name, the checklist and the journals, oldest first, of each project."""
    for name, checklist in brief.projects(shared):
        yield name, checklist, list(brief.journals(shared, checklist))
    for path in sorted(more.glob("*.json")) if more else ():
        checklist = json.loads(path.read_text(encoding="utf-8"))
        if (path.parent / path.stem).is_dir():
            texts = [(path.parent / path.stem / name).read_text(encoding="utf-8") for name in checklist["files"]]
            yield path.stem, checklist, texts


def read(name: str, checklist: dict[str, Any], texts: Sequence[str]) -> Project:
    """Live through the journals and return what a wake would judge, with what each line is worth."""
    view = View(life.lived(texts).tree)
    with mock.patch.object(quality, "judge_lines", wraps=quality.judge_lines) as judge:
        candidates.gather(view, "", partial(render.write_fragment, brief=True), _DAY)
    lines, instances = judge.call_args.args[:2]
    judged = quality.judge_lines(lines, instances)
    asked = [line.names_asker for line in judged.lines]
    features = [
        quality.weigh(lines, instances, judged.rarity, {each: float(each == own) for each in NAMES}, asked)
        for own in NAMES
    ]
    score = np.array([line.score for line in judged.lines])
    return Project(
        name, checklist["project"], np.array(features, np.float32).T, _importance(lines, checklist["points"]), score
    )


def _importance(lines: Sequence[quality.SourceLine], points: Sequence[dict[str, Any]]) -> np.ndarray:
    """Return what each line is worth: a point's importance, half of it where the lines beside say the rest."""
    texts = [line.text for line in lines]
    worth = np.zeros(len(lines), np.float32)
    for point in points:
        ways = [[re.compile(pattern, re.IGNORECASE | re.DOTALL) for pattern in way] for way in point["match"]]
        for index in range(len(texts)):
            share = max(_share(way, texts, index) for way in ways)
            worth[index] = max(worth[index], point["importance"] * share)
    return np.where(worth >= 1, worth, 0)


def _share(way: Sequence[re.Pattern[str]], texts: Sequence[str], index: int) -> float:
    own = sum(pattern.search(texts[index]) is not None for pattern in way)
    if own == len(way):
        return 1.0
    beside = "\n".join(texts[max(0, index - _BESIDE) : index + _BESIDE + 1])
    return 0.5 if 2 * own >= len(way) and all(pattern.search(beside) for pattern in way) else 0.0


def fit(chosen: Sequence[Project]) -> np.ndarray:
    """Return the weights by a logistic regression on the lines of some projects, the bias last."""
    values = np.vstack([np.column_stack([own.features, np.ones(len(own.worth), np.float32)]) for own in chosen])
    worth = np.concatenate([own.worth for own in chosen])
    share = np.concatenate([np.full(len(own.worth), _LINES / len(own.worth)) for own in chosen])
    nothing = np.zeros(values.shape[1], np.float32)
    return regression(values, worth > 0, np.maximum(worth, 1) * share, PRICE, nothing, few=False)


def precision(score: np.ndarray, marks: np.ndarray) -> float:
    """Return the average precision: the mean share of right ones above each right one, 0 to 1."""
    right = marks[np.argsort(-score, kind="stable")]
    above = np.cumsum(right) / np.arange(1, len(right) + 1)
    return float(above[right].mean()) if right.any() else 0.0


def main() -> int:
    """Print a line a project, the means, and with `--weights` a fit on all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--more", type=Path, help="a folder of further checklists")
    parser.add_argument("--weights", action="store_true", help="print the weights of a fit on all")
    asked = parser.parse_args()
    if not (shared := os.environ.get("SLEEP_SHARED", "")):
        parser.error("SLEEP_SHARED names no folder (with data/)")
    known = [read(*each) for each in projects(shared, asked.more)]
    print(f"{'project':18}{'lines':>7}{'worth something':>17}{'in use':>8}{'fitted without it':>19}")
    rows = []
    for own in known:
        weights = fit([other for other in known if other.group != own.group])
        rows.append((precision(own.score, own.worth > 0), precision(own.features @ weights[:-1], own.worth > 0)))
        count = int((own.worth > 0).sum())
        print(f"{own.name:18}{len(own.worth):7}{count:17}{rows[-1][0]:8.3f}{rows[-1][1]:19.3f}")
    print(f"{'mean':18}{'':24}{np.mean([row[0] for row in rows]):8.3f}{np.mean([row[1] for row in rows]):19.3f}")
    if asked.weights:
        print(*(f"{name:10}{value:+.2f}" for name, value in zip(NAMES, fit(known)[:-1], strict=True)), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
