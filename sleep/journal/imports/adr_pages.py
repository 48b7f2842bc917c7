"""Pages of several decision records: where each begins, and what it is called.

Owns telling a page of records (headings `ADR-001: ...`, each with a status, a decision or the like below it) from one
record and from any other page. Cuts only between lines, so that the parts together are the page. Pure.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from sleep.documents.markdown import blocks
from sleep.journal.imports import adr

# What such a heading begins with: takes `ADR-001: Use sqlite`, `D7 - Use sqlite`; leaves `Day 3`, `2. Use sqlite`.
_NAME = re.compile(r"^\W*((?:ADR|MADR|DEC(?:ISION)?|D)[-_ #]?\d{1,8})\b", re.IGNORECASE)
_LEAST = 2  # records of a page of several


class Part(NamedTuple):
    """A part of such a page: what its record is called (`ADR-001`, "" for none), its first line, text and record."""

    name: str
    line: int
    text: str
    record: adr.Adr | None = None


def split(text: str) -> list[Part]:
    """Return the parts of a page of several decision records, in order; nothing for any other text.

    What stands above the first, and a section beside them that is no record, is a part without a name.
    """
    cuts = _cuts(text)
    if len(cuts) < _LEAST:
        return []
    parts = [_part(text, start, stop) for start, stop in pairwise([*cuts, len(text)])]
    parts = _joined([part for part in parts if part.text.strip()])
    records = [part.record for part in parts if part.name]
    return parts if sum(record is not None for record in records) >= max(_LEAST, len(records) / 2) else []


def _cuts(text: str) -> list[int]:
    """Return where the parts of a page begin: its beginning, its records, and the headings behind the first of them."""
    heads = blocks.headings(text)
    named = [block for block in heads if _NAME.match(block.words(text))]
    level = min((block.level for block in named), default=0)
    first = next((block.start for block in named if block.level == level), len(text))
    return sorted({0, *(block.start for block in heads if block.level <= level and block.start >= first)})


def _joined(parts: list[Part]) -> list[Part]:
    """Return the parts with a title that has no words of its own below it put before the first record."""
    first, *others = parts
    if not others or first.name or any(block.kind != "heading" for block in blocks.parse(first.text)):
        return parts
    return [others[0]._replace(line=first.line, text=first.text + others[0].text), *others[1:]]


def _part(text: str, start: int, stop: int) -> Part:
    own = text[start:stop]
    head = next(iter(blocks.parse(own)), None)
    name = _NAME.match(head.words(own)) if head and head.kind == "heading" else None
    line = text.count("\n", 0, start) + 1
    if name is None:
        return Part("", line, own)
    return Part(name[1].replace(" ", "-"), line, own, adr.read(own, is_part=True))
