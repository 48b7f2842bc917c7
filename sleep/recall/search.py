"""Recall: a question in, passages out, each with its address; or plainly that nothing fits.

Owns the way from a question to an answer over an index, and opening the index of a memory root. An index is brought up
to date before it is asked, so an answer is never older than the documents.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sqlite3
from typing import TYPE_CHECKING, NamedTuple

from sleep.errors import HeldError, StorageError
from sleep.language import tokens
from sleep.recall import lookup, question
from sleep.recall.index import database, index_file, index_form, rows
from sleep.recall.index.database import Index
from sleep.recall.index.index_form import SHIFT
from sleep.recall.lookup import Limits, Matches
from sleep.recall.passages import PassageLine, Result, doubt_notice, pack
from sleep.records import address as addressing
from sleep.records.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from sleep.recall.question import Question
    from sleep.store.layout import Root
    from sleep.store.tree import Tree

    # Rows that mean nearly the same as a text, best first: a search beside that of words.
    Near = Callable[[sqlite3.Connection, str, Limits], Sequence[int]]

BUDGET = 2_000
_FITS = 0.6  # of the question's worth at one place, from which it fits
_SHARE, _RARE = 0.15, 1.0  # or so much of it, if that is as much as the rarest word: a long question has many words
_FEW = 0.34  # of its worth below which what words find says nothing beside what means nearly the same
_OF_SOMEBODY = 0.2  # of its worth where it names somebody who is known here
_STRANGE = 0.75  # the same where it names only what nothing here knows
_NEAREST = 1_000  # tokens of lines that are shown where nothing surely fits
_PER_ROW = 6  # tokens of the budget for each row that is ranked; a row has some thirty
_TRIES = 3  # of opening a file that is damaged, or made anew by others meanwhile
_CALLED = 24  # rows of one address or number, the newest: branches may have given a number twice
_FIRST = 1.01  # times the score of what a person changed, for what it became
_AT_ONCE = 48  # rows that are read together


def open_index(root: Root, progress: Callable[[int, int], None] | None = None) -> Index:
    """Return the index of a memory root, up to date; in memory where its file cannot be written or waited for."""
    path = os.path.join(root.state_dir, index_form.NAME)
    for _ in range(_TRIES):
        which, found = index_file.identity(path), None
        try:
            found = Index.open(path)
            found.refresh(root.path, progress)
            found.renew = functools.partial(_renewed, root, path, which)
        except sqlite3.DatabaseError as error:
            if not index_file.is_damage(error):
                return _aside(found, path, root.path)
            if found:
                found.close()
            with contextlib.suppress(HeldError, StorageError, OSError):
                index_file.remove(path, which)
        except (OSError, HeldError, StorageError):
            break
        else:
            return found
    return _aside(None, path, root.path)


def _renewed(root: Root, path: str, which: tuple[int, int] | None) -> Index:
    """Return the index of a root whose file was found damaged while it was asked."""
    with contextlib.suppress(HeldError, StorageError, OSError):
        index_file.remove(path, which)
    return open_index(root)


def index_tree(tree: Tree) -> Index:
    """Return an index of any tree, in memory: of a commit, of texts that are on no disk."""
    fresh = Index.in_memory()
    fresh.take_all(tree)
    return fresh


def recall(
    asked: Index,
    text: str,
    budget: int = BUDGET,
    limits: Limits | None = None,
    *,
    today: str = "",
    strict: bool = True,
    near: Near | None = None,
) -> Result:
    """Return what the memory has on a question.

    Args:
        asked: the index, up to date.
        text: the question, in words; an address or a record's number is looked up.
        budget: the most tokens that the passages take, headings included.
        limits: tiers, kinds and the first day.
        today: the ISO day that `last week` is told from.
        strict: whether to say so where nothing surely fits; what comes nearest is shown all the same.
        near: finds rows that mean nearly the same; None for words alone.
    """
    limits = limits or Limits()
    read = question.parse(text, today)
    try:
        return _answered(asked, read, budget, limits, strict=strict, near=near)
    except sqlite3.DatabaseError as error:
        if asked.renew is None or not index_file.is_damage(error):
            raise
        asked.go_on_with(asked.renew())
        return _answered(asked, read, budget, limits, strict=strict, near=near)


def _answered(asked: Index, read: Question, budget: int, limits: Limits, *, strict: bool, near: Near | None) -> Result:
    with asked.reading() as base:
        looked = lookup.find_matches(base, read, limits, max(lookup.ROOM, budget // _PER_ROW))
        named = list(_handled(base, read, limits))
        nothing = "" if named or not strict else _nothing(base, read, looked)
        is_sure = nothing and (read.called or _is_strange(read, looked))
        if near and not is_sure and (close := near(base, read.text, limits)):
            from sleep.recall import fusion  # late: off unless a model is named  # noqa: PLC0415

            known = looked if looked.covered >= _FEW else looked._replace(rows=())
            looked, nothing = fusion.blend(known, close), ""
        if not (named or looked.rows) or (nothing and _is_number(read.called)):
            return Result(read.text, (), nothing or _lacking(base, read, looked), looked.covered, looked.corrected)
        is_free = not limits.tiers or rows.JOURNAL in limits.tiers
        room = min(budget, _NEAREST) - tokens.count(doubt_notice(nothing)) if nothing else budget
        passages, missed = pack(_lines(base, looked, named, is_free=is_free), room)
    return Result(read.text, tuple(passages), nothing, looked.covered, looked.corrected, 0 if nothing else missed)


def _nothing(base: sqlite3.Connection, read: Question, looked: Matches) -> str:
    """Return why nothing fits, "" if something does."""
    if not looked.rows or _is_number(read.called):
        return _lacking(base, read, looked)
    if looked.strangers and not looked.named and looked.covered < _STRANGE:
        return f"it has nothing on {', '.join(looked.strangers)}"
    is_much = looked.covered >= (_OF_SOMEBODY if looked.named else _FITS)
    if is_much or read.days or (looked.covered >= _SHARE and looked.rare >= _RARE):
        return ""
    return "no place has enough of these words together"


def _lacking(base: sqlite3.Connection, read: Question, looked: Matches) -> str:
    """Return what a memory lacks that has no row for a question."""
    instance = read.called.partition(".")[0]
    if instance != read.called and _begun(base, instance):
        return f"there is no text at {read.called}, though {instance} is here"
    if read.called:
        return f"there is no {read.called} here"
    if not read.terms and not looked.terms:
        return "the question has no word to look for"
    return f"it has nothing on {', '.join(looked.strangers)}" if looked.strangers else "it has none of these words"


def _is_number(handle: str) -> bool:
    """Return whether a handle is an address or a record's number: an instance's name may be a word as well."""
    return bool(handle) and addressing.parse_instance(handle) is None


def _is_strange(read: Question, looked: Matches) -> bool:
    """Return whether a question is about somebody or something that nothing here knows: no meaning makes up for it.

    Its first word may have a capital for another reason.
    """
    return any(name not in read.words[:1] for name in looked.strangers)


def _handled(base: sqlite3.Connection, read: Question, limits: Limits) -> Iterator[tuple[int, float]]:
    """Yield the rows that a question calls by address or number, with a score above all others."""
    for at, handle in enumerate(read.handles):
        found = _placed(base, handle) if _is_number(handle) else _begun(base, handle)
        if not found and handle[:2] in ("D-", "T-", "Q-"):
            query = "SELECT row.id FROM term JOIN row ON row.id = term.rowid WHERE term MATCH ? AND row.text LIKE ?"
            found = [row for (row,) in base.execute(query, (f'"{handle.lower()}"', f"%{handle}%"))]
        texts = _texts(base, found)
        known = database.describe(base, {row >> SHIFT for row in texts})
        for row in found:
            if row in texts and limits.allow(known[row >> SHIFT][1], texts[row].kind, texts[row].day):
                yield row, 1_000.0 - at


def _placed(base: sqlite3.Connection, handle: str) -> list[int]:
    """Return the rows of an address or number, the newest first."""
    query = "SELECT row FROM place WHERE address = ? ORDER BY row DESC LIMIT ?"
    return [row for (row,) in base.execute(query, (handle, _CALLED))]


def _begun(base: sqlite3.Connection, instance: str) -> list[int]:
    """Return the rows of an instance's first entries, in order."""
    query = "SELECT address, row FROM place WHERE address BETWEEN ? AND ?"
    found = base.execute(query, (f"{instance}.", f"{instance}.:")).fetchall()  # a colon stands behind all figures
    return [row for _, row in sorted((addressing.addresses(one)[:1], row) for one, row in found)][:_CALLED]


def _lines(
    base: sqlite3.Connection, looked: Matches, named: Sequence[tuple[int, float]], *, is_free: bool
) -> Iterator[PassageLine]:
    """Yield the lines of the ranked rows, each entry once: in its fullest form if journals may tell."""
    order = [(row, score, 0) for row, score in named]
    order += [((one.document << SHIFT) + one.row, one.score, one.shared) for one in looked.rows]
    known: dict[int, tuple[str, str, str]] = {}
    headings: dict[int, _Text] = {}
    seen: set[int] = set()
    for at in range(0, len(order), _AT_ONCE):
        part = order[at : at + _AT_ONCE]
        texts = _texts(base, [row for row, *_ in part])
        forms = _forms(base, {address for one in texts.values() for address in one.addresses})
        texts |= _texts(base, {row for own in forms.values() for row in own} - texts.keys())
        moves = _moves(base, {handle for one in texts.values() for handle in one.record})
        headings |= _headings(base, texts, headings)
        known.update(database.describe(base, {row >> SHIFT for row in texts} - known.keys()))
        for row, score, shared in part:
            if row in seen or row not in texts:
                continue
            same = {other for address in texts[row].addresses for other in forms.get(address, ())}
            for edit in sorted(other for other in same if known[other >> SHIFT][1] == rows.EDITS and other not in seen):
                seen.add(edit)  # what a person made of it comes first
                yield _line(edit, texts[edit], score * _FIRST, _why(looked, shared), set(), known)._replace(
                    state=texts[edit].state
                )
            if row in seen:
                continue
            full = _fullest(row, same, known) if is_free else row
            if full != row and full in seen:
                seen.add(row)
                continue
            others = {other for other in same if known[other >> SHIFT][1] != known[full >> SHIFT][1]}
            seen |= {row, full, *(other for other in others if known[other >> SHIFT][1] != rows.JOURNAL)}
            state = _state([texts[one] for one in (full, *sorted(others))], moves)
            line = _line(full, texts[full], score, _why(looked, shared), others, known)
            yield line._replace(state=state, under=_under(full, texts[full], headings))


def _fullest(row: int, same: set[int], known: dict[int, tuple[str, str, str]]) -> int:
    """Return the journal's row of an entry that was found in a tier; else the row itself."""
    if known[row >> SHIFT][1] == rows.JOURNAL:
        return row
    full = sorted(other for other in same if known[other >> SHIFT][1] == rows.JOURNAL)
    return full[0] if len(full) == 1 else row


def _line(
    row: int,
    text: _Text,
    score: float,
    why: tuple[str, ...],
    others: set[int],
    known: dict[int, tuple[str, str, str]],
) -> PassageLine:
    path, tier, _ = known[row >> SHIFT]
    also = sorted({f"{known[one >> SHIFT][1]}: {known[one >> SHIFT][0]}" for one in others})
    place = _place(row)
    line = PassageLine(place, text.text, text.addresses, path, tier, text.kind, text.day, score, why, tuple(also))
    return line._replace(line=text.line, source=text.source)


def _place(row: int) -> tuple[int, int]:
    return row >> SHIFT, row & ((1 << SHIFT) - 1)


def _headings(base: sqlite3.Connection, texts: Mapping[int, _Text], known: Mapping[int, _Text]) -> dict[int, _Text]:
    """Return by row the headings that rows are under, as far as they are not known."""
    found: dict[int, _Text] = {}
    above = texts
    while wanted := {row - text.below for row, text in above.items() if text.below} - known.keys() - found.keys():
        above = _texts(base, wanted)
        found |= above
    return found


def _under(row: int, text: _Text, headings: Mapping[int, _Text]) -> tuple[tuple[tuple[int, int], str], ...]:
    """Return the headings above a row, the outermost first."""
    found: list[tuple[tuple[int, int], str]] = []
    while text.below and (row - text.below) in headings:
        row -= text.below
        text = headings[row]
        found.append((_place(row), text.text))
    return tuple(reversed(found))


class _Text(NamedTuple):
    """What is read of a row that may be shown."""

    text: str
    addresses: tuple[str, ...]
    kind: str
    state: str
    day: str
    number: str
    line: int
    below: int
    source: str

    @property
    def record(self) -> tuple[str, ...]:
        """What events call it by if it is a record: its number, and the address that it was created at."""
        is_record = self.kind in KINDS and KINDS[self.kind].is_record
        return (*filter(None, (self.number,)), *self.addresses[:1]) if is_record else ()


def _texts(base: sqlite3.Connection, wanted: Collection[int]) -> dict[int, _Text]:
    numbers = ",".join(map(str, wanted))
    fields = "id, text, addresses, kind, state, day, number, line, below, source"
    query = f"SELECT {fields} FROM row WHERE id IN ({numbers})"  # noqa: S608  # numbers
    return {one[0]: _Text(one[1], tuple(one[2].split()), *one[3:]) for one in base.execute(query)}


def _moves(base: sqlite3.Connection, handles: Collection[str]) -> dict[str, str]:
    """Return by record what the last event made of it, "" where it binds again."""
    marks = ",".join("?" * len(handles))
    query = f"SELECT record, move.state, day, addresses FROM move JOIN row ON id = row WHERE record IN ({marks})"  # noqa: S608
    found = [
        (day, addressing.addresses(addresses), record, state)
        for record, state, day, addresses in base.execute(query, sorted(handles))
    ]
    return {record: state for _, _, record, state in sorted(found)}


def _state(forms: Sequence[_Text], moves: Mapping[str, str]) -> str:
    """Return what became of an entry: what events in journals say, be they slept over or not, else what a tier says."""
    said = [moves[handle] for handle in forms[0].record if handle in moves]
    return said[-1] if said else next((one.state for one in forms if one.state), "")


def _forms(base: sqlite3.Connection, addresses: set[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    marks = ",".join("?" * len(addresses))
    query = f"SELECT address, row FROM place WHERE address IN ({marks})"  # noqa: S608  # question marks
    for address, row in base.execute(query, sorted(addresses)):
        found.setdefault(address, []).append(row)
    return found


def _why(looked: Matches, shared: int) -> tuple[str, ...]:
    return tuple(term for bit, term in enumerate(looked.terms) if shared >> bit & 1)


def _aside(found: Index | None, path: str, root: str) -> Index:
    """Return an index in memory: what the file has, as far as it can be read, and what changed since."""
    with contextlib.suppress(sqlite3.Error, OSError):
        with contextlib.closing(found or Index(index_file.open_read_only(path))) as read:
            aside = read.copy()
        aside.refresh(root)
        return aside
    fresh = Index.in_memory()
    fresh.refresh(root)
    return fresh
