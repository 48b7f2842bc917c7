"""What kind a piece of a journal is, as it stands there: below its headings, before its list, in its document.

Owns what a piece needs besides its words to be a record: a lead is none, nor a question that its own list answers, nor
a bare name. Refuses to say what its words are: that is `classification`'s.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from sleep.documents.hand import hand_reader, quotes, reason_parts
from sleep.language.acts import first_words, kind_names, no_records, speech
from sleep.records import classification
from sleep.records.kinds import BINDING, WAITING, is_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sleep.documents.hand.hand_reader import MarkedPiece
    from sleep.documents.hand.heading_entries import Section
    from sleep.documents.hand.outline import Piece

_WORD = re.compile(r"[^\W_]")


def kind_of(text: str, piece: Piece, sections: Sequence[Section], names: frozenset[str]) -> str:
    """Return the kind of a piece by its box, its label, the headings above and its words."""
    words = reason_parts.without_parts(words_of(text, piece))
    if speech.is_speech(words, names) or _is_empty(text, piece, words):
        return "note"
    whole = text[piece.text_start : piece.end].rstrip() if piece.in_list else words
    section = sections[-1].kind if sections else ""
    kind = classification.text_kind(words, section, checked=piece.checked)
    is_answered = kind in ("question", "blocker") and no_records.is_answered(whole)
    is_part = kind == "decision" and reason_parts.is_part(words)
    is_over = kind in WAITING and piece.checked is None and _is_done_list(sections)
    if is_over or is_answered or is_part or _is_lead_or_name(kind, section, piece, words):
        return "note"
    return _asked(piece, words, whole) if kind == "question" and section != kind else kind


def _is_done_list(sections: Sequence[Section]) -> bool:
    """True below a heading that says that nothing of its list is open: `Open questions (resolved)`, and its parts."""
    titles = (above.title for above in reversed(sections) if above.kind or _names_closed_list(above.title))
    return no_records.is_done(next(titles, ""))


def _names_closed_list(title: str) -> bool:
    """True for the name of a kind with the word behind a dash that its list is done: `Open questions — resolved`."""
    return no_records.is_done(title) and bool(classification.heading_kind(kind_names.without_aside(title)))


def _asked(piece: Piece, words: str, whole: str) -> str:
    """Return what a question is that stands in no list of such: one that its own list answers is none."""
    if piece.introduces and classification.label_kind(words) != "question":
        return "decision" if classification.justifies(words) else "note"  # the list that follows answers it
    return "note" if whole.count("\n") > words.count("\n") + 1 else "question"  # what is nested below answers it


def _is_empty(text: str, piece: Piece, words: str) -> bool:
    """True for a piece that says nothing: a bullet alone, or a label with nothing behind it (`- **Blockers**:`)."""
    if not _WORD.search(words):
        return True
    label = first_words.label_of(words)
    rest = first_words.behind_label(first_words.bare(words)) + text[piece.text_end : piece.end]
    return label is not None and not piece.introduces and not _WORD.search(rest)


def _is_lead_or_name(kind: str, section: str, piece: Piece, words: str) -> bool:
    """True for what is no record of its section: a bare name, and lines that only lead to a list or a table.

    `All of them are in the log. Recent ones:` leads to the records right behind it, as does one that is a list's name.
    """
    if kind in BINDING and not classification.is_told(words):  # a task may be a file's name
        return True
    leads = piece.introduces and first_words.leads(words)
    is_lead = leads and ("\n" in words or classification.heading_kind(words) != "")
    return is_lead and is_record(kind) and kind == section and not classification.label_kind(words)


def is_worked_off(walked: Iterable[MarkedPiece]) -> bool:
    """True for a document in which more boxes are ticked than empty: an empty one is what is left."""
    boxes = Counter(marked.piece.checked for marked in walked)
    return boxes[True] > boxes[False]


def level_of(piece: Piece) -> int:
    """Return how deep a heading or label stands: a label that is an item is below the one that introduces its list."""
    return piece.level or hand_reader.LABEL_LEVEL + piece.in_list


def words_of(text: str, piece: Piece) -> str:
    """Return the first words of a piece, behind a label in bold in the line of it."""
    words = quotes.unquoted(piece.words(text).strip())
    label = first_words.BOLD_LABEL.match(words)
    rest = words[label.end() :].lstrip() if label else ""
    return f"{label[0]} {rest}" if label and rest else words
