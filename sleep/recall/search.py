"""Recall: a question in, passages out, each with its address; or plainly that nothing fits.

Owns the way from a question to an answer over an index, and when an answer says that nothing surely fits. An index is
brought up to date before it is asked (`index/access.py`), so an answer is never older than the documents.
"""

from __future__ import annotations

import functools
import itertools
import operator
import sqlite3
from collections import Counter
from typing import TYPE_CHECKING

from sleep.language import lexicon, stopwords, tokenizer, tokens
from sleep.recall import evidence, lookup, passage_lines, question
from sleep.recall.index import database, index_file, rows
from sleep.recall.index.index_form import SHIFT
from sleep.recall.lists import list_lines, list_request
from sleep.recall.passages import REPLACES, Result, pack, unsure_notice
from sleep.recall.postings import ANY
from sleep.records import address as addressing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sleep.recall.index.database import Index
    from sleep.recall.lists.list_lines import ListLines
    from sleep.recall.lists.list_request import ListRequest
    from sleep.recall.lookup import Matches
    from sleep.recall.passages import Passage, PassageLine
    from sleep.recall.postings import Limits
    from sleep.recall.question import Question
    from sleep.recall.rank import ScoredRow

    # How near rows are to a text in their meaning, from -1 to 1: a search beside that of words.
    Near = Callable[[sqlite3.Connection, str, Limits], Mapping[int, float]]

BUDGET = 2_000
_FITS = 0.6  # of the question's worth at one place, from which it fits
_SHARE, _RARE = 0.15, 1.0  # or so much of it, if that is as much as the rarest word: a long question has many words
_SHARE_WIDE = 0.08  # in a script without spaces, where every second pair of characters is no word
_VALUE = 1.4  # times the rarest word where a value is asked for (how many, who, when, which), which has to be said,
_LACKS, _LACKS_SHARE = 0.6, 0.2  # and so much more of both where nothing here has the thing that is asked for
_BESIDES = 0.8  # times the rarest word that has to stand near a name of the question besides its names,
_WHOLE = 0.5  # or so much of its worth in one row, in its very words
_OF_SOMEBODY = 0.2  # of its worth where it names somebody who is known here
_STRANGE = 0.75  # the same where it names only what nothing here knows
_NEAREST = 1_000  # tokens of lines that are shown where nothing surely fits
_FIRST = 48  # lines of which those that hold no more are moved back, and what is left of their score,
_PAST, _OVER = 0.8, 0.5  # where it is asked how things are now
_NEWER = 1.001  # times the score of a record, for the one that took its place
_REPLACED = 8  # records in a row, each of which took the place of the one before
_PER_ROW = 6  # tokens of the budget for each row that is ranked; a row has some thirty
_NEWEST, _HARDLY = 200, 0.02  # rows that tell what languages a memory is in, and the share of them that is none;
_ENGLISH = 0.05  # of English, which labels of records are in
# Without the pages that `init` lays out in English.
_SPOKEN = """SELECT text FROM row JOIN document ON document.id = row.id >> ?
             WHERE tier NOT IN ('main', 'architecture') ORDER BY row.id DESC LIMIT ?"""
_AS_WRITTEN = "in the question's language, and words are looked for as they are written"
_CALLED = 24  # rows of one address or number, the newest: branches may have given a number twice
_NAMED = 1_000.0  # the score of what a question calls by address or number, above all others


def recall(
    index: Index,
    text: str,
    budget: int = BUDGET,
    limits: Limits = ANY,
    *,
    today: str = "",
    strict: bool = True,
    may_list: bool = True,
    near: Near | None = None,
) -> Result:
    """Return what the memory has on a question.

    Args:
        index: the index, up to date.
        text: the question, in words; an address or a record's number is looked up.
        budget: the most tokens that the passages take, headings included.
        limits: tiers, kinds and the first day.
        today: the ISO day that `last week` is told from.
        strict: whether to say so where nothing surely fits; what comes nearest is shown all the same.
        may_list: whether a question for records (`what is blocked?`) is answered by these; else words alone find.
        near: finds rows that mean nearly the same; None for words alone.
    """
    asked = question.parse(text, today)
    request = list_request.parse(asked) if may_list and not (limits.kinds or asked.handles) else None
    try:
        return _answer(index, asked, request, budget, limits, strict=strict, near=near)
    except sqlite3.DatabaseError as error:
        if index.renew is None or not index_file.is_damage(error):
            raise
        index.go_on_with(index.renew())
        return _answer(index, asked, request, budget, limits, strict=strict, near=near)


def _answer(
    index: Index,
    asked: Question,
    request: ListRequest | None,
    budget: int,
    limits: Limits,
    *,
    strict: bool,
    near: Near | None,
) -> Result:
    with index.reading() as base:
        records = list_lines.find_lines(base, asked, request, limits) if request else list_lines.NONE
        is_of_records = records is not list_lines.NONE and not records.is_foreign
        asked = _about(asked, request) if request and is_of_records else asked
        if records.lines and records.note:
            passages, missed = pack(records.lines, budget - tokens.count(records.note))
            return Result(asked.text, tuple(passages), more=missed, note=records.note)
        return _passages(base, asked, records, budget, limits, strict=strict, near=near)


def _about(asked: Question, request: ListRequest) -> Question:
    """Return a question without the words that only name the records it asks for: `rules` of `rules about secrets`."""
    if not request.terms:
        return asked
    focus = asked.focus if asked.focus in request.terms else ""
    return asked._replace(terms=request.terms, focus=focus, is_broad=asked.is_broad and not request.instance)


def _passages(
    base: sqlite3.Connection,
    asked: Question,
    records: ListLines,
    budget: int,
    limits: Limits,
    *,
    strict: bool,
    near: Near | None,
) -> Result:
    """Return what words find, behind the records that a question asks for."""
    matches = lookup.find_matches(base, asked, limits, max(lookup.ROOM, budget // _PER_ROW))
    named = list(_called(base, asked, limits))
    lack = "" if named or not strict else _lack(base, asked, matches, records)
    if near and not _is_unknown(asked, matches, lack) and (close := near(base, asked.text, limits)):
        matches, lack = _blend(matches, close, lack)
    ranked = (*named, *matches.rows)
    is_exact = records.is_all or bool(asked.called)
    if not (records.lines or ranked) or (lack and (_is_number(asked.called) or records.is_all)):
        return _none(asked, lack or _lacking(base, asked, matches), matches, is_exact=is_exact)
    lines = _lines_of(base, asked, records.lines, ranked, matches.terms, limits)
    lines = _present(lines, asked, records)
    if lack:
        passages, _ = pack(lines, _room(budget, lack))
        return _none(asked, lack, matches, passages)
    passages, missed = pack(lines, budget - tokens.count(records.lead))
    return Result(asked.text, tuple(passages), "", matches.covered, matches.corrected, missed, records.lead)


def _lines_of(
    base: sqlite3.Connection,
    asked: Question,
    records: Sequence[PassageLine],
    ranked: Sequence[ScoredRow],
    terms: Sequence[str],
    limits: Limits,
) -> Iterator[PassageLine]:
    """Yield records, then the lines of rows that are none of them, what took a record's place before that record.

    Where words are asked for, and no day, records beside a line that answers are left out if they have none of them.
    """
    yield from records
    has_words = bool(asked.terms) and not asked.days
    bits = {number: shared for _, number, shared in ranked}
    places = {line.place for line in records}
    may_use_journals = not limits.tiers or rows.JOURNAL in limits.tiers
    for line in passage_lines.read_lines(base, ranked, terms, may_use_journals=may_use_journals):
        if line.place in places or (limits.kinds and line.kind not in limits.kinds):
            continue
        if has_words and _is_beside(line):
            continue
        newer = _holding(base, line, bits, terms, limits) if line.score < _NAMED - _CALLED else line
        if newer.place not in places:
            places.add(newer.place)
            yield newer
        if line.place not in places:
            places.add(line.place)
            yield line


def _holding(
    base: sqlite3.Connection, line: PassageLine, bits: Mapping[int, int], terms: Sequence[str], limits: Limits
) -> PassageLine:
    """Return the record that holds in the place of one, the line itself where it holds or nothing does.

    What took the place of a record may have been replaced itself.
    """
    newer: PassageLine | None = line
    for _ in range(_REPLACED):
        if newer is None or list_lines.holds(newer):
            break
        newer = _successor(base, newer, bits, terms, limits)
    if newer is None or newer is line or not list_lines.holds(newer):
        return line
    return newer._replace(score=line.score * _NEWER, why=newer.why or (REPLACES,))


def _successor(
    base: sqlite3.Connection, line: PassageLine, bits: Mapping[int, int], terms: Sequence[str], limits: Limits
) -> PassageLine | None:
    """Return the record of its kind that the state of one names."""
    own = [row for handle in passage_lines.names_in_state(line) for row in _rows_at(base, handle)]
    shared = functools.reduce(operator.or_, (bits.get(row, 0) for row in own), 0)
    may_use_journals = not limits.tiers or rows.JOURNAL in limits.tiers
    rows_ = [(line.score, row, shared) for row in dict.fromkeys(own)]
    lines = passage_lines.read_lines(base, rows_, terms, may_use_journals=may_use_journals)
    return next(
        (
            each
            for each in lines
            if each.kind == line.kind
            and each.addresses != line.addresses
            and limits.allow(each.tier, each.kind, each.day)
        ),
        None,
    )


def _is_beside(line: PassageLine) -> bool:
    """Return whether a line only stands beside one that answers: a record of its own without a word that was asked."""
    return not line.why and line.score < _NAMED - _CALLED and passage_lines.stands_alone(line)


def _none(
    asked: Question, lack: str, matches: Matches, passages: Sequence[Passage] = (), *, is_exact: bool = False
) -> Result:
    """Return that nothing surely fits, and why."""
    return Result(asked.text, tuple(passages), lack, matches.covered, matches.corrected, is_exact=is_exact)


def _present(lines: Iterator[PassageLine], asked: Question, records: ListLines) -> Iterator[PassageLine]:
    """Yield lines, of the first ones those further back that hold no more, but for lists, whose order is their own."""
    share = _OVER if asked.is_now else 1.0 if records.lines else _PAST
    first = [
        line if list_lines.holds(line) or line.score >= _NAMED - _CALLED else line._replace(score=line.score * share)
        for line in itertools.islice(lines, _FIRST)
    ]
    yield from sorted(first, key=lambda line: -line.score) if share < 1 else first
    yield from lines


def _room(budget: int, lack: str) -> int:
    """Return the tokens that passages may take where nothing surely fits: few."""
    return min(budget, _NEAREST) - tokens.count(unsure_notice(lack))


def _blend(matches: Matches, close: Mapping[int, float], lack: str) -> tuple[Matches, str]:
    """Return what words found with what means nearly the same, and the lack that is left: none if one is very near."""
    from sleep.recall import fusion  # late: off unless a model is named  # noqa: PLC0415

    is_sure = max(close.values()) >= fusion.SURE
    return fusion.blend(matches, close), "" if is_sure else lack


def _lack(base: sqlite3.Connection, asked: Question, matches: Matches, records: ListLines) -> str:
    """Return why nothing surely fits: "" where records do."""
    if (records.lines and not records.is_near) or (records.lack and not records.is_foreign):
        return "" if records.lines else records.lack
    lack = _lack_of_words(base, asked, matches)
    if records.is_foreign:
        return records.lack if lack else ""
    return (_foreign(base, asked) if lack and not asked.called else "") or lack


def _lack_of_words(base: sqlite3.Connection, asked: Question, matches: Matches) -> str:
    """Return why nothing surely fits, "" if something does."""
    if not matches.rows or _is_number(asked.called):
        return _lacking(base, asked, matches)
    if matches.strangers and not matches.named and matches.covered < _STRANGE:
        return f"it has nothing on {', '.join(matches.strangers)}"
    if asked.days or (matches.named and matches.covered >= _OF_SOMEBODY):
        return ""
    if not _has_enough(asked, matches):
        return "no place has enough of these words together"
    return "" if matches.named else evidence.lack(asked, _lines(base, matches))


def _has_enough(asked: Question, matches: Matches) -> bool:
    """Return whether enough of a question's words stand together at the best place, and enough besides its names."""
    if not matches.named and matches.besides < _BESIDES and matches.whole < _WHOLE:
        return False
    if not matches.named and matches.covered >= _FITS + _LACKS_SHARE * matches.lacks_focus:
        return True
    rare = (_VALUE if asked.asks in question.VALUES else _RARE) + _LACKS * matches.lacks_focus
    share = _SHARE_WIDE if tokenizer.has_wide(asked.text) else _SHARE
    return matches.covered >= share and matches.rare >= (_RARE if matches.named else rare)


def _lines(base: sqlite3.Connection, matches: Matches) -> Iterator[evidence.Line]:
    """Yield the best lines, each with the terms of the question that it has, or what is said for them."""
    best = matches.rows[: evidence.LINES]
    texts = passage_lines.read_rows(base, [number for _, number, _ in best])
    for _, number, bits in best:
        worth: dict[str, float] = {}
        for bit, (group, share) in enumerate(zip(matches.groups, matches.shares, strict=True)):
            if bits >> bit & 1 and share:
                worth[group] = max(worth.get(group, 0.0), share)
        if number in texts:
            yield evidence.Line(texts[number].text, frozenset(worth), sum(worth.values()))


def _foreign(base: sqlite3.Connection, asked: Question) -> str:
    """Return that a question is in a language that hardly any of the newest rows is in, and in which they are."""
    asks_in = _language(asked)
    if not asks_in:
        return ""
    alike = stopwords.WIDE if asks_in in stopwords.WIDE else (asks_in,)
    share = _ENGLISH if asks_in == "en" else _HARDLY
    own: Counter[str] = Counter()
    for (text,) in base.execute(_SPOKEN, (SHIFT, _NEWEST)):
        own[stopwords.language(text)] += 1
        if sum(own[name] for name in alike) > share * _NEWEST:  # the others need not be read
            return ""
    del own[""]
    if sum(own[name] for name in alike) > share * own.total():
        return ""
    if not own:
        return f"it is not {_AS_WRITTEN}"
    (main,) = lexicon.by_language("name")[max(own, key=lambda name: own[name])]
    return f"this memory is in {main}, not {_AS_WRITTEN}: ask in {main}, too"


def _language(asked: Question) -> str:
    """Return the language of a question, "" where it cannot be told: by a name alone, in whatever letters."""
    if tokenizer.has_wide(asked.text):
        return stopwords.language(asked.text) if stopwords.without_small(asked.text) != asked.text else ""
    return stopwords.language_of_question(asked.words) or stopwords.language(asked.text)


def _lacking(base: sqlite3.Connection, asked: Question, matches: Matches) -> str:
    """Return what a memory lacks that has no row for a question."""
    instance = asked.called.partition(".")[0]
    if instance != asked.called and list_lines.instance_rows(base, instance):
        return f"there is no text at {asked.called}, though {instance} is here"
    if asked.called:
        return f"there is no {asked.called} here"
    if not asked.terms and not matches.terms:
        return "the question has no word to look for"
    return f"it has nothing on {', '.join(matches.strangers)}" if matches.strangers else "it has none of these words"


def _is_number(handle: str) -> bool:
    """Return whether a handle is an address or a record's number: an instance's name may be a word as well."""
    return bool(handle) and addressing.parse_instance(handle) is None


def _is_unknown(asked: Question, matches: Matches, lack: str) -> bool:
    return bool(lack and (asked.called or _has_stranger(asked, matches)))


def _has_stranger(asked: Question, matches: Matches) -> bool:
    """Return whether a question is about somebody or something that nothing here knows: no meaning makes up for it.

    Its first word may have a capital for another reason.
    """
    return any(name not in asked.words[:1] for name in matches.strangers)


def _called(base: sqlite3.Connection, asked: Question, limits: Limits) -> Iterator[ScoredRow]:
    """Yield the rows that a question calls by address or number."""
    for place, handle in enumerate(asked.handles):
        numbers = _rows_at(base, handle) if _is_number(handle) else list_lines.instance_rows(base, handle)[:_CALLED]
        if not numbers and addressing.number_of(handle):
            query = "SELECT row.id FROM term JOIN row ON row.id = term.rowid WHERE term MATCH ? AND row.text LIKE ?"
            numbers = [row for (row,) in base.execute(query, (f'"{handle.lower()}"', f"%{handle}%"))]
        texts = passage_lines.read_rows(base, numbers)
        known = database.describe(base, {row >> SHIFT for row in texts})
        for row in numbers:
            if row in texts and limits.allow(known[row >> SHIFT].tier, texts[row].kind, texts[row].day):
                yield _NAMED - place, row, 0


def _rows_at(base: sqlite3.Connection, handle: str) -> list[int]:
    """Return the rows of an address or number, the newest first."""
    query = "SELECT row FROM place WHERE address = ? ORDER BY row DESC LIMIT ?"
    return [row for (row,) in base.execute(query, (handle, _CALLED))]
