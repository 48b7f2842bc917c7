"""Recall and precision of extraction against labels made by readers who had not seen the extractor.

    python tests/extraction/score.py JOURNALS [--part blind|development|all] [--misses]

`labels.jsonl` holds line ranges and kinds, no text; `GUIDE.md` is what the readers were given. An extracted entry and
a label match when they are of one kind and their lines overlap. `blocker` counts as `task`.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from sleep.documents import journal
from sleep.documents.hand import annotation
from sleep.records.address import InstanceId

HERE = Path(__file__).parent
KINDS = ("decision", "question", "constraint", "thread", "task")
_AS = {"blocker": "task", "doubt": "question"}


class Found(NamedTuple):
    """One item, extracted or labelled: lines from 1, inclusive."""

    kind: str
    start: int
    end: int


class Score(NamedTuple):
    """Counts for one kind: labels, labels found, extracted, extracted that match a label."""

    labels: int = 0
    recalled: int = 0
    extracted: int = 0
    right: int = 0

    @property
    def recall(self) -> float:
        """Share of labels that were found; 1 without labels."""
        return self.recalled / self.labels if self.labels else 1.0

    @property
    def precision(self) -> float:
        """Share of what was extracted that a label backs; 1 without any."""
        return self.right / self.extracted if self.extracted else 1.0


def labels(part: str) -> dict[str, list[Found]]:
    """Return the labels of a part (`blind`, `development`, `all`) by file."""
    found: dict[str, list[Found]] = defaultdict(list)
    for line in (HERE / "labels.jsonl").read_text().splitlines():
        row = json.loads(line)
        if part in ("all", row["part"]):
            found[row["file"]] += (
                [] if row["kind"] == "none" else [Found(_AS.get(row["kind"], row["kind"]), row["start"], row["end"])]
            )
    return dict(found)


def extracted(text: str) -> list[Found]:
    """Return what the extractor finds in a journal of any form, with its lines."""
    instance = InstanceId(1, "abc")
    head = journal.start(instance, {}) + "\n"
    marked = annotation.mark(head + text, instance, {})
    plain = head + text
    offset = head.count("\n")
    # Marks never add lines but for the headings they open; map entries back through the unmarked prefix.
    found = []
    for entry in journal.read(marked).entries:
        before = annotation.unmark(marked[: entry.start], instance)
        inside = annotation.unmark(marked[: entry.end], instance)
        first, last = before.count("\n") + 1 - offset, inside.rstrip("\n").count("\n") + 1 - offset
        found.append(Found(_AS.get(entry.kind, entry.kind), first, max(first, last)))
    assert annotation.unmark(marked, instance) == plain
    return found


def score(root: Path, part: str, *, misses: bool = False) -> dict[str, Score]:
    """Return the scores by kind over the files of a part."""
    totals = dict.fromkeys(KINDS, Score())
    for name, wanted in sorted(labels(part).items()):
        text = (root / name).read_bytes().decode("utf-8", "surrogateescape")
        lines = text.split("\n")
        got = extracted(text)
        for kind in KINDS:
            ours, theirs = [one for one in got if one.kind == kind], [one for one in wanted if one.kind == kind]
            hit = [one for one in theirs if any(_overlap(one, other) for other in ours)]
            right = [one for one in ours if any(_overlap(one, other) for other in theirs)]
            old = totals[kind]
            totals[kind] = Score(
                old.labels + len(theirs), old.recalled + len(hit), old.extracted + len(ours), old.right + len(right)
            )
            if misses:
                for sign, group in (("-", set(theirs) - set(hit)), ("+", set(ours) - set(right))):
                    for one in sorted(group):
                        others = {other.kind for other in got if _overlap(one, other)} if sign == "-" else ""
                        print(
                            sign, kind, f"{name}:{one.start}", others, " / ".join(lines[one.start - 1 : one.end])[:170]
                        )
    return totals


def _overlap(one: Found, other: Found) -> bool:
    return one.start <= other.end and other.start <= one.end


def table(totals: dict[str, Score]) -> str:
    """Return the scores as a table."""
    rows = [f"{'kind':12}{'labels':>8}{'recall':>8}{'found':>8}{'precision':>11}"]
    rows += [
        f"{kind:12}{one.labels:8}{one.recall:8.2f}{one.extracted:8}{one.precision:11.2f}"
        for kind, one in totals.items()
    ]
    return "\n".join(rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("journals", type=Path)
    parser.add_argument("--part", default="blind", choices=("blind", "development", "all"))
    parser.add_argument("--misses", action="store_true")
    given = parser.parse_args()
    print(table(score(given.journals, given.part, misses=given.misses)))
