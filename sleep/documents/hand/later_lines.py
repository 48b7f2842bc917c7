"""Later lines: what they make of what is open in a log: they tell it anew, or they settle it.

Owns both relations, by form alone. An open point is told anew where a later one has its words or its name (`**Disk:**
is full`), or where a list of what is open, in a block of the log that says its time, comes again in a later block. It
is settled where a later line says under the same name, or in most of its words, that it is done, works or is gone,
where a later item of the same words is ticked, where a later report begins with the same number of a tracker (`#57`),
and where the newer list says `None`, or has other points of the older one but not this. Refuses what has only some
words of it: a point that is closed and open after all is worse than one that is told too long. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from sleep.documents.hand import subject
from sleep.language import lexicon, sentences, stems, terms
from sleep.language.acts import first_words, grammar, kind_names, states
from sleep.language.acts.states import BROKEN, DONE, GONE, OPEN, WORKS
from sleep.records.kinds import DONE as DONE_KINDS
from sleep.records.kinds import ENTRIES, LASTING
from sleep.records.known_texts import KnownTexts
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_OPEN_KINDS = frozenset(kind.name for kind in ENTRIES.values() if kind.unsettled)
_LEAST = 2  # terms of a name, and those that two points of a list have in common at least
_LONG_NAME = 3  # terms of a name that may lack one of another's
_HALF = 0.5  # of the terms of the shorter of two points that say the same
_MANY, _MOST_OF_IT = 5, 0.65  # terms of an open point, and which share of them, that a line has which settles it
_WARNING = "⚠"
_LONG = 300  # characters of a line that reports one thing
_CLOCK = re.compile(r"\b\d{1,2}:\d\d\b|\b\d{1,2} ?[ap]m\b", re.IGNORECASE)
_LEAD = re.compile(r"^(?:[^\w*`\"]|\d{1,3}[.)] |\[[^\]]{1,12}\])*")
_NAME = re.compile(r"\*\*([^*\n]{3,70})\*\*|([^:：\n]{3,60}?)(?:[:：](?= |\*|$)| [—–-] )")
_NO_WORD = re.compile(r"[\W\d_]+")
_CLAUSE = re.compile(r"[.;；。(（\n]| [—–-] ")
# What Obsidian and Logseq put behind an item: when it was ticked off, when it is due.
_STAMP = re.compile(r"✅ ?\d{4}-\d\d-\d\d|(?:SCHEDULED|DEADLINE): ?<[^>\n]*>")


class Line(NamedTuple):
    """A piece of a log: its kind, its words, and the headings and labels above it, the innermost last."""

    kind: str
    text: str
    above: tuple[str, ...] = ()

    @property
    def is_open(self) -> bool:
        """True for what waits for somebody."""
        return is_unsettled(self.kind)


def told_anew(lines: Sequence[Line]) -> dict[int, int]:
    """Return by index of an open line the index of the later one of the same log that tells it anew."""
    open_ = [index for index, line in enumerate(lines) if line.is_open]
    if len(open_) <= 1:
        return {}
    last = {lines[index].text: index for index in open_}  # one line may stand there a thousand times
    known, ends = KnownTexts(last), list(last.values())
    newest = {text: max((ends[at] for at in known.repeating(text)), default=-1) for text in last}
    anew = {index: newest[lines[index].text] for index in open_ if newest[lines[index].text] > index}
    for older, newer in (*_by_name(lines), *_by_ticket(lines)):
        if lines[newer].is_open:
            anew.setdefault(older, newer)
    for older_list, newer_list in _lists(lines):
        for index, other in _same(lines, older_list, newer_list).items():
            if lines[index].is_open and lines[other].is_open:
                anew.setdefault(index, other)
    return anew


def settled(lines: Sequence[Line], begun: int = 0) -> dict[int, int]:
    """Return by index of an open line the index of the later one that settles it; those before `begun` are of others.

    Of an earlier log no list is told anew here.
    """
    links: dict[int, int] = {}
    if not any(line.is_open for line in lines):
        return links
    for older_list, newer_list in _lists(lines[begun:]):
        for index, other in _off_the_list(lines[begun:], older_list, newer_list):
            links[begun + index] = begun + other
    for older, newer in (*_by_name(lines), *_by_part_of_name(lines)):
        if newer >= begun and _reports(lines[newer], has_name=True, may_only_change=older >= begun):
            links.setdefault(older, newer)
    for older, newer in (*_by_tick(lines, begun), *_by_words(lines, begun), *_tickets_done(lines, begun)):
        links.setdefault(older, newer)
    return links


def is_unsettled(kind: str) -> bool:
    """True for a kind that waits for somebody, and may be settled."""
    return kind in _OPEN_KINDS


def is_given_up(text: str) -> bool:
    """True for a line that says of its thing that it is gone, and not that it is done."""
    return GONE in states.of(text) and not {DONE, WORKS} & states.of(text)


def _off_the_list(lines: Sequence[Line], older: Sequence[int], newer: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield what of an older list the newer one has no more, with the line that says so."""
    is_none = grammar.has(first_words.bare(lines[newer[0]].text), "signs.nothing")
    same = _same(lines, older, newer)
    for index in older:
        if not lines[index].is_open:
            continue
        if index in same and _reports(lines[same[index]]):
            yield index, same[index]
        elif index not in same and (same or is_none):
            yield index, newer[0]


def _same(lines: Sequence[Line], older: Sequence[int], newer: Sequence[int]) -> dict[int, int]:
    """Return by index of a line of an older list the one of the newer that says the same, each the likest of both."""
    likeness = {(index, other): _likeness(lines[index], lines[other]) for index in older for other in newer}
    same: dict[int, int] = {}
    for (index, other), share in sorted(likeness.items(), key=lambda pair: -pair[1]):
        if share and index not in same and other not in same.values():
            same[index] = other
    return same


def _lists(lines: Sequence[Line]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield each list of what is open with the next one under the same heading in another block of the log."""
    lists: dict[str, list[int]] = {}
    last: tuple[str, ...] = ()
    for index, line in enumerate(lines):
        name = _title(line.above[-1]) if len(line.above) > 1 and _is_of_open(line.above[-1]) else ""
        if not name or not any(map(_CLOCK.search, line.above[:-1])):
            last = ()
            continue
        if line.above == last:
            lists[name].append(index)
            continue
        last = line.above
        if name in lists and lines[lists[name][0]].above != line.above:
            older = lists[name]
            lists[name] = newer = [index]
            yield older, _run(lines, newer)
        else:
            lists[name] = [*lists.get(name, ()), index]


def _run(lines: Sequence[Line], begun: list[int]) -> list[int]:
    """Return the indexes of the lines that stand with one in its list."""
    end = begun[0]
    while end < len(lines) and lines[end].above == lines[begun[0]].above:
        end += 1
    return list(range(begun[0], end))


def _by_name(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Yield each open line that has a name with the next line of that name; of one list each has its own."""
    named: dict[frozenset[str], list[int]] = {}
    for index, line in enumerate(lines):
        if name := _name(line.text):
            named.setdefault(name, []).append(index)
    for own in named.values():
        often = Counter(lines[index].above for index in own)
        single = [index for index in own if often[lines[index].above] == 1]
        for older, newer in pairwise(single):
            if lines[older].is_open:
                yield older, newer


def _by_part_of_name(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Yield each open line with the later ones whose name is its own but for one word (`the import check: ...`)."""
    named: dict[frozenset[str], list[int]] = {}
    for index, line in enumerate(lines):
        if not line.is_open and len(name := _name(line.text)) >= _LONG_NAME:
            named.setdefault(name, []).append(index)
    for index, line in enumerate(lines):
        whole = _name(line.text) if line.is_open and named else frozenset()
        for part in (whole - {term} for term in sorted(whole)):
            yield from ((index, other) for other in named.get(part, ()) if other > index)


def _by_tick(lines: Sequence[Line], begun: int) -> Iterator[tuple[int, int]]:
    """Yield each open line with the first later one that ticks it off: done, in the same words, however few."""
    ticked: dict[frozenset[str], list[int]] = {}
    for index, line in enumerate(lines[begun:], begun):
        is_done = line.kind in DONE_KINDS or _is_ticked(line.text)
        if is_done and _may_report(line):  # an open record has its subject in front
            for item in {_item(line.text), _item(subject.with_subject(line.text, line.above))}:
                ticked.setdefault(item, []).append(index)
    for index, line in enumerate(lines if ticked else ()):
        item = _item(line.text) if line.is_open else frozenset[str]()
        if len(item) >= _LEAST and (later := [other for other in ticked.get(item, ()) if other > index]):
            yield index, later[0]


def _by_ticket(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Yield each open line that begins with a number of a tracker with each later line on the same thing of it.

    Numbers alone are not enough: lists that count their points with `#1` have the same ones.
    """
    numbered: dict[str, list[int]] = {}
    for index, line in enumerate(lines):
        if number := first_words.ticket_of(line.text):
            numbered.setdefault(number, []).append(index)
    for number, own in numbered.items():
        about = {index: terms.light(lines[index].text) - terms.light(number) for index in own}
        for older, newer in combinations(own, 2):
            if lines[older].is_open and not about[older].isdisjoint(about[newer]):
                yield older, newer


def _tickets_done(lines: Sequence[Line], begun: int) -> Iterator[tuple[int, int]]:
    """Yield each open line with a number of a tracker with the first later line of it that tells what was done."""
    for older, newer in _by_ticket(lines):
        line = lines[newer]
        is_done = line.kind in DONE_KINDS or (_is_ticked(line.text) and not line.is_open)
        if newer >= begun and is_done and not _is_unfinished(line.text):
            yield older, newer


def _is_unfinished(text: str) -> bool:
    return OPEN in states.of(text) or grammar.has(text, "signs.still fails")


def _item(text: str) -> frozenset[str]:
    """Return the terms of an item behind its sign or keyword, without the days that tools put behind it."""
    words = _LEAD.sub("", _STAMP.sub("", text), count=1)
    return terms.light(first_words.KEYWORD.sub("", words))


def _by_words(lines: Sequence[Line], begun: int) -> Iterator[tuple[int, int]]:
    """Yield each open line with the later one that has most of its words and reports."""
    about = {index: own for index, line in enumerate(lines) if line.is_open and (own := _about(line.text))}
    reports = _reports_on(lines, begun, frozenset().union(*about.values())) if about else {}
    for index, own in about.items():
        counted = Counter(other for term in own for other in reports.get(term, ()) if other > index)
        likely = [(count, -other) for other, count in counted.items() if count >= max(_MANY, _MOST_OF_IT * len(own))]
        if likely:
            yield index, -max(likely)[1]


def _reports_on(lines: Sequence[Line], begun: int, sought: frozenset[str]) -> dict[str, list[int]]:
    """Return by term the indexes of the lines that report on what has several of the terms that are sought."""
    reports: dict[str, list[int]] = {}
    for index in range(begun, len(lines)):
        shared = sought & terms.light(lines[index].text)
        if len(shared) >= _MANY and _reports(lines[index]) and lines[index].kind not in LASTING:
            for term in shared:
                reports.setdefault(term, []).append(index)
    return reports


def _reports(line: Line, *, has_name: bool = False, may_only_change: bool = True) -> bool:
    """True for a line whose first words say that its thing is done or gone, and nothing that it is not.

    Behind a name it may say that it works, or only that something was changed: not what was tried and still fails.
    """
    if not _may_report(line):
        return False
    if has_name and may_only_change and line.kind in DONE_KINDS:
        return not _is_unfinished(line.text)
    if states.of(line.text) & {OPEN, BROKEN}:
        return False
    name = _own_name(line.text) if has_name else None
    rest = line.text[name.end() :] if name else line.text
    if _is_ticked(line.text) or (name and _is_ticked(rest)):
        return True
    first = states.of(_CLAUSE.split(rest.strip(" *:："), maxsplit=1)[0])
    return bool(first & ({DONE, GONE, WORKS} if has_name else {DONE, GONE}))


def _is_ticked(text: str) -> bool:
    return grammar.has(text, "signs.done")


def _may_report(line: Line) -> bool:
    return not (line.is_open or sentences.asks(line.text) or len(line.text) > _LONG or _WARNING in line.text)


def _likeness(line: Line, other: Line) -> float:
    """Return how much of the shorter one two lines have in common, 0 where that is too little."""
    first, second = terms.light(line.text), terms.light(other.text)
    both = len(first & second)
    share = both / max(1, min(len(first), len(second)))
    return share if both >= _LEAST and share >= _HALF else 0.0


def _is_of_open(title: str) -> bool:
    """True for a heading that says of what stands below it that it is open now, as `Next steps` does not."""
    known = lexicon.all_words("state.now")
    return not known.isdisjoint(_title(title).split()) or any(word in title for word in known if not word.isascii())


def _title(title: str) -> str:
    return _NO_WORD.sub(" ", kind_names.without_brackets(title)).strip().casefold()


@lru_cache(maxsize=1 << 14)
def _name(text: str) -> frozenset[str]:
    """Return the terms of the name that a line begins with, none for a line without one of several words."""
    match = _own_name(text)
    name = terms.light(kind_names.without_brackets(match[1] or match[2])) - _empty() if match else frozenset()
    return name if len(name) >= _LEAST else frozenset()


def _own_name(text: str) -> re.Match[str] | None:
    start = _LEAD.match(text)
    return _NAME.match(text, start.end() if start else 0)


def _about(text: str) -> frozenset[str]:
    """Return the terms that tell what an open line is about; none for a short one, which many lines have."""
    own = terms.light(text) - _empty() if len(text.split()) >= _MANY else frozenset()
    return own if len(own) >= _MANY else frozenset()


@lru_cache(maxsize=1)
def _empty() -> frozenset[str]:
    return frozenset(map(stems.light, states.words(OPEN)))
