"""The rows of a document: what the index keeps, and what an answer is made of.

Owns cutting journals and tiers into rows (a turn, an item, a paragraph, an entry with its fields), each with the
address of the entry it belongs to, and what the form of a row tells. Refuses to judge: that is `rank`.
Journals are read by lines, because a thousand of them are: any Markdown has rows, with addresses or without.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.documents import edits, front_matter, journal, main_page, paths, tier
from sleep.documents.project import managed_block
from sleep.language import dates, words
from sleep.language.tokenizer import fold
from sleep.recall.index import sections
from sleep.records import address as addressing
from sleep.records.fragment import STATUS, SUPERSEDED_BY, TRANSCRIPT
from sleep.records.kinds import NOTICED, event_record, is_kind, is_record, standing, stated
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sleep.recall.index.sections import Piece
    from sleep.records.fragment import Fragment

JOURNAL = "journal"
EDITS = "edits"  # what people changed or took out: it comes before what a journal says
MAIN = "main"
PAGES = {
    "main.md": MAIN,
    "memory/core/": "core",
    "memory/knowledge/": "knowledge",
    "memory/state/": "tasks",
    "memory/architecture.md": "architecture",
    edits.PATH: EDITS,
}
HELD = ("hot", "warm", "cold")  # tiers of fragments: what stands together there need not have been said together
TIERS = (*HELD, *PAGES.values())
HEADING = "heading"  # the kind of a row that is one: what stands below is found by it, and shown with it
ASKS, SAYS_WHEN, HEADS = 1, 2, 4  # flags of a row
SOURCE = "source"  # the field that says who said it
WHO, TIER, KIND, VOICE = "who:", "tier:", "kind:", "voice:"  # what a row is, as terms that no text has
PERSON = "person"  # the source of what a person said in a session
_UNTOLD = (STATUS, SOURCE, TRANSCRIPT)  # fields of a fragment that are told otherwise, or that nobody reads
_ROOM = 600  # characters up to which pieces of one entry are one row
_LONGEST = 1_200  # characters of a row; a longer piece is cut at the end of a sentence
_TAG = re.compile(r"\[([^\]\s]{1,16})\][ \t]*")
_LABEL = re.compile(r"(?:\[[^\]\s]{1,16}\][ \t]*)?(?:\*\*|__)([^*_:\n]{1,40}?)(?::(?:\*\*|__)|(?:\*\*|__):)")
_LABEL_WORDS = 3
_FRONT = ("title", "name", "description", "summary", "why", "tags")  # of a page, that say what it is about
_STATUS = re.compile(r"(\w+) \((?:by ([^;)]+)(?:; ?)?)?(.*)\)$", re.DOTALL)
_MOVE = re.compile(r"(?m)^(record|to|by|reason|answer|outcome): (.*)$")
_SENTENCE = re.compile(r"(?<=[.!?。！？])[\"'”’)\]]*\s+|\n|(?<=[。！？])")
_ASKS = re.compile(r"[?？][\"'”’)\]*_`\s]*$")
_WHEN = re.compile(
    r"\b(?:yesterday|today|tomorrow|tonight|ago|last|next|weeks?|weekend|months?|years?|days?|morning|(?:mon|tues|wednes|"
    r"thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|summer|"
    r"winter|spring|autumn|recently|since|later|birthday|anniversary)\b|\d{4}-\d\d-\d\d|昨天|今天|明天|上周|下周",
    re.IGNORECASE,
)
_CONFLICT = re.compile(r"(?m)^(?:<{7}|\|{7}|={7}|>{7})(?:[ \r].*)?$")  # what git writes between two sides
_INNER_FRONT = re.compile(r"(?m)^={7}\r?\n(?:\w+:.*\n|[ \t].*\n)+---\r?\n")  # of the other side
_ISO = re.compile(r"\d{4}-\d\d-\d\d")
_SOURCE = re.compile(r"(?m)^(?:- )?source: (person|agent|imported: .+|tool \(untrusted\))$\n?")  # not `source: a.py`
ONLY_NOTICED = "only noticed, nobody has confirmed it"  # the state of what would be a record
_STANDING = re.compile(rf"(?m)^(?:- )?standing: {NOTICED}$\n?")
_VERDICT = re.compile(r"(?m)^(?:- )?(confirms|corrects): (i[0-9]+[a-z]{3}\.[0-9]+)$")
_OUR_TITLE = re.compile(r"Journal: instance \d+$", re.IGNORECASE)
_ROWS = 6  # of talk in the mean for each label, at the most
_TURNS, _FEW = 2, 2  # that each has in the mean who speaks, where more than so many do


class Move(NamedTuple):
    """What an event does to a record (its number, or its address): `reversed in i9abc.4 (too slow)`, "" if it binds."""

    record: str
    state: str


class Row(NamedTuple):
    """One row: its text as it stands (marks and list markers left out), and where it belongs.

    `addresses` are those of its entry, none in a journal without; `day` is ISO, "" where unknown; `who` is the
    label that a turn of talk begins with; `state` is what a tier says of a record that no longer binds; `number` is
    that of a record (`D-014`); `line` is where it begins in its document, from 1; `below` is how many rows before it
    the heading stands that it is under, 0 for none; `source` is who said it (`person`, `imported: docs/a.md`), "" for
    the instance that wrote it down.
    """

    text: str
    addresses: tuple[str, ...] = ()
    kind: str = ""
    day: str = ""
    who: str = ""
    state: str = ""
    number: str = ""
    line: int = 0
    below: int = 0
    source: str = ""

    @property
    def handles(self) -> tuple[str, ...]:
        """What it can be called by: its addresses, and its number."""
        return (*self.addresses, *((self.number,) if self.number else ()))

    @property
    def move(self) -> Move | None:
        """What it does to a record, or to what was noticed, where it is an event or a verdict in a journal."""
        if is_record(self.kind) and (verdict := _VERDICT.search(self.text)):
            return Move(
                verdict[2], "" if verdict[1] == "confirms" else _became("corrected", "", "", self.addresses[:1])
            )
        record = event_record(self.kind)
        fields = dict(_MOVE.findall(self.text)) if record else {}
        if record is None or not fields.get("record", "").strip():
            return None
        to = fields.get("to", "").strip()
        says = next((fields[name] for name in ("reason", "answer", "outcome") if fields.get(name)), "")
        state = "" if to == record.states[0] else _became(to, fields.get("by", ""), says, self.addresses[:1])
        return Move(_handle(fields["record"].strip()), state)

    @property
    def flags(self) -> int:
        """What the form of the text tells: `ASKS`, `SAYS_WHEN`, `HEADS`."""
        flags = (ASKS if _ASKS.search(self.text) else 0) | (SAYS_WHEN if _WHEN.search(self.text) else 0)
        return flags | (HEADS if self.kind == HEADING else 0)


def tier_of(path: str) -> str:
    """Return the tier of a document: `journal`, `hot`, `warm`, `cold`, or what page it is; "" for what is not read."""
    if not path.endswith(".md"):
        return ""
    if path.startswith(paths.JOURNALS):
        return JOURNAL
    return paths.tier_of(path) or PAGES.get(path) or PAGES.get("/".join(path.split("/", 2)[:2]) + "/", "")


def read(path: str, text: str, day: str | None = None) -> list[Row]:
    """Return the rows of a document, in order; `day` is what `day_of` says of it, None for not asked yet."""
    text = _without_marks(text)
    if path == edits.PATH:
        return list(_edits(text))
    if path == paths.MAIN:
        text = main_page.without_map(text)
    if path == managed_block.PATH:
        text = managed_block.blanked(text)
    if paths.tier_of(path):
        return list(_tier(text))
    return _spoken(_journal(path, text, day_of(path, text) if day is None else day))


def _spoken(parsed: list[Row]) -> list[Row]:
    """Return the rows, without who says them where it is no talk.

    Talk has labels on many of its rows (a long turn is several), and the same ones again and again. A list of matters,
    each under a name of its own (`**Billing error**:`), is none.
    """
    labels = [row.who for row in parsed if row.who]
    many = len(set(labels))
    is_many = _ROWS * len(labels) >= sum(row.kind != HEADING for row in parsed)
    is_talk = is_many and len(labels) >= (_TURNS * many if many > _FEW else _TURNS)
    return parsed if is_talk else [row._replace(who="") for row in parsed]


def _without_marks(text: str) -> str:
    """Return a text in which the marks of a merge conflict, and the other front matter, are empty lines."""
    if "<<<<<<< " not in text or ">>>>>>> " not in text:
        return text
    return _CONFLICT.sub("", _INNER_FRONT.sub(lambda match: "\n" * match[0].count("\n"), text))


def _front(text: str) -> tuple[Mapping[str, object], int]:
    """Return the front matter of a text, none where it is broken, and where the body begins."""
    return front_matter.peek(text).fields, front_matter.span(text)[2]


def _handle(name: str) -> str:
    """Return a record's number or address in its one form; of both, `D-014 (i7qxk.12)`, the address."""
    both = addressing.addresses(name)
    number = addressing.number_of(name)
    return str(both[0]) if both else addressing.number(*number) if number else name


def _became(to: str, by: str, says: str, where: tuple[str, ...]) -> str:
    at = f" by {by.strip()}" if by.strip() else f" in {where[0]}" if where else ""
    return f"{to}{at}{f' ({says.strip()})' if says.strip() else ''}"


def day_of(path: str, text: str) -> str:
    """Return the ISO day that a journal is of, "" for a tier or where nothing tells."""
    if paths.tier_of(path):
        return ""
    known, _ = _front(_without_marks(text))
    if day := dates.of_fields(known) or _ISO.match(str(known.get("updated") or "")):
        return day if isinstance(day, str) else day[0]
    return dates.of(text, path.rpartition("/")[2]) if tier_of(path) == JOURNAL else ""


def terms(row: Row) -> list[str]:
    """Return the terms that a row is found by; those of its text first, once each, then what it is."""
    tag = _TAG.match(row.text)
    ordered = dict.fromkeys(words.terms(row.text[tag.end() if tag else 0 :]))
    if tag:
        ordered[fold(tag[1])] = None
    return list(ordered)


def marks(row: Row, tier_name: str) -> list[str]:
    """Return the terms for what a row is: who says it, its tier, its kind, and that a person of a session said it."""
    who = [WHO + word for word in fold(row.who).split()]
    voice = [VOICE + PERSON] if row.source == PERSON else []
    return [*who, TIER + tier_name, KIND + row.kind.replace(" ", "-"), *voice]


def _tier(text: str) -> Iterator[Row]:
    line, at = 1, 0
    for item in tier.parse(text).items:
        line += text.count("\n", at, item.start)
        at, fragment = item.start, item.fragment
        row = Row(
            _fragment_text(fragment), tuple(map(str, fragment.addresses)), stated(fragment.kind), _iso(fragment.when)
        )
        yield row._replace(state=_state(fragment), number=fragment.number, line=line, source=fragment.field(SOURCE))


def _edits(text: str) -> Iterator[Row]:
    for edit in edits.read(text).all:
        text_ = edit.before if edit.now is None else edit.now
        words = "\n  ".join([f"{edit.number} {text_}".strip(), *(f"{name}: {value}" for name, value in edit.fields)])
        state = f"{'taken out' if edit.is_removal else 'changed'} by hand, {edit.by}"
        line = text.count("\n", 0, max(0, text.find(f"- {edit.before}"))) + 1
        yield Row(words, tuple(map(str, edit.addresses)), edit.kind, edit.by[:10], "", state, "", line)


def _fragment_text(fragment: Fragment) -> str:
    fields = [f"{name}: {value}" for name, value in fragment.fields if name not in _UNTOLD]
    return "\n  ".join([f"{fragment.number} {fragment.text}".strip(), *fields])


def _state(fragment: Fragment) -> str:
    if by := fragment.field(SUPERSEDED_BY):
        return f"superseded by {by}"
    if fragment.is_noticed:
        return ONLY_NOTICED
    if fragment.is_open or not fragment.state:
        return ""
    status = _STATUS.match(fragment.field(STATUS))
    where = tuple(map(str, fragment.addresses[-1:])) if len(fragment.addresses) > 1 else ()
    return _became(status[1], status[2] or "", status[3], where) if status else fragment.field(STATUS)


def _iso(when: str) -> str:
    year, month, day = dates.order(when)
    return f"{year:04}-{month:02}-{day:02}" if year else ""


class _Entry(NamedTuple):
    """What the rows of one entry have in common."""

    addresses: tuple[str, ...] = ()
    kind: str = ""
    number: str = ""
    state: str = ""


def _journal(path: str, text: str, day: str) -> list[Row]:
    fields, start = _front(text)
    parsed = _Rows(day)
    if tier_of(path) != JOURNAL and (front := "\n".join(_front_text(fields))):
        parsed.add([Row(front, day=day, line=1)])
    own = journal.number_in(fields) if tier_of(path) == JOURNAL else None
    for piece in sections.read(text[start:], text.count("\n", 0, start) + 1, own):
        parsed.take(piece)
    parsed.close()
    return [row._replace(source=parsed.sources.get(row.addresses, "")) for row in parsed.rows]


class _Rows:
    """The rows of a document so far, each with the heading that it is under.

    Args:
        day: of the document.
    """

    def __init__(self, day: str) -> None:
        self.rows: list[Row] = []
        self.sources: dict[tuple[str, ...], str] = {}  # by the addresses of an entry
        self._day = day
        self._above: list[tuple[int, int]] = []  # the headings that hold here: level and place
        self._entry = _Entry()
        self._level = 0  # of the heading of an entry
        self._held, self._line = "", 0  # the text of a row that more may belong to, and where it begins

    def add(self, fresh: Iterable[Row]) -> None:
        """Add rows."""
        for row in fresh:
            if row.addresses and "source: " in row.text and (source := _SOURCE.search(row.text)):
                self.sources[row.addresses] = source[1]
                row = row._replace(text=_SOURCE.sub("", row.text).strip())  # noqa: PLW2901
            if "standing: " in row.text and is_record(row.kind) and _STANDING.search(row.text):
                row = row._replace(text=_STANDING.sub("", row.text).strip(), state=ONLY_NOTICED)  # noqa: PLW2901
            if row.text:
                self.rows.append(row._replace(below=len(self.rows) - self._above[-1][1]) if self._above else row)

    def take(self, piece: Piece) -> None:
        """Take in a piece: more of the entry above, or the beginning of another one."""
        mark = piece.mark
        is_inner = not mark and 0 < self._level < piece.level  # a heading inside of an entry
        if (mark or piece.level) and not is_inner:
            self.close()
            self._entry = _entry(piece, mark) if mark else _Entry()
            self._level = piece.level if mark else 0
            if piece.level:
                self.head(piece)
            if not mark:
                return
        elif not is_inner and (not self._entry.addresses or len(self._held) + len(piece.text) > _ROOM):
            self.close()
        self._line = self._line if self._held else piece.line
        self._held = f"{self._held}\n{piece.text}" if self._held else piece.text

    def close(self) -> None:
        """Add the rows of the text that was held."""
        self.add(_cut(self._held, self._entry, self._day, self._line))
        self._held = ""

    def head(self, piece: Piece) -> None:
        """Go on below a heading: a row, unless it heads an entry, which has it."""
        while self._above and self._above[-1][0] >= piece.level:
            self._above.pop()
        if not piece.mark and piece.text and not _OUR_TITLE.match(piece.text):
            self.add([Row(piece.text, kind=HEADING, day=self._day, line=piece.line)])
            self._above.append((piece.level, len(self.rows) - 1))


def _front_text(fields: Mapping[str, object]) -> Iterator[str]:
    """Yield what the front matter of a page says of it."""
    for name in _FRONT:
        value = fields.get(name)
        words_ = " ".join(map(str, value)) if isinstance(value, list) else value if isinstance(value, str) else ""
        if words_.strip():
            yield f"{name}: {' '.join(words_.split())}"


def _entry(piece: Piece, mark: addressing.Mark) -> _Entry:
    state = ONLY_NOTICED if standing(mark.kind) == NOTICED else ""
    return _Entry(tuple(map(str, mark.addresses)), _kind(piece, mark), mark.number, state)


def _kind(piece: Piece, mark: addressing.Mark) -> str:
    label = piece.text.partition(":")[0].strip().casefold()
    return stated(mark.kind) or (label if is_kind(label) else "note")


def _cut(text: str, entry: _Entry, day: str, line: int) -> Iterator[Row]:
    if not text.strip():
        return
    label = _LABEL.match(text)
    who = label[1].strip() if label and len(label[1].split()) <= _LABEL_WORDS else ""
    who = "" if is_kind(who.casefold()) else who
    whole = Row("", entry.addresses, entry.kind, day, who, entry.state, entry.number)
    while len(text) > _LONGEST:
        ends = [sentence.end() for sentence in _SENTENCE.finditer(text, _ROOM, _LONGEST)]
        end = ends[-1] if ends else text.rfind(" ", _ROOM, _LONGEST) + 1 or _LONGEST
        yield whole._replace(text=text[:end].strip(), line=line)
        line += text.count("\n", 0, end)
        text = text[end:]
    if text.strip():
        yield whole._replace(text=text.strip(), line=line)
