"""Asking and printing the answer: what `recall` does, with Invoke and without."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from sleep import settings
from sleep.compressors import embeddings
from sleep.recall import query
from sleep.store import layout
from sleep.tasks.output import PATIENCE, facts, progress, say

if TYPE_CHECKING:
    from sleep.recall.query import Query


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
    if asked.json:
        facts(passages.plain())
    else:
        say(passages.text)
