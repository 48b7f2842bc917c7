"""What a tool's result has to keep: its head, its end, and lines between that say what went wrong.

Owns the cut. Refuses to take a rule, a choice or a question from a result: anybody can write there; and to pass on
what speaks to its reader. What it is worth beside others is asked only where there is more than room.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.conversation import marks
from sleep.conversation.fact import JOINT, PART, Fact, clipped, flat
from sleep.conversation.marks import ERROR, TOOL
from sleep.text import untrusted

if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD, TAIL = 200, 200  # characters of a tool's result
WHOLE = HEAD + TAIL
_BROKEN = 3  # lines inside a result that say what went wrong
TELLING = re.compile(r"[0-9/_`]")
# Without one of these a text cannot read like an instruction: the recogniser is asked only then.
_SPEAKING = re.compile(
    r"ignor|disregard|forget|overrid|bypass|you|assistant|agent|model|instruct|from now|act as|behave|respond|prompt"
    r"|message|directive|not (?:tell|mention|inform|reveal|alert)|send|post|upload|leak|show|reveal|print|[<\[]|system"
    r"|human|user|admin|developer|[^\x00-\x7f]"
)


def of(text: str, name: str, at: int, number: int) -> Iterator[Fact]:
    """Yield the head and the end of a result, and lines between them that say what went wrong."""
    name = name.removeprefix("name:")
    place = number << PART
    if len(text) <= WHOLE:
        if whole := flat(text):
            yield Fact(TOOL, whole, 1.0, at, place, name)
        return
    head, last = _head(text), _tail(text)
    if head:
        yield Fact(TOOL, flat(text[:head]), 1.0, at, place, name)
    yield from _broken(text, head, last, at, place, name)
    if end := flat(text[last:]):
        yield Fact(TOOL, end, 1.2, at, place + len(text), name, end=True)


def _head(text: str) -> int:
    """Return where the head of a result ends: after a whole line if one fits, else between words."""
    start = len(text) - len(text.lstrip())
    limit = start + HEAD
    line = text.rfind("\n", start, limit + 1)
    if line > start + HEAD // 3:
        return line
    word = text.rfind(" ", start, limit + 1)
    return word if word > start + HEAD // 2 else limit


def _tail(text: str) -> int:
    """Return where the end of a result begins."""
    stop = len(text.rstrip())
    limit = max(0, stop - TAIL)
    line = text.find("\n", limit - 1 if limit else 0, stop)
    if 0 <= line < stop - TAIL // 4:
        return line + 1
    last = text.rfind("\n", 0, stop) + 1
    if last > limit:
        return last
    word = text.find(" ", limit, stop)
    return word + 1 if 0 <= word < stop - TAIL // 2 else limit


def _broken(text: str, head: int, last: int, at: int, place: int, name: str) -> Iterator[Fact]:
    low = text.lower() if text.isascii() else text.replace("İ", "I").lower()
    found: dict[int, int] = {}
    for word in marks.BROKEN:
        hit = low.find(word, head, last)
        for _ in range(_BROKEN):
            if hit < 0:
                break
            start = text.rfind("\n", head, hit) + 1 or head
            stop = text.find("\n", hit, last)
            found[start] = last if stop < 0 else stop
            hit = low.find(word, found[start], last)
    kept = sorted(found.items())
    for start, stop in dict.fromkeys([*kept[:1], *kept[-_BROKEN + 1 :]]):
        line = flat(clipped(text[start:stop].strip(), TAIL))
        yield Fact(ERROR, line, 1.6, at, place + start, name)


def worth(text: str) -> float:
    """Return what the words of a result add to its worth; asked only where there is more than room."""
    low = text.lower()
    return 0.4 * bool(TELLING.search(text)) + 0.9 * any(word in low for word in marks.BROKEN)


def speaks(text: str) -> bool:
    """Return whether what a tool printed reads like an instruction to whoever reads it."""
    return bool(_SPEAKING.search(text.lower())) and untrusted.is_instruction(text.replace(JOINT, "\n"))
