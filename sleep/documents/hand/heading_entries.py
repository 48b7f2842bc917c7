"""Headings that are entries: a section that is one record, by its name or by what its heading tells.

Owns which headings begin one: `Decision: use flock`, a choice below `Decisions`, a numbered step below what is next.
Refuses to read what stands below: the entry holds all of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.language.acts import no_records, titles
from sleep.records import classification
from sleep.records.kinds import is_kind
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from sleep.documents.hand.outline import Piece

_BODY = re.compile(r"(?:(?!#{1,6} ).*\n?)*")  # the lines below a heading, up to the next
_WHOLE = ("decision", "decision outcome", "the decision")


class Section(NamedTuple):
    """What a heading or label opens: its level, the kind of what stands there, and its words."""

    level: int
    kind: str
    title: str = ""


def named(words: str) -> str:
    """Return the kind of a heading whose section is one entry: `Decision`, `Decision: use flock`; else ""."""
    bare = words.strip().rstrip(":").casefold()
    if bare in _WHOLE:
        return "decision"
    if is_kind(bare) and bare not in ("handoff", "tone", "note", "change"):
        return bare
    label = bare.partition(":")[0].strip()
    return label if ":" in bare and is_kind(label) else ""


def statement_kind(text: str, piece: Piece, words: str, above: Section) -> str:
    """Return the kind of a heading that tells a choice or a step in a list of such, "" for any other.

    A heading of a page of decisions (`3. Keys are refused`) is none where its section has records of its own.
    """
    if above.kind == "task" and classification.states("task", above.title):
        return "task" if titles.is_step(words) and not no_records.is_done(words) else ""
    is_page = above.level == 1 and classification.heading_kind(above.title) == "decision"
    if not (is_page or above.kind == "decision") or not titles.tells_choice(words):
        return ""
    body = _BODY.match(text, piece.end)
    has_records = body is not None and any(classification.label_kind(line.strip()) for line in body[0].split("\n"))
    return "" if has_records else "decision"
