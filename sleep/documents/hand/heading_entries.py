"""Headings that are entries, and what states a record below one: a section that is one record, or a list of such.

Owns which headings begin one: `Decision: use flock`, a choice below `Decisions`, a numbered step below what is next.
What states a record besides a box and a label of its own is plain words, and the heading above. Refuses to read what
stands below an entry's heading, for it holds all of it, and to judge what only sounds like a record (`noticed_forms`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.documents.hand import page_titles
from sleep.language import lexicon, sentences, tokenizer
from sleep.language.acts import first_words, no_records, open_items, speech, states, titles
from sleep.language.acts.forms import form
from sleep.language.acts.grammar import has
from sleep.language.tokenizer import has_wide
from sleep.records import classification
from sleep.records.kinds import LISTED, OPEN, WAITING, is_kind
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sleep.documents.hand.hand_reader import MarkedPiece
    from sleep.documents.hand.outline import Piece

_BEHIND = re.compile(r" [—–-] ")  # takes `**The gate** - paint it`
_BOLD = re.compile(r"(?:\*\*|__)\S[^*_\n]{2,}")  # takes `**One file.** It is small`
_DEEPER = re.compile(r"#{3,6} ")
# The lines below a heading, up to the next, which may be underlined.
_BODY = re.compile(r"(?:(?!#{1,6} |[^-*+>#|\s][^\n]*\n(?:=+|-+)[ \t]*(?:\n|\Z)).*\n?)*")
_PROSE = re.compile(r"\s*(?![-*+#>|`~]|\d{1,9}[.)] )\S")  # what stands below a heading begins as a paragraph
_FIRST = re.compile(r"\s*([-*+] |\d{1,9}[.)] )?(.*)")  # the line below a heading, and the sign of an item before it
_NAMES = {
    **dict.fromkeys(("decision outcome", "the decision"), "decision"),
    **dict.fromkeys(("next task", "the next task", "next step"), "task"),
}


class Section(NamedTuple):
    """What a heading or label opens: its level, the kind of what stands there, and its words.

    `has_parts` is set where headings of subjects divide it from its beginning on; `part_of` is the kind of the list
    that such a heading opens a part of; `is_page` is set where the title of the page says what is listed.
    """

    level: int
    kind: str
    title: str = ""
    has_parts: bool = False
    part_of: str = ""
    is_page: bool = False


def of_page(title: str) -> Section | None:
    """Return what a page's title says of all that is listed below it, None where it is no name of a kind."""
    kind, name = page_titles.listed(title)
    return Section(1, kind, name, part_of=kind, is_page=True) if kind else None


def above(sections: Iterable[Section], level: int) -> list[Section]:
    """Return the sections above a level; a page's is as its title opened it, whatever the last piece below it was."""
    upper = (each for each in sections if each.level < level)
    return [each._replace(kind=each.part_of) if each.is_page and each.part_of else each for each in upper]


def only_counts(heading: str) -> bool:
    """True for a heading that has a day or a number and names nothing (`2025-03-01`, `Session 3`), or says `Open`."""
    words = [word for word in tokenizer.words(heading) if not word.isdigit()]
    is_bare = lexicon.all_words("generic", "subject.none", "months", "clock").issuperset(words)
    has_number = any(map(str.isdigit, heading))
    return (has_number and is_bare) or lexicon.all_words("state.now").issuperset(words)


def in_parts(text: str, walked: Iterable[MarkedPiece]) -> bool:
    """True for a page whose headings are the parts of records: `## Decision`, and beside it `## Rationale`."""
    heads = (marked.piece for marked in walked if marked.piece.form == "heading" and marked.piece.level > 1)
    return any(named(head.words(text)) in LISTED for head in heads)


def named(words: str) -> str:
    """Return the kind of a heading whose section is one entry: `Decision`, `Decision: use flock`; else ""."""
    bare = words.strip().rstrip(":").casefold()
    if is_kind(bare) and bare not in ("handoff", "tone", "note", "change"):
        return bare
    if bare in _NAMES:
        return _NAMES[bare]
    label, colon, _ = bare.partition(":")
    if colon and is_kind(label.strip()):
        return label.strip()
    return "decision" if classification.label_kind(words) == "decision" else ""


def begins_entry(text: str, piece: Piece, words: str, kind: str) -> bool:
    """Return whether a heading with the name of a kind begins one entry, and is not empty nor opens a list."""
    return is_filled(text, piece, words) and not (kind == "blocker" and _is_list(text, piece, words))


def _is_list(text: str, piece: Piece, words: str) -> bool:
    """Return whether a heading with the name of a kind alone (`Blocker`, in German the plural too) opens a list."""
    first = _FIRST.match(text, piece.end)
    return words.strip("*_ :").isalpha() and first is not None and (bool(first[1]) or has(first[2], "signs.nothing"))


def leads_to_choice(words: str) -> bool:
    """True for a label with words of a choice behind it, whose list is part of it: `**Decision:** Two stores:`."""
    rest = first_words.behind_label(first_words.bare(words)).strip("*_ :：")
    is_choice = classification.label_kind(words) == "decision" and rest != words.strip("*_ :：")
    return is_choice and (has_wide(rest) or " " in rest) and not no_records.is_undecided(rest)


def may_be_part(words: str, above: Section) -> bool:
    """Return whether a heading without a kind may name a subject of the list above: `Storage` below `Key decisions`."""
    bare = words.strip("#*_ :：")
    if above.kind not in LISTED or not classification.states(above.kind, above.title):
        return False
    if above.is_page and form("signs.of page").fullmatch(bare):
        return False
    return not (titles.explains(bare) or no_records.is_undecided(bare) or no_records.is_done(bare))


def belongs(kind: str, words: str, above: Section, *, is_box: bool, is_first: bool, is_item: bool) -> bool:
    """Return whether a piece in a part of a list is of the list's kind: it has to be by its own words too.

    Of choices the first piece is one as it stands, if it reports no state (`Sync works as designed`): the others mostly
    explain it. On a page of choices the first item is one, and what begins with a bold name: its prose speaks of them.
    """
    if kind != above.kind or is_box or classification.label_kind(words) == kind:
        return True
    match kind:
        case "decision":
            is_one = _leads_on_page(words) if above.is_page else is_first
            return _is_choice(words, is_one=is_one or (is_first and is_item))
        case "task":
            beginnings = (first_words.bare(words), *_BEHIND.split(words, maxsplit=1)[1:])
            return any(open_items.bids(each) or has(each, "signs.acts on") for each in beginnings)
        case "question":
            return sentences.asks(words)
        case "constraint":
            return classification.lays_down(words, above.title)
    return True


def _leads_on_page(words: str) -> bool:
    """True for what begins with a bold name that is no part of a record: `**One file.** It is small`."""
    return _BOLD.match(words) is not None and not speech.is_part(words)


def _is_choice(words: str, *, is_one: bool) -> bool:
    """True for a choice by its words, or by its place if they report no state."""
    is_wide = has(first_words.bare(words), "signs.for all", "signs.rule begins")
    return classification.decides(words) or is_wide or (is_one and not _reports(words))


def _reports(words: str) -> bool:
    """Return whether words below a choice's subject say how something is, what was done, or that nothing was chosen."""
    is_state = not states.of(words).isdisjoint({states.WORKS, states.BROKEN})
    return is_state or no_records.is_deed(words) or no_records.is_undecided(words)


def statement_kind(text: str, piece: Piece, words: str, above: Section) -> str:
    """Return the kind of a heading that tells a choice or a step in a list of such, "" for any other.

    A heading of a page of decisions (`3. Keys are refused`) is none where its section has records of its own.
    """
    if above.kind in WAITING or has(words, "signs.blocking heading"):
        return "" if no_records.is_done(words) else _point_kind(text, piece, words, above)
    is_page = above.level == 1 and classification.heading_kind(above.title) == "decision"
    is_choice = titles.tells_choice(words) or (above.is_page and titles.is_numbered(words))
    if not (is_page or above.kind == "decision") or not is_choice:
        return ""
    return "" if has_records(text, piece) else "decision"


def is_filled(text: str, piece: Piece, words: str) -> bool:
    """False for the heading of a record that is none: above a template's empty block, or a list of next tasks."""
    body = _BODY.match(text, piece.end)
    rest = "" if body is None else body[0]
    if _NAMES.get(words.strip().rstrip(":").casefold()) == "task" and rest.strip() and not _PROSE.match(rest):
        return False
    return ":" in words or any(map(str.isalnum, rest)) or _DEEPER.match(text, piece.end + len(rest)) is not None


def has_records(text: str, piece: Piece) -> bool:
    """True for a heading that has records of its own right below it, each behind its label."""
    body = _BODY.match(text, piece.end)
    return body is not None and any(classification.label_kind(line.strip()) for line in body[0].split("\n"))


def _point_kind(text: str, piece: Piece, words: str, above: Section) -> str:
    """Return the kind of a heading that is what blocks (`Gate falls (BLOCKING)`), or a point of a list of such."""
    if has(words, "signs.blocking heading"):
        return "blocker"
    is_step = above.kind == "task" and titles.is_step(words)
    is_point = is_step or (titles.is_point(words) and _PROSE.match(text, piece.end))
    return above.kind if is_point and classification.states(above.kind, above.title) else ""


def is_plain(kind: str, words: str, heading: str) -> bool:
    """True where the words are form enough: what begins as a rule, a choice told as one, a label and what blocks it."""
    match kind:
        case "constraint":
            return classification.lays_down(words, heading)
        case "decision":
            return classification.decides(words) and not no_records.stands(words)
        case "blocker":
            return classification.is_held_up(words)
        case "dead end":
            return classification.failed(words, heading)
    return False


def is_below(kind: str, above: Section, own: str, words: str) -> bool:
    """True where the heading above gives a piece its kind, or makes a form of what its words say."""
    if "insight" in (above.kind, own) and kind == "constraint":
        return classification.is_rule(words, above.title)
    if kind == "dead end" and {above.kind, own} & {"insight", "decision"}:
        return classification.fails(words)
    if kind == "constraint" and above.kind == "decision":
        return True
    is_open = {kind, above.kind} <= OPEN  # one list holds them all, whichever it is named for
    return (kind == above.kind or is_open) and classification.states(above.kind, above.title)
