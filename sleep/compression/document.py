"""A text compressed at once: its own whole sentences and items, within a budget of characters.

Owns the cut of any Markdown into rows, and the rank of each by its place: first what was decided (only the clause of it
where its sentence has no room), then the title and what stands right under it, then whatever adds most. Dates stay with
what they date, headings where there is room for them. Refuses code and rules; writes no word of its own.
"""

from __future__ import annotations

import contextlib
import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from sleep.compression import coverage, extractive
from sleep.documents import front_matter
from sleep.documents.markdown import lines
from sleep.language import dates, term_weights
from sleep.language.acts import first_words
from sleep.records import classification
from sleep.records.kinds import priority

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_RULE = re.compile(r"^[\s|:*_=+-]*$")
_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_LABEL = re.compile(r"^[-*+>\s]*(?:\*\*|__)?([A-Za-zÀ-ÿ][\w ]{2,40}?)[:.]?(?:\*\*|__)?[:.]?\s")
_CHOSEN = re.compile(r"(?i)^[-*+>\s_]*chosen option\b")
_CLAUSE = re.compile(r"[,;:](?=\s)\s|\s(?=(?:because|since|so that)\b)")
_OPEN = " ,;:—–-"
_TITLE = 0.7  # of the budget, up to which a title stays beside the choice
_OPENING = 0.75  # of the budget, that the title and what stands right under it may take
_EFFORT = 6  # characters that one more row costs its reader
_FEW = 100  # rows, up to which the choice is tried both ways
_WORTH = {0: 3.0, 1: 3.0, 2: 3.0, 3: 2.0, 4: 1.5}  # by the priority of the kind that the heading names


class _Row(NamedTuple):
    """A line, an item or a paragraph: its words on one line, the weight of its place, and its form.

    `form` is `opening`, `heading`, `date` or `words`; `under` are the rows that head it. A row is `decided` if it is
    the choice, such as the first one under a heading that says so.
    """

    text: str
    worth: float
    form: str
    under: tuple[int, ...]
    decided: bool = False


def compress(text: str, budget: int) -> str:
    """Return whole sentences and list items of a text, in their order, in at most `budget` characters.

    Of a choice whose sentence has no room its clause is returned.
    """
    if len(text) <= budget:
        return text
    rows = list(_rows(text))
    shown: dict[int, str] = {}
    title = len(rows[0].text) + 1 if rows and rows[0].form == "opening" else 0
    sure = _choices(rows, budget - (title if title <= budget * _TITLE else 0))
    left = budget - sum(len(words) + 1 for words in sure.values())
    openings = (index for index, row in enumerate(rows) if row.form == "opening")
    left -= _take(rows, openings, shown, min(budget * _OPENING, left))
    left -= _choose(rows, shown, left, sure)
    for form in ("date", "heading"):
        left -= _take(rows, sorted(_heads(rows, shown, form)), shown, left)
    return "".join(f"{shown[index]}\n" for index in sorted(shown))


def _heads(rows: list[_Row], below: Iterable[int], form: str) -> set[int]:
    """Return the rows of a form that head some rows, without those rows."""
    indexes = set(below)
    return {head for index in indexes for head in rows[index].under if rows[head].form == form} - indexes


def _choose(rows: list[_Row], shown: dict[int, str], left: int, sure: Mapping[int, str]) -> int:
    """Show the sentences that say most within so many characters; return those that they take beside what is `sure`."""
    spoken = [index for index, row in enumerate(rows) if row.form == "words"]
    cuts = {index: extractive.cut(rows[index].text) for index in spoken}
    dates_ = _heads(rows, spoken, "date") - shown.keys()
    chosen_at = {index: _choice(rows[index], cuts[index]) for index in sure}
    lines_ = [_line(rows[index], cuts[index], chosen_at.get(index)) for index in spoken]
    room = max(left - sum(len(rows[head].text) + 1 for head in dates_), left // 2)
    chosen = coverage.choose(lines_, room, effort=_EFFORT, thorough=len(spoken) <= _FEW)
    spent = 0
    for index, more in zip(spoken, chosen, strict=True):
        words = _shown(rows[index], cuts[index], more, sure.get(index, ""), chosen_at.get(index))
        if words:
            shown[index] = words
            spent += len(words) + 1 - (len(sure[index]) + 1 if index in sure else 0)
    return spent


def _shown(row: _Row, cut: extractive.Cut, more: Iterable[int], choice: str, at: int | None) -> str:
    """Return what is shown of a row: its choice, and the other sentences that were chosen, in their order."""
    others = [part for part in more if part != at]
    if not others:
        return choice
    if at is None:
        return extractive.shortened(row.text, cut, sorted(others))
    parts = sorted([*others, at])
    chosen = choice.removeprefix(_label(row, cut, at))
    sentences = (chosen if part == at else row.text[slice(*cut.runs[part])] for part in parts)
    return _label(row, cut, parts[0]) + " ".join(sentences)


def _choices(rows: list[_Row], budget: int) -> dict[int, str]:
    """Return, by row, the words that say what was decided: the first at any budget, further ones while they fit."""
    choices: dict[int, str] = {}
    left = budget - 1
    for index, row in enumerate(rows):
        if row.decided:
            cut = extractive.cut(row.text)
            at = _choice(row, cut)
            start, end = cut.runs[at]
            label = _label(row, cut, at)
            words = label + row.text[start:end]
            if not any(choices) and len(words) > left:
                words = label + _clause(row.text[start:end], left - len(label))
            if len(words) <= left:
                choices[index] = words
                left -= len(words) + 1
    return choices


def _choice(row: _Row, cut: extractive.Cut) -> int:
    """Return which sentence of a row says what was decided."""
    sentences = [row.text[start:end] for start, end in cut.runs]
    return next((at for at, sentence in enumerate(sentences) if first_words.chooses(sentence)), 0)


def _clause(sentence: str, room: int) -> str:
    """Return the clauses of a sentence that fit, from the one that chooses on; of a longer one its first words."""
    starts = [0, *(match.end() for match in _CLAUSE.finditer(sentence))]
    ends = [*starts[1:], len(sentence)]
    clauses = [sentence[start:end] for start, end in zip(starts, ends, strict=True)]
    first = next((at for at, clause in enumerate(clauses) if first_words.chooses(clause)), 0)
    fitting = bisect_right(ends, room, first, key=lambda end: len(sentence[starts[first] : end].rstrip(_OPEN)))
    if fitting > first:
        return sentence[starts[first] : ends[fitting - 1]].rstrip(_OPEN)
    return sentence[starts[first] : starts[first] + max(0, room)].rpartition(" ")[0]


def _label(row: _Row, cut: extractive.Cut, part: int) -> str:
    """Return the label that a sentence stands under."""
    return extractive.plain(row.text[slice(*cut.labels[part])])


def _take(rows: list[_Row], indexes: Iterable[int], chosen: dict[int, str], budget: float) -> int:
    """Keep rows whole while they fit; return the characters that they take."""
    spent = 0
    for index in indexes:
        size = len(rows[index].text) + 1
        if spent + size <= budget:
            chosen[index] = rows[index].text
            spent += size
    return spent


def _line(row: _Row, cut: extractive.Cut, sure: int | None = None) -> coverage.Line:
    """Return a row to choose from; the sentence that is `sure` costs nothing and adds nothing."""
    parts = []
    for at, (start, end) in enumerate(cut.runs):
        if at == sure:
            parts.append(coverage.Part({}, 0))
            continue
        sentence = row.text[start:end]
        times = row.worth * term_weights.factor(sentence)
        worth = {term: times * form for term, form in term_weights.terms(sentence).items()}
        parts.append(coverage.Part(worth, len(sentence) + 1))
    lead = 0 if sure is not None else len(extractive.plain(cut.lead)) + 1
    return coverage.Line(tuple(parts), lead, leans=cut.leans)


def _rows(text: str) -> Iterator[_Row]:
    """Yield the rows of a text."""
    above: list[tuple[int, int]] = []  # (level, row) of the headings above
    date: list[int] = []  # the row that dates what follows
    opening, worth, decisions = True, 1.0, _Decisions()
    for number, (level, words) in enumerate(_runs(text)):
        under = (*(row for _, row in above), *date)
        if level:
            opening = opening and not number
            above = [heading for heading in above if heading[0] < level]
            under = tuple(row for _, row in above)
            above.append((level, number))
            kind = classification.heading_kind(words.lstrip("# "))
            worth = _worth(kind)
            decisions.enter(is_named=kind == "decision" and level > 1)
            yield _Row(words, worth, "opening" if opening else "heading", under)
        elif opening and number and not _says_choice(words):
            yield _Row(words, worth, "opening", under)
        elif dates.line_end(words):
            date = [number]
            yield _Row(words, worth, "date", tuple(row for _, row in above))
        else:
            opening = False
            yield _Row(words, worth, "words", under, decisions.takes(words))


def _worth(kind: str) -> float:
    """Return what a row counts for under a heading that names a kind, "" for none."""
    return _WORTH.get(priority(kind), 1.0) if kind else 1.0


class _Decisions:
    """Which rows are decided: the first under a heading that says so, what a label names, and the items they lead."""

    def __init__(self) -> None:
        self._is_next = self._is_led = False

    def enter(self, *, is_named: bool) -> None:
        """Take in a heading."""
        self._is_next, self._is_led = is_named, False

    def takes(self, words: str) -> bool:
        """Return whether a row is decided, and remember whether it leads the next."""
        is_decided = self._is_next or _says_choice(words)
        self._is_led = words.endswith((":", "：")) or (self._is_led and bool(_ITEM.match(words)))
        self._is_next = is_decided and self._is_led
        return is_decided


def _says_choice(words: str) -> bool:
    """True for words that begin with a label that says so: `**Decision:** ...`, `Chosen option: ...`."""
    if not (label := _LABEL.match(words)):
        return False
    return bool(_CHOSEN.match(words)) or classification.heading_kind(label[1]) == "decision"


def _runs(text: str) -> Iterator[tuple[int, str]]:
    """Yield (level, words) of headings, and (0, words) of paragraphs, items and rows, each on one line."""
    with contextlib.suppress(ValueError):  # front matter that cannot be read reads as words
        text = text[front_matter.read(text).body :]
    rows = [line.words for line in lines.split(text)]
    fenced = lines.code(rows)
    heads = {head.first: head for head in lines.headings(rows, fenced)}
    silent = fenced.union(*(range(head.first, head.last + 1) for head in heads.values()))
    paragraph = ""
    for index, line in enumerate(rows):
        bare = line.strip()
        if paragraph and (index in silent or _starts(line)):
            yield 0, paragraph
            paragraph = ""
        if index in heads:
            yield heads[index].level, f"{'#' * heads[index].level} {heads[index].title}"
        elif index not in silent and bare and not _RULE.match(bare):
            paragraph = f"{paragraph} {bare}".lstrip()
            if dates.line_end(bare):
                yield 0, paragraph
                paragraph = ""
    if paragraph:
        yield 0, paragraph


def _starts(line: str) -> bool:
    """True for a line that does not go on with the paragraph above."""
    bare = line.strip()
    return not bare or bool(_ITEM.match(line)) or bare.startswith("|") or bool(dates.line_end(bare))
