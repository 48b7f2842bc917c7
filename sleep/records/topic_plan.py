"""Where every fragment of a tier belongs when some come: the topics that stand, that open, that fold.

Owns the order of trust and the bounds: what a person named, what it already has, what it names itself, what several
share; at most one topic for eight fragments, and of a large tier no more than a fifth without a topic. A fragment that
has a topic keeps it until that folds. Refuses documents, and to say what is held: that is the page of topics.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sleep.records import topic_choice
from sleep.records.topic import GENERAL, LEAST
from sleep.records.topic_choice import Profiles, Survey
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from sleep.records.topic_choice import Piece


_LARGE = 400  # fragments of a tier from which on of each topic only so many are read as tell what it speaks of,
_ENOUGH = 2 * topic_choice.FEW  # the last that stand in it
_STAY = 2  # fragments with which a topic that is there stays: one more opens it
_ALIKE = 0.5  # of what a topic's own fragments are like it, from which on another topic may fold into it


class Place(NamedTuple):
    """A fragment of a tier: its piece, and the topic it has, or had in the tier before ("" for none).

    `named` is the topic that its entry names; `is_new` says that it comes now.
    """

    piece: Piece
    home: str = ""
    named: str = ""
    is_new: bool = False


class Fold(NamedTuple):
    """A topic that had become small, and where its fragments went."""

    name: str
    into: str


class Plan(NamedTuple):
    """The topic of each place, and the topics that folded."""

    homes: tuple[str, ...]
    folds: tuple[Fold, ...]


def plan(
    homes: Sequence[str],
    arriving: Sequence[Place],
    piece: Callable[[int], Piece],
    is_held: Callable[[str], bool] = lambda _: False,
    aliases: Mapping[str, str] | None = None,
    whole: str = "",
    elsewhere: Sequence[str] = (),
) -> Plan:
    """Return where each place belongs, those that arrive behind those that stand.

    Args:
        homes: the topic of each place that stands in the tier.
        arriving: the places of what comes.
        piece: returns what stands at a place; of a large tier few are asked for.
        is_held: says that a topic was named by a person, and so never folds.
        aliases: other names of topics, by which what comes may name them.
        whole: the name of what the memory is about, which is no topic of it.
        elsewhere: the topics of the other tier: one of the same words has the same name here.
    """
    sample = _sample(homes, len(homes) + len(arriving))
    places = [*(Place(piece(at), homes[at]) for at in sample), *arriving]
    survey = Survey([place.piece for place in places], whole)
    draft = _Draft(places, survey, len(homes) + len(arriving), is_held, aliases or {})
    draft.settle()
    draft.fold()
    draft.open(elsewhere)
    draft.fill()
    folds = {fold.name: fold.into for fold in draft.folds}
    now = [_follow(home, folds) for home in homes] if folds else [*homes]
    for at, home in zip(sample, draft.homes, strict=False):
        now[at] = home
    return Plan((*now, *draft.homes[len(sample) :]), tuple(draft.folds))


def _sample(homes: Sequence[str], count: int) -> Sequence[int]:
    """Return the indexes of what is read: of a large tier what has no topic, and some of each topic."""
    if count <= _LARGE:
        return range(len(homes))
    left: Counter[str] = Counter()
    sample: list[int] = []
    for at in range(len(homes) - 1, -1, -1):
        home = homes[at]
        left[home] += 1
        if left[home] <= _ENOUGH or home == GENERAL:
            sample.append(at)
    return sample[::-1]


def _follow(name: str, folds: Mapping[str, str]) -> str:
    """Return where the fragments of a topic are, after some folded into others."""
    while name in folds:
        name = folds[name]
    return name


class _Draft:
    def __init__(
        self,
        places: Sequence[Place],
        survey: Survey,
        count: int,
        is_held: Callable[[str], bool],
        aliases: Mapping[str, str],
    ) -> None:
        self._places = places
        self._is_held = is_held
        self._aliases = aliases
        self._survey = survey
        self._count = count
        self.homes = [GENERAL if place.is_new else place.home for place in places]
        self.folds: list[Fold] = []

    @property
    def _names(self) -> set[str]:
        return set(self.homes)

    @property
    def _rest(self) -> list[int]:
        return [at for at, home in enumerate(self.homes) if home == GENERAL]

    @property
    def _is_loose(self) -> bool:
        return self._count >= topic_choice.PLENTY and topic_choice.excess(len(self._rest), self._count) > 0

    def settle(self) -> None:
        """Give what comes the topic that its entry names, the one it had, or one that it names itself."""
        standing = {place.home for place in self._places if not place.is_new}
        alike = {self._survey.words_of(name): name for name in sorted(standing, reverse=True)}
        self._open_asked("named", alike)
        self._open_asked("home", alike)
        aliases = {name: now for name, now in self._aliases.items() if now in alike.values()}
        for at, place in enumerate(self._places):
            if place.is_new:
                names = (alike.get(self._survey.words_of(name), "") for name in (place.named, place.home) if name)
                own = next(filter(None, names), "")
                name = own or topic_choice.joined(self._survey, at, (*alike.values(), *aliases))
                self.homes[at] = aliases.get(name, name)

    def _open_asked(self, wanted: str, alike: dict[frozenset[str], str]) -> None:
        """Open the topics that what comes asks for by name, where they may be."""
        asked = Counter(getattr(place, wanted) for place in self._places if place.is_new)
        for name, times in sorted(asked.items(), key=lambda item: (-item[1], item[0])):
            words = self._survey.words_of(name)
            if name not in ("", GENERAL) and words not in alike and self._may_open(name, times, alike.values(), wanted):
                alike[words] = name

    def _may_open(self, name: str, times: int, standing: Collection[str], wanted: str) -> bool:
        if self._is_held(name):
            return True
        if wanted == "named" and not topic_choice.is_large(self._count):
            return True
        return times >= LEAST and len({*standing, GENERAL}) < topic_choice.room(self._count)

    def fold(self) -> None:
        """Fold the topics of a single fragment into the nearest, and the smallest while there are too many."""
        sizes = Counter(self.homes)
        named = {place.named for place in self._places if place.is_new}
        for name in sorted(sizes, key=lambda name: (sizes[name], name)):
            if sizes[name] >= _STAY and len(self._names) <= topic_choice.most(self._count):
                break
            if name == GENERAL or name in named or self._is_held(name):
                continue
            profiles = Profiles(self._survey, self.homes)
            into = self._neighbour(name, profiles)
            for at, home in enumerate(self.homes):
                if home == name:
                    self.homes[at] = into
            self.folds.append(Fold(name, into))

    def _neighbour(self, name: str, profiles: Profiles) -> str:
        """Return the topic that shares a name's words, else the one that its fragments are most like, if much like it.

        What is like none of them has no topic, where that makes none too many: a reader looks for what a name says.
        """
        words = self._survey.words_of(name)
        others = self._names - {name, GENERAL}
        related = [other for other in others if words & self._survey.words_of(other)]
        own = [at for at, home in enumerate(self.homes) if home == name]
        votes: dict[str, float] = {}
        for at in own:
            for other in related or others:
                votes[other] = votes.get(other, 0.0) + profiles.likeness(at, other)
        best = min(votes, key=lambda other: (-votes[other], other), default="")
        if not best or votes[best] <= 0:
            return GENERAL
        is_alike = related or self._is_alike(votes[best] / len(own), best, profiles)
        has_rest = GENERAL in self._names or len(self._names) <= topic_choice.most(self._count)
        return best if is_alike or not has_rest else GENERAL

    def _is_alike(self, likeness: float, name: str, profiles: Profiles) -> bool:
        """Return whether what is so much like a topic is half as much like it as its own fragments are."""
        own = [profiles.likeness(at, name) for at, home in enumerate(self.homes) if home == name]
        return likeness >= _ALIKE * sum(own) / len(own)

    def open(self, elsewhere: Sequence[str] = ()) -> None:
        """Open topics for what has none, where several share a noun phrase and there is room."""
        known = {self._survey.words_of(name): name for name in sorted(elsewhere, reverse=True)}
        least = topic_choice.FEW
        while True:
            names = self._names
            is_over = self._is_loose
            room = topic_choice.most(self._count) if is_over else topic_choice.room(self._count)
            fresh = topic_choice.opened(self._survey, self._rest, names, room - len({*names, GENERAL}), least)
            for name, own in fresh.items():
                for at in own:
                    self.homes[at] = known.get(self._survey.words_of(name), name)
            if least <= LEAST or not self._is_loose:
                break
            least = max(least // 2, LEAST)

    def fill(self) -> None:
        """Give what the rest of a large tier has too many of to the topics that they are most like."""
        over = topic_choice.excess(len(self._rest), self._count)
        names = self._names - {GENERAL}
        if over <= 0 or not names or not topic_choice.is_large(self._count):
            return
        profiles = Profiles(self._survey, self.homes)
        fits = [(*profiles.nearest(at, names), at) for at in self._rest]
        for _, name, at in sorted(fits, key=lambda fit: (-fit[0], fit[2]))[:over]:
            self.homes[at] = name
