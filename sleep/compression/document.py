"""A text compressed at once: its own whole sentences and items, within a budget of characters.

Owns the cut of any Markdown into rows, and what each counts for by where it stands: the title and what stands right
under it stay first, then what was decided, then what the others add. Dates stay with what they date, headings where
there is room for them. Refuses code and rules; writes no word of its own.
"""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.compression import coverage, extractive
from sleep.documents import front_matter
from sleep.documents.markdown import lines
from sleep.language import dates, term_weights
from sleep.records import classification
from sleep.records.kinds import priority

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_RULE = re.compile(r"^[\s|:*_=+-]*$")
_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_OPENING = 0.75  # of the budget, that the title and what stands right under it may take
_EFFORT = 6  # characters that one more row costs its reader
_FEW = 100  # rows, up to which the choice is tried both ways
_WORTH = {0: 3.0, 1: 3.0, 2: 3.0, 3: 2.0, 4: 1.5}  # by the priority of the kind that the heading names


class _Row(NamedTuple):
    """A line, an item or a paragraph: its words on one line, what its place counts for, and what it is.

    `form` is `opening`, `heading`, `date` or `words`; `under` are the rows that head it. One that is `decided` stands
    first under a heading that says so: it is the choice.
    """

    text: str
    worth: float
    form: str
    under: tuple[int, ...]
    decided: bool = False


def compress(text: str, budget: int) -> str:
    """Return whole sentences and list items of a text, in their order, in at most `budget` characters."""
    if len(text) <= budget:
        return text
    rows = list(_rows(text))
    shown: dict[int, str] = {}
    openings = (index for index, row in enumerate(rows) if row.form == "opening")
    left = budget - _take(rows, openings, shown, budget * _OPENING)
    left -= _choose(rows, shown, left)
    for form in ("date", "heading"):
        left -= _take(rows, sorted(_heads(rows, shown, form)), shown, left)
    return "".join(f"{shown[index]}\n" for index in sorted(shown))


def _heads(rows: list[_Row], below: Iterable[int], form: str) -> set[int]:
    """Return the rows of a form that head some rows, without those rows."""
    indexes = set(below)
    return {head for index in indexes for head in rows[index].under if rows[head].form == form} - indexes


def _choose(rows: list[_Row], shown: dict[int, str], left: int) -> int:
    """Show the sentences that say most within so many characters; return the characters that they take."""
    spoken = [index for index, row in enumerate(rows) if row.form == "words"]
    cuts = {index: extractive.cut(rows[index].text) for index in spoken}
    dates_ = _heads(rows, spoken, "date") - shown.keys()
    sure = _choices(rows, cuts, left)
    lines_ = [_line(rows[index], cuts[index], sure.get(index)) for index in spoken]
    room = max(left - sum(len(rows[head].text) + 1 for head in dates_), left // 2)
    room -= sum(_length(rows[index], cuts[index], part) for index, part in sure.items())
    chosen = coverage.choose(lines_, room, effort=_EFFORT, thorough=len(spoken) <= _FEW)
    spent = 0
    for index, more in zip(spoken, chosen, strict=True):
        if parts := sorted({*more, *([sure[index]] if index in sure else ())}):
            sentences = (rows[index].text[slice(*cuts[index].runs[part])] for part in parts)
            shown[index] = extractive.plain(cuts[index].lead) + " ".join(sentences)
            spent += len(shown[index]) + 1
    return spent


def _choices(rows: list[_Row], cuts: Mapping[int, extractive.Cut], left: int) -> dict[int, int]:
    """Return, by row, the sentence that says what was decided, of those that fit: it stays."""
    choices: dict[int, int] = {}
    for index, cut in cuts.items():
        if rows[index].decided:
            sentences = [rows[index].text[start:end] for start, end in cut.runs]
            part = next((at for at, sentence in enumerate(sentences) if classification.chooses(sentence)), 0)
            size = _length(rows[index], cut, part)
            if size <= left:
                choices[index] = part
                left -= size
    return choices


def _length(row: _Row, cut: extractive.Cut, part: int) -> int:
    start, end = cut.runs[part]
    return len(extractive.plain(cut.lead)) + len(row.text[start:end]) + 1


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
    opening, worth, decided = True, 1.0, False
    for number, (level, words) in enumerate(_runs(text)):
        under = (*(row for _, row in above), *date)
        if level:
            opening = opening and not number
            above = [heading for heading in above if heading[0] < level]
            under = tuple(row for _, row in above)
            above.append((level, number))
            kind = classification.heading_kind(words.lstrip("# "))
            worth = _WORTH.get(priority(kind), 1.0) if kind else 1.0
            decided = kind == "decision" and level > 1
            yield _Row(words, worth, "opening" if opening else "heading", under)
        elif opening and number:
            yield _Row(words, worth, "opening", under)
        elif dates.line_end(words):
            date = [number]
            yield _Row(words, worth, "date", tuple(row for _, row in above))
        else:
            opening = False
            yield _Row(words, worth, "words", under, decided)
            decided = False


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
