"""Asking and printing the answer: what `recall` does, with Invoke and without.

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
from sleep.records import address as addressing
from sleep.records import kinds
from sleep.store import layout
from sleep.tasks.output import PATIENCE, facts, progress, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sleep.code.mentions import Mention
    from sleep.recall.query import Answer, Query
    from sleep.records.address import Address
    from sleep.store.layout import Root

_NAME = re.compile(r"\w\.[A-Za-z]|\w/\w")  # takes what may name a file


def answer(asked: Query) -> None:
    """Print what the memory has on a question; raises what `asking.answer` raises, and NoMemoryError."""
    if asked.question == "-":
        asked = asked._replace(question=sys.stdin.buffer.read().decode("utf-8", "surrogateescape"))
    root = layout.find_root(os.getcwd(), asked.root or settings.root_override())
    with progress(
        "reading the memory's past" if asked.whole_past or asked.at else "reading the memory", PATIENCE
    ) as notice:
        near = embeddings.near(root, lambda line: sys.stderr.write(f"{line}\n"), notice)
        passages = query.answer(root, asked, notice, near=near)
    changed = {} if passages.at or asked.whole_past else _changed(root, passages)
    if asked.json:
        facts(
            {
                **passages.plain(),
                "code": {str(address): [mention._asdict() for mention in own] for address, own in changed.items()},
            }
        )
    else:
        say("\n".join((passages.text, *_fitting(passages, changed))))


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
