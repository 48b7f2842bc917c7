"""What a wake shows: the records that hold, then whatever tells the next instance most for its length.

Owns gathering what may be shown, from every tier and every journal, and the choice: records first, each kind its share;
then fragments and lines compete by their quality, by what was spoken of lately (`salience`), by what a task names, and
less the more of their words are shown already. Refuses to write text: that is `reading`.
"""

from __future__ import annotations

import math
from collections import Counter
from heapq import heappop, heapreplace
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from sleep.compression import quality, salience, words
from sleep.cycle import excerpt, hearing
from sleep.memory import address as addressing
from sleep.memory import journal, paths, records, tier
from sleep.memory.fragment import SOURCE, Fragment
from sleep.memory.kinds import priority
from sleep.text import tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from sleep.compression.quality import Judged
    from sleep.cycle.view import View
    from sleep.memory.address import Address

_TASK = 4.0  # what a line that says all of a task is worth, beside a line of the best quality
_NAMED = 40.0  # and a record, address or topic that it names
_ABOUT = 0.35  # of the best line's share of the task, which another needs to be about it
_HEARD = 2.0  # what names that are likely to return are worth beside quality
_EFFORT = 6.0  # tokens: what a line costs its reader beside its words, so that the shortest are not preferred
_SHOWN = 0.6  # what is taken off a line whose words are all shown already
_LENGTH = 0.3  # the power of a line's length that its worth is divided by
_LONG = 160.0  # characters, from which on a text is worth no more than others of the same length together
_OLD = 0.25  # of the instances, the newest: what an older line says of its own time holds no more
_READ = 450_000  # characters of journals that are read, the newest; older ones are told by the tiers
_CHOICE = 3.0  # times the budget: of so many tokens of lines, the best, a choice is made
_IMPORTED = 0.2  # of what is left for records, for those that documents say
_BINDS = 0.25  # what a record that holds is worth besides what its words are
_PERSON = 2.0  # what a person's record is worth, beside another
_LEAST_WORDS = 2
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
        return self.fragment.is_open and self.fragment.kind in records.MOVES

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


class Share(NamedTuple):
    """Tokens for the phases that it names; what it leaves is the next share's."""

    phases: tuple[str, ...]
    budget: float


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
    documents = {paths.journal_number(path) for path in dict(journals) if excerpt.is_imported(view.read(path) or "")}
    stands = [(path, _sourced(one, documents)) for path, one in stands]
    held = [(path, one) for path, one in stands if one.is_open and one.kind in records.MOVES]
    prose = [(path, one) for path, one in stands if one.kind not in records.MOVES and not one.is_superseded]
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
    texts = [
        *((path, one, line(one)) for path, one in fragments),
        *((path, _fragment(one), f"- {one.text}\n") for path, one in lines),
    ]
    placed = [
        Placed(path, one, text, judged, index >= len(held) and _is_spare(judged, candidates[index]))
        for index, ((path, one, text), judged) in enumerate(zip(texts, judgement.lines, strict=True))
        if (index < len(held) and not _is_imported(one)) or _may_hold(judged, candidates[index], len(ages))
    ]
    return Memory(
        tuple(placed), judgement.rarity, heard(view, stands), frozenset(view.journals[-salience.RECENT :]), day_cost
    )


def _may_hold(judged: Judged, line: quality.Line, instances: int) -> bool:
    """True for a line that is not only about what was so then, when it was said long ago."""
    return not (judged.volatile and line.instance < instances * (1 - _OLD))


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
    now = records.registry(placed, view.waiting)
    prose = [(path, one) for path, one in placed if one.kind not in records.MOVES]
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
    registered = {address for one in held if one.kind in records.MOVES for address in one.addresses} - noticed
    said: dict[Address, list[frozenset[str]]] = {}
    for _, line in journals:
        if line.address:
            said.setdefault(line.address, []).append(quality.terms(line.line.text))
    told: set[Fragment] = set()
    instead: dict[Address, list[frozenset[str]]] = {}
    for one in held:
        if one.kind in records.MOVES:
            continue
        own = quality.terms(one.text)
        there = [words_ for address in one.addresses for words_ in said.get(address, ())]
        if there and not one.is_superseded and own <= frozenset().union(*there):
            told.add(one)
        else:
            for address in one.addresses:
                instead.setdefault(address, []).append(own)
    known = {quality.shape(one.text) for one in held if one not in told and one.kind in records.MOVES}
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


def _is_replaced(line: excerpt.Excerpt, instead: Mapping[Address, Sequence[frozenset[str]]]) -> bool:
    """True for a line of which a fragment says at least half, and says it otherwise."""
    if line.address is None or line.address not in instead:
        return False
    own = quality.terms(line.line.text)
    return any(len(own & other) * 2 >= len(own) for other in instead[line.address])


def _sourced(fragment: Fragment, documents: Collection[int | None]) -> Fragment:
    """Return a record with its source; of an imported journal a tier may have lost it."""
    if fragment.field(SOURCE) or fragment.kind not in records.MOVES or fragment.identity.number not in documents:
        return fragment
    return fragment.with_field(SOURCE, journal.IMPORTED.strip(": "))


def _is_imported(fragment: Fragment) -> bool:
    return fragment.field(SOURCE).startswith(journal.IMPORTED.strip(": "))


def _fragment(one: excerpt.Excerpt) -> Fragment:
    return Fragment("note", one.text, (one.address,) if one.address else (), when=one.when)


def handles(task: str) -> frozenset[str]:
    """Return the addresses and record numbers that a task names."""
    return frozenset(map(str, addressing.addresses(task))) | {found[0] for found in addressing.NUMBER.finditer(task)}


def _is_named(fragment: Fragment, named: frozenset[str]) -> bool:
    return fragment.number in named or any(str(address) in named for address in fragment.addresses)


def heard(view: View, placed: Iterable[tuple[str, Fragment]]) -> dict[str, float]:
    """Return what each name and pair of names is worth, by what the last instances spoke of."""
    return hearing.heard(view, view.journals[-salience.RECENT :], placed)


def about(memory: Memory, task: str, budget: float) -> tuple[int, ...]:
    """Return the indexes of what is about a task, best first, within a budget."""
    if not task.strip():
        return ()
    worth = _asked(memory.placed, task)
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


def choose(
    memory: Memory, shares: Sequence[Share], first: float, said: str = "", shown: Iterable[int] = ()
) -> frozenset[int]:
    """Return the indexes of what to show.

    Args:
        memory: what may be shown.
        shares: the tokens that may be spent, in this order; the first pays for the records too.
        first: tokens of the first share that records have to themselves.
        said: what is shown anyway.
        shown: the indexes of what is shown elsewhere.
    """
    choice = _Choice(memory, said, shown)
    spent = 0.0
    reserve = min(float(first), shares[0].budget) if shares else 0.0
    kinds = sorted({one.fragment.kind for one in memory.placed if one.must}, key=lambda kind: (priority(kind), kind))
    musts = {
        kind: [at for at, one in enumerate(memory.placed) if one.must and one.fragment.kind == kind] for kind in kinds
    }
    for imported in (False, True):  # what documents say comes after what was said here, and has less
        until = spent + (reserve - spent) * (_IMPORTED if imported else 1.0)
        own = {kind: [at for at in musts[kind] if memory.placed[at].is_imported == imported] for kind in kinds}
        for index, kind in enumerate(kinds):  # each kind has its share of what is left
            spent += choice.take(own[kind], (until - spent) / (len(kinds) - index))
        spent += choice.take([at for kind in kinds for at in own[kind]], until - spent)
    left = -spent
    for share in shares:
        left += share.budget
        if left > 0:
            mine = [at for at, one in enumerate(memory.placed) if one.phase in share.phases and not one.is_imported]
            # What a document said competes line by line; whole, as a record, it has only what was set aside for it.
            left -= choice.take([at for at in mine if not memory.placed[at].spare], left)
            left -= choice.take([at for at in mine if memory.placed[at].spare], left)
    return frozenset(choice.chosen)


class _Choice:
    """What was chosen so far, and what that leaves others worth."""

    def __init__(self, memory: Memory, said: str, shown: Iterable[int]) -> None:
        self._memory = memory
        self._elsewhere = frozenset(shown)
        self.chosen: set[int] = set()
        self._covered = set(quality.terms(said))
        self._days: set[str] = set()
        self._whole_records: set[Address] = set()
        self._worth = [_worth(one) for one in memory.placed]
        self._terms = [one.judged.terms if one.judged else quality.terms(one.fragment.text) for one in memory.placed]
        self._heard = [_heard(one, memory) for one in memory.placed]
        self._said = Counter(key for line in said.split("\n") for key in salience.worth(line, memory.known))
        self._whole = [sum(self._rarity(term) for term in sorted(terms)) for terms in self._terms]
        for index in self._elsewhere:
            self._show(index)

    def _show(self, index: int) -> None:
        if self._memory.placed[index].must:
            self._whole_records.update(self._memory.placed[index].fragment.addresses)
        self._covered |= self._terms[index]
        self._said.update(self._heard[index])

    def take(self, offered: Sequence[int], budget: float) -> float:
        """Choose among some within a budget; return what they cost."""
        free = [index for index in offered if not self._is_shown(index)]
        queue = sorted((-self._gain(index), index, 0) for index in free)
        costs = accumulate(self._memory.placed[index].cost for _, index, _ in queue)
        del queue[sum(cost <= budget * _CHOICE for cost in costs) + 1 :]  # a sorted list is a heap
        spent, turn = 0.0, 0
        while queue:
            _, index, seen = queue[0]
            if seen < turn:
                heapreplace(queue, (-self._gain(index), index, turn))
                continue
            heappop(queue)
            cost = self._cost(index)
            if spent + cost > budget:
                continue
            spent += cost
            turn += 1
            self.chosen.add(index)
            self._show(index)
            self._days.add(self._memory.placed[index].path)
        return spent

    def _is_shown(self, index: int) -> bool:
        """True for what is shown already, here or elsewhere, and for a line of a record that is."""
        if index in self.chosen or index in self._elsewhere:
            return True
        one = self._memory.placed[index]
        return one.phase == "journals" and not self._whole_records.isdisjoint(one.fragment.addresses)

    def _cost(self, index: int) -> float:
        one = self._memory.placed[index]
        return one.cost + (self._memory.day_cost if one.phase == "journals" and one.path not in self._days else 0.0)

    def _gain(self, index: int) -> float:
        whole = self._whole[index]
        rarity = self._memory.rarity
        shown = self._terms[index] & self._covered
        told = sum([rarity.get(term, _RAREST) for term in sorted(shown)]) / whole if whole and shown else 0.0
        returns = sum(worth * salience.FADE ** self._said[key] for key, worth in self._heard[index].items())
        returns /= self._memory.placed[index].cost + _EFFORT
        return round(self._worth[index] * (1 - _SHOWN * told) + _HEARD * returns, 9)

    def _rarity(self, term: str) -> float:
        return self._memory.rarity.get(term, _RAREST)


def _heard(one: Placed, memory: Memory) -> dict[str, float]:
    """Return the names that something says and that were spoken of lately, each with its worth."""
    if one.phase == "journals" and one.path not in memory.lately:
        return {}
    found: dict[str, float] = {}
    for line in (one.fragment.text, *(value for _, value in one.fragment.fields)):
        found.update(salience.worth(line, memory.known))
    return found


_RAREST = 5.0  # what a term is worth that no line of a journal has


def _worth(one: Placed) -> float:
    """Return what something is worth for its length, whatever is shown beside it."""
    worth = one.judged.quality if one.judged else 0.0
    if one.must and not one.is_imported:
        worth = (worth + _BINDS) * (_PERSON if one.fragment.field(SOURCE) == "person" else 1.0)
    size = max(1.0, tokens.CHARACTERS * one.cost)
    return float(worth / size**_LENGTH / max(1.0, size / _LONG) ** (1 - _LENGTH))


def _asked(placed: Sequence[Placed], task: str) -> list[float]:
    """Return what share of a task each says, its words weighed by how few say them; what it names is worth most.

    The weights are those of BM25 (Robertson and Zaragoza, 2009) where a word counts once.
    """
    query = sorted(words.terms(task))
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
    return frozenset(term for text in texts for term in words.terms(text))
