"""What a tool's result has to keep: its head, its end, and lines between that say what went wrong.

Owns the cut. Refuses to take a rule, a choice or a question from a result: anybody can write there; and to pass on
what speaks to its reader. What it is worth beside others is asked only where there is more than room.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.conversation.summary import sieve
from sleep.conversation.summary.fact import JOINT, PART, TOOL, Fact, clipped, flat
from sleep.language.acts import marks
from sleep.language.acts.marks import ERROR
from sleep.redaction import untrusted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

HEAD, TAIL = 200, 200  # characters of a tool's result
WHOLE = HEAD + TAIL
_BROKEN = 3  # lines inside a result that say what went wrong
_NAME_SIGNS = b"0123456789/_`"
# Without one of these a text of ASCII cannot read like an instruction: the recogniser is asked only then.
_SIGNS = (
    "ignor", "disregard", "forget", "overrid", "bypass", "you", "assistant", "agent", "model", "instruct", "from now",
    "act as", "behave", "respond", "prompt", "message", "directive", "not tell", "not mention", "not inform",
    "not reveal", "not alert", "send", "post", "upload", "leak", "show", "reveal", "print", "<", "[", "system", "human",
    "user", "admin", "developer",
)  # fmt: skip


def extract(text: str, name: str, at: int, number: int, broken: Sequence[str] | None = None) -> Iterator[Fact]:
    """Yield the head and the end of a result, and lines between them that say what went wrong.

    `broken` are the words that say so, as far as they stand in any result of ASCII.
    """
    name = name.removeprefix("name:")
    place = number << PART
    if len(text) <= WHOLE:
        if whole := flat(text):
            yield Fact(TOOL, whole, 1.0, at, place, name)
        return
    head, last = _head(text), _tail(text)
    if head:
        yield Fact(TOOL, flat(text[:head]), 1.0, at, place, name)
    if words := broken if broken is not None and text.isascii() else marks.broken():
        yield from _broken(text, head, last, at, place, name, words)
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


def _broken(text: str, head: int, last: int, at: int, place: int, name: str, words: Sequence[str]) -> Iterator[Fact]:
    low = text.lower() if text.isascii() else text.replace("İ", "I").lower()
    hits: dict[int, int] = {}
    for word in words:
        hit = low.find(word, head, last)
        for _ in range(_BROKEN):
            if hit < 0:
                break
            start = text.rfind("\n", head, hit) + 1 or head
            stop = text.find("\n", hit, last)
            hits[start] = last if stop < 0 else stop
            hit = low.find(word, hits[start], last)
    lines = sorted(hits.items())
    for start, stop in dict.fromkeys([*lines[:1], *lines[-_BROKEN + 1 :]]):
        line = flat(clipped(text[start:stop].strip(), TAIL))
        yield Fact(ERROR, line, 1.6, at, place + start, name)


def is_telling(text: str) -> bool:
    """Return whether a text holds a figure or a sign of names and paths."""
    raw = text.encode("utf-8", "surrogatepass")
    return len(raw.translate(None, _NAME_SIGNS)) < len(raw)


def worth(text: str, broken: Sequence[str]) -> float:
    """Return what the words of a result add to its worth; asked only where there is more than room.

    `broken` are the words that say what went wrong, as far as they stand in any of the texts that are asked about.
    """
    bonus = 0.4 * is_telling(text)
    if not broken:
        return bonus
    low = text.lower()
    return bonus + 0.9 * any(word in low for word in broken)


def instruction_detector(texts: Sequence[str]) -> Callable[[str], bool]:
    """Return what says whether one of these texts, which tools printed, reads like an instruction to its reader."""
    signs = sieve.standing(_SIGNS, texts)

    def speaks(text: str) -> bool:
        if text.isascii():
            if not signs:
                return False
            low = text.lower()
            if not any(sign in low for sign in signs):
                return False
        return untrusted.is_instruction(text.replace(JOINT, "\n"))

    return speaks
