"""What a reader of a wake knows: a checklist against what is printed, and its questions against what recall answers.

Owns the measure: a point is told where all parts of one way to say it stand within four lines that follow on one
another. Reads the checklist of a memory, and those of the shared harness, whose ways are regular expressions. Its idea
of a word is its own.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from sleep.review import checklist

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    Way = tuple[re.Pattern[str], ...]
    Ask = Callable[[str, int], tuple[str, bool]]  # a question and a budget; the answer, and whether it is sure

BUDGETS = (2_000, 4_000, 8_000, 20_000)
ANSWERS = (200, 1_000)  # tokens of an answer
_LINES = 4
_EACH = 4  # characters of a token, as the harness counts them
_SAME = 0.6  # of a point's own words, in four lines, where nothing else says what tells it
_WORD = re.compile(r"[^\W_]+")
_FLAGS = re.IGNORECASE | re.DOTALL


class Point(NamedTuple):
    """A point: its text, the ways to say it, its weight, and what it is not outdated beside.

    Without ways its own words tell it; `ways` of None are those of a question that nothing answers.
    """

    text: str
    ways: tuple[Way, ...] | None = ()
    weight: float = 1.0
    unless: tuple[re.Pattern[str], ...] = ()


class Checklist(NamedTuple):
    """What must be told, what no longer holds, and what is asked."""

    points: tuple[Point, ...] = ()
    outdated: tuple[Point, ...] = ()
    questions: tuple[Point, ...] = ()


class WakeScore(NamedTuple):
    """What a text tells: the share of the points by weight, those that are missing, and what is outdated in it."""

    budget: int
    share: float
    missing: tuple[str, ...]
    outdated: tuple[str, ...]


class Answers(NamedTuple):
    """What recall answers: of the questions with an answer, and of those without.

    `within` is by budget how many were answered, of `asked`; `unsure` of these were marked as uncertain. Of `empty`
    questions without an answer `refused` were refused or marked. `missed` are those not answered within any budget; one
    that does not say what would tell it is among them.
    """

    asked: int
    within: tuple[tuple[int, int], ...]
    unsure: int
    empty: int
    refused: int
    missed: tuple[str, ...]


def of_memory(items: Iterable[checklist.Item]) -> Checklist:
    """Return a memory's checklist as it is measured by."""
    by: dict[str, list[Point]] = {name: [] for name in checklist.SECTIONS}
    for item in items:
        ways = tuple(tuple(map(_phrase, way)) for way in item.ways)
        point = Point(item.text, ways if item.has_answer else None, item.weight, tuple(map(_phrase, item.unless)))
        by[item.section].append(point)
    return Checklist(*(tuple(by[name]) for name in checklist.SECTIONS))


def of_harness(brief: Mapping[str, Any]) -> Checklist:
    """Return the checklist of one of the shared harness's projects (`briefs/PROJECT.json`)."""
    return Checklist(
        tuple(Point(item["point"], _ways(item), item["importance"]) for item in brief["points"]),
        tuple(
            Point(item["point"], _ways(item), 1.0, _patterns(item.get("current_if_without") or ()))
            for item in brief["stale"]
        ),
        tuple(Point(item["q"], None if item.get("unanswerable") else _ways(item)) for item in brief["questions"]),
    )


def score(known: Checklist, text: str, budget: int) -> WakeScore:
    """Return what a text tells that is cut at a budget of tokens."""
    windows = _windows(text[: _EACH * budget])
    missing = [point for point in known.points if not _find_lines(point, windows)]
    whole = sum(point.weight for point in known.points)
    outdated = [
        point.text
        for point in known.outdated
        if (window := _find_lines(point, windows)) and not any(pattern.search(window) for pattern in point.unless)
    ]
    share = 1 - sum(point.weight for point in missing) / whole if whole else 0.0
    return WakeScore(budget, share, tuple(point.text for point in missing), tuple(outdated))


def answers(known: Checklist, ask: Ask) -> Answers:
    """Return how many of the questions are answered."""
    hits: Counter[int] = Counter(dict.fromkeys(ANSWERS, 0))
    missed: list[str] = []
    unsure = refused = 0
    for question in known.questions:
        text, is_sure = ask(question.text, ANSWERS[-1])
        if question.ways is None:
            refused += not is_sure
            continue
        unsure += not is_sure
        fits = [
            budget for budget in ANSWERS if question.ways and _find_lines(question, _windows(text[: _EACH * budget]))
        ]
        hits.update(fits)
        missed += [] if fits else [question.text]
    empty = sum(question.ways is None for question in known.questions)
    return Answers(len(known.questions) - empty, tuple(hits.items()), unsure, empty, refused, tuple(missed))


def _windows(text: str) -> list[str]:
    lines = [line for line in text.splitlines() if _WORD.search(line)]
    return ["\n".join(lines[at : at + _LINES]) for at in range(max(1, len(lines) - _LINES + 1))]


def _find_lines(point: Point, windows: Sequence[str]) -> str:
    """Return the first lines that tell a point, "" if none do."""
    if point.ways:
        return next((text for text in windows for way in point.ways if all(part.search(text) for part in way)), "")
    own = Counter(_WORD.findall(point.text.casefold()))
    least = _SAME * sum(own.values())
    return next((text for text in windows if (own & Counter(_WORD.findall(text.casefold()))).total() >= least), "")


def _phrase(words: str) -> re.Pattern[str]:
    return re.compile(r"\s+".join(map(re.escape, words.split())), _FLAGS)


def _ways(item: Mapping[str, Any]) -> tuple[Way, ...]:
    return tuple(_patterns(way) for way in item["match"])


def _patterns(written: Iterable[str]) -> Way:
    return tuple(re.compile(pattern, _FLAGS) for pattern in written)
