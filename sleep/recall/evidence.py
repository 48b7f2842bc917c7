"""Whether a value that is asked for is said: a count, an amount, a price, a day, a person, what came of something.

Owns what each of them looks like, and how much of the question a line must have that says it. A reason or a way is told
in any words, so nothing is asked of it here. Pure: lines are handed in.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from sleep.language import lexicon, words
from sleep.language.acts.forms import form
from sleep.language.tokenizer import fold, has_wide
from sleep.recall import question, synonyms
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sleep.recall.question import Question

    Says = Callable[[Question, "Line"], bool]

LINES = 12  # the best, that are looked at
_SHARED, _REPORTED = 2, 3  # words of the question that a line has that says a value, and one that says what came of it
_BESIDE, _ABOUT = 3, 6  # words between a count and what is counted, and between a person and what was done
_APART = 2  # words between the parts of a name: `load test`, `test of load`
_EVENT = 0.75  # of the question's worth, from which a line tells the event itself: then its own day says when
_SHORTEST = 3  # letters of a name
_WORD = re.compile(r"[^\W_]+(?:[.,:/'’-][^\W_]+)*")
_COUNT = re.compile(r"(?!(?:19|20)\d\d$)(?:\d{1,3}(?:[,.]\d{3})*|\d+[kKM]?)")  # takes `1,074`, leaves a year
_DATE = re.compile(r"\d{4}-\d\d|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}|\b\d{1,2}:\d\d\b")  # or the time of a day


class Line(NamedTuple):
    """A line that was found: its text, the terms of the question that it has, and their share of its worth."""

    text: str
    terms: frozenset[str]
    share: float


def lack(asked: Question, lines: Iterable[Line]) -> str:
    """Return what none of the lines says of the value that a question asks for, "" if one does or none is asked for."""
    if asked.asks not in question.VALUES:
        return ""
    missing, says = _WANTED[asked.asks]
    least = min(_SHARED, len(asked.terms))
    return "" if any(len(line.terms) >= least and says(asked, line) for line in lines) else missing


def _says_day(asked: Question, line: Line) -> bool:
    is_event = line.share >= _EVENT and not asked.is_ahead
    return is_event or _names_day(line.text)


def _names_person(asked: Question, line: Line) -> bool:
    first = asked.subject[:1]
    return has_wide(line.text) or not first or _is_near(line.text, first[0], _is_name, _ABOUT)


def _tells_result(asked: Question, line: Line) -> bool:
    """Return whether a line tells something of what the question names: the words of its name stand together there."""
    at = [_places(line.text, term) for term in asked.subject]
    is_named = all(at) and (not at or any(abs(place - other) <= _APART for place in at[0] for other in at[-1]))
    return is_named and len(line.terms) >= min(_REPORTED, len(asked.terms))


# By what is asked for: what none of the lines says, and what a line has that says it.
_WANTED: dict[str, tuple[str, Says]] = {
    question.COUNT: (
        "no line about it says how many",
        lambda asked, line: _is_near(line.text, asked.focus, _is_count, _BESIDE),
    ),
    question.AMOUNT: ("no line about it says how much", lambda _, line: form("values.amount").search(line.text)),
    question.MONEY: ("no line about it names a price", lambda _, line: form("values.money").search(line.text)),
    question.DAY: ("no line about it says when", _says_day),
    question.PERSON: ("no line about it names somebody", _names_person),
    question.CHOICE: (
        "no line has all that is asked for",
        lambda asked, line: not asked.subject[1:] or all(_places(line.text, own) for own in asked.subject),
    ),
    question.RESULT: ("no line says what came of it", _tells_result),
}


def _is_near(text: str, term: str, fits: Callable[[str], bool], most: int) -> bool:
    """Return whether a word that fits stands at most so many words from a term, or from what is said for it."""
    spoken = _WORD.findall(text)
    return any(
        fits(spoken[other])
        for place in _places(text, term)
        for other in range(max(0, place - most), min(len(spoken), place + most + 1))
        if other != place
    )


def _places(text: str, term: str) -> list[int]:
    """Return at which words of a text a term stands, or one that is said for it."""
    things = {term, *synonyms.of(term)}
    return [place for place, word in enumerate(_WORD.findall(text)) if not things.isdisjoint(words.terms(word))]


def _is_count(word: str) -> bool:
    return _COUNT.fullmatch(word) is not None or fold(word) in _numbers()


def _is_name(word: str) -> bool:
    is_capital = word[0].isupper() and word[1:].islower() and len(word) >= _SHORTEST
    return is_capital and fold(word) not in lexicon.words("stop")


@lru_cache(maxsize=1)
def _numbers() -> frozenset[str]:
    """Return the words that are numbers."""
    return frozenset(word for row in lexicon.rows("numbers") for word in row.partition(":")[2].split())


def _names_day(text: str) -> bool:
    """Return whether a text names a day, an hour, a month or a quarter."""
    return bool(_DATE.search(text) or _months().search(text)) or form("values.day").search(text)


@lru_cache(maxsize=1)
def _months() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(lexicon.all_words('months'))))})\b", re.IGNORECASE)
