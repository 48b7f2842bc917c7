"""What a wake may show: the records that hold, and lines and fragments with what their words are worth.

Owns gathering it from every tier and every journal, and finding what a task asks for. Refuses to choose: that is
`choosing`'s; and to write text: that is `reading`'s.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from sleep.compression import quality
from sleep.documents import journal, paths, register, tier
from sleep.language import salience, term_weights, tokens
from sleep.memory import focus
from sleep.records import address as addressing
from sleep.records.fragment import SOURCE, Fragment
from sleep.wake import excerpt

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from sleep.compression.quality import Judged
    from sleep.memory.view import View
    from sleep.records.address import Address

_TASK = 4.0  # what a line that says all of a task is worth, beside a line of the best quality
_NAMED = 40.0  # and a record, address or topic that it names
_ABOUT = 0.35  # of the best line's share of the task, which another needs to be about it
_OLD = 0.25  # of the instances, the newest: what an older line says of its own time holds no more,
_RECENT = 2  # unless so few are newer
_READ = 450_000  # characters of journals that are read, the newest; older ones are told by the tiers
_LEAST_WORDS = 2
_FULLER = 240  # characters of a line that says names together which are likely to return
_HEADING = 45  # characters, from which on a heading says something itself
_MIDDLE = 99  # the place of a fragment, which is no journal's opening


class Placed(NamedTuple):
    """Something that may be shown: a fragment, where it stands, and its lines as they would be shown.

    `judged` says what its words are worth. What is `spare` is shown where room is left. The path of a record is that
    of the hot document of its kind, wherever it stands; that of a line of a journal is the journal's.
    """

    path: str
    fragment: Fragment
    text: str
    judged: Judged | None = None
    spare: bool = False

    @property
    def must(self) -> bool:
        """True for what must be shown: a record that holds."""
        return self.fragment.is_open and self.fragment.kind in register.MOVES

    @property
    def is_imported(self) -> bool:
        """True for a record that a document said, and nobody who worked here."""
        return _is_imported(self.fragment)

    @property
    def is_hot(self) -> bool:
        """True for what stands in hot memory, and for records that hold."""
        return paths.tier_of(self.path) == "hot"

    @property
    def phase(self) -> str:
        """The phase of the wake that shows it: `hot`, `warm` (also for what stands in cold memory), `journals`."""
        if paths.journal_number(self.path):
            return "journals"
        return "hot" if self.is_hot else "warm"

    @property
    def cost(self) -> float:
        """The tokens of its lines."""
        return tokens.share(self.text)


class Memory(NamedTuple):
    """What may be shown, what the terms are worth that few lines have, and what was spoken of lately."""

    placed: tuple[Placed, ...]
    rarity: Mapping[str, float]
    known: Mapping[str, float]
    lately: frozenset[str] = frozenset()
    day_cost: float = 0.0


def gather(view: View, task: str, line: Callable[[Fragment], str], day_cost: float = 0.0) -> Memory:
    """Return what may be shown of a memory.

    Args:
        view: the memory.
        task: what the instance is going to do, or "".
        line: how a fragment is written.
        day_cost: tokens of the heading above the lines of a journal.
    """
    stands = _standing(view, cold=bool(task.strip()))
    journals = list(_excerpts(view))
    if journals and journals[-1][0] != view.journals[0]:  # older journals are told by what the tiers have of them
        stands = _standing(view, cold=True)
    documents = _documents(view, stands)
    stands = [(path, _sourced(one, documents)) for path, one in stands]
    held = [(path, one) for path, one in stands if one.is_open and one.kind in register.MOVES]
    prose = [(path, one) for path, one in stands if one.kind not in register.MOVES and not one.is_superseded]
    journals = [
        (path, one)
        for path, one in journals
        if not (
            one.address and view.edits.overruling(one.address, one.line.text)
        )  # a person changed it, or took it out
    ]
    lines, told = _unheld(journals, [one for _, one in stands])
    prose = [(path, one) for path, one in prose if one not in told]
    ages = {paths.journal_number(path): index for index, path in enumerate(view.journals)}
    fragments = [*held, *prose]
    candidates = [
        *(quality.Line(one.text, ages.get(one.identity.number, 0), place=_MIDDLE) for _, one in fragments),
        *(one.line._replace(instance=ages[paths.journal_number(path)]) for path, one in lines),
    ]
    judgement = quality.judged(candidates, len(ages))
    known = heard(view, stands)
    lately = frozenset(view.journals[-salience.RECENT :])
    texts = [
        *((path, one, line(one)) for path, one in fragments),
        *((path, *shown(one, known if path in lately else {})) for path, one in lines),
    ]
    placed = [
        Placed(path, one, text, judged, index >= len(held) and _is_spare(judged, candidates[index]))
        for index, ((path, one, text), judged) in enumerate(zip(texts, judgement.lines, strict=True))
        if (index < len(held) and not _is_imported(one)) or _may_hold(judged, candidates[index], len(ages))
    ]
    return Memory(tuple(placed), judgement.rarity, known, lately, day_cost)


def _may_hold(judged: Judged, line: quality.Line, instances: int) -> bool:
    """True for a line that is not only about what was so then, when it was said long ago."""
    newer = instances - 1 - line.instance
    return not (judged.volatile and newer > max(_RECENT, instances * _OLD))


def _is_spare(judged: Judged, line: quality.Line) -> bool:
    """True for a line that says little by itself: a short heading, what leads to a list, a word or two."""
    heads = (line.form == "heading" and len(line.text) < _HEADING) or line.text.endswith((":", "："))
    return heads or len(judged.terms) < _LEAST_WORDS


def _standing(view: View, *, cold: bool) -> list[tuple[str, Fragment]]:
    """Return the records as they are now, with what waits to be slept on, and the prose of hot and warm memory.

    Of cold memory only the records are returned, unless `cold` asks for all.
    """
    placed = [(path, one) for path in (*paths.HOT, *view.files(paths.WARM)) for one in view.tier(path).fragments]
    for path in view.files(paths.COLD):
        found = view.tier(path).fragments if cold else tier.records(view.read(path) or "")
        placed += [(path, one) for one in found]
    now = register.registry(placed, view.waiting)
    prose = [(path, one) for path, one in placed if one.kind not in register.MOVES]
    return [*((paths.hot_of(one.fragment.kind), one.fragment) for one in now.values()), *prose]


def _excerpts(view: View) -> Iterator[tuple[str, excerpt.Excerpt]]:
    """Yield the lines of journals, the newest journal first, as far as they are read."""
    left = _READ
    for path in reversed(view.journals):
        text = view.read(path) or ""
        left -= len(text)
        if left < 0:
            return
        for one in view.of(path, excerpt.read):
            yield path, one


def _unheld(
    journals: Sequence[tuple[str, excerpt.Excerpt]], held: Sequence[Fragment]
) -> tuple[list[tuple[str, excerpt.Excerpt]], set[Fragment]]:
    """Return the lines of journals that may be told, and the fragments that they tell.

    Not told are the words of records, which their registers tell, what a newer line repeats, and what somebody has
    corrected or something newer has taken the place of: there the fragment holds, and not the line.
    """
    noticed = {one.identity for one in held if one.is_open and _is_imported(one)}
    registered = {address for one in held if one.kind in register.MOVES for address in one.addresses} - noticed
    said: dict[Address, list[frozenset[str]]] = {}
    for _, line in journals:
        if line.address:
            said.setdefault(line.address, []).append(quality.terms(line.line.text))
    told: set[Fragment] = set()
    instead: dict[Address, list[frozenset[str]]] = {}
    for one in held:
        if one.kind in register.MOVES:
            continue
        own = quality.terms(one.text)
        there = [words_ for address in one.addresses for words_ in said.get(address, ())]
        if there and not one.is_superseded and own <= frozenset().union(*there):
            told.add(one)
        else:
            for address in one.addresses:
                instead.setdefault(address, []).append(own)
    known = {quality.shape(one.text) for one in held if one not in told and one.kind in register.MOVES}
    found = []
    for path, line in journals:
        if line.address in registered or (line.is_record and line.address not in noticed):
            continue
        shape = quality.shape(line.line.text)
        if (shape in known and line.address not in noticed) or _is_replaced(line, instead):
            continue
        known.add(shape)
        found.append((path, line))
    return found, told


def _documents(view: View, stands: Sequence[tuple[str, Fragment]]) -> set[int]:
    """Return the numbers of the instances with records that were taken in from documents."""
    numbers = {one.identity.number for _, one in stands if one.kind in register.MOVES and not one.field(SOURCE)}
    journals = {paths.journal_number(path): path for path in view.journals}
    return {number for number in numbers if number in journals and view.of(journals[number], excerpt.is_imported)}


def _is_replaced(line: excerpt.Excerpt, instead: Mapping[Address, Sequence[frozenset[str]]]) -> bool:
    """True for a line of which a fragment says at least half, and says it otherwise."""
    if line.address is None or line.address not in instead:
        return False
    own = quality.terms(line.line.text)
    return any(len(own & other) * 2 >= len(own) for other in instead[line.address])


def _sourced(fragment: Fragment, documents: Collection[int]) -> Fragment:
    """Return a record with its source; of an imported journal a tier may have lost it."""
    if fragment.field(SOURCE) or fragment.kind not in register.MOVES or fragment.identity.number not in documents:
        return fragment
    return fragment.with_field(SOURCE, journal.IMPORTED.strip(": "))


def _is_imported(fragment: Fragment) -> bool:
    return fragment.field(SOURCE).startswith(journal.IMPORTED.strip(": "))


def shown(one: excerpt.Excerpt, known: Mapping[str, float]) -> tuple[Fragment, str]:
    """Return a line of a journal, and how it is written: longer where names return that would be cut off."""
    text = one.text
    if known and text != one.line.text:
        longer = excerpt.cut(one.line.text, _FULLER)
        if any(name in known for name in set(salience.said(longer).pairs) - set(salience.said(text).pairs)):
            text = longer
    return Fragment("note", text, (one.address,) if one.address else (), when=one.when), f"- {text}\n"


def handles(task: str) -> frozenset[str]:
    """Return the addresses and record numbers that a task names."""
    return frozenset(map(str, addressing.addresses(task))) | {found[0] for found in addressing.NUMBER.finditer(task)}


def _is_named(fragment: Fragment, named: frozenset[str]) -> bool:
    return fragment.number in named or any(str(address) in named for address in fragment.addresses)


def heard(view: View, placed: Iterable[tuple[str, Fragment]]) -> dict[str, float]:
    """Return what each name and pair of names is worth, by what the last instances spoke of."""
    return focus.heard(view, view.journals[-salience.RECENT :], placed)


def about(memory: Memory, worth: Sequence[float], budget: float) -> tuple[int, ...]:
    """Return the indexes of what is about a task, best first, within a budget; `worth` is what was `asked`."""
    least = _ABOUT * max(worth, default=0.0)
    order = sorted(range(len(worth)), key=lambda index: (-worth[index], index))
    chosen: list[int] = []
    for index in order:
        if not worth[index] or worth[index] < min(least, _TASK * _ABOUT):
            break
        cost = memory.placed[index].cost + memory.day_cost
        if cost <= budget:
            budget -= cost
            chosen.append(index)
    return tuple(chosen)


def asked(placed: Sequence[Placed], task: str) -> list[float]:
    """Return what share of a task each says, its words weighed by how few say them; what it names is worth most.

    The weights are those of BM25 (Robertson and Zaragoza, 2009) where a word counts once.
    """
    if not task.strip():
        return [0.0] * len(placed)
    query = sorted(term_weights.terms(task))
    named = handles(task)
    says = [_terms(one) for one in placed]
    count = {term: sum(term in one for one in says) for term in query}
    rare = {term: math.log(1 + (len(says) - found + 0.5) / (found + 0.5)) for term, found in count.items() if found}
    most = sum(rare[term] for term in sorted(rare)) or 1.0
    mean = sum(map(len, says)) / max(1, len(says)) or 1.0
    found = []
    for one, said in zip(placed, says, strict=True):
        length = 2.2 / (1 + 1.2 * (0.25 + 0.75 * len(said) / mean))
        share = sum(rare[term] for term in sorted(rare) if term in said) * length
        # Rounded, for a logarithm's last bit is not the same on every machine.
        found.append(round(_TASK * share / most, 6) + (_NAMED if _is_named(one.fragment, named) else 0.0))
    return found


def _terms(one: Placed) -> frozenset[str]:
    texts = (
        paths.topic_of(one.path).replace("-", " "),
        one.fragment.text,
        *(value for _, value in one.fragment.fields),
    )
    return frozenset(term for text in texts for term in term_weights.terms(text))
