"""The entries that the program wrote into a journal, read by lines: their one reader, for hooks too.

Owns the form of such an entry: a heading with an own mark that says no kind, its fields right below, and, where it says
more than that, its body up to a line that names its address again; so what a person writes behind it is nobody's but
theirs. Refuses what was written by hand (`hand.hand_reader`), and whatever stands in code or a comment.

    ## Insight: A killed git leaves a lock behind [i2bfm.4]

    - thread: T-001

    It is `index.lock`, and git says so.

    <!-- end of i2bfm.4 -->
"""

from __future__ import annotations

import re

from sleep.documents import front_matter
from sleep.documents.markdown import lines
from sleep.records import address as addressing
from sleep.records import kinds
from sleep.records.fragment import flat
from sleep.records.kinds import FIELD_NAMES, field_names, is_kind
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing costs a hook 3 ms
    from collections.abc import Callable, Container, Iterator, Mapping, Sequence

    from sleep.records.address import Address, InstanceId, Mark

FIELD = "form"
FORM = 2  # the form of journals whose entries say where they end
LEVEL = 2  # of the headings of entries
SPEAKERS = ("person", "agent")  # sources that are somebody, and no document or tool
IMPORTED = "imported: "  # begins the source of what a document said; its path follows
SOURCE = "source"  # a field of an entry, and of an imported journal
STANDING = "standing"  # of an entry, or of an imported journal, whose marks then say which of its records were noticed
MARKED = "marked"
TONE_CHECK = "Tone: tone check"  # begins the entry that a wake opens a journal with, which quotes the tone before
CONFIRMS, CORRECTS = "confirms", "corrects"  # fields of an entry that states what was noticed at an address
_IDENTITY = frozenset({FIELD, "instance", "tag"})
_HEADING = re.compile(r"(?m)^## ([A-Z][a-z]+(?: [a-z]+){0,2})(?:: .*)? \[[^\[\]\n]+\][^\S\n]*$")
_PARTS = re.compile(r"(?m)^##? .*$")  # what ends an entry of the first form
_OWN_FIELD = re.compile(r"- ([a-z][a-z -]{1,24}): \S[^\n]*\n?")
_END = re.compile(r"<!-- end of i[0-9]+[a-z]{3}\.[0-9]+ -->[ \t\r]*$")
_ENDS = re.compile(rf"(?m)(?:\r?\n)+{_END.pattern}")
_BLANK = re.compile(r"(?:[ \t]*\r?\n)*")
_FENCES = ("`" * 99, "~" * 99)  # whatever is open, one of them closes it
_EMPTY_LINE = re.compile(r"[^\S\n]*\n")
_BULLET = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_FIELD = re.compile(r"^[ \t]*(?:[-*+] +)?(?:\*\*|__)?([A-Za-z][A-Za-z -]{1,24}?)(?:\*\*|__)? ?:(?:\*\*|__)? *(.*)$")


def is_imported(source: str) -> bool:
    """Return whether the source of a record is a document, whose path a tier may have lost."""
    return source.startswith(IMPORTED.strip(": "))


class Extent(NamedTuple):
    """An entry as the program wrote it: it is `text[start:end]`, its heading ends at `body`.

    `stop` is behind the line that ends it; `words` are those of the heading without the mark.
    """

    start: int
    body: int
    end: int
    stop: int
    words: str
    mark: Mark


class Entry(NamedTuple):
    """One entry. `text[start:end]` of the journal is all of it; `sections` are the headings it stands under.

    `title` is its first words without mark and kind, `body` all after them without the fields. `source` says who said
    it: `person`, `agent`, `imported: PATH`, a tool's words, or "" for the instance itself. `noticed` is True for a
    record that nobody stated: it says so (`standing: noticed`), or it is a task, blocker or dead end told by its words
    alone, by a transcript, or by an imported document.
    """

    address: Address
    kind: str
    title: str
    body: str
    fields: tuple[tuple[str, str], ...]
    number: str
    start: int
    end: int
    sections: tuple[str, ...]
    source: str = ""
    noticed: bool = False

    def field(self, name: str) -> str:
        """Return the field of that name, or ""."""
        return next((value for key, value in self.fields if key == name), "")

    @property
    def is_asked(self) -> bool:
        """True for an entry that says that it was only noticed: it waits for somebody's word."""
        return self.noticed and self.field(STANDING) == kinds.NOTICED

    @property
    def words(self) -> str:
        """Title and body on one line."""
        return flat(f"{self.title} {self.body}")

    @property
    def fragment_kind(self) -> str:
        """The kind that its fragments have in a tier: what a transcript only mentions is noticed."""
        return kinds.noticed(self.kind) if self.noticed else self.kind


def is_journaled(fields: Container[str]) -> bool:
    """Return whether an instance wrote an entry itself, whoever said it: a transcript tells where or when."""
    return "transcript" not in fields and "time" not in fields


def has_end_lines(fields: Mapping[str, object]) -> bool:
    """Return whether front matter is that of a journal whose entries say where they end."""
    return fields.get(FIELD) == FORM


def end_line(address: Address) -> str:
    """Return the line that ends an entry which has a body."""
    return f"<!-- end of {address} -->"


def without_ends(text: str) -> str:
    """Return the text without the lines that end entries."""
    return _ENDS.sub("", text) if "<!-- end of " in text else text


def is_end(line: str) -> bool:
    """Return whether a line is one that ends an entry."""
    return line.startswith("<!-- end of ") and bool(_END.match(line))


def is_field(name: str, kind: str) -> bool:
    """Return whether a name is that of a field that an entry of this kind has, as the program writes it."""
    return FIELD_NAMES.get(name) in field_names(kind) and bool(_OWN_FIELD.match(f"- {name}: x"))


def read(text: str) -> list[Entry]:
    """Return the entries that the program wrote into a journal of any form, in order; what people wrote is no entry.

    Front matter that is no YAML does no harm, and nothing is loaded for it: this is for who cannot wait.
    """
    body = front_matter.span(text)[2]
    fields = front_matter.words(text, _IDENTITY)
    instance = addressing.parse_instance(f"i{fields.get('instance')}{fields.get('tag')}")
    if instance and fields.get(FIELD) == str(FORM):
        extents = find(text, body, instance, lambda run, start: _is_in_code(text, run, start))
    else:
        extents = list(_undelimited(text, body, _code(text)))
    return [entry(text, extent.mark, extent.words, (extent.start, extent.body, extent.end)) for extent in extents]


def _is_in_code(text: str, run: int, start: int) -> bool:
    """Return whether a heading stands in code that began behind the last entry: what that leaves open ends with it."""
    between = text[run:start]
    if "```" not in between and "~~~" not in between:
        return False
    rows = [row.words for row in lines.split(between)]
    may_be = len(rows) in lines.code([*rows, "", *_FENCES])  # something is open there; seldom, and then all is read
    return may_be and start - run in _code(text[run:])


def _code(text: str) -> frozenset[int]:
    """Return where the lines of code start."""
    if "```" not in text and "~~~" not in text:
        return frozenset()
    rows = lines.split(text)
    return frozenset(rows[at].start for at in lines.code([row.words for row in rows]))


def find(text: str, body: int, instance: InstanceId, is_hidden: Callable[[int, int], bool]) -> list[Extent]:
    """Return where the entries are that the program wrote into a journal of form 2, in order.

    Args:
        text: the journal.
        body: where its body starts.
        instance: whose journal it is; a heading with another's address is somebody's words.
        is_hidden: whether a heading at an offset (its second argument) stands in code or in a comment that a person
            began behind the last entry (its first).
    """
    extents: dict[Address, Extent] = {}
    at = run = body
    while heading := _HEADING.search(text, at):
        at = heading.end()
        extent = _head(text, heading.start(), heading[0])
        if extent is None or extent.mark.kind:
            continue
        address = extent.mark.addresses[0]
        if address.instance == instance and address not in extents and not is_hidden(run, extent.start):
            extents[address] = extent = _extent(text, extent, heading[1].casefold())
            at = run = extent.stop
    return list(extents.values())


def _head(text: str, start: int, line: str) -> Extent | None:
    """Return an entry as far as its heading says it, None for a heading without a kind or an address of its own."""
    split = addressing.trailing_mark(line.rstrip())
    label = split[0][LEVEL + 1 :].partition(":")[0] if split else ""
    if split is None or not is_kind(label.casefold()) or len(split[1].addresses) != 1:
        return None
    body = min(start + len(line) + 1, len(text))
    return Extent(start, body, body, body, split[0][LEVEL + 1 :], split[1])


def _extent(text: str, head: Extent, kind: str) -> Extent:
    sign = end_line(head.mark.addresses[0])
    end = text.find(f"\n{sign}", head.start) + 1
    if end:
        stop = text.find("\n", end) + 1 or len(text)
        if text[end:stop].rstrip() == sign:
            return head._replace(end=end, stop=_behind_blank(text, stop))
    last = head.body
    empty = _EMPTY_LINE.match(text, last)
    at = empty.end() if empty else last
    while (field := _OWN_FIELD.match(text, at)) and is_field(field[1], kind):
        at = last = field.end()
    stop = _behind_blank(text, last)
    return head._replace(end=stop, stop=stop)


def _behind_blank(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at


def _undelimited(text: str, body: int, code: frozenset[int]) -> Iterator[Extent]:
    """Yield the entries of a journal of the first form, each of which goes on to the next heading."""
    heads = [part for part in _PARTS.finditer(text, body) if part.start() not in code]
    stops = [*(part.start() for part in heads[1:]), len(text)]
    for part, stop in zip(heads, stops, strict=False):
        if part[0].startswith("## ") and (extent := _head(text, part.start(), part[0])):
            yield extent._replace(end=stop, stop=stop)


def entry(
    text: str,
    mark: Mark,
    words: str,
    span: tuple[int, int, int],
    sections: tuple[str, ...] = (),
    imported: str = "",
    *,
    is_marked: bool = False,
    is_heading: bool = True,
) -> Entry:
    """Return an entry.

    Args:
        text: the journal.
        mark: its mark.
        words: its first words, without the mark.
        span: where it starts, where its body starts behind the first words, and where it ends.
        sections: the headings it stands under.
        imported: the source that a journal's front matter gives for all of it.
        is_marked: whether the marks of an imported journal say which records were noticed.
        is_heading: whether the first words are a heading, which may begin with a kind.
    """
    start, body, end = span
    title, kind = flat(words), kinds.stated(mark.kind)
    is_named = not kind or kinds.named(title.partition(":")[0]) == kind
    if is_heading:
        label, colon, tail = title.partition(": ")
        if colon and is_kind(label.casefold()):
            kind, title = label.casefold(), tail
        elif is_kind(title.casefold()):
            kind, title = title.casefold(), ""
    kind = kind or "note"
    fields, rest = split_fields(text[body:end], kind)
    if imported and kinds.standing(mark.kind) == kinds.NOTICED:  # of a journal by hand nobody is asked who said it
        fields = ((STANDING, kinds.NOTICED), *fields)
    named_values = dict(reversed(fields))
    source = named_values.get(SOURCE, "") or imported
    if imported and not source.startswith(IMPORTED):
        source = f"{IMPORTED}{source}"
    is_named = is_named or _is_listed(kind, sections, mark if is_marked else None)
    is_noticed = _is_noticed(kind, named_values, "" if is_marked else source, is_named=is_named)
    address = mark.addresses[0]
    return Entry(address, kind, title, rest, fields, mark.number, start, end, sections, source, is_noticed)


def _is_listed(kind: str, sections: Sequence[str], mark: Mark | None) -> bool:
    """Return whether the heading right above is the name of a kind, or a mark says that the text states it."""
    is_below = bool(sections) and kinds.named(sections[-1]) == kind
    return is_below or (mark is not None and kinds.standing(mark.kind) == kinds.STATED)


def _is_noticed(kind: str, fields: Mapping[str, str], source: str, *, is_named: bool) -> bool:
    """Return whether an entry is a record that nobody stated. No text can claim to be stated, only to be less."""
    if not kinds.is_record(kind):
        return False
    if fields.get(STANDING) == kinds.NOTICED:
        return True
    is_elsewhere = "transcript" in fields or source.startswith(IMPORTED)
    is_own = not source or (source in SPEAKERS and is_journaled(fields))
    if not is_elsewhere and (CONFIRMS in fields or CORRECTS in fields):
        return False
    return kinds.must_state(kind) and not (is_named and is_own and not is_elsewhere)


def split_fields(text: str, kind: str) -> tuple[tuple[tuple[str, str], ...], str]:
    """Split `why: ...` lines, plain, in bullets or bold, from a text; return the fields and the text without them.

    Only the fields that the kind knows are taken, so that prose with a colon stays prose. Deeper lines right below a
    field go on with it, list items set apart by semicolons; a field without a value stays in the text.
    """
    text = text.replace("\r\n", "\n")
    if ":" not in text:
        return (), _without_blank_ends(text)
    wanted = field_names(kind)
    rows = text.split("\n")
    fenced = lines.code(rows)
    fields: list[tuple[str, str]] = []
    rest: list[str] = []
    at = 0
    while at < len(rows):
        line = _FIELD.match(rows[at]) if at not in fenced else None
        name = FIELD_NAMES.get(line[1].strip().casefold(), "") if line else ""
        if line and name in wanted:
            below = _below(rows, at, fenced)
            if value := _joined(line[2], rows[at + 1 : below]):
                fields.append((name, value))
                at = below
                continue
        rest.append(rows[at])
        at += 1
    return tuple(fields), _without_blank_ends("\n".join(rest))


def _without_blank_ends(text: str) -> str:
    return text.strip("\n") if text.strip() else ""


def _below(rows: Sequence[str], at: int, fenced: frozenset[int]) -> int:
    """Return the index behind the lines that are right below a line and deeper in."""
    own = len(rows[at]) - len(rows[at].lstrip())
    below = at + 1
    while below < len(rows) and below not in fenced:
        bare = rows[below].lstrip()
        if not bare or len(rows[below]) - len(bare) <= own:
            break
        below += 1
    return below


def _joined(value: str, deeper: Sequence[str]) -> str:
    words = [value]
    for row in deeper:
        bare = _BULLET.sub("", row, count=1)
        words.append(f"; {bare}" if bare != row and "".join(words).strip() else f" {bare}")
    return flat("".join(words))
