"""Cases in the layout of the shared harness: `CASES/DATASET/CASE/journal/*.md` with `units.jsonl` and `qa.jsonl`.

Owns finding and reading cases, and the two memories that a case is measured on: the tiers after its last sleep, and all
of it compressed at once. Refuses to score.
"""

from __future__ import annotations

import glob
import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from sleep.compression import document
from sleep.errors import DocumentError, UsageError
from sleep.evaluation.life import lived
from sleep.evaluation.measures.retention import Question, Turn
from sleep.store import files

if TYPE_CHECKING:
    from collections.abc import Sequence


class Case(NamedTuple):
    """A case: its data set, its name, and the folder that holds it."""

    dataset: str
    name: str
    folder: str

    @property
    def id(self) -> str:
        """The data set and the name."""
        return f"{self.dataset}/{self.name}"


def find(root: str) -> list[Case]:
    """Return the cases below a folder, in the order of their names; raises UsageError when there is none."""
    there = sorted(glob.glob(os.path.join(glob.escape(root), "*", "*", "journal")))
    cases = [_case(os.path.dirname(folder)) for folder in there if _journals(folder)]
    if not cases:
        raise UsageError("there is no case here (CASES/DATASET/CASE/journal/*.md would be right)", where=root)
    return cases


def _case(folder: str) -> Case:
    above, name = os.path.split(folder)
    return Case(os.path.basename(above), name, folder)


def _journals(folder: str) -> list[str]:
    """Return the journals in a folder, oldest first."""
    return sorted(glob.glob(os.path.join(glob.escape(folder), "*.md")))


def journals(case: Case) -> list[str]:
    """Return a case's journals, oldest first."""
    return [files.read(path) or "" for path in _journals(os.path.join(case.folder, "journal"))]


def turns(case: Case) -> dict[str, Turn]:
    """Return a case's turns by anchor."""
    return {
        unit["anchor"]: Turn(unit["anchor"], unit["session"], unit["text"]) for unit in _records(case, "units.jsonl")
    }


def questions(case: Case) -> list[Question]:
    """Return the questions that count: none that is meant to have no answer, none whose given answer is wrong."""
    return [
        Question(
            row["id"],
            row["answer"] or "",
            tuple(row["evidence"]),
            tuple(row.get("evidence_sessions") or ()) if row.get("granularity") == "session" else (),
        )
        for row in _records(case, "qa.jsonl")
        if not row["adversarial"] and row["gold_ok"]
    ]


def _records(case: Case, name: str) -> list[Any]:
    path = os.path.join(case.folder, name)
    text = files.read(path)
    if text is None:
        raise DocumentError("the case has no such file (units.jsonl and qa.jsonl hold its questions)", where=path)
    try:
        return [json.loads(line) for line in text.split("\n") if line.strip()]
    except ValueError as error:
        raise DocumentError(f"{error} (a JSON object a line would be right)", where=path) from None


def source(texts: Sequence[str]) -> str:
    """Return all journals as one text."""
    return "".join(text if text.endswith("\n") else f"{text}\n" for text in texts)


def built(case: Case, ratio: float | None) -> dict[str, str]:
    """Return the documents of the tiers after the last sleep; with a ratio the one of all journals at once."""
    texts = journals(case)
    if ratio is None:
        return lived(texts).tiers()
    text = source(texts)
    return {"memory.md": document.compress(text, int(len(text) / ratio))}
