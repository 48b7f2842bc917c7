"""What a person takes back: a rule that they lift, a choice that they change their mind about. The newer one stands.

Owns finding what is taken back: said by a form of speech that takes back, about most of the words of the older one. The
older one says that it is past and gives way first; the newer one is what the older one was. Refuses to guess: where
nothing is shared, where a person asks, and where the newer one only adds to the older one, both stand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.conversation.summary import sieve
from sleep.conversation.summary.fact import REQUEST, Fact
from sleep.conversation.summary.sequels.supersession import CHOICES, MARK, marked, words_of
from sleep.language import lexicon, sentences
from sleep.language.acts.forms import form

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.conversation.messages.shapes import Turn

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
    """A fact that takes something back: its index, how it does, and the words that name what it is about.

    `subject` are the words before those by which it does so, in small letters.
    """

    index: int
    way: str
    words: frozenset[str]
    text: str
    subject: str


def revoke(
    old: Sequence[tuple[str, str]], facts: Sequence[Fact], numbers: Sequence[int], turns: Sequence[Turn]
) -> tuple[list[tuple[str, str]], list[Fact]]:
    """Return the facts of an earlier summary and the new ones; those that a person took back say so.

    `numbers` are the numbers of people's messages by the index of a turn.
    """
    past, now = list(old), list(facts)
    for claim in _claims(facts, turns):
        fact = now[claim.index]
        mark = f"{MARK} @{numbers[fact.at]})" if 0 <= fact.at < len(numbers) else f"{MARK})"
        before = [(_share(claim, kind, text), at) for at, (kind, text) in enumerate(past)]
        beside = [(_share_of(claim, other, fact, turns), at) for at, other in enumerate(now)]
        best = max((share for share, _ in (*before, *beside)), default=0)
        if best <= 0:
            continue
        is_one = sum(share > 0 for share, _ in (*before, *beside)) > _MOST
        for _, at in (row for row in before if row[0] > 0 and (not is_one or row[0] == best)):
            past[at] = past[at][0], marked(past[at][1], mark)
            now[claim.index] = _raised(now[claim.index], past[at][0], 0.0)
        for _, at in (row for row in beside if row[0] > 0 and (not is_one or row[0] == best)):
            now[claim.index] = _raised(now[claim.index], now[at].kind, now[at].worth)
            now[at] = now[at]._replace(text=marked(now[at].text, mark), worth=min(now[at].worth, _PAST))
    return past, now


def _claims(facts: Sequence[Fact], turns: Sequence[Turn]) -> Iterator[_Claim]:
    """Yield the facts of people that take something back."""
    own = [index for index, fact in enumerate(facts) if len(fact.text) <= _LONG and _is_of_person(fact, turns)]
    signs = sieve.standing(lexicon.phrases("marks.takes back"), [facts[index].text for index in own], others=True)
    for index in own:
        text = facts[index].text
        low = text.lower()
        if not any(sign in low for sign in signs) or sentences.asks(text) or form("dialogue.supposes").search(text):
            continue
        for way in _WAYS:
            if span := form(way).span(text):
                words = _words(text[span[1] :] if way == _DENIES else f"{text[: span[0]]} {text[span[1] :]}")
                if not words and index + 1 < len(facts) and facts[index + 1].at == facts[index].at:
                    words = _words(facts[index + 1].text)  # `I changed my mind.`, and then what to do
                yield _Claim(index, way, words, text, low[: span[0]].strip())
                break


def _is_of_person(fact: Fact, turns: Sequence[Turn]) -> bool:
    return not fact.name and fact.kind in (*CHOICES, REQUEST) and fact.at >= 0 and turns[fact.at].role == "user"


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
