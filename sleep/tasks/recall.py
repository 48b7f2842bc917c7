"""`recall`: what the memory has on a question, now or at a moment of the past.

Owns what is said behind an answer of today: which records in it speak of files that have changed since.
"""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING

from sleep import settings
from sleep.compressors import embeddings
from sleep.language import tokens
from sleep.recall import query
from sleep.recall.query import Query
from sleep.records import address as addressing
from sleep.records import kinds
from sleep.store import layout
from sleep.tasks import moments
from sleep.tasks.arguments import prose
from sleep.tasks.output import PATIENCE, facts, progress, say
from sleep.tasks.task import task

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sleep.code.mentions import Mention
    from sleep.recall.query import Answer
    from sleep.records.address import Address
    from sleep.store.layout import Root

_NAME = re.compile(r"\w\.[A-Za-z]|\w/\w")  # takes what may name a file


@task(
    "recall",
    joined="question",
    help={
        "question": "words, a question (`what is blocked?`, `rules of instance 9`, `what did we do on Monday?`), an "
        "address, a number as D-014; - reads standard input",
        "budget": "tokens to print at the most; default: 2000",
        "tier": "only journal, hot, warm, cold, or a page: main, core, knowledge...; may be repeated",
        "kind": "only one kind of entry: decision, question, dead-end...; may be repeated",
        "since": "only what is dated on this day or later: 2026-03-01, `last week`",
        "project": "of a memory of several projects only this one",
        "at": f"what was known at {moments.AT_HELP}",
        "ever": "also search what is gone: everything that any commit of this branch held",
        "least": "where nothing surely fits, print the nearest lines without the warning, up to the budget",
    },
)
def recall(
    question: str,
    budget: str = "",
    tier: list[str] | None = None,
    kind: list[str] | None = None,
    since: str = "",
    project: str = "",
    at: str = "",
    ever: bool = False,
    least: bool = False,
    json: bool = False,
    root: str = "",
) -> None:
    """Find what the memory has on a question: passages with address, day, tier and why, marked where none is sure.

    Example: sleepwake recall "why is the lock a file"
    """
    where = layout.find_root(os.getcwd(), root or settings.root_override())
    asked = Query(prose(question), budget, tuple(tier or ()), tuple(kind or ()), since, at, ever, least, project)
    with progress("reading the memory's past" if ever or at else "reading the memory", PATIENCE) as notice:
        near = embeddings.near(where, lambda line: sys.stderr.write(f"{line}\n"), notice)
        passages = query.answer(where, asked, notice, near=near)
    changed = {} if passages.at or ever else _changed(where, passages)
    if json:
        return facts({**passages.plain(), "code": {str(address): own for address, own in changed.items()}})
    return say("\n".join((passages.text, *_fitting(passages, changed))))


def _changed(root: Root, passages: Answer) -> dict[Address, list[Mention]]:
    """Return what became of the files that records of an answer name, by their addresses."""
    lines = (line for passage in passages.result.passages for line in passage.lines)
    records = [line for line in lines if line.addresses and not line.state and kinds.is_record(line.kind)]
    records = [line for line in records if _NAME.search(line.text)]
    if not records:
        return {}
    from sleep.code import mentions  # late: 10 ms, and most answers name no file  # noqa: PLC0415
    from sleep.memory.view import View  # noqa: PLC0415  # same
    from sleep.records.fragment import Fragment  # noqa: PLC0415  # same
    from sleep.store.tree import WorkTree  # noqa: PLC0415  # same

    fragments = [Fragment(line.kind, line.text, tuple(addressing.addresses(line.addresses[0]))) for line in records]
    return mentions.find(root, View(WorkTree(root)), (each for each in fragments if each.addresses), os.getcwd())


def _fitting(passages: Answer, changed: Mapping[Address, Sequence[Mention]]) -> Iterator[str]:
    """Yield a line for each such record, as many as the answer's budget has room for."""
    if not changed:
        return
    from sleep.code import mentions  # late: as above  # noqa: PLC0415

    left = passages.budget - tokens.count(passages.text)
    for address, own in changed.items():
        line = f"In the code that {address} speaks of: {'; '.join(mentions.sentence(each, address) for each in own)}."
        left -= tokens.count(line) + 1
        if left >= 0:
            yield line


TASKS = (recall,)
