"""Successors: which line of a memory a later one of the same thing has taken the place of.

Owns the relation, by form alone. A line that says what is open or broken, or is a point of a list of what is open, ends
where a later one says of the same thing that it is done or works; one that says what works, where a later one says that
it is gone or broken; one that gives a value, where a later one gives another under the same name. The same thing: at
least half of what tells what the older line is about, by rarity, stands in the newer one or in the heading above it.
Refuses to judge lines that state no such thing: most say what was so, and that stays true. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import combinations
from math import log
from typing import TYPE_CHECKING

from sleep.language import dates, lexicon
from sleep.language import days as days_
from sleep.language.acts import first_words, states
from sleep.language.acts.states import DENIED, DONE, ENDS, OPEN, STATES, WORKS
from sleep.tuples import NamedTuple
from sleep.wake import quality
from sleep.wake.outdated import versions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sleep.wake.quality import SourceLine

_COVERED, _COVERED_OPEN = 0.5, 0.4  # of the worth of what a line is about, that its successor has
_LEAST = 2  # words that both have,
_RARE, _FEW = 0.45, 4  # one of them worth so much of a word that stands once, or in so few lines
_MOST = 200  # characters of a line that states one thing
_OWN_COVERED = 0.55  # of what a line says itself
_LABEL, _SUBJECT = 80, 3  # characters of a label; words of one that says no state: it is a record's subject
_OWN = 3  # words of a line, below which its heading, or what stands before its colon, says what it is about
_VALUE = re.compile(
    r"([^:：=(（`]{2,60})(?:[:：=] ?|[(（])([^\s`].{0,58})$"
)  # takes `API port: 8001`, `backup (5 min)`
_DIGIT = re.compile(r"\d")


class _Line(NamedTuple):
    """A line with its state, what it is about if that may end, and all words of it and its heading.

    `own` are those of the line; of what is open those behind its label, which may be of a list that it stands in.
    """

    source: SourceLine
    state: str
    about: frozenset[str]
    words: frozenset[str]
    own: frozenset[str]


def find(
    lines: Sequence[SourceLine],
    rarity: Mapping[str, float],
    days: Mapping[int, str],
    lasting: frozenset[int] = frozenset(),
) -> dict[int, int]:
    """Return by index of a line that holds no more the index of the one that took its place.

    Args:
        lines: the lines.
        rarity: what their terms are worth that few lines have.
        days: the day of each instance of which no more than that is known: of two of one day none is the later one.
        lasting: the indexes of lines that no later state ends, for they state none.
    """
    read = {index: _read(line, name, index in lasting) for index, line in enumerate(lines) if (name := state(line))}
    every = log(max(2, len(lines)))
    links = _states(read, rarity, min(_RARE * every, every - log(_FEW)), days) | _values(lines) | versions.find(lines)
    links |= _tickets(read)
    return {index: _last(index, links) for index in links}


def _last(index: int, links: Mapping[int, int]) -> int:
    seen = {index}
    while index in links and links[index] not in seen:
        index = links[index]
        seen.add(index)
    return index


def is_over(text: str, when: str, today: tuple[int, int, int]) -> bool:
    """Return whether a text says what holds until a day that is past.

    `when` is the day that it was said on, as a heading says it; `today` that of the newest journal: (year, month, day).
    """
    then = dates.order(when)
    if not then[0] or quality.tokens(text).isdisjoint(lexicon.all_words("state.until")):
        return False
    for match in _until().finditer(text):
        month = days_.month(match["m"] or match["m2"])
        day = int(match["d"] or match["d2"])
        year = int(match["y"] or then[0] + (month < then[1]))
        if days_.is_day(year, month, day) and (year, month, day) < today:
            return True
    return False


@lru_cache(maxsize=1)
def _until() -> re.Pattern[str]:
    words = "|".join(sorted(lexicon.all_words("state.until")))
    day = r"(?:(?P<m>[^\W\d_]{3,12})\.? (?P<d>\d{1,2})(?:st|nd|rd|th)?|(?P<d2>\d{1,2})\.? (?P<m2>[^\W\d_]{3,12}))"
    return re.compile(rf"\b(?:{words}) (?:the |zum )?{day}(?:,? (?P<y>\d{{4}}))?\b", re.IGNORECASE)


def _is_later(new: SourceLine, old: SourceLine, days: Mapping[int, str]) -> bool:
    if new.instance == old.instance:
        return new.place > old.place
    day = days.get(old.instance)
    return new.instance > old.instance or (day is not None and days.get(new.instance) == day)


def _states(
    read: Mapping[int, _Line], rarity: Mapping[str, float], least: float, days: Mapping[int, str]
) -> dict[int, int]:
    """Return the successors of lines that say a state; `least` is what a term is worth that makes two worth a look."""
    ends: dict[str, list[int]] = {}
    for index, line in read.items():
        for term in line.words if line.state != OPEN else ():
            if rarity.get(term, 0.0) >= least:
                ends.setdefault(term, []).append(index)
    links: dict[int, int] = {}
    for index, line in read.items():
        if line.about and (successor := _successor(line, read, ends, rarity, days)) is not None:
            links[index] = successor
    return links


def _successor(
    line: _Line,
    read: Mapping[int, _Line],
    ends: Mapping[str, Sequence[int]],
    rarity: Mapping[str, float],
    days: Mapping[int, str],
) -> int | None:
    """Return the index of the line that most surely ends what this one says, of equals the newest; None for none."""
    least = (_COVERED_OPEN if line.state == OPEN else _COVERED) * sum(rarity.get(term, 0.0) for term in line.about)
    likely: list[tuple[float, int, int, int]] = []
    for index in {other for term in line.about for other in ends.get(term, ())}:
        other = read[index]
        shared = line.about & other.words
        if (
            len(shared) >= _LEAST
            and other.state in ENDS[line.state]
            and _is_later(other.source, line.source, days)
            and _is_an_end(line, other, rarity)
            and (covered := sum(rarity.get(term, 0.0) for term in shared)) >= least
            and covered
        ):
            likely.append((covered, other.source.instance, other.source.place, index))
    return max(likely)[-1] if likely else None


def _is_an_end(line: _Line, other: _Line, rarity: Mapping[str, float]) -> bool:
    """Return whether what a newer line says of a thing ends the older one, and does not stand beside it.

    The newer line has most of what the older one says itself, and not only what its list is about.
    """
    is_one_section = _is_one_section(other.source, line.source)
    if is_one_section and line.state != OPEN:
        return False
    own = line.own - _state_terms(line.state)
    wanted = own if len(own) >= _OWN else line.about
    there = other.own if is_one_section else other.words
    least = _OWN_COVERED * sum(rarity.get(term, 0.0) for term in wanted)
    return not wanted.isdisjoint(other.own) and sum(rarity.get(term, 0.0) for term in wanted & there) >= least


def _is_one_section(line: SourceLine, other: SourceLine) -> bool:
    """Return whether a line tells the story of another one: a problem and what was done about it help together."""
    return (line.instance, line.heading) == (other.instance, other.text if other.form == "heading" else other.heading)


def _values(lines: Sequence[SourceLine]) -> dict[int, int]:
    """Return the successors of values: the last of a name that no instance says twice."""
    named: dict[frozenset[str], list[int]] = {}
    for index, line in enumerate(lines):
        match = _VALUE.match(line.text) if line.form != "heading" else None
        if match and _DIGIT.search(match[2]):
            name = quality.terms(match[1])
            if len(name) >= _LEAST:
                named.setdefault(name, []).append(index)
    links: dict[int, int] = {}
    for own in named.values():
        each = Counter(instance for instance, _ in {(lines[index].instance, lines[index].place) for index in own})
        if len(each) > 1 and max(each.values()) == 1:
            last = max(own, key=lambda index: lines[index].instance)
            links.update({index: last for index in own if lines[index].instance != lines[last].instance})
    return links


def _tickets(read: Mapping[int, _Line]) -> dict[int, int]:
    """Return the successors of open lines that begin with a number of a tracker: the newest line on the same thing."""
    numbered: dict[str, list[int]] = {}
    for index, line in read.items():
        if number := first_words.ticket_of(line.source.text):
            numbered.setdefault(number, []).append(index)
    links: dict[int, int] = {}
    for number, own in numbered.items():
        own.sort(key=lambda index: (read[index].source.instance, read[index].source.place))
        for older, newer in combinations(own, 2):
            old, new = read[older].source, read[newer].source
            is_same = not quality.terms(old.text) & quality.terms(new.text) <= quality.terms(number)
            if is_same and read[older].state == OPEN and old.instance < new.instance:
                links[older] = newer
    return links


def _read(line: SourceLine, name: str, is_lasting: bool) -> _Line:  # noqa: FBT001  # of a comprehension alone
    own, heading = quality.terms(line.text), quality.terms(line.heading) - _list_terms()
    about: frozenset[str] = frozenset()
    if name in ENDS and not is_lasting and len(line.text) <= _MOST:
        about = own if line.mark else own - _state_terms(name)
        about = about if len(about) >= _OWN else about | heading
    behind = quality.terms(_behind_label(line.text)) if name == OPEN else own
    return _Line(line, name, about, own | heading, behind)


def _behind_label(text: str) -> str:
    label, colon, words = text.partition(": ")
    return words if colon and len(label) <= _LABEL else text


def state(line: SourceLine) -> str:
    """Return what a line says of its thing: one of `STATES`, "" for nothing of the kind."""
    if line.mark:
        return line.mark
    if states.is_report(line.text):
        return DONE
    names, is_listed = states.of(_without_subject(line.text)), quality.is_list_of_open(line.heading)
    if not names and not (is_listed and line.form == "item"):
        return ""
    if quality.binds(line.text) or quality.is_lasting(line.heading):
        return ""
    # In a list of what is open `tests fixed` is what is wanted, and so is a point that says no state.
    if not names or (is_listed and not names.isdisjoint((DONE, WORKS))):
        return OPEN
    return next((name for name in STATES if name in names), "")


def _without_subject(text: str) -> str:
    """Return a text without its label of several words: `Login deployed: test it again` says no state."""
    words = _behind_label(text)
    return words if len(text[: -len(words)].split()) >= _SUBJECT else text


@lru_cache(maxsize=len(STATES) + 1)
def _state_terms(name: str) -> frozenset[str]:
    """Return the terms of the words by which a state is said."""
    names = (name, *(other for other, opposite in DENIED.items() if opposite == name))
    return frozenset().union(*map(quality.terms, states.words(*names)))


@lru_cache(maxsize=1)
def _list_terms() -> frozenset[str]:
    """Return the terms of the words that a list of what is open has for its heading: they name no subject."""
    return frozenset().union(*map(quality.terms, lexicon.all_words("state.lists")))
