"""What a wake may show: the records that hold, and lines and fragments with what their words are worth.

Owns gathering it from every tier and every journal, and finding what a task asks for. Refuses to choose: that is
`selection`'s; and to lay text out: that is `render`'s.
"""

from __future__ import annotations

from collections import Counter
from itertools import accumulate, filterfalse, takewhile
from typing import TYPE_CHECKING

from sleep.documents import entries, main_page, paths, register, tier
from sleep.language import dates, lexicon, salience, tokens
from sleep.memory import focus, noticed
from sleep.records import kinds
from sleep.records.fragment import SOURCE, Fragment
from sleep.tuples import NamedTuple
from sleep.wake import quality
from sleep.wake.journal_lines import closed_records, excerpt, line_fragments, line_text, record_lines
from sleep.wake.outdated import expiry, handoffs
from sleep.wake.stock import Stock, is_imported

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from sleep.language.salience import Worths
    from sleep.memory.view import View
    from sleep.records.address import Address
    from sleep.wake.journal_lines.excerpt import Excerpt
    from sleep.wake.quality import Quality, SourceLine

    Placed = tuple[str, Fragment]  # a fragment and the path of its document

_READ = 450_000  # characters of the newest journals, of which each line competes; of older ones the best at a glance:
_OLDER, _EACH = 1_500, 2  # lines of all of them together, but so many of each at the least
_LEAST_WORDS = 2
_HEADING = 45  # characters, from which on a heading or the lead of a list says something itself
_OLD_KIND = "note"  # what told only of its own time: no task or choice that holds


class Candidate(NamedTuple):
    """Something that may be shown: a fragment, where it stands, and its lines as they would be shown.

    The path of a record is that of the hot document of its kind, wherever it stands; that of a line of a journal is the
    journal's. What is spare is shown where room is left, and what `is_old`, which told only of its own time, last.
    `phase` is the phase of the wake that shows it: `hot`, `warm` (also for cold memory) or `journals`. A binding one, a
    record that holds, must be shown; an imported one was said by a document. `cost` is the tokens of its lines. `kind`
    is that of the fragment, of a line of a journal that of its entry: of a record only while it holds. `title` is what
    the title of a journal's page says beside its day, of the line that is one.
    """

    path: str
    fragment: Fragment
    text: str
    quality: Quality
    is_spare: bool
    kind: str
    title: str
    is_old: bool
    phase: str
    is_binding: bool
    is_imported: bool
    cost: float


class Memory(NamedTuple):
    """What may be shown, and what it is judged by.

    `rarity` is what the terms are worth that few lines have, `known` what names and their pairs are worth that were
    spoken of before. `day_cost` are the tokens of the heading above the lines of a journal.
    `outdated` counts by phase what is left out because something later ended it; `passed` counts the lines of the
    oldest journals that were only glanced at.
    """

    candidates: tuple[Candidate, ...]
    rarity: Mapping[str, float]
    known: Worths
    day_cost: float = 0.0
    outdated: Mapping[str, int] = {}
    passed: int = 0


def gather(
    view: View,
    task: str,
    write: Callable[[Fragment], str],
    day_cost: float = 0.0,
    weights: Mapping[str, float] = quality.WEIGHTS,
    *,
    cuts_later: bool = True,
    room: float = 0,
    cites: bool = False,
) -> Memory:
    """Return what may be shown of a memory.

    Args:
        view: the memory.
        task: what the instance is going to do, or "".
        write: returns a fragment's lines.
        day_cost: tokens of the heading above the lines of a journal.
        weights: by what lines are judged.
        cuts_later: whether a line is told longer for names that return behind its cut.
        room: tokens that there are for all of it; where they are enough, no line is cut.
        cites: whether lines of journals then end with their addresses.
    """
    standing, journals, passed = _read(view, task)
    excerpts, retold = _untold(journals, _fragments(standing))
    excerpts += closed_records.lines(_fragments(standing), journals)
    records = _holding(standing)
    kinds_of_lines, stating = record_lines.kinds_of([line for _, line in excerpts], _fragments(records))
    fragments = (*records, *_prose(standing, retold))
    ages = {paths.journal_number(path): index for index, path in enumerate(view.journals)}
    known = focus.wake_weights(view, standing)
    sources = _sources(fragments, excerpts, kinds_of_lines, ages)
    texts = [(path, fragment, write(fragment)) for path, fragment in fragments]
    left = room - sum(tokens.share(text) for *_, text in texts) if room else 0
    texts += line_fragments.fragments(excerpts, known if cuts_later else salience.NOTHING, stating, left, cites=cites)
    qualities = quality.judge_lines(sources, len(ages), weights)
    items = _items([fragment for _, fragment, _ in texts], len(fragments), kinds_of_lines, sources)
    on_page, titles = _of_page(view, journals), record_lines.titles(excerpts)
    outdated = expiry.find(view, items, journals, qualities.rarity)
    last_year = max((dates.order(fragment.when)[0] for _, fragment, _ in texts), default=0)
    held = Stock(len(records), len(fragments), len(ages), last_year, stating, outdated, write)
    candidates: list[Candidate] = []
    dropped: Counter[str] = Counter()
    for index, (placed, item, own) in enumerate(zip(texts, items, qualities.lines, strict=True)):
        if held.is_outdated(index, item):
            dropped[_phase_of(placed[0])] += 1
        elif not on_page(item) and held.says_something(index, item):
            title = record_lines.of_title(item.line) if item.line.text == titles.get(placed[0]) else ""
            candidates.append(_candidate(held, index, placed, item, own, title))
    return Memory(tuple(candidates), qualities.rarity, known, day_cost, dropped, passed)


def _candidate(
    held: Stock, index: int, placed: tuple[str, Fragment, str], item: expiry.Item, own: Quality, title: str
) -> Candidate:
    """Return something that may be shown, as it is told."""
    path, fragment, text = placed
    is_old = held.is_old(index, item, own)
    record, shown = held.retell(index, item, text, is_old=is_old)
    is_spare = not held.is_own(index, fragment) and _is_spare(own, item.line, is_stated=held.is_stated(index))
    if title and item.line.mark == line_text.PROMPT:  # what a session was about is told, in short, before what it did
        record = record._replace(text=f"{line_text.PERSON}: {title}")
        is_spare, own, shown = False, own._replace(score=1.0), held.write(record)
    kind = _OLD_KIND if is_old else item.kind
    return candidate(path, record, shown, own, is_spare=is_spare or is_old, kind=kind, title=title, is_old=is_old)


def candidate(
    path: str,
    fragment: Fragment,
    text: str,
    own: Quality,
    *,
    is_spare: bool = False,
    kind: str = "",
    title: str = "",
    is_old: bool = False,
) -> Candidate:
    """Return something that may be shown, with what choosing asks for again and again."""
    is_binding = fragment.is_open and fragment.is_record and not is_old
    judged = (_phase_of(path), is_binding, is_imported(fragment), tokens.share(text))
    return Candidate._make((path, fragment, text, own, is_spare, kind, title, is_old, *judged))


def _fragments(placed: Iterable[Placed]) -> list[Fragment]:
    return [fragment for _, fragment in placed]


def _holding(standing: Iterable[Placed]) -> list[Placed]:
    """Return the records that hold."""
    return [(path, fragment) for path, fragment in standing if fragment.is_open and fragment.is_record]


def _items(
    fragments: Sequence[Fragment], count: int, kinds_of_lines: Iterable[str], sources: Iterable[SourceLine]
) -> list[expiry.Item]:
    """Return what may be shown as it is compared: `count` fragments of tiers, with their own kinds, then lines."""
    names = (*(fragment.kind for fragment in fragments[:count]), *kinds_of_lines)
    return [expiry.Item(*each) for each in zip(fragments, names, sources, strict=True)]


def _prose(standing: Sequence[Placed], retold: Collection[Fragment]) -> list[Placed]:
    """Return the prose that holds, without what lines of journals tell in full, and what only a tool says."""
    prose = [(path, fragment) for path, fragment in standing if not (fragment.is_record or fragment.is_superseded)]
    return [(path, own) for path, own in prose if own not in retold and not line_text.is_a_tools(own.text)]


def _read(view: View, task: str) -> tuple[list[Placed], list[tuple[str, Excerpt]], int]:
    """Return what the tiers have, the lines of journals, and how many lines of the oldest were only glanced at."""
    journals, passed = _read_journals(view, task)
    # What is not read line by line is told by the tiers too.
    standing = _standing(view, cold=passed > 0 or bool(task.strip()))
    standing = [(path, _with_source(view, fragment)) for path, fragment in standing]
    return standing, _without_judged(view, _without_edited(view, journals)), passed


def _sources(
    fragments: Iterable[Placed],
    excerpts: Iterable[tuple[str, Excerpt]],
    kinds_of_lines: Iterable[str],
    ages: Mapping[int | None, int],
) -> list[SourceLine]:
    """Return what is judged: fragments and lines of journals, each with the age of its instance and its kind."""
    fragment_lines = [
        quality.SourceLine(
            fragment.text, ages.get(fragment.identity.number, 0), place=quality.NO_OPENING, kind=fragment.kind
        )
        for _, fragment in fragments
    ]
    lines = [
        excerpt.line._replace(instance=ages[paths.journal_number(path)], kind=kind)
        for (path, excerpt), kind in zip(excerpts, kinds_of_lines, strict=True)
    ]
    return fragment_lines + lines


def _phase_of(path: str) -> str:
    if paths.journal_number(path):
        return "journals"
    return "hot" if paths.tier_of(path) == "hot" else "warm"


def _is_spare(own: Quality, line: SourceLine, *, is_stated: bool) -> bool:
    """Return whether a line says little by itself: a short heading or lead, a word, what git says, a prompt.

    Of what states a record only a lead of a list does.
    """
    leads = line.text.endswith((":", "："))
    if is_stated:
        return leads
    is_short = ((leads or line.form == "heading") and len(line.text) < _HEADING) or len(own.terms) < _LEAST_WORDS
    return is_short or line.mark == line_text.PROMPT or line_text.is_of_log(line.text)


def records_of(view: View) -> list[Fragment]:
    """Return the records of a memory as they are now, those that hold and those that hold no more."""
    return [fragment for _, fragment in _standing(view, cold=False) if fragment.is_record]


def _standing(view: View, *, cold: bool) -> list[Placed]:
    """Return the records as they are now, with what waits to be slept on, and the prose of hot and warm memory.

    Of cold memory only the records are returned, unless `cold` asks for all.
    """
    placed = [
        (path, fragment) for path in (*paths.HOT, *view.files(paths.WARM)) for fragment in view.tier(path).fragments
    ]
    for path in view.files(paths.COLD):
        fragments = view.tier(path).fragments if cold else tier.records(view.read(path) or "")
        placed += [(path, fragment) for fragment in fragments]
    records = register.registry(placed, view.unsettled).values()
    prose = [(path, fragment) for path, fragment in placed if not fragment.is_record]
    prose = _with_noticed(view, prose)
    return [*((paths.hot_of(record.fragment.kind), record.fragment) for record in records), *prose]


def _with_noticed(view: View, prose: Sequence[Placed]) -> list[Placed]:
    """Return prose with what was noticed as it is now: nothing that was judged, and what waits in journals."""
    waiting = {record.fragment.identity: record for record in noticed.waiting(view)}
    left = [
        (path, fragment)
        for path, fragment in prose
        if not fragment.is_noticed or paths.tier_of(path) != "hot" or fragment.identity in waiting
    ]
    there = {fragment.identity for _, fragment in left}
    fragments = (record.fragment for record in waiting.values())
    left += [(paths.hot_of(new.kind), new) for new in fragments if new.is_asked and new.identity not in there]
    return left


def _read_journals(view: View, task: str) -> tuple[list[tuple[str, Excerpt]], int]:
    """Return the lines of journals, the newest first, and how many of the oldest were only glanced at."""
    newest_first = view.journals[::-1]
    ends = accumulate(len(view.read(path) or "") for path in newest_first)
    whole = sum(1 for _ in takewhile(lambda end: end <= _READ, ends))
    lines = [(path, line) for path in newest_first[:whole] for line in excerpt.read(view.read(path) or "")]
    older = newest_first[whole:]
    asked = frozenset(task.lower().split()) - lexicon.words("stop")
    most = max(_EACH, _OLDER // max(1, len(older)))
    passed = 0
    for path in older:
        own = excerpt.read(view.read(path) or "")
        order = sorted(range(len(own)), key=lambda index: (-quality.glance(own[index].line, asked), index))
        lines += [(path, own[index]) for index in sorted(order[:most])]
        lines += [(path, line) for line in own if kinds.event_record(line.kind)]  # are told by the registers alone
        passed += max(0, len(own) - most)
    return lines, passed


def _without_edited(view: View, journals: Iterable[tuple[str, Excerpt]]) -> list[tuple[str, Excerpt]]:
    """Return the lines that no person has changed or taken out."""
    return [
        (path, line)
        for path, line in journals
        if not (line.address and view.edits.overruling(line.address, line.line.text))
    ]


def _of_page(view: View, journals: Sequence[tuple[str, Excerpt]]) -> Callable[[expiry.Item], bool]:
    """Return what finds the fields of the newest handoff, and of what they were made: the main page tells them."""
    fields = main_page.handoff(view.read(paths.MAIN) or "")
    last = next((line.address for _, line in journals if line.kind == handoffs.HANDOFF and line.address), None)
    is_told = handoffs.on_page(fields, last)
    return lambda item: is_told(item.fragment.addresses, item.kind, item.line.text)


def _without_judged(view: View, journals: Sequence[tuple[str, Excerpt]]) -> list[tuple[str, Excerpt]]:
    """Return the lines without what was noticed in them and judged since; a verdict is never older than its subject."""
    judged = view.verdicts(dict.fromkeys(path for path, _ in journals))
    return [(path, line) for path, line in journals if line.address not in judged] if judged else [*journals]


def _untold(
    journals: Sequence[tuple[str, Excerpt]], standing: Sequence[Fragment]
) -> tuple[list[tuple[str, Excerpt]], set[Fragment]]:
    """Return the lines of journals that nothing else tells, and the fragments that these lines tell in full.

    The words of records are told by their registers, also those that were noticed in the prose of a session, and what
    is repeated by the newest line. A record that was moved and that no register has is over. What somebody has
    corrected, or something newer has taken the place of, is told by the fragment, and not by the line.
    """
    records = list(filter(_is_registered, standing))
    imported = _imported(standing)
    known = {address for fragment in records for address in fragment.addresses}
    registered = known - imported
    moved = closed_records.moved(journals) - known
    retold, instead = _compare(journals, list(filterfalse(_is_registered, standing)))
    waiting = record_lines.waiting(filterfalse(is_imported, records))
    shapes = {quality.shape(line_text.unlabelled(fragment.text)) for fragment in records}
    lines = []
    for path, line in journals:
        shape = quality.shape(line_text.unlabelled(line.line.text))
        is_told = line.address in registered or _is_replaced(line, instead) or record_lines.repeats(line, waiting)
        is_over = line.address in moved and kinds.is_record(line.kind)
        if not (is_told or is_over) and (line.address in imported or not (line.is_record or shape in shapes)):
            shapes.add(shape)
            lines.append((path, line))
    return lines, retold


def _is_registered(fragment: Fragment) -> bool:
    """True for a record, and for what waits to become one: their words are told by the register alone."""
    return fragment.is_record or fragment.is_asked


def _imported(standing: Sequence[Fragment]) -> set[Address]:
    """Return the addresses of what holds or waits, and a document says: lines of journals tell it shorter."""
    waiting = (fragment for fragment in standing if fragment.is_open or fragment.is_asked)
    return {fragment.identity for fragment in waiting if is_imported(fragment)}


def _compare(
    journals: Sequence[tuple[str, Excerpt]], prose: Sequence[Fragment]
) -> tuple[set[Fragment], dict[Address, list[frozenset[str]]]]:
    """Return the fragments that lines of journals tell in full, and by address the terms of the other fragments."""
    spoken: dict[Address, list[frozenset[str]]] = {}
    unnamed: dict[int | None, list[frozenset[str]]] = {}  # by instance, of lines of which no entry is known
    for path, line in journals:
        own = quality.terms(line.line.text)
        if line.address:
            spoken.setdefault(line.address, []).append(own)
        else:
            unnamed.setdefault(paths.journal_number(path), []).append(own)
    retold: set[Fragment] = set()
    instead: dict[Address, list[frozenset[str]]] = {}
    for fragment in prose:
        own = quality.terms(line_text.plain(fragment.text))
        there = [terms for address in fragment.addresses for terms in spoken.get(address, ())]
        beside = [terms for address in fragment.addresses for terms in unnamed.get(address.number, ())]
        is_told = (bool(there) and own <= frozenset().union(*there)) or any(own <= terms for terms in beside)
        if is_told and not fragment.is_superseded:
            retold.add(fragment)
        else:
            for address in fragment.addresses:
                instead.setdefault(address, []).append(own)
    return retold, instead


def _is_replaced(line: Excerpt, instead: Mapping[Address, Sequence[frozenset[str]]]) -> bool:
    """Return whether a fragment says at least half of what a line says before its fields, and says it otherwise."""
    if line.address is None or line.address not in instead:
        return False
    own = quality.terms(line.line.text.partition("; ")[0])
    return any(len(own & other) * 2 >= len(own) for other in instead[line.address])


def _with_source(view: View, fragment: Fragment) -> Fragment:
    """Return a record with its source; of an imported journal a tier may have lost it."""
    if fragment.field(SOURCE) or not fragment.is_record or not view.is_import(fragment.identity.instance):
        return fragment
    return fragment.with_field(SOURCE, entries.IMPORTED.strip(": "))
