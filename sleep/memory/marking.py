"""Marking: giving every idea of a hand-written journal its address, kind and number.

Owns where marks go. Only ever inserts (marks at the end of a piece's first words, a heading where a table or code opens a
section without words): what was there stays byte for byte, and taking the insertions out again gives it back. Refuses to
touch a piece that has a mark already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.memory import address as addressing
from sleep.memory import extract
from sleep.memory import journal as journals
from sleep.memory.address import InstanceId, Mark
from sleep.memory.kinds import KINDS, is_kind
from sleep.memory.outline import Piece, pieces
from sleep.text import edit, front

if TYPE_CHECKING:
    from collections.abc import Mapping

_WHOLE_SECTION = ("decision", "decision outcome", "the decision")


class _Section(NamedTuple):
    level: int
    kind: str
    entry: bool  # the heading is an entry itself, and what stands below is its body


class _Numbers:
    """Hands out record numbers, going on from the highest ones in use."""

    def __init__(self, used: Mapping[str, int]) -> None:
        self._used = dict(used)

    def next(self, kind: str) -> str:
        letter = KINDS[kind].letter if kind in KINDS else ""
        if not letter:
            return ""
        self._used[letter] = self._used.get(letter, 0) + 1
        return addressing.number(letter, self._used[letter])


def mark(text: str, instance: InstanceId, used: Mapping[str, int]) -> str:
    """Return the journal with a mark on every piece that has none.

    `used` gives, by letter, the highest record number in use (`{"D": 14}`).
    """
    head = front.read(text)
    walked = list(pieces(text, head.body))
    numbers = _Numbers(used)
    ordinal = journals.last_ordinal(text, instance)
    names = extract.speakers([_words(text, piece) for piece in walked if piece.form == "text"])
    newline = edit.newline(text)
    edits: list[edit.Edit] = []
    sections: list[_Section] = []
    pending: Piece | None = None  # a heading that may have to carry the mark of what opens its section
    covered = False  # an entry is open that code, tables and quotes can belong to

    def put(at: int, kind: str, lead: str = " ") -> None:
        nonlocal ordinal, covered, pending
        ordinal += 1
        shown = "" if kind == "note" else kind
        sign = Mark((instance.entry(ordinal),), shown, numbers.next(kind))
        edits.append(edit.Edit(at, at, f"{lead}{sign}"))
        covered, pending = True, None

    for piece in walked:
        if piece.form in ("heading", "label"):
            level = piece.level or 7
            sections = [one for one in sections if one.level < level]
            pending = None
            if sections and sections[-1].entry:
                continue
            covered = False
            words = _words(text, piece)
            if journals.own_mark(text, piece, instance):
                sections.append(_Section(level, "", entry=True))
                covered = True
                continue
            inherited = sections[-1].kind if sections else ""
            own = _heading_entry_kind(words) if piece.form == "heading" else ""
            if own:
                put(_end(text, piece), own)
                sections.append(_Section(level, own, entry=True))
                continue
            kind = extract.label_kind(words) if piece.form == "label" else ""
            sections.append(_Section(level, kind or extract.heading_kind(words) or inherited, entry=False))
            pending = piece if piece.form == "heading" else None
        elif sections and sections[-1].entry:
            continue
        elif piece.form == "text":
            if journals.own_mark(text, piece, instance):
                covered = True
                continue
            put(_end(text, piece), _kind(text, piece, sections, names))
        elif not covered:
            if pending:
                put(_end(text, pending), sections[-1].kind or "note")
            else:
                put(piece.start, "note", lead="## Note ")
                edits[-1] = edits[-1]._replace(text=f"{edits[-1].text}{newline}{newline}")
    return edit.apply(text, edits)


def _kind(text: str, piece: Piece, sections: list[_Section], names: frozenset[str]) -> str:
    words = _words(text, piece)
    if extract.is_speech(words, names):
        return "note"
    whole = text[piece.text_start : piece.end].rstrip() if piece.in_list else words
    section = sections[-1].kind if sections else ""
    kind = extract.text_kind(words, section, checked=piece.checked)
    if kind == "question" and piece.introduces and section != "question":
        return "note"  # the list that follows answers it
    if kind == "question" and whole.count("\n") > words.count("\n") + 1 and section != "question":
        return "note"  # the question is answered by what is nested below it
    return kind


def _heading_entry_kind(words: str) -> str:
    """Return the kind of a heading that is an entry with its whole section as body: `Decision`, `Decision: use flock`."""
    bare = words.strip().rstrip(":").casefold()
    if bare in _WHOLE_SECTION:
        return "decision"
    if is_kind(bare) and bare not in ("handoff", "tone", "note", "change"):
        return bare
    label = bare.partition(":")[0].strip()
    return label if ":" in bare and is_kind(label) else ""


def _words(text: str, piece: Piece) -> str:
    return text[piece.text_start : piece.text_end].strip()


def _end(text: str, piece: Piece) -> int:
    return piece.text_start + len(text[piece.text_start : piece.text_end].rstrip())


def unmark(text: str, instance: InstanceId) -> str:
    """Return the text without this instance's own marks (and without the headings that marking put in)."""
    own = str(instance)
    edits: list[edit.Edit] = []
    for found in addressing.MARK.finditer(text):
        if not found[1].startswith(own + "."):
            continue
        line = text.rfind("\n", 0, found.start()) + 1
        start, end = found.start(), found.end()
        if text[line:start] == "## Note ":
            start = line
            while text[end : end + 1] in ("\r", "\n") and text[end:].strip("\r\n"):
                end += 1
        elif text[start - 1 : start] == " ":
            start -= 1
        edits.append(edit.Edit(start, end, ""))
    return edit.apply(text, edits)
