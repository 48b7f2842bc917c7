"""What later messages come back to: paths, ids and numbers, and the line in which each was told first.

Owns finding them. A name counts when it holds a digit, an underscore or a slash, and when it returns in a later
message or in what is kept: that is how one can tell that it was needed, without understanding it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from sleep.conversation.messages.shapes import RESULT, TEXT
from sleep.conversation.summary import agent_speech, results, source_text
from sleep.conversation.summary.fact import PART, Fact, bare, flat
from sleep.conversation.summary.marks import FACT
from sleep.language import sentences
from sleep.language.output import listings
from sleep.redaction import terminal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sleep.conversation.messages.shapes import Part, Turn

# From the first telling sign to the end of the name: short, and the same wherever the name stands.
_NAME = re.compile(r"[0-9_/][A-Za-z0-9_.-]{3,63}")
_DIGITS = re.compile(r"\d+")
_NAME_SIGNS = "_/0123456789"
_SHORT = 100
_WINDOW = 600  # characters at both ends of a tool's result in which names are told
_DEEP = 24  # names of what is kept that are looked for in the middle of results too
_NEWEST = 500_000  # characters, from the newest message on, in which names are looked for
_MOST = 120
_LINE = 240
_NOW, _LATER, _OWN = (
    1.4,
    0.7,
    0.8,
)  # worth of a name that is come back to in what is kept, before it, and of a line of its own
_COMMON = 12  # messages; a name that stands in more is no news


class Link(NamedTuple):
    """A name that is come back to: where it was told (turn, part, offset), and what that is worth."""

    at: int
    number: int
    offset: int
    name: str
    worth: float


def find_links(turns: Sequence[Turn], tail: Iterable[Turn], words: bytes = b"") -> list[Link]:
    """Return the names of removed turns that later messages, or those that are kept, come back to, the best first.

    In `words`, where they are known, each word stands that stands in the removed turns.
    """
    current: set[str] = set()
    for turn in tail:
        for part in turn.parts:
            current.update(_names(_ends(part.text)))
    origins, times = _origins(turns, current)
    _deeper(turns, sorted(current - origins.keys(), key=lambda name: (-len(name), name))[:_DEEP], origins, words)
    times |= {name: 1 for name in origins if name not in times}
    ranked = sorted(
        (name for name in origins if (times[name] <= _COMMON and not name.isdigit()) or name in current),
        key=lambda name: (name not in current, times[name], -len(name), name),
    )
    return [
        Link(at, number, max(0, turns[at].parts[number].text.find(name)), name, _NOW if name in current else _LATER)
        for name in ranked[:_MOST]
        for at, number in (origins[name],)
    ]


def _origins(turns: Sequence[Turn], current: set[str]) -> tuple[dict[str, tuple[int, int]], dict[str, int]]:
    """Return where names that are come back to were told first (turn, part), and in how many parts they stand."""
    used = set(current)
    origins: dict[str, tuple[int, int]] = {}
    times: dict[str, int] = {}
    read = 0
    for at in range(len(turns) - 1, -1, -1):
        own: set[str] = set()
        for number, (kind, text, _) in enumerate(turns[at].parts):
            read += len(text)
            if kind == RESULT and not used:  # nothing can be come back to
                continue
            names = _names(text if kind != RESULT else _ends(text))
            if kind in (TEXT, RESULT):
                for name in used.intersection(names):
                    origins[name] = (at, number)
                    times[name] = times.get(name, 0) + 1
            if kind != RESULT:
                own.update(names)
        used |= own
        if read > _NEWEST:
            break
    return origins, times


def _deeper(turns: Sequence[Turn], names: list[str], origins: dict[str, tuple[int, int]], words: bytes) -> None:
    """Look for names in the middle of results, where `_origins` does not read."""
    if words:
        names = [name for name in names if max(_DIGITS.split(name.lower()), key=len).encode() in words]
    if not names:
        return
    texts = []
    places = []
    room = _NEWEST
    for at in range(len(turns) - 1, -1, -1):
        for number, (kind, text, _) in enumerate(turns[at].parts):
            if kind == RESULT and len(text) > 2 * _WINDOW and room > 0:
                texts.append(text)
                places.append((at, number))
                room -= len(text)
    texts.reverse()
    places.reverse()
    joined = "\n".join(texts)
    starts = list(accumulate((len(text) + 1 for text in texts), initial=0))
    for name in names:
        hit = joined.find(name)
        if hit >= 0:
            origins[name] = places[bisect_right(starts, hit) - 1]


def weigh(
    facts: Iterable[Fact],
    links: Sequence[Link],
    turns: Sequence[Turn],
    names: dict[str, str],
    looks: frozenset[tuple[int, int]] = frozenset(),
    earlier: frozenset[tuple[int, int]] = frozenset(),
) -> list[Fact]:
    """Return facts worth more where they tell what is come back to, and with a fact for each other line that does.

    Of the results in `looks`, by (turn, part), lines are told only for what the messages that stay come back to, of
    those in `earlier` none: a later run of the same command took their place.
    """
    by: dict[tuple[int, int], list[Link]] = {}
    for link in links:
        by.setdefault((link.at, link.number), []).append(link)
    if not by:
        return list(facts)
    out: list[Fact] = []
    covered: set[Link] = set()
    for fact in facts:
        more = 0.0
        for link in by.get(fact.part, ()):
            if link.name in fact.text:
                covered.add(link)
                more = max(more, link.worth)
        out.append(fact._replace(worth=fact.worth + more) if more else fact)
    lines: dict[str, Fact] = {}
    for link in links:
        if link not in covered:
            part = turns[link.at].parts[link.number]
            start, stop = _span(part.text, link, is_speech=part.kind == TEXT)
            line = _line(part.text, link, start, stop)
            place = link.at, link.number
            is_past = place in earlier or (link.worth < _NOW and place in looks)
            is_past |= turns[link.at].role == "assistant" and agent_speech.narrates(bare(part.text[start:stop]))
            if is_past or _is_idle(line, part):
                continue
            tool = _tool(part, names)
            at = (link.number << PART) + link.offset
            lines.setdefault(line, Fact(FACT, line, link.worth + _OWN, link.at, at, tool))
    return [*out, *lines.values()]


def _tool(part: Part, names: dict[str, str]) -> str:
    """Return the name of the tool that printed a part, "" where somebody said it."""
    return (names.get(part.name, part.name) or "tool").removeprefix("name:") if part.kind == RESULT else ""


def _is_idle(line: str, part: Part) -> bool:
    """Return whether a line tells nothing by itself: a heading, a row of a drawing, or much of what a tool printed."""
    if source_text.is_heading(line) or source_text.is_row(line):
        return True
    return part.kind == RESULT and (
        source_text.tells_commit(line)  # the state of the work has it
        or listings.is_source(line)
        or source_text.tells_pass(line)
        or "\\n" in line  # a piece of what a program wrote in quotation marks
        or results.says_nothing(line)
        or results.is_screen(part.text)
    )


def _names(text: str) -> list[str]:
    """Return the names in a text; a long one without any telling sign is not looked through."""
    if len(text) > _SHORT and not any(sign in text for sign in _NAME_SIGNS):
        return []
    return _NAME.findall(text)


def _ends(text: str) -> str:
    return text if len(text) <= 2 * _WINDOW else f"{text[:_WINDOW]}\n{text[-_WINDOW:]}"


def _span(text: str, link: Link, *, is_speech: bool) -> tuple[int, int]:
    """Return where the line of a name stands, of speech its sentence where the line is long or begins with a move."""
    hit = link.offset
    start = text.rfind("\n", 0, hit) + 1
    stop = text.find("\n", hit)
    stop = len(text) if stop < 0 else stop
    if is_speech and (stop - start > _LINE or agent_speech.narrates(bare(text[start:stop]))):
        spans = [(start + first, start + last) for first, last in sentences.spans(text[start:stop])]
        return next(((first, last) for first, last in spans if first <= hit < last), (start, stop))
    return start, stop


def _line(text: str, link: Link, start: int, stop: int) -> str:
    """Return a line or sentence in which a name stands, clipped around it."""
    hit, name = link.offset, link.name
    if stop - start > _LINE:
        low = max(start, hit - _LINE // 2)
        low = text.find(" ", low, hit) + 1 or low if low > start else start
        high = min(stop, hit + len(name) + _LINE // 2)
        high = text.rfind(" ", hit + len(name), high) if high < stop and " " in text[hit + len(name) : high] else high
        start, stop = low, high
    return bare(flat(terminal.strip_escapes(text[start:stop].lstrip("-*+•># \t"))))
