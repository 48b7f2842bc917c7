"""What a person takes back: a rule that they lift, a choice that they change their mind about. The newer one stands.

Owns finding what is taken back: said by a form of speech that takes back, about most of the words of the older one. The
older one says that it is past and gives way first; the newer one is what the older one was. Refuses to guess: where
nothing is shared, where a person asks, and where the newer one only adds to the older one, both stand.
"""

from __future__ import annotations

import functools
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from sleep.conversation.summary import sieve
from sleep.conversation.summary.fact import REQUEST, Fact
from sleep.conversation.summary.sequels.supersession import CHOICES, MARK, marked, words_of
from sleep.language import lexicon, sentences
from sleep.language.acts.forms import form

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.conversation.messages.shapes import Turn

_OWN = CHOICES | {REQUEST}  # the kinds of what people lay down
_LONG = 400  # characters of what takes something back
_SHORT = 160  # characters of a request that lays something down
_LEAST = 2  # words by which a choice is known
_MOST = 3  # choices that are taken back at once; of more only the one that shares most
_SHARED, _SURE = 0.5, 0.66  # of the words of an older choice, that the newer one has; where it only allows something
_PAST = 1.0  # worth of what was taken back, at the most
_MORE = 0.1  # worth of what takes its place, above it
_BEFORE = -2  # the turn of what an earlier summary told, before all others
# How a person takes something back, by the section that tells it.
_CHANGES = "dialogue.changes"  # `Change of plan: ...`
_CORRECTS = "dialogue.corrects"  # `Actually, ... instead`: it may also add to what was said
_CANCELS = "dialogue.cancels"  # `Scratch that, ...`
_ALLOWS = "dialogue.allows"  # `You may ... now`, of what was forbidden
_MOVES = "dialogue.moves"  # `The deadline moved to ...`
_DENIES = "dialogue.not this"  # `Port 9090, not 8080`: the words behind it name the older one
_WAYS = (_DENIES, _CANCELS, _CHANGES, _CORRECTS, _MOVES, _ALLOWS)


class _Claim(NamedTuple):
    """A fact that takes something back: its place among facts, how it does, and the words that name what it is about.

    `subject` are the words before those by which it does so, in small letters.
    """

    at: int
    way: str
    words: frozenset[str]
    text: str
    subject: str


def revoke(
    old: Sequence[tuple[str, str]], facts: Sequence[Fact], numbers: Sequence[int], turns: Sequence[Turn], words: bytes
) -> tuple[list[tuple[str, str]], list[Fact]]:
    """Return the facts of an earlier summary and the new ones; those that a person took back say so.

    `numbers` are the numbers of people's messages by the index of a turn; in `words` each word of the turns stands.
    """
    claims = list(_claims(facts, turns, words))
    if not claims:
        return list(old), list(facts)
    before = len(old)
    rows = [*(Fact(kind, text, 0, _BEFORE) for kind, text in old), *facts]
    index = _Index(rows, turns)
    for claim in claims:
        newer = rows[before + claim.at]
        mark = f"{MARK} @{numbers[newer.at]})" if 0 <= newer.at < len(numbers) else f"{MARK})"
        for place in _most(index.shares(claim, newer.at)):
            older = rows[place]
            rows[place] = older._replace(text=marked(older.text, mark), worth=min(older.worth, _PAST))
            rows[before + claim.at] = _raised(rows[before + claim.at], older.kind, older.worth)
    return [(fact.kind, fact.text) for fact in rows[:before]], rows[before:]


def _most(shares: dict[int, float]) -> list[int]:
    """Return the places that have a share; of many those of the largest alone."""
    most = max(shares.values(), default=0.0)
    return sorted(place for place, share in shares.items() if len(shares) <= _MOST or share == most)


class _Index:
    """What may be taken back, by its words; each text is read once, however many claims there are.

    Args:
        rows: the facts, also those of an earlier summary; where one changes in the list, it counts as it is then.
        turns: the turns that the others are of.
    """

    def __init__(self, rows: Sequence[Fact], turns: Sequence[Turn]) -> None:
        self._rows = rows
        self._turns = turns
        self._words = {at: _words(_said(fact)) for at, fact in enumerate(rows) if fact.kind in _OWN and not fact.name}
        self._places: dict[str, list[int]] = {}
        for place, words in self._words.items():
            for word in words:
                self._places.setdefault(word, []).append(place)

    def shares(self, claim: _Claim, end: int) -> dict[int, float]:
        """Return how much of what was said before a turn a claim takes back, by place; nothing of which it is 0."""
        shared = Counter(chain.from_iterable(self._places.get(word, ()) for word in claim.words))
        shares = {}
        for place, number in shared.items():
            words = self._words[place]
            if number >= _SHARED * len(words) and len(words) >= _LEAST and self._rows[place].at < end:
                text = _said(self._rows[place])
                share = number / len(words)
                if _takes_back(claim, text, words, share) and self._stands(place):
                    shares[place] = share
        if claim.way in (_CHANGES, _CORRECTS) and form("dialogue.option").search(claim.text):
            shares.update((place, 1.0) for place in self._options if self._rows[place].at < end and self._stands(place))
        return shares

    @functools.cached_property
    def _options(self) -> list[int]:
        """The places of what names an option."""
        return [place for place in self._words if form("dialogue.option").search(_said(self._rows[place]))]

    def _stands(self, place: int) -> bool:
        """Return whether a fact lays something down that nobody took back yet: not where it asks."""
        fact = self._rows[place]
        text = _said(fact)
        if MARK in text or sentences.asks(text):
            return False
        if fact.kind in CHOICES:
            return True
        is_own = fact.at == _BEFORE or _is_of_person(fact, self._turns)
        return is_own and len(text) <= _SHORT and form("dialogue.lays down").search(text)


def _claims(facts: Sequence[Fact], turns: Sequence[Turn], words: bytes) -> Iterator[_Claim]:
    """Yield the facts of people that take something back."""
    own = [at for at, fact in enumerate(facts) if _is_of_person(fact, turns) and len(fact.text) <= _LONG]
    texts = [facts[at].text for at in own]
    signs = sieve.likely(_signs(), words, texts)
    joined = "\n".join(texts).lower() if signs else ""
    signs = [sign for sign in signs if sign in joined]
    for at in own if signs else ():
        if _may_take_back(facts[at].text.lower(), signs):
            yield from _claim(at, facts)


def _may_take_back(text: str, signs: Sequence[str]) -> bool:
    """Return whether one of the signs stands in a text of small letters, which neither supposes nor asks."""
    is_likely = any(sign in text for sign in signs)
    return is_likely and not form("dialogue.supposes").search(text) and not sentences.asks(text)


@functools.cache
def _signs() -> tuple[str, ...]:
    """Return pieces of words, one of which stands in every text that takes something back."""
    return (*lexicon.phrases("marks.takes back"), *lexicon.rows("marks.denies"))


def _claim(at: int, facts: Sequence[Fact]) -> Iterator[_Claim]:
    """Yield how a fact takes something back, where it does."""
    text = facts[at].text
    for way in _WAYS:
        if span := form(way).span(text):
            words = _words(text[span[1] :] if way == _DENIES else f"{text[: span[0]]} {text[span[1] :]}")
            if not words and at + 1 < len(facts) and facts[at + 1].at == facts[at].at:
                words = _words(facts[at + 1].text)  # `I changed my mind.`, and then what to do
            yield _Claim(at, way, words, text, text[: span[0]].strip().lower())
            return


def _is_of_person(fact: Fact, turns: Sequence[Turn]) -> bool:
    return fact.kind in _OWN and not fact.name and fact.at >= 0 and turns[fact.at].role == "user"


def _said(fact: Fact) -> str:
    """Return what a fact says, without what it is about."""
    return fact.text.partition(" — ")[0]


def _takes_back(claim: _Claim, text: str, words: frozenset[str], share: float) -> bool:
    """Return whether a claim takes back an older text of these words, of which it has this share."""
    if claim.way == _DENIES:
        return claim.words <= words
    if claim.way == _MOVES:
        return bool(claim.subject) and text.lower().startswith(claim.subject)
    if claim.way == _ALLOWS:
        return share >= _SURE and form("dialogue.forbids").search(text)
    return claim.way == _CANCELS or (bool(claim.words - words) and (share < 1 or claim.way == _CHANGES))


def _words(text: str) -> frozenset[str]:
    return words_of(text) - lexicon.words("rule")


def _raised(fact: Fact, kind: str, worth: float) -> Fact:
    """Return a fact as what it takes the place of: of its kind, and worth more."""
    return fact._replace(kind=kind if fact.kind == REQUEST else fact.kind, worth=max(fact.worth, worth + _MORE))
