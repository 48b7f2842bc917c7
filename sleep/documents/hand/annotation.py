"""Marking: giving every idea of a hand-written journal its address, kind and number.

Owns where marks go. Only ever inserts (marks at the end of a piece's first words, a heading where a table or code opens
a section without words): what was there stays byte for byte, and taking the insertions out again gives it back. Refuses
to touch a piece that has a mark already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.documents import entries, front_matter
from sleep.documents import journal as journals
from sleep.documents.hand import hand_reader, heading_entries, noticed_forms, reason_parts
from sleep.documents.hand.heading_entries import Section
from sleep.documents.hand.insertions import Insertions
from sleep.documents.hand.later_lines import Line
from sleep.documents.hand.outline import LABEL_LIMIT
from sleep.documents.hand.piece_kinds import is_worked_off, kind_of, level_of, words_of
from sleep.documents.markdown import edit
from sleep.language.acts import first_words, no_records, open_items, speech, titles
from sleep.language.acts.likelihood.log_piece import LogPiece
from sleep.records import classification
from sleep.records.address import Mark
from sleep.records.fragment import flat
from sleep.records.kinds import OPEN, WAITING, must_state, named, noticed, stated

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sleep.documents.hand.hand_reader import MarkedPiece
    from sleep.documents.hand.outline import Piece
    from sleep.records.address import InstanceId

_PUT_IN = "## Note "  # the heading that marking puts in; its mark says `note`, which no other does


class _Marker:
    """Walks the pieces of one journal and collects the insertions."""

    def __init__(
        self,
        text: str,
        walked: Sequence[MarkedPiece],
        instance: InstanceId,
        used: Mapping[str, int],
        refused: frozenset[str],
        page: str,
    ) -> None:
        self._insertions = Insertions(used)
        self._text = text
        texts = [words_of(text, marked.piece) for marked in walked if marked.piece.form == "text"]
        self._names = speech.speakers(texts)
        self._refused = refused
        self._is_import = journals.is_import(front_matter.read(text).fields)
        self._has_model = self._is_import and noticed_forms.has_model(text)
        self._is_ended = entries.has_end_lines(front_matter.read(text).fields)
        self._title = f"Journal: instance {instance.number}"
        self._page = page  # the title of the page of which the journal is a part: it stands for the journal's own
        self._addresses = map(instance.entry, journals.free_ordinals(text, instance))
        self._sections: list[Section] = []
        self._labels: list[Piece] = []  # the labels whose lists are being read: a paragraph, an item of its list
        self._begun: Piece | None = None  # the entry that is open, to which code, tables and quotes belong
        self._is_worked_off = is_worked_off(walked)
        self._fields = reason_parts.field_items(text, walked) if self._is_import else frozenset()
        self._has_pages = self._is_import and not heading_entries.in_parts(text, walked)
        self._is_dialogue = speech.is_dialogue(text)
        self._last_turn = speech.last_turn(text)
        self._turn = 0  # how deep the heading stands below which somebody speaks: 0 where the author does
        self._pending: Piece | None = None  # a heading or label that may have to carry the mark of what it opens

    @property
    def _above(self) -> Section:
        """The nearest heading or label above."""
        return self._sections[-1] if self._sections else Section(0, "")

    def step(self, marked: MarkedPiece) -> None:
        """Take the next piece."""
        piece = marked.piece
        if marked.end:  # an entry that the program wrote says nothing of what a person wrote behind it
            self._sections = [above for above in self._sections if above.level < piece.level]
            self._labels, self._begun, self._pending = [], None, None
            return
        if self._begun and hand_reader.holds(self._begun, marked):
            return
        if piece.form in {"heading", "label"}:
            self._head(marked)
        elif marked.mark:
            self._begun = piece
        elif piece.form == "text":
            self._leave(piece)
            if self._above.part_of:
                self._sections[-1] = self._part(piece, self._above._replace(kind=self._above.part_of))
            kind = self._kind(piece)
            by_words = not self._is_formal(piece, kind)
            kind, rank = self._noticed(piece, kind) if self._is_import and by_words else (kind, 0.0)
            self._ask(piece)
            titles = tuple(above.title for above in self._sections)
            self._insertions.line(Line(kind, flat(words_of(self._text, piece)), titles))
            is_by_words = by_words if self._is_import else not self._is_listed(piece, kind, by_words=by_words)
            self._put(_end(self._text, piece), kind, by_words=is_by_words, rank=rank)
            self._introduce(piece)
            self._begun = piece
        elif self._begun is None:
            self._open(piece)
            self._begun = piece

    def _head(self, marked: MarkedPiece) -> None:
        piece = marked.piece
        level = level_of(piece)
        self._end_turn(piece)
        self._sections = heading_entries.above(self._sections, level)
        words = marked.first_words(self._text).strip()
        entry = self._entry_kind(piece, words)
        if entry and not marked.mark:
            self._put(_end(self._text, piece), entry, is_heading=piece.form == "heading")
        self._labels = [above for above in self._labels if piece.in_list and not above.in_list]
        self._labels += [piece] if piece.form == "label" else []
        if entry and piece.form == "label":  # its list says what was chosen
            self._sections.append(Section(level, "note", words))
            return
        self._sections.append(Section(level, entry, words) if entry else self._section(marked, level, words))
        self._begun = piece if marked.mark or entry else None
        self._pending = piece

    def _section(self, marked: MarkedPiece, level: int, words: str) -> Section:
        """Return what a heading or label opens; one that only ranks (`High priority`) goes on with the list above."""
        title = self._page if words == self._title else words
        if marked.piece.level == 1 and self._has_pages and (page := heading_entries.of_page(title)):
            return page
        kind = self._section_kind(marked, words)
        above = self._above
        if marked.piece.form == "label" and kind == above.part_of != "decision" and above.level > 1:
            return Section(level, kind, words, part_of=kind)
        if kind or not above.kind or marked.piece.form != "heading":
            return Section(level, kind, words)
        return self._continued(marked.piece, level, words)

    def _continued(self, piece: Piece, level: int, words: str) -> Section:
        """Return what a heading without a kind opens below a list: more of it, a part of it, or nothing."""
        above = self._above
        if titles.ranks(words) or (above.is_page and heading_entries.only_counts(words)):
            return Section(level, above.kind, above.title, is_page=above.is_page)
        is_own = above.is_page and heading_entries.has_records(self._text, piece)
        is_divided = above.has_parts or above.is_page or self._begun is None
        if is_divided and not is_own and heading_entries.may_be_part(words, above):
            self._sections[-1] = above._replace(has_parts=True)
            return Section(level, above.kind, above.title, part_of=above.kind, is_page=above.is_page)
        return Section(level, "", words)

    def _section_kind(self, marked: MarkedPiece, words: str) -> str:
        """Return the kind that a heading or label gives to what stands below it, "" for none."""
        is_label = marked.piece.form == "label"
        kind = stated(marked.mark.kind) if marked.mark else ""
        if not kind and is_label:
            kind = "note" if classification.explains(words) else classification.label_kind(words)
        if not kind and marked.piece.level != 1:  # a title is the document's, not a section's
            kind = classification.heading_kind(words)
        if kind in WAITING and no_records.is_done(words):
            return "change"
        if kind == "decision" and any(titles.is_unmade(above.title) for above in self._sections):
            return "question"
        return kind or (self._inherited(words) if is_label and self._sections else "")

    def _inherited(self, words: str) -> str:
        """Return the kind of a label whose list stands directly below the heading above: a report lists no choices.

        One that only considers what it leads to lists nothing that is settled, or to be done.
        """
        kind = self._sections[-1].kind
        if no_records.is_undecided(words) or titles.explains(words):
            return "note"
        if kind == "decision" and self._above.is_page and self._above.level > 1:
            return ""  # in the prose of a page of choices a list has the parts of one
        return "change" if kind == "decision" and no_records.is_deed(words) else kind

    def _leave(self, piece: Piece) -> None:
        """End what the headings and labels above say where it does not reach this text.

        A rule across the page ends all; a label reaches as far as the list it introduces, or what is nested below it.
        """
        if piece.ruled_off:
            self._sections = [Section(above.level, "") for above in self._sections]
        begins = (
            reason_parts.lead(self._text, piece, words_of(self._text, piece)) != ""
        )  # a record with a list of its own behind its part
        while self._labels and (begins or not (piece.nested if self._labels[-1].in_list else piece.in_list)):
            level = level_of(self._labels.pop())
            self._sections = [above for above in self._sections if above.level < level]

    def _ask(self, piece: Piece) -> None:
        """Let a label that asks (`Decision needed:`) be the question itself where its list has the options."""
        label = self._pending
        is_asked = label is not None and label.form == "label" and self._above.kind == "question"
        if label and is_asked and open_items.is_option(first_words.bare(words_of(self._text, piece))):
            self._put(_end(self._text, label), "question")
            self._pending = None

    def _introduce(self, piece: Piece) -> None:
        """Let a short paragraph that names a kind (`**Open items**`) be the label of the list right behind it.

        So does one that ends in the name of a part (`**Why:**`), or is one: its list has no record.
        """
        words = words_of(self._text, piece)
        part = reason_parts.lead(self._text, piece, words)
        is_short = piece.introduces and len(words) <= LABEL_LIMIT and "\n" not in words
        kind = "note" if part else classification.heading_kind(words) if is_short else ""
        if kind:
            self._sections = [above for above in self._sections if above.level < hand_reader.LABEL_LEVEL]
            self._sections.append(Section(hand_reader.LABEL_LEVEL, kind, part or words))
            self._labels = [piece._replace(in_list=False)]

    def _open(self, piece: Piece) -> None:
        """Mark code, a table or a quote that no entry is open for: on its heading or label, else on a new one."""
        if self._pending and not self._is_closed(self._pending):
            is_heading = self._pending.form == "heading"
            self._put(_end(self._text, self._pending), "note", is_heading=is_heading)  # code, a table: no record
            return
        newline = edit.newline(self._text)
        sign = Mark((next(self._addresses),), "note")
        self._insertions.text(piece.start, f"{_PUT_IN}{sign}{newline}{newline}")

    def _entry_kind(self, piece: Piece, words: str) -> str:
        """Return the kind of the one entry that a heading begins, "" for a title, or a section of several.

        Of a label only where it says a choice and not its kind alone: `**Decision:** Build a wall that:`.
        """
        if piece.form == "label":
            return "decision" if self._is_import and heading_entries.leads_to_choice(words) else ""
        is_title = piece.level == 1 and ":" not in words
        kind = heading_entries.named(words) if piece.form == "heading" and not is_title else ""
        if kind and not heading_entries.begins_entry(self._text, piece, words, kind):
            return ""
        if not kind and piece.form == "heading" and piece.level > 1 and self._is_import:
            kind = heading_entries.statement_kind(self._text, piece, words, self._above)
        return "" if kind in self._refused else kind

    def _is_closed(self, head: Piece) -> bool:
        """True for a heading that takes no mark: the journal's own, and one whose words say a kind that is refused."""
        words = words_of(self._text, head)
        return head.form == "heading" and (words == self._title or heading_entries.named(words) in self._refused)

    def _end_turn(self, piece: Piece) -> None:
        """Give the author the word again below a heading that is none of a turn's own."""
        if piece.form == "heading" and (piece.level <= self._turn or piece.start > self._last_turn):
            self._turn = 0

    def _speaks(self, piece: Piece) -> bool:
        """True for words of a turn, in a document that has a dialogue in it: who said them is not its author.

        What is asked there is open whoever asked it; in an import only below a heading of questions.
        """
        if not self._turn and self._is_dialogue and speech.takes_turn(words_of(self._text, piece)):
            self._turn = max((above.level for above in self._sections), default=0) or 1
        return self._turn > 0

    def _kind(self, piece: Piece) -> str:
        if piece.start in self._fields or self._is_wish(piece) or self._gives_reason(piece):
            return "note"
        speaks = self._speaks(piece)
        kind = kind_of(self._text, piece, self._sections, self._names)
        asks = kind == "question" and not (self._is_import and self._above.kind != kind)
        return "note" if (speaks and not asks) or kind in self._refused else kind

    def _gives_reason(self, piece: Piece) -> bool:
        """True for an item below a label of reasons (`**Why:**`): a reason, whatever its words are."""
        is_below = bool(self._labels) and reason_parts.is_why(self._above.title)
        return is_below and not classification.label_kind(words_of(self._text, piece))

    def _part(self, piece: Piece, above: Section) -> Section:
        """Return what the heading of a subject gives to a piece: the kind of the list that it is in, or none."""
        words = words_of(self._text, piece)
        kind = kind_of(self._text, piece, [above], self._names)
        is_first, is_box = self._begun is None, piece.checked is not None
        is_item = piece.in_list
        is_one = heading_entries.belongs(kind, words, above, is_box=is_box, is_first=is_first, is_item=is_item)
        if above.level == 1:  # what stands right below a title is of its list, or speaks of the page
            is_one = is_item
        return above if is_one else above._replace(kind="")

    def _is_wish(self, piece: Piece) -> bool:
        """True for an empty box of what a thing is to be, in a document that is not worked off box by box."""
        if piece.checked is not False or self._is_worked_off:
            return False
        return no_records.is_wish(words_of(self._text, piece), (above.title for above in self._sections))

    def _is_formal(self, piece: Piece, kind: str) -> bool:
        """True where a box, a label of its own or the heading above gives a piece its kind, and not its words alone.

        A lesson that lays down a rule, or says what failed, in so many words is one by its form and its words.
        """
        above = self._above
        words = reason_parts.without_parts(words_of(self._text, piece))
        own = classification.label_kind(words)
        if heading_entries.is_plain(kind, words, above.title):
            return True
        if own != kind and classification.only_names(kind, words) and not self._is_to_do(piece):
            return False
        if kind == "task" and not (piece.in_list or own) and not open_items.bids(words):
            return False
        if piece.checked is not None or own == kind or {own, kind} <= OPEN:
            return piece.checked is not None or classification.states(
                kind, first_words.before_colon(first_words.bare(words))
            )
        return heading_entries.is_below(kind, above, own, words)

    def _is_listed(self, piece: Piece, kind: str, *, by_words: bool) -> bool:
        """True where a journal by hand states a piece: in a list by its form, below or behind its kind's own name."""
        names = (self._above.title, first_words.before_colon(words_of(self._text, piece)))
        return (piece.in_list and not by_words) or kind in map(named, names)

    def _is_to_do(self, piece: Piece) -> bool:
        """True for an empty box in a list of what is to do or under way, whose name is enough: `- [ ] Dark mode`."""
        lists = (above.title for above in self._sections if {"task", "thread"} & {above.kind, above.part_of})
        return piece.checked is False and any(classification.states("task", title) for title in lists)

    def _noticed(self, piece: Piece, kind: str) -> tuple[str, float]:
        """Return what is noticed in a piece of an import that states nothing, and how likely; `note` for nothing."""
        words = words_of(self._text, piece)
        is_anothers = self._turn > 0 or speech.is_speech(words, self._names)
        log_piece = LogPiece(
            words,
            above=tuple(above.title for above in self._sections),
            section=self._above.kind,
            kind=kind,
            in_list=piece.in_list,
            introduces=piece.introduces,
            box=piece.checked,
        )
        noticed = noticed_forms.notice(log_piece, by_model=self._has_model and not is_anothers)
        return ("note", 0.0) if noticed[0] in self._refused else noticed

    def _put(self, at: int, kind: str, *, is_heading: bool = False, by_words: bool = False, rank: float = 0.0) -> None:
        kind = "note" if kind in self._refused else kind
        if by_words and (self._is_import or must_state(kind)):
            kind = noticed(kind)
        # In a journal whose entries say where they end, a heading's mark without a kind is the program's own.
        label = "" if kind == "note" and not (is_heading and self._is_ended) else kind
        self._insertions.mark(at, next(self._addresses), label, kind, rank)

    def edits(self) -> list[edit.Edit]:
        """Return the insertions, once every piece was seen."""
        if self._is_import:
            self._insertions.fold()
            self._insertions.bound()
        return self._insertions.edits()


def mark(
    text: str, instance: InstanceId, used: Mapping[str, int], refused: frozenset[str] = frozenset(), title: str = ""
) -> str:
    """Return the journal with a mark on every piece that has none.

    `used` gives, by letter, the highest record number in use (`{"D": 14}`). What would be of a kind that is `refused`
    is a note. `title` is that of the page of which it is a part. Raises ValueError when the front matter is broken.
    """
    walked = hand_reader.marked_pieces(text, front_matter.read(text).body, instance)
    marker = _Marker(text, walked, instance, used, refused, title)
    for marked in walked:
        marker.step(marked)
    return edit.apply(text, marker.edits())


def _end(text: str, piece: Piece) -> int:
    """Return where a piece's mark goes: behind its first words, or behind the signs of a heading without any."""
    if piece.form == "heading" and not words_of(text, piece):
        signs = text[piece.start : piece.end]
        return piece.end - len(signs.lstrip(" ").lstrip("#"))
    return piece.text_start + len(piece.words(text).rstrip())


def unmark(text: str, instance: InstanceId) -> str:
    """Return the text without the marks of its pieces (and without the headings that marking put in).

    Raises ValueError when the front matter is broken.
    """
    apart = edit.newline(text) * 2
    edits: list[edit.Edit] = []
    for piece, _, sign, _ in hand_reader.marked_pieces(text, front_matter.read(text).body, instance):
        if sign is None:
            continue
        start = text.rindex("[", piece.text_start, piece.text_end)
        end = text.index("]", start) + 1
        put_in = sign.kind == "note" and text[piece.start : start] == _PUT_IN and text.startswith(apart, end)
        if put_in:
            start, end = piece.start, end + len(apart)
        elif text[start - 1 : start] == " ":
            start -= 1
        edits.append(edit.Edit(start, end, ""))
    return edit.apply(text, edits)
