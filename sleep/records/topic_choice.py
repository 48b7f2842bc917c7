"""Which topics a tier has: noun phrases that many of its fragments share, few, and the same from cycle to cycle.

Owns what fragments have in common (`Survey`), what a new topic is called and who goes there (`opened`), which standing
topic a fragment joins (`joined`), and where what is left over is most at home (`nearest`). Refuses documents: what is
moved, and whether it may be, is decided above.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from functools import cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from sleep.language import lexicon
from sleep.language.stems import singular
from sleep.language.tokenizer import by_script, has_wide
from sleep.records import noun_phrases
from sleep.records.topic import GENERAL, slug
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sleep.records.noun_phrases import Phrase

FEW = 8  # fragments for each topic of a tier, and what opens one
_ROOM = 10  # fragments for each topic where one more is opened, so that the next departure closes none
_LARGE = 50  # fragments of a tier from which on the rest is bounded
_REST = 5  # one in so many may be in the rest of a large tier
_WIDE = 0.4  # what a larger share than this names tells none of them apart
PLENTY = 24  # fragments from which on that can be said
_HEADING, _NAMED, _TEXT = 2.0, 1.5, 1.0  # what a phrase counts by where it stands
_PAIR = 1.4  # and one of two words, which says more
_WHOLE = 0.7  # of those who have a part of a phrase have the whole of it, where the part is no name
_BESIDE = 0.05  # what it tells that all of a topic was said by the same instance
_STANDS_BESIDE = 0.5  # what a word counts that only stands beside a piece's words elsewhere
_DOUBT = 2  # times as often a noun as a verb


class Piece(NamedTuple):
    """A fragment as topics see it: its text, the headings above it (the nearest last, its thread's title among them).

    `instance` is who said it.
    """

    text: str
    headings: tuple[str, ...] = ()
    instance: str = ""


class Survey:
    """What pieces of one tier have in common.

    Args:
        pieces: all of the tier, those that come among them.
        whole: the name of what all of them are about, which tells none apart.
    """

    def __init__(self, pieces: Sequence[Piece], whole: str = "") -> None:
        self.pieces = pieces
        self._whole = slug(whole)
        readings = [noun_phrases.read(text) for text in self._texts]
        self._verbs = Counter(chain.from_iterable(reading.verbs for reading in readings))
        nouns = Counter(chain.from_iterable((*reading.nouns, *reading.sure, *reading.sure) for reading in readings))
        self._nouns = frozenset(word for word, times in nouns.items() if times >= _DOUBT * self._verbs.get(word, 0))
        phrases = set(chain.from_iterable(reading.phrases for reading in readings))
        self._base = _bases(set(chain.from_iterable(phrases)))
        self._names: dict[Phrase, Phrase | None] = {}

    @property
    def _texts(self) -> Iterable[str]:
        return (text for piece in self.pieces for text in (piece.text, *piece.headings))

    def is_noun(self, word: str) -> bool:
        """Return whether a word is a noun, by all that was read."""
        return word in self._nouns

    def _name(self, phrase: Phrase) -> Phrase | None:
        """Return a phrase with the shorter forms of its words, None for one that may name nothing."""
        name = tuple(self._base.get(word, word) for word in phrase) if self._may_name(phrase) else None
        if name is not None and (self._is_whole(name) or _is_vague(name)):
            name = None
        self._names[phrase] = name  # a tier has most phrases many times
        return name

    def _is_whole(self, phrase: Phrase) -> bool:
        """Return whether a phrase is the name of all, or a run of that name in a script without spaces."""
        if len(phrase) == 1 and has_wide(phrase[0]):
            return phrase[0] in self._whole
        return self._whole_words == frozenset("-".join(phrase).split("-"))

    @cached_property
    def _whole_words(self) -> frozenset[str]:
        return frozenset(map(singular, self._whole.split("-")))

    def _may_name(self, phrase: Phrase) -> bool:
        """Return whether a phrase ends with a noun, is led by no verb, and is more than the name of a kind."""
        if not self.is_noun(phrase[-1]) or _kinds().issuperset(phrase):
            return False
        return all(map(self.is_noun, (word for word in phrase[:-1] if word in self._verbs)))

    @cached_property
    def weights(self) -> list[dict[Phrase, float]]:
        """The noun phrases of each piece, each with what it counts there."""
        return [self._weighed(piece) for piece in self.pieces]

    def _weighed(self, piece: Piece) -> dict[Phrase, float]:
        weights: dict[Phrase, float] = {}
        names = self._names
        for text, worth in ((piece.text, _TEXT), *((heading, _HEADING) for heading in piece.headings)):
            reading = noun_phrases.read(text)
            plain, sure = max(worth, _TEXT), max(worth, _NAMED)
            for phrase in reading.phrases:
                key = names[phrase] if phrase in names else self._name(phrase)
                if key is not None:
                    value = sure if phrase[-1] in reading.sure else plain
                    if value > weights.get(key, 0.0):
                        weights[key] = value
        return weights

    @cached_property
    def spread(self) -> Counter[Phrase]:
        """How many pieces have each phrase."""
        return Counter(phrase for weights in self.weights for phrase in weights)

    @cached_property
    def _written(self) -> dict[Phrase, Counter[str]]:
        written: dict[Phrase, Counter[str]] = defaultdict(Counter)
        for text in self._texts:
            for phrase, form in noun_phrases.read(text).phrases.items():
                written[tuple(self._base.get(word, word) for word in phrase)][form] += 1
        return written

    def name(self, phrase: Phrase) -> str:
        """Return the topic that a phrase names: as it is written most often."""
        forms = self._written[phrase]
        return slug(min(forms, key=lambda form: (-forms[form], form))) if forms else slug(" ".join(phrase))

    def rarity(self, phrase: Phrase) -> float:
        """Return what it tells that a piece has a phrase."""
        return math.log((1 + len(self.pieces)) / (1 + self.spread[phrase])) + 0.1

    def words_of(self, name: str) -> frozenset[str]:
        """Return the words of a topic's name as those of the pieces are told."""
        return frozenset(self._base.get(word, word) for word in map(singular, name.split("-")) if word)

    @cached_property
    def words(self) -> list[frozenset[str]]:
        """The words of each piece that name something."""
        return [frozenset(word for phrase in weights for word in phrase) for weights in self.weights]

    @cached_property
    def vectors(self) -> list[dict[str, float]]:
        """What each piece speaks of: the words that it shares with others, and those that stand beside these elsewhere.

        Each is of length 1. A piece that has none of a topic's words may be of that topic by what they stand with.
        """
        spread = Counter(chain.from_iterable(self.words))
        worth = {word: math.log((1 + len(self.pieces)) / (1 + times)) for word, times in spread.items() if times > 1}
        rows = [sorted(worth.keys() & words) for words in self.words]
        together: dict[str, Counter[str]] = defaultdict(Counter)
        for row in rows:
            for word in row:
                together[word].update(row)
        beside = {
            word: {
                other: _STANDS_BESIDE * times / math.sqrt(spread[word] * spread[other]) * worth[other]
                for other, times in own.items()
                if times > 1 and other != word
            }
            for word, own in together.items()
        }
        return [_vector(row, worth, beside) for row in rows]


def _vector(
    row: Sequence[str], worth: Mapping[str, float], beside: Mapping[str, Mapping[str, float]]
) -> dict[str, float]:
    vector = {word: worth[word] for word in row}
    for word in row:
        for other, value in beside[word].items():
            vector[other] = vector.get(other, 0.0) + value
    return _unit(vector)


@lru_cache(maxsize=1)
def _kinds() -> frozenset[str]:
    """Return the words of which names of kinds are made, in the singular."""
    return frozenset(map(singular, lexicon.all_words("kinds")))


def _is_vague(phrase: Phrase) -> bool:
    """Return whether a phrase is one word that names something only beside another, or a run of nothing but such."""
    return len(phrase) == 1 and _vague().fullmatch(phrase[0]) is not None


@lru_cache(maxsize=1)
def _vague() -> re.Pattern[str]:
    words, wide = by_script(lexicon.all_words("topic.vague"))
    alone = "|".join(sorted(map(re.escape, map(singular, words))))
    endings = "|".join(sorted(lexicon.all_words("topic.forms")))
    return re.compile(f"(?:{alone})(?:{endings})?|(?:{'|'.join(map(re.escape, wide))})+")


def _bases(words: set[str]) -> dict[str, str]:
    """Return the shorter form of each word that has one among the words: `datenbank` of `datenbanken`."""
    endings = sorted(lexicon.all_words("topic.forms"), key=len, reverse=True)
    bases = {}
    for word in words:
        for ending in endings:
            base = word.removesuffix(ending)
            if base != word and len(base) > 3 and base in words:  # noqa: PLR2004
                bases[word] = base
                break
    return bases


def most(count: int) -> int:
    """Return how many topics a tier of so many fragments may have, the rest among them."""
    return max(1, count // FEW)


def room(count: int) -> int:
    """Return up to how many topics new ones are opened."""
    return count // _ROOM


def is_large(count: int) -> bool:
    """Return whether a tier of so many fragments is large."""
    return count >= _LARGE


def excess(rest: int, count: int) -> int:
    """Return how many fragments too many the rest of a tier holds."""
    return rest - count // _REST


def joined(survey: Survey, at: int, names: Iterable[str]) -> str:
    """Return the topic that a piece names itself, the one that tells most; `GENERAL` if it names none."""
    fits = []
    words = survey.words[at]
    for name in names:
        own = survey.words_of(name)
        if name != GENERAL and own and own <= words:
            weights = survey.weights[at]
            worth = sum(max((weights[phrase] for phrase in weights if word in phrase), default=0.0) for word in own)
            fits.append((worth * sum(survey.rarity((word,)) for word in own), name))
    return max(fits, default=(0.0, GENERAL))[1]


def opened(
    survey: Survey, loose: Sequence[int], names: Iterable[str], count: int, least: int = FEW
) -> dict[str, list[int]]:
    """Return up to `count` new topics, each with the pieces of `loose` that go there.

    Args:
        survey: the tier.
        loose: which of its pieces have no topic.
        names: the topics that there are.
        count: how many may be opened.
        least: how many pieces open one.
    """
    chosen: dict[str, list[int]] = {}
    left = set(loose)
    known = {survey.words_of(name) for name in names}
    for _ in range(count):
        members: dict[Phrase, list[int]] = defaultdict(list)
        for at in sorted(left):
            for phrase in survey.weights[at]:
                members[phrase].append(at)
        fits = [
            (_worth(survey, phrase, own), phrase)
            for phrase, own in members.items()
            if len(own) >= least and frozenset(phrase) not in known and _tells(survey, phrase)
        ]
        if not fits:
            break
        phrase = _grown(min(fits, key=lambda fit: (-fit[0], fit[1]))[1], members)
        name = survey.name(phrase)
        known.add(frozenset(phrase))
        if name == GENERAL or name in chosen:
            continue
        chosen[name] = members[phrase]
        left.difference_update(members[phrase])
    return chosen


def _worth(survey: Survey, phrase: Phrase, own: Sequence[int]) -> float:
    """Return what a phrase is worth as a topic: who shares it, how it stands there, how many instances speak of it."""
    instances = len({survey.pieces[at].instance for at in own})
    weight = sum(survey.weights[at][phrase] for at in own)
    says_more = len(phrase) > 1 or (has_wide(phrase[0]) and len(phrase[0]) > 2)  # noqa: PLR2004
    return weight * math.log2(1 + instances) * (_PAIR if says_more else 1.0)


def _grown(phrase: Phrase, members: Mapping[Phrase, Sequence[int]]) -> Phrase:
    """Return the longest phrase that most of those who have a phrase have it in: `load balancer` of `balancer`."""
    enough = _WHOLE * len(members[phrase])
    within = f" {' '.join(phrase)} "
    longer = [
        other
        for other, own in members.items()
        if len(own) >= enough and (within in f" {' '.join(other)} " or _holds(other, phrase))
    ]
    return max(longer, key=lambda other: (sum(map(len, other)), other), default=phrase)


def _holds(phrase: Phrase, part: Phrase) -> bool:
    """True for a run of a script without spaces that has another in it."""
    return len(phrase) == len(part) == 1 and has_wide(part[0]) and part[0] in phrase[0]


def _tells(survey: Survey, phrase: Phrase) -> bool:
    """True unless so many pieces have a phrase that it tells none apart."""
    return len(survey.pieces) < PLENTY or survey.spread[phrase] <= _WIDE * len(survey.pieces)


class Profiles:
    """What the pieces of each topic speak of, to say which topic another piece is most like.

    A topic speaks of what those of its pieces say that name it; of all, where none does.

    Args:
        survey: the tier.
        homes: the topic of each of its pieces.
    """

    def __init__(self, survey: Survey, homes: Sequence[str]) -> None:
        self._survey = survey
        self._members: dict[str, list[int]] = defaultdict(list)
        self._instances: dict[str, Counter[str]] = defaultdict(Counter)
        for at, home in enumerate(homes):
            self._members[home].append(at)
            self._instances[home][survey.pieces[at].instance] += 1
        self._centres: dict[str, dict[str, float]] = {}

    def likeness(self, at: int, name: str) -> float:
        """Return how much a piece says of what a topic's pieces say, up to about 1; 0 for nothing."""
        members = self._members[name]
        if not members:
            return 0.0
        if name not in self._centres:
            self._centres[name] = self._centre(name)
        centre, beside = self._centres[name], self._instances[name][self._survey.pieces[at].instance]
        alike = sum(value * centre.get(word, 0.0) for word, value in self._survey.vectors[at].items())
        return alike + _BESIDE * beside / len(members)

    def _centre(self, name: str) -> dict[str, float]:
        named = self._survey.words_of(name)
        sure = [at for at in self._members[name] if named <= self._survey.words[at]]
        total: Counter[str] = Counter()
        for at in sure or self._members[name]:
            total.update(self._survey.vectors[at])
        return _unit(total)

    def nearest(self, at: int, names: Iterable[str]) -> tuple[float, str]:
        """Return the likeness and the name of the topic that a piece is most like."""
        return max(((self.likeness(at, name), name) for name in sorted(names)), default=(0.0, GENERAL))


def _unit(vector: Mapping[str, float]) -> dict[str, float]:
    """Return a vector of length 1; one without a value stays as it is."""
    length = math.sqrt(sum(value * value for value in vector.values()))
    return {word: value / length for word, value in vector.items()} if length else dict(vector)
