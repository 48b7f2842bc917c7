"""`memory/checklist.md`: what the next reader must know, kept by a person, to measure a wake and recall by.

Owns the page's form: three sections of items, each with the words that tell it. Written by a person or by
`review.keep`, derived from nothing, read by nothing but `bench.brief`. Refuses to say whether something is told.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PATH = "memory/checklist.md"
POINT, OUTDATED, QUESTION = "Must be told", "Outdated", "Questions"
SECTIONS = (POINT, OUTDATED, QUESTION)
_LEAD = "# Checklist\n\nWhat the next reader must know; `sleepwake bench.brief` says how much of it a wake tells.\n"
_HEADING = re.compile(r"#{2,6}[ \t]+(.+?)[ \t#]*$")
_ITEM = re.compile(r"([ \t]*)[-*+][ \t]+(.+?)[ \t]*$")
_WEIGHT, _WAY, _UNLESS, _NO_ANSWER = "weight", "told by", "unless", "no answer"
MOST = 9  # of a weight


class Item(NamedTuple):
    """An item: its section, its words, and what tells it.

    `ways` are other ways to say it, each of phrases that stand close together; without any its own words tell it.
    `weight` is 1 to 9. `unless` are phrases beside which an outdated one is not told as if it held. A question without
    an answer has `has_answer` false.
    """

    section: str
    text: str
    ways: tuple[tuple[str, ...], ...] = ()
    weight: int = 1
    unless: tuple[str, ...] = ()
    has_answer: bool = True


def read(text: str) -> list[Item]:
    """Return the items of a checklist; lines of another form are passed over."""
    items: list[Item] = []
    section = ""
    for line in text.splitlines():
        if heading := _HEADING.match(line):
            section = next((name for name in SECTIONS if name.casefold() == heading[1].casefold()), "")
        elif section and (match := _ITEM.match(line)):
            if not match[1]:
                items.append(Item(section, match[2]))
            elif items:
                items[-1] = _with_field(items[-1], match[2])
    return items


def add(text: str, item: Item) -> str:
    """Return a checklist with one more item at the end of its section, all else as it was."""
    text = text if text.strip() else _LEAD
    lines = text.rstrip("\n").split("\n")
    heads = [at for at, line in enumerate(lines) if _HEADING.match(line)]
    own = next((at for at in heads if _is_head_of(lines[at], item.section)), None)
    if own is None:
        return "\n".join((*lines, "", f"## {item.section}", "", *_written(item), ""))
    end = next((at for at in heads if at > own), len(lines))
    while not lines[end - 1].strip() and end - 1 > own:
        end -= 1
    lines[end:end] = ["", *_written(item)] if end == own + 1 else _written(item)
    return "\n".join((*lines, ""))


def phrases(typed: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Return the ways to say something that were typed, each as phrases with commas between."""
    ways = (tuple(phrase.strip() for phrase in way.split(",") if phrase.strip()) for way in typed)
    return tuple(way for way in ways if way)


def _is_head_of(line: str, section: str) -> bool:
    match = _HEADING.match(line)
    return match is not None and match[1].casefold() == section.casefold()


def _with_field(item: Item, field: str) -> Item:
    name, _, value = (part.strip() for part in field.partition(":"))
    name = name.casefold()
    if name == _WEIGHT and value.isascii() and value.isdigit():
        return item._replace(weight=min(max(1, int(value)), MOST))
    if name == _WAY:
        return item._replace(ways=(*item.ways, *phrases([value])))
    if name == _UNLESS and value:
        return item._replace(unless=(*item.unless, value))
    return item._replace(has_answer=False) if name == _NO_ANSWER else item


def _written(item: Item) -> list[str]:
    return [f"- {' '.join(item.text.split())}", *(f"  - {field}" for field in _fields(item))]


def _fields(item: Item) -> Iterator[str]:
    if item.weight > 1:
        yield f"{_WEIGHT}: {item.weight}"
    yield from (f"{_WAY}: {', '.join(way)}" for way in item.ways)
    yield from (f"{_UNLESS}: {phrase}" for phrase in item.unless)
    if not item.has_answer:
        yield _NO_ANSWER
