"""The choice of what a wake shows: records first, each kind its share, then whatever tells its reader most.

Owns what something is worth beside what is shown already: its quality, less the more of its words are shown, and the
names and pairs of names that are likely to return (`salience`), each less the more often it was shown. Refuses to
gather what there is: that is `selection`'s.

The greedy choice is lazy: what something is worth can only fall while others are shown, so what it is worth alone is
reckoned once, and only the best of the queue is looked at again (Minoux, "Accelerated greedy algorithms for maximizing
submodular set functions", 1978). The sums are of whole numbers, so that their order does not matter.
"""

from __future__ import annotations

from collections import Counter
from heapq import heappop, heapreplace
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from sleep.compression import quality
from sleep.language import salience, tokens
from sleep.records.fragment import SOURCE
from sleep.records.kinds import priority

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sleep.records.address import Address
    from sleep.wake.candidates import Memory, Placed

_HEARD = 8.0  # what names that are likely to return are worth beside quality
_EFFORT = 6.0  # tokens: what a line costs its reader beside its words, so that the shortest are not preferred
_SHOWN = 0.6  # what is taken off a line whose words are all shown already
_LENGTH = 0.3  # the power of a line's length that its worth is divided by
_LONG = 160.0  # characters, from which on a text is worth no more than others of the same length together
_CHOICE = 3.0  # times the budget: of so many tokens of lines, the best, a choice is made
_IMPORTED = 0.05  # of what is left for records, for those that documents say
_BINDS = 0.25  # what a record that holds is worth besides what its words are
_PERSON = 2.0  # what a person's record is worth, beside another
_RAREST = 5.0  # what a term is worth that no line of a journal has
_EXACT = 1_000_000  # parts of one, in which worths are counted
_FADES = tuple(salience.FADE**times for times in range(60))


class Share(NamedTuple):
    """Tokens for the phases that it names; what it leaves is the next share's."""

    phases: tuple[str, ...]
    budget: float


class Offer(NamedTuple):
    """Something that may be shown, weighed: what no choice changes.

    `whole` is what its terms are worth together, `names` what it says that is likely to return, and `alone` what it is
    worth where nothing else is shown.
    """

    one: Placed
    phase: str
    cost: float
    worth: float
    terms: frozenset[str]
    whole: int
    names: tuple[tuple[str, int], ...]
    alone: float


class Offers(NamedTuple):
    """All that may be shown, what a term is worth, and what the heading above the lines of a journal costs."""

    offers: tuple[Offer, ...]
    rarity: Mapping[str, int]
    known: Mapping[str, float]
    day_cost: float


def weigh(memory: Memory) -> Offers:
    """Return what may be shown of a memory, with what each is worth: once for all choices."""
    rarity = {term: round(worth * _EXACT) for term, worth in memory.rarity.items()}
    offers = tuple(_weighed(one, memory, rarity) for one in memory.placed)
    for offer in offers:
        for term in offer.terms:
            rarity.setdefault(term, _UNSAID)
    return Offers(offers, rarity, memory.known, memory.day_cost)


_UNSAID = round(_RAREST * _EXACT)


def _weighed(one: Placed, memory: Memory, rarity: Mapping[str, int]) -> Offer:
    terms = one.judged.terms if one.judged else quality.terms(one.fragment.text)
    names = _names(one, memory)
    cost, worth = one.cost, _worth(one)
    alone = worth + _HEARD * sum(value for _, value in names) / _EXACT / (cost + _EFFORT)
    return Offer(one, one.phase, cost, worth, terms, sum(rarity.get(term, _UNSAID) for term in terms), names, alone)


def _names(one: Placed, memory: Memory) -> tuple[tuple[str, int], ...]:
    """Return the names that something says and that were spoken of lately, each with its worth."""
    if one.phase == "journals" and one.path not in memory.lately:
        return ()
    found: dict[str, float] = {}
    for line in (one.fragment.text, *(value for _, value in one.fragment.fields)):
        found.update(salience.worth(line, memory.known))
    return tuple((name, round(worth * _EXACT)) for name, worth in found.items())


def _worth(one: Placed) -> float:
    """Return what something is worth for its length, whatever is shown beside it."""
    worth = one.judged.quality if one.judged else 0.0
    if one.must and not one.is_imported:
        worth = (worth + _BINDS) * (_PERSON if one.fragment.field(SOURCE) == "person" else 1.0)
    size = max(1.0, tokens.CHARACTERS * one.cost)
    return float(worth / size**_LENGTH / max(1.0, size / _LONG) ** (1 - _LENGTH))


def choose(
    offers: Offers, shares: Sequence[Share], first: float, said: str = "", shown: Iterable[int] = ()
) -> frozenset[int]:
    """Return the indexes of what to show.

    Args:
        offers: what may be shown.
        shares: the tokens that may be spent, in this order; the first pays for the records too.
        first: tokens of the first share that records have to themselves.
        said: what is shown anyway.
        shown: the indexes of what is shown elsewhere.
    """
    choice = _Choice(offers, said, shown)
    reserve = min(float(first), shares[0].budget) if shares else 0.0
    left = -_records(choice, offers, reserve)
    for share in shares:
        left += share.budget
        if left > 0:
            # What a document said competes line by line; whole, as a record, it has only what was set aside for it.
            mine = [at for at, one in enumerate(offers.offers) if one.phase in share.phases and not one.one.is_imported]
            left -= choice.take([at for at in mine if not offers.offers[at].one.spare], left)
            left -= choice.take([at for at in mine if offers.offers[at].one.spare], left)
    return frozenset(choice.chosen)


def _records(choice: _Choice, offers: Offers, reserve: float) -> float:
    """Choose among the records that hold, each kind within its share of what is left; return what they cost."""
    musts: dict[str, list[int]] = {}
    for at, offer in enumerate(offers.offers):
        if offer.one.must:
            musts.setdefault(offer.one.fragment.kind, []).append(at)
    kinds = sorted(musts, key=lambda kind: (priority(kind), kind))
    spent = 0.0
    for imported in (False, True):  # what documents say comes after what was said here, and has less
        until = spent + (reserve - spent) * (_IMPORTED if imported else 1.0)
        own = [[at for at in musts[kind] if offers.offers[at].one.is_imported == imported] for kind in kinds]
        for index, mine in enumerate(own):
            spent += choice.take(mine, (until - spent) / (len(kinds) - index))
        spent += choice.take([at for mine in own for at in mine], until - spent)
    return spent


class _Choice:
    """What was chosen so far, and what that leaves others worth."""

    def __init__(self, offers: Offers, said: str, shown: Iterable[int]) -> None:
        self._offers = offers.offers
        self._rarity = offers.rarity
        self._day_cost = offers.day_cost
        self._elsewhere = frozenset(shown)
        self.chosen: set[int] = set()
        self._covered = set(quality.terms(said))
        self._days: set[str] = set()
        self._whole_records: set[Address] = set()
        self._said = Counter(key for line in said.split("\n") for key in salience.worth(line, offers.known))
        for index in self._elsewhere:
            self._show(index)

    def _show(self, index: int) -> None:
        offer = self._offers[index]
        if offer.one.must:
            self._whole_records.update(offer.one.fragment.addresses)
        self._covered |= offer.terms
        self._said.update(name for name, _ in offer.names)

    def take(self, offered: Sequence[int], budget: float) -> float:
        """Choose among some within a budget; return what they cost."""
        if budget <= 0:
            return 0.0
        queue = sorted((-self._offers[index].alone, index, -1) for index in offered if not self._is_shown(index))
        costs = accumulate(self._offers[index].cost for _, index, _ in queue)
        del queue[sum(cost <= budget * _CHOICE for cost in costs) + 1 :]  # a sorted list is a heap
        spent, turn = 0.0, 0
        while queue:
            _, index, seen = queue[0]
            if seen < turn:
                heapreplace(queue, (-self._gain(self._offers[index]), index, turn))
                continue
            heappop(queue)
            cost = self._cost(self._offers[index])
            if spent + cost > budget:
                continue
            spent += cost
            turn += 1
            self.chosen.add(index)
            self._show(index)
            self._days.add(self._offers[index].one.path)
        return spent

    def _is_shown(self, index: int) -> bool:
        """True for what is shown already, here or elsewhere, and for a line of a record that is."""
        if index in self.chosen or index in self._elsewhere:
            return True
        offer = self._offers[index]
        return offer.phase == "journals" and not self._whole_records.isdisjoint(offer.one.fragment.addresses)

    def _cost(self, offer: Offer) -> float:
        is_first = offer.phase == "journals" and offer.one.path not in self._days
        return offer.cost + (self._day_cost if is_first else 0.0)

    def _gain(self, offer: Offer) -> float:
        shown = sum([self._rarity[term] for term in offer.terms & self._covered])
        gain = offer.worth * (1 - _SHOWN * shown / offer.whole) if shown else offer.worth
        if offer.names:
            said = self._said
            returns = sum([round(value * _FADES[min(said[name], 59)]) for name, value in offer.names])
            gain += _HEARD * returns / _EXACT / (offer.cost + _EFFORT)
        return gain
