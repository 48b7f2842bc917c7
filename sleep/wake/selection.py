"""The choice of what a wake shows: records first, each kind its share, then whatever tells its reader most.

Owns what something is worth beside what is shown already: its quality, less the more of its words are shown, and the
names and pairs of names that are likely to return (`salience`): a name less the more often it was shown, a pair once.
Refuses to gather what there is: that is `candidates`'.

What something is worth can only fall while others are shown, so what it is worth alone is reckoned once, and the choice
is that of a `LazyQueue`. The sums are of whole numbers, so that their order does not matter.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from itertools import accumulate, repeat
from typing import TYPE_CHECKING

from sleep.compression.coverage import LazyQueue
from sleep.language import salience
from sleep.language.tokens import CHARACTERS
from sleep.records.fragment import SOURCE
from sleep.records.kinds import LASTING, LISTED, is_record, priority, stated
from sleep.tuples import NamedTuple
from sleep.wake import quality
from sleep.wake.quality import LENGTH_POWER

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from sleep.language.salience import Worths
    from sleep.records.address import Address
    from sleep.records.fragment import Fragment
    from sleep.wake.candidates import Candidate, Memory

_RETURNS = 2.0  # what names that are likely to return are worth beside quality,
_RETURNS_MOST = 4.0  # and where there is room for little but names
_ROOM = 2_000  # tokens, from which on there is room to say more of them
_EFFORT = 6.0  # tokens: what a line costs its reader beside its words, so that the shortest are not preferred
_REPEATED = 0.7  # what is taken off a line whose words are all shown already
_LONG = 160.0  # characters, from which on a text is worth no more than others of the same length together
_CHOICE = 3.0  # times the budget: of so many tokens of lines, the best, a choice is made
_IMPORTED = 0.05  # of what is left for records, for those that documents say
_PART = 0.05  # of the first share at the least, for each part that has something to itself
_BINDS = 0.25  # what a record that holds is worth besides what its words are
_PERSON = 2.0  # what a person's record is worth, beside another
_RECORD = 1.25  # what a line is worth that states a record, beside another of the same quality
_ASKED = 1.5  # what a rule is worth that says whose wish it is, beside another rule
_RAREST = 5.0  # what a term is worth that no line of a journal has
_EXACT = 1_000_000  # parts of one, in which worths are counted
_UNSAID = round(_RAREST * _EXACT)
_FADES = tuple(salience.FADE**times for times in range(60))


class Share(NamedTuple):
    """Tokens for the phases that it names; what it leaves is the next share's."""

    phases: tuple[str, ...]
    budget: float


class Offer(NamedTuple):
    """A candidate, weighed: what no choice changes.

    `worth` is what it is worth for its length. `terms_worth` is what its terms are worth together, `names` what it says
    that is likely to return, with `names_worth` together, and `gain` what it is worth where nothing else is shown.
    """

    candidate: Candidate
    worth: float
    terms: frozenset[str]
    terms_worth: int
    names: Mapping[str, int]
    names_worth: int
    gain: float


class Offers(NamedTuple):
    """All that may be shown.

    `rarity` is what a term is worth, `having` the indexes of the offers that have it, `known` what a name is worth,
    `day_cost` what the heading above the lines of a journal costs, and `returns` what names are worth beside quality.
    """

    offers: tuple[Offer, ...]
    rarity: Mapping[str, int]
    having: Mapping[str, Sequence[int]]
    known: Worths
    day_cost: float
    returns: float


def weigh(memory: Memory, budget: int) -> Offers:
    """Return what may be shown of a memory within `budget` tokens, with what each is worth: once for all choices."""
    rarity = {term: round(worth * _EXACT) for term, worth in memory.rarity.items()}
    returns = min(_RETURNS_MOST, _RETURNS * max(1.0, _ROOM / budget))
    offers = tuple(_weighed(candidate, memory, rarity, returns) for candidate in memory.candidates)
    having: defaultdict[str, list[int]] = defaultdict(list)
    for index, offer in enumerate(offers):
        for term in offer.terms:
            having[term].append(index)
    return Offers(offers, rarity, having, memory.known, memory.day_cost, returns)


def _weighed(candidate: Candidate, memory: Memory, rarity: Mapping[str, int], returns: float) -> Offer:
    terms = candidate.quality.terms
    names = _names(candidate, memory)
    names_worth = sum(names.values())
    worth = _worth(candidate)
    gain = worth + returns * names_worth / _EXACT / (candidate.cost + _EFFORT)
    return Offer(candidate, worth, terms, sum(map(rarity.get, terms, repeat(_UNSAID))), names, names_worth, gain)


def _names(candidate: Candidate, memory: Memory) -> dict[str, int]:
    """Return the names that something says and their pairs that were spoken of before, each with its worth."""
    worths = salience.worth(candidate.fragment.text, memory.known)
    for _, value in candidate.fragment.fields:
        worths.update(salience.worth(value, memory.known))
    return _exact(worths)


def _exact(worths: Mapping[str, float]) -> dict[str, int]:
    return {name: round(worth * _EXACT) for name, worth in worths.items()}


def _worth(candidate: Candidate) -> float:
    """Return what something is worth for its length, whatever is shown beside it."""
    worth = candidate.quality.score
    if candidate.is_binding and not candidate.is_imported:
        worth = (worth + _BINDS) * (_PERSON if candidate.fragment.field(SOURCE) == "person" else 1.0)
    kind = stated(candidate.kind)
    is_wish = kind == "constraint" and candidate.quality.names_asker
    worth *= (_RECORD if kind in LISTED else 1.0) * (_ASKED if is_wish else 1.0)
    size = max(1.0, CHARACTERS * candidate.cost)
    return float(worth / size**LENGTH_POWER / max(1.0, size / _LONG) ** (1 - LENGTH_POWER))


def choose(
    offers: Offers,
    shares: Sequence[Share],
    first: float,
    page: str = "",
    elsewhere: Iterable[int] = (),
    parts: Iterable[tuple[float, Sequence[int]]] = (),
) -> frozenset[int]:
    """Return the indexes of what to show.

    Args:
        offers: what may be shown.
        shares: the tokens that may be spent, in this order; the first pays for the records too.
        first: tokens of the first share that records have to themselves.
        page: the text that is shown anyway.
        elsewhere: the indexes of what is shown elsewhere.
        parts: for each part of the brief that has something to itself before all else, its share of the first share
            (less of it, where there is little room), and indexes.
    """
    choice = _Choice(offers, page, elsewhere)
    reserve = min(float(first), shares[0].budget) if shares else 0.0
    scale = min(1.0, shares[0].budget / _ROOM) if shares else 0.0
    left = -_choose_parts(
        choice, [(shares[0].budget * max(_PART, share * scale), part) for share, part in parts], scale
    )
    left -= _choose_records(choice, offers, reserve + left)
    rooms = []
    for share in shares:
        left += share.budget
        left -= _choose_lines(choice, offers, share.phases, left)
        rooms.append(min(left, share.budget))
    _choose_old(choice, offers, [(share.phases, room) for share, room in zip(shares, rooms, strict=True)], left)
    return frozenset(choice.chosen)


def _choose_lines(choice: _Choice, offers: Offers, phases: Sequence[str], left: float) -> float:
    """Choose what tells most of some phases, and where that leaves room what is spare; return what it costs.

    What a document said competes line by line; whole, as a record, it has only what was set aside for it.
    """
    own = [(index, offer.candidate) for index, offer in enumerate(offers.offers) if offer.candidate.phase in phases]
    own = [(index, candidate) for index, candidate in own if not candidate.is_imported]
    others = [index for index, candidate in own if not candidate.is_spare]
    spent = choice.take(others, left)
    if all(map(choice.is_shown, others)):  # a heading alone in the last tokens tells nobody anything
        spare = [index for index, candidate in own if candidate.is_spare and not candidate.is_old]
        spent += choice.take(spare, left - spent)
    return spent


def _choose_old(choice: _Choice, offers: Offers, rooms: Sequence[tuple[Sequence[str], float]], left: float) -> None:
    """Choose what told only of its own time, in the room of each share, `left` of all: never before what holds."""
    own = [(index, offer.candidate) for index, offer in enumerate(offers.offers) if not offer.candidate.is_imported]
    if all(candidate.is_old or choice.is_shown(index) for index, candidate in own):
        for phases, room in rooms:
            old = [index for index, each in own if each.is_old and each.phase in phases]
            left -= choice.take(old, min(room, left))


def _choose_parts(choice: _Choice, parts: Sequence[tuple[float, Sequence[int]]], scale: float) -> float:
    """Choose for each part within its tokens, and return what they cost.

    What they leave of `scale` of their room, those have that tell what lasts.
    """
    spent = sum(choice.take(part, budget) for budget, part in parts)
    room = scale * sum(budget for budget, _ in parts)
    groups = [part for _, part in parts if choice.is_lasting(part) and not all(map(choice.is_shown, part))]
    for place, part in enumerate(groups):
        spent += choice.take(part, (room - spent) / (len(groups) - place))
    return spent


def _choose_records(choice: _Choice, offers: Offers, reserve: float) -> float:
    """Choose among the records that hold, each kind within its share of what is left; return what they cost."""
    records: dict[str, list[int]] = {}
    for index, offer in enumerate(offers.offers):
        if offer.candidate.is_binding and not offer.candidate.is_spare:
            records.setdefault(offer.candidate.fragment.kind, []).append(index)
    kinds = sorted(records, key=lambda kind: (priority(kind), kind))
    spent = 0.0
    for is_imported in (False, True):  # what documents say comes after what was said here, and has less
        until = spent + (reserve - spent) * (_IMPORTED if is_imported else 1.0)
        groups = [
            [index for index in records[kind] if offers.offers[index].candidate.is_imported == is_imported]
            for kind in kinds
        ]
        for place, group in enumerate(groups):
            spent += choice.take(group, (until - spent) / (len(kinds) - place))
        spent += choice.take([index for group in groups for index in group], until - spent)
    return spent


def list_records(placed: Sequence[Candidate], addresses: frozenset[Address]) -> list[int]:
    """Return the indexes of the records that a line of the page tells."""
    return [
        index
        for index, candidate in enumerate(placed)
        if candidate.fragment.is_record and not addresses.isdisjoint(candidate.fragment.addresses)
    ]


def missing_records(placed: Sequence[Candidate], shown: Collection[int]) -> dict[int, Fragment]:
    """Return by index the open records that are not shown, in full or by a line, also those that are old."""
    addresses = {address for index in shown for address in placed[index].fragment.addresses}
    records = {index: each.fragment for index, each in enumerate(placed) if each.fragment.is_record}
    return {index: own for index, own in records.items() if own.is_open and own.identity not in addresses}


def binding(placed: Sequence[Candidate]) -> set[int]:
    """Return the indexes of the records that hold."""
    return {index for index, candidate in enumerate(placed) if candidate.is_binding}


class _Choice:
    """What was chosen so far, and what that leaves others worth.

    Args:
        offers: what may be shown.
        page: the text that is shown anyway.
        elsewhere: the indexes of what is shown elsewhere.
    """

    def __init__(self, offers: Offers, page: str, elsewhere: Iterable[int]) -> None:
        self._all = offers
        self._offers = offers.offers
        self._elsewhere = frozenset(elsewhere)
        self.chosen: set[int] = set()
        self._told: set[int] = set()  # what one line that is shown says as well
        self._by_term: dict[str, list[str]] = {}  # the chosen lines that have a term
        self._covered: set[str] = set()
        self._covered_worth = [0] * len(offers.offers)  # by index: of the offer's terms that are shown
        self._days: set[str] = set()
        self._whole_records: set[Address] = set()
        self._records_by_line: set[Address] = set()
        self._times: dict[str, int] = {}  # by name: how often it is shown,
        self._spent: dict[str, int] = {}  # and what that takes off its worth
        self._cover(quality.terms(page))
        for line in page.split("\n"):
            self._name(_exact(salience.worth(line, offers.known)))
        for index in self._elsewhere:
            self._show(index)

    def _show(self, index: int) -> None:
        offer = self._offers[index]
        if offer.candidate.is_binding:
            self._whole_records.update(offer.candidate.fragment.addresses)
        elif is_record(offer.candidate.kind):
            self._records_by_line.update(offer.candidate.fragment.addresses)
        self._cover(offer.terms)
        self._name(offer.names)

    def _cover(self, terms: frozenset[str]) -> None:
        """Count the worth of terms that are shown now, for all that have them."""
        for term in terms - self._covered:
            worth = self._all.rarity.get(term, _UNSAID)
            for index in self._all.having.get(term, ()):
                self._covered_worth[index] += worth
        self._covered |= terms

    def _name(self, names: Mapping[str, int]) -> None:
        """Count names, with their worths, as shown once more."""
        for name, worth in names.items():
            times = self._times[name] = self._times.get(name, 0) + 1
            fade = 0.0 if salience.BETWEEN in name else _FADES[min(times, len(_FADES) - 1)]
            self._spent[name] = worth - round(worth * fade)

    def take(self, indexes: Sequence[int], budget: float) -> float:
        """Choose among some within a budget; return what they cost."""
        if budget <= 0:
            return 0.0
        offers = self._offers
        best = sorted(
            (index for index in indexes if not self.is_shown(index)), key=lambda index: (-offers[index].gain, index)
        )
        costs = list(accumulate(offers[index].candidate.cost for index in best))
        best = best[: bisect_right(costs, budget * _CHOICE) + 1]
        queue = LazyQueue(((offers[index].gain, index) for index in best), self._gain)
        spent = 0.0
        for _, index in queue:
            if self._is_told(index):
                self._told.add(index)
                continue
            cost = self._cost(offers[index].candidate)
            if spent + cost > budget:
                continue
            spent += cost
            queue.change()
            self.chosen.add(index)
            self._show(index)
            text = offers[index].candidate.fragment.text
            for term in quality.terms(text):
                self._by_term.setdefault(term, []).append(text)
            self._days.add(offers[index].candidate.path)
        return spent

    def _is_told(self, index: int) -> bool:
        """Return whether one line that is shown says all that this one says."""
        offer = self._offers[index]
        if offer.candidate.is_binding or self._covered_worth[index] < offer.terms_worth:
            return False
        text = offer.candidate.fragment.text
        terms = quality.terms(text)
        others = min((self._by_term.get(term, ()) for term in terms), key=len, default=())
        return any(quality.says(other, text) for other in others)

    def is_lasting(self, part: Sequence[int]) -> bool:
        """Return whether a part tells what no later report of work ends."""
        return any(self._offers[index].candidate.kind in LASTING for index in part)

    def is_shown(self, index: int) -> bool:
        """Return whether something is shown already, here or elsewhere, or is a line of a record that is.

        A record that a document says is shown where a line of a journal tells it.
        """
        if index in self.chosen or index in self._elsewhere or index in self._told:
            return True
        candidate = self._offers[index].candidate
        if candidate.is_binding and candidate.is_imported:
            return not self._records_by_line.isdisjoint(candidate.fragment.addresses)
        return candidate.phase == "journals" and not self._whole_records.isdisjoint(candidate.fragment.addresses)

    def _cost(self, candidate: Candidate) -> float:
        is_first = candidate.phase == "journals" and candidate.path not in self._days
        return candidate.cost + (self._all.day_cost if is_first else 0.0)

    def _gain(self, index: int) -> float:
        """Return what an offer is worth beside what is shown."""
        offer = self._offers[index]
        covered = self._covered_worth[index]
        gain = offer.worth * (1 - _REPEATED * covered / offer.terms_worth) if covered else offer.worth
        if offer.names:
            spent = self._spent
            returns = offer.names_worth - sum(map(spent.__getitem__, spent.keys() & offer.names.keys()))
            gain += self._all.returns * returns / _EXACT / (offer.candidate.cost + _EFFORT)
        return gain
