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
    past, now = list(old), list(facts)
    for claim in _claims(facts, turns, words):
        fact = now[claim.at]
        mark = f"{MARK} @{numbers[fact.at]})" if 0 <= fact.at < len(numbers) else f"{MARK})"
        shares = [_share(claim, kind, text) for kind, text in past]
        shares += [_share_of(claim, other, fact, turns) for other in now]
        for place in _most(shares):
            kind, worth = past[place][0] if place < len(past) else now[place - len(past)].kind, 0.0
            if place < len(past):
                past[place] = kind, marked(past[place][1], mark)
            else:
                older = now[place - len(past)]
                worth = older.worth
                now[place - len(past)] = older._replace(text=marked(older.text, mark), worth=min(worth, _PAST))
            now[claim.at] = _raised(now[claim.at], kind, worth)
    return past, now


def _most(shares: Sequence[float]) -> list[int]:
    """Return the places of the shares above 0; of many the largest alone."""
    places = [place for place, share in enumerate(shares) if share > 0]
    return places if len(places) <= _MOST else [place for place in places if shares[place] == max(shares)]


def _claims(facts: Sequence[Fact], turns: Sequence[Turn], words: bytes) -> Iterator[_Claim]:
    """Yield the facts of people that take something back."""
    signs = sieve.known(_signs(), words) if words else _signs()
    own = [at for at, fact in enumerate(facts) if _is_of_person(fact, turns)] if signs else []
    joined = "\n".join([facts[at].text for at in own]).lower() if signs else ""
    lines = joined.split("\n")
    for place in sorted(_hits(joined, signs)):
        line = lines[place]
        if len(line) <= _LONG and not form("dialogue.supposes").search(line) and not sentences.asks(line):
            yield from _claim(own[place], facts)


@functools.cache
def _signs() -> tuple[str, ...]:
    """Return pieces of words, one of which stands in every text that takes something back."""
    return (*lexicon.phrases("marks.takes back"), *lexicon.rows("marks.denies"))


def _hits(joined: str, signs: Sequence[str]) -> set[int]:
    """Return the indexes of lines in which one of the signs stands."""
    hits = set()
    for sign in signs:
        at = joined.find(sign)
        while at >= 0:
            hits.add(joined.count("\n", 0, at))
            end = joined.find("\n", at)
            at = joined.find(sign, end) if end >= 0 else -1
    return hits


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
    return not fact.name and fact.kind in _OWN and fact.at >= 0 and turns[fact.at].role == "user"


def _share_of(claim: _Claim, fact: Fact, newer: Fact, turns: Sequence[Turn]) -> float:
    """Return how much of an earlier fact a claim is about, 0 where it does not take that back."""
    if fact.name or fact.at >= newer.at or (fact.kind == REQUEST and not _is_of_person(fact, turns)):
        return 0
    return _share(claim, fact.kind, fact.text)


def _share(claim: _Claim, kind: str, text: str) -> float:
    """Return how much of an older rule, choice or order a claim is about, 0 where it does not take that back."""
    text = text.partition(" — ")[0]
    is_order = kind == REQUEST and len(text) <= _SHORT and form("dialogue.lays down").search(text)
    if MARK in text or not (kind in CHOICES or is_order) or sentences.asks(text):
        return 0
    if (
        claim.way in (_CHANGES, _CORRECTS)
        and form("dialogue.option").search(text)
        and form("dialogue.option").search(claim.text)
    ):
        return 1
    words = _words(text)
    shared = words & claim.words
    share = len(shared) / len(words) if len(words) >= _LEAST else 0
    return share if share >= _SHARED and _takes_back(claim, text, words, share) else 0


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
