"""Answer retention, as the shared harness scores it: is what a question needs still in a memory.

Owns the two scores. `support`: the share of the turns that a question rests on whose anchor (`[D3:12]`) stands in the
memory with at least half of the turn's content words. `answer`: the best share of the answer's content words within
one window of three lines. Refuses to retrieve: the whole memory is the context.
"""

from __future__ import annotations

import functools
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from sleep.evaluation.measures import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    Anchor = tuple[int, int]

_ANCHOR = re.compile(r"D(\d+):(\d+)(?:\s*(?:-|–|to)\s*(?:D\d+:)?(\d+))?")
_RANGE = 60  # turns that one range may name
_LONG, _PIECE = 800, 500  # characters of a line above which it is cut at sentences, and of the pieces
_WINDOW, _SPAN = 3, 600  # lines and characters of a window
_FOLLOWING = 11  # lines below an anchor's own that can belong to it
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_HALF = 0.5


class Turn(NamedTuple):
    """One turn of a case: its anchor, the session it belongs to, and what was said."""

    anchor: str
    session: int
    text: str


class Question(NamedTuple):
    """A question about a case: the answer, the turns it rests on, and whether whole sessions are meant."""

    id: str
    answer: str
    evidence: tuple[str, ...]
    sessions: tuple[int, ...] = ()  # only where the evidence is whole sessions


class Score(NamedTuple):
    """The scores of one question; None where it has no evidence, or no answer."""

    support: float | None
    answer: float | None


class Memory:
    """A memory's whole text, made ready to be asked many questions."""

    def __init__(self, text: str) -> None:
        self._lines = list(_cut(text))
        self._anchored: dict[Anchor, list[int]] = defaultdict(list)
        for index, line in enumerate(self._lines):
            for anchor in sorted(_anchors(line)):
                self._anchored[anchor].append(index)
        # Which windows a word stands in: a question asks for few words, and a long memory has thousands of windows.
        self._windows: dict[str, list[int]] = defaultdict(list)
        for number, window in enumerate(_windows(self._lines)):
            for word in window:
                self._windows[word].append(number)

    def score(self, question: Question, turns: Mapping[str, Turn]) -> Score:
        """Return how much of what a question needs is here."""
        return Score(self._support(question, turns), self._answer(question.answer) if question.answer else None)

    def _support(self, question: Question, turns: Mapping[str, Turn]) -> float | None:
        needed = [turns[anchor] for anchor in question.evidence]
        if question.sessions:
            supports = [
                any(self.holds(turn) for turn in needed if turn.session == session) for session in question.sessions
            ]
        else:
            supports = [self.holds(turn) for turn in needed]
        return sum(supports) / len(supports) if supports else None

    def holds(self, turn: Turn) -> bool:
        """Return whether a turn's anchor stands here with at least half of its words."""
        wanted = words.content_or_all(turn.text)
        return any(
            len(wanted & self._beside(index)) >= _HALF * len(wanted)
            for index in self._anchored.get(_key(turn.anchor), ())
        )

    def _beside(self, index: int) -> frozenset[str]:
        """Return the words of an anchor's line and of the lines below it that have no anchor of their own."""
        tokens = set(words.distinct(self._lines[index]))
        for line in self._lines[index + 1 : index + 1 + _FOLLOWING]:
            if _anchors(line):
                break
            tokens |= words.distinct(line)
        return frozenset(tokens)

    def _answer(self, answer: str) -> float:
        wanted = words.content_or_all(answer)
        counts = Counter(number for word in wanted for number in self._windows.get(word, ()))
        return max(counts.values(), default=0) / len(wanted) if wanted else 0.0


def _key(anchor: str) -> Anchor:
    session, _, turn = anchor.removeprefix("D").partition(":")
    return int(session), int(turn)


@functools.lru_cache(maxsize=400_000)
def _anchors(line: str) -> frozenset[Anchor]:
    anchors = set()
    for session, first, last in _ANCHOR.findall(line):
        anchors.add((int(session), int(first)))
        if last and 0 < int(last) - int(first) <= _RANGE:
            anchors.update((int(session), turn) for turn in range(int(first), int(last) + 1))
    return frozenset(anchors)


def _cut(text: str) -> Iterator[str]:
    """Yield the lines that say something; a long one in pieces of whole sentences, so that a window stays a window."""
    for line in filter(None, map(str.strip, text.split("\n"))):
        if len(line) <= _LONG:
            yield line
            continue
        piece = ""
        for sentence in _SENTENCE.split(line):
            if piece and len(piece) + len(sentence) > _PIECE:
                yield piece
                piece = sentence
            else:
                piece = f"{piece} {sentence}".strip()
        if piece:
            yield piece


def _windows(lines: Sequence[str]) -> Iterator[frozenset[str]]:
    """Yield the words of every run of up to three lines within the span."""
    for start, line in enumerate(lines):
        tokens, size = words.distinct(line), len(line)
        yield tokens
        for following in lines[start + 1 : start + _WINDOW]:
            size += len(following)
            if size > _SPAN:
                break
            tokens |= words.distinct(following)
            yield tokens


def age(question: Question, turns: Mapping[str, Turn], sessions: Iterable[int]) -> str:
    """Return the third of the history that a question's newest evidence is in: old, middle or recent; "" for none."""
    if not question.evidence:
        return ""
    order = sorted(set(sessions))
    newest = max(turns[anchor].session for anchor in question.evidence)
    return third(order.index(newest), len(order))


def third(position: int, many: int) -> str:
    """Return the third of a history of so many that a position (from 0) is in."""
    share = position / max(1, many - 1)
    return "old" if share < 1 / 3 else "middle" if share < 2 / 3 else "recent"
