"""The parts of the brief: what a reader must know, one row each, in the order in which a reader needs them.

Owns the table (name, reason, what gives it, how many lines, which kinds of records and lines it tells), and what
purpose, state and next are made of. `wake` lays itself out by the rows, `status` and the dashboard tell the first ones;
the bare snapshot keeps the sections of its own requirement. Refuses to judge lines, and to read anything but what it is
handed. Pure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.documents import entries, journal, main_page, paths, register
from sleep.documents.project import project_files
from sleep.records import kinds
from sleep.records.fragment import SOURCE
from sleep.redaction import untrusted
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sleep.documents.entries import Entry
    from sleep.records.fragment import Fragment

    Reader = Callable[[str], str | None]

SESSIONS = 2  # the last with real work, of which the state is told
_LOOK = 12  # journals, the newest, among which these are looked for
_TOOL = "tool"
_DERIVED = " (derived)"
STATE, NEXT = "state", "next"


class Source(NamedTuple):
    """What the parts are made of.

    `purpose` is what a person wrote, else what the project's files say, and `derived` the file that says it, "" for a
    person's words; `handoff` has the fields of `main.md`, `changes` what the last sessions with real work changed, the
    newest first; `records` are those that hold.
    """

    purpose: str
    derived: str
    handoff: dict[str, str]
    changes: tuple[str, ...]
    records: tuple[Fragment, ...]


class Part(NamedTuple):
    """A part: its name, why a reader needs it, how many lines of it a screen has.

    `give` returns its lines where the words of records are not all of it. `share` is what lines of journals have of a
    brief wake's room to tell it; what parts leave of it, those of rules, decisions and dead ends have.
    """

    name: str
    reason: str
    most: int
    give: Callable[[Source], Iterable[str]] | None = None
    share: float = 0.05

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of records and lines that it tells, in their order; the table of kinds says it."""
        return kinds.of_part(self.name)

    def lines(self, source: Source) -> tuple[str, ...]:
        """Return the part's lines, as many as a screen has, the most telling first."""
        own = list(self.give(source)) if self.give else []
        for kind in self.kinds:
            for record in source.records:
                if record.kind == kind and record.state == kinds.KINDS[kind].born:  # what is paused is not next
                    _add(own, record)
        return tuple(dict.fromkeys(" ".join(words.split()) for words in own if words.strip()))[: self.most]


def _purpose(source: Source) -> Iterable[str]:
    if source.purpose:
        yield f"{source.purpose} (derived from {source.derived})" if source.derived else source.purpose


def _state(source: Source) -> Iterable[str]:
    """Yield what the last session came to, and what the last ones changed besides.

    What it handed over in its own words comes before a summary that a sleep derived.
    """
    summary, words = (source.handoff.get(name, "") for name in ("session_summary", "for_my_successor"))
    last = source.handoff.get("updated", "").rpartition(" ")[2]
    if (not summary or summary.endswith(_DERIVED)) and last and f"[{last}." in words:
        yield words
    yield summary
    yield from (change for change in source.changes if not main_page.quotes(summary, change))


def _next(source: Source) -> Iterable[str]:
    yield source.handoff.get("next_priority", "")


def _add(lines: list[str], record: Fragment) -> None:
    """Add what a record says, once: in the place of what the handoff says of it, where a sleep derived that from it."""
    there = next((place for place, line in enumerate(lines) if record.text in line), None)
    if there is None:
        lines.append(_words(record))
    elif lines[there].endswith(_DERIVED):
        lines[there] = _words(record)


def _words(record: Fragment) -> str:
    """Return what a record says behind its kind, a thread with its next step."""
    step = record.field("next")
    return f"{record.kind}: {record.text}: {step}" if step else f"{record.kind}: {record.text}"


PARTS = (
    Part("purpose", "what this is and for whom: without it nothing else has a meaning", 1, _purpose),
    Part(STATE, "what the last sessions with real work changed: where the reader begins", 2, _state),
    Part("waits", "what waits on a person: nobody else can move it", 2),
    Part(NEXT, "what to do first", 2, _next),
    Part("rules", "what binds whatever is done: a broken rule costs more than a missing fact", 3, share=0.2),
    Part("decisions", "what was decided, with its reason, is not decided again", 3),
    Part("failed", "what was tried and failed is not tried again", 3),
)
KINDS = tuple(kind for part in PARTS for kind in part.kinds)  # in the reader's order


def rank(kind: str) -> int:
    """Return where a kind stands in the reader's order; what is no part of the brief stands behind all its kinds."""
    return KINDS.index(kind) if kind in KINDS else len(KINDS)


_HEAD = ("purpose", STATE, NEXT)


def head(source: Source) -> dict[str, tuple[str, ...]]:
    """Return purpose, state and next as they are told on one screen: lines by the name of the part, none left out."""
    return {part.name: part.lines(source) for part in PARTS if part.name in _HEAD}


def gather(read: Reader, journals: Sequence[str], records: Iterable[Fragment]) -> Source:
    """Return what the parts are made of.

    Args:
        read: returns a document's text by its path, None where it is not.
        journals: the paths of journals, the oldest first.
        records: those that hold; the newest are told first, those of a document in its order.
    """
    main = read(paths.MAIN) or ""
    words = main_page.purpose(main)
    derived = ""
    if not words or main_page.is_placeholder(words):
        words, derived = project_files.derive(read)
        words = "" if untrusted.is_instruction(words) else words
    newest = sorted(records, key=_order)
    return Source(words, derived, main_page.handoff(main), _changes(read, journals), tuple(newest))


def _order(record: Fragment) -> tuple[int, str, int]:
    """Return what sorts records: the newest first, but those of one document that was taken in as it lists them."""
    number, tag, ordinal = record.identity
    return -number, tag, ordinal if entries.is_imported(record.field(SOURCE)) else -ordinal


def _changes(read: Reader, journals: Sequence[str]) -> tuple[str, ...]:
    """Return what the last sessions with real work changed, the newest first; of what cannot be read, nothing."""
    titles: list[str] = []
    sessions = 0
    for path in journals[: -_LOOK - 1 : -1]:
        own = [_done(entry) for entry in _entries(read(path) or "") if _is_work(entry)]
        titles += reversed(own)
        sessions += bool(own)
        if sessions == SESSIONS:
            break
    return tuple(titles)


def _entries(text: str) -> Sequence[Entry]:
    try:
        return journal.read(text).entries
    except ValueError:
        return ()


def _done(entry: Entry) -> str:
    """Return what an entry says was done; a title that only names a field (`Files`) with what that says."""
    value = entry.field(entry.title.casefold())
    return f"{entry.title}: {value}" if value else register.with_change(entry, entry.title)


def _is_work(entry: Entry) -> bool:
    return entry.kind in kinds.DONE and not (entry.source.startswith(_TOOL) or untrusted.is_instruction(_done(entry)))
