"""What a person takes back: a rule that they lift, a choice that they change their mind about. The newer one stands.

Owns finding what is taken back: said by a form of speech that takes back, about most of the words of the older one. The
older one says that it is past and gives way first; the newer one is what the older one was. Refuses to guess: where
nothing is shared, where a person asks, and where the newer one only adds to the older one, both stand.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple

from sleep.conversation.summary import sieve
from sleep.conversation.summary.fact import REQUEST, Fact
from sleep.conversation.summary.sequels.supersession import BEFORE, CHOICES, MARK, Index, marked, words_of
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


def revoke(rows: Sequence[Fact], numbers: Sequence[int], turns: Sequence[Turn], words: bytes) -> list[Fact]:
    """Return facts, those of an earlier summary first, in which those that a person took back say so.

    `numbers` are the numbers of people's messages by the index of a turn; in `words` each word of the turns stands.
    """
    now = list(rows)
    claims = list(_claims(rows, turns, words))
    if not claims:
        return now
    index = Index({at: _words(_statement(fact)) for at, fact in enumerate(rows) if fact.kind in _OWN and not fact.name})
    is_choice = any(map(_names_option, claims))
    options = [at for at in index.words if form("dialogue.option").search(_statement(rows[at]))] if is_choice else []
    for claim in claims:
        end = now[claim.at].at
        shares = dict(_shares(claim, now, index))
        shares.update(dict.fromkeys(options if _names_option(claim) else (), 1.0))
        standing = {at: share for at, share in shares.items() if now[at].at < end and _stands(now[at], turns)}
        for place in _most(standing):
            older = now[place]
            now[place] = marked(older, end, numbers)._replace(worth=min(older.worth, _PAST))
            now[claim.at] = _raised(now[claim.at], older.kind, older.worth)
    return now


def _most(shares: dict[int, float]) -> list[int]:
    """Return the places that have a share; of many those of the largest alone."""
    most = max(shares.values(), default=0.0)
    return sorted(place for place, share in shares.items() if len(shares) <= _MOST or share == most)


def _shares(claim: _Claim, facts: Sequence[Fact], index: Index) -> Iterator[tuple[int, float]]:
    """Yield the place of each fact that a claim takes back, and how much of it the claim names."""
    for place, number in index.sharing(claim.words).items():
        words = index.words[place]
        if number >= _SHARED * len(words) and len(words) >= _LEAST:
            share = number / len(words)
            if _takes_back(claim, _statement(facts[place]), words, share):
                yield place, share


def _names_option(claim: _Claim) -> bool:
    """Return whether a claim takes back the choice of an option by naming another."""
    return claim.way in (_CHANGES, _CORRECTS) and form("dialogue.option").search(claim.text)


def _stands(fact: Fact, turns: Sequence[Turn]) -> bool:
    """Return whether a fact lays something down that nobody took back yet: not where it asks."""
    text = _statement(fact)
    if MARK in text or sentences.asks(text):
        return False
    if fact.kind in CHOICES:
        return True
    is_own = fact.at == BEFORE or _is_of_person(fact, turns)
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


def _statement(fact: Fact) -> str:
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
