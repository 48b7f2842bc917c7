"""A digest: which passages of a conversation say most, in such an order that any beginning of it is a good digest.

Owns the choice. Passages are ranked by the terms that they add to what stands before them, for their length; a term
tells more the more often it was said, and more again where what is not settled speaks of it. The ranking is cut into
rounds that double (250, 500, 1,000 tokens, ...): the first is laid out in sections, the others in the order of the
conversation, so that what belongs together stands together. Refuses to write a word of its own.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from sleep.compression import redundancy
from sleep.compression.coverage import LazyQueue
from sleep.compression.passages import LAST
from sleep.language import terms, tokens
from sleep.language.acts import statements
from sleep.records import classification, kinds

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sleep.compression.passages import Passage

FIRST = 250  # tokens of the first round
SECTIONS = ("intent", "outcome", "open items", "files", "friction", "learnt", "details")
_LATE = 0.5  # what stands last counts half as much again as what stands first
_CLOSING = 1.2  # the agent's message that ends a turn sums up
_STATED = 1.2  # a choice, a cause or a question in so many words tells more than prose
_NARRATION = 0.5
_OVERHEAD = 40  # characters that a passage costs beside its own: many small ones are hard to read
_COMMITS = 0.1  # of the budget, for what was committed, however little of it is new
_ROOM = 0.1  # of the first round, for the words of its headings


class Placed(NamedTuple):
    """A passage in the digest: the round it came in with, from 0, and the section it stands in."""

    passage: Passage
    round: int
    section: str


def choose(passages: Sequence[Passage], budget: int, *, reserved: float = 0) -> list[Placed]:
    """Return the passages to keep within `budget` tokens, in the order in which they are written.

    `reserved` is what else the first round has to hold (the files). With a larger budget the digest only grows, from
    the last round that was full; what states a record comes in with the last, if it was not among the best before.
    Below the first round there is nothing to grow from, so what still fits is taken.
    """
    ranked = _with_best_first(passages, _rank(passages))
    placed: list[Placed] = []
    at, used = 0, reserved + min(FIRST, budget) * _ROOM
    if budget < FIRST:
        small = []
        for index in ranked:
            if used + (price := _price(passages[index])) <= budget:
                used += price
                small.append(passages[index])
        return _lay_out(small, 0)
    # What is stated comes in, as long as there is room at all.
    left = _records_that_fit(passages, ranked, budget - used)
    left |= _commits_that_fit(passages, min(budget * _COMMITS, budget - used - sum(left.values())))
    stated_price = sum(left.values())
    limits = _limits(budget)
    for number, limit in enumerate(limits):
        chosen = []
        while at < len(ranked):
            index, price = ranked[at], _price(passages[ranked[at]])
            if used + price > limit or (index not in left and used + price + stated_price > budget):
                break
            stated_price -= left.pop(index, 0)
            used += price
            at += 1
            chosen.append(passages[index])
        if number == len(limits) - 1:
            chosen += [passages[index] for index in left]
        placed += _lay_out(chosen, number)
    return placed


def _records_that_fit(passages: Sequence[Passage], ranked: Iterable[int], room: float) -> dict[int, float]:
    """Return the passages that state a record, with their prices, as many as there is room for; the binding first."""
    stated = [index for index in ranked if passages[index].states in statements.RECORDS]
    prices: dict[int, float] = {}
    for index in sorted(stated, key=lambda index: kinds.priority(passages[index].states)):
        if (price := _price(passages[index])) <= room:
            prices[index] = price
            room -= price
    return prices


def _commits_that_fit(passages: Sequence[Passage], room: float) -> dict[int, float]:
    """Return the last commits with their prices: their words were mostly said before, and here they were done."""
    prices: dict[int, float] = {}
    for index in reversed(range(len(passages))):
        price = _price(passages[index])
        if passages[index].kind == "commit" and price <= room - sum(prices.values()):
            prices[index] = price
    return prices


def _limits(budget: int) -> list[int]:
    """Return where rounds end: doubling up to the budget."""
    limits = []
    limit = FIRST
    while limit < budget:
        limits.append(limit)
        limit *= 2
    return [*limits, budget]


def _lay_out(chosen: Sequence[Passage], number: int) -> list[Placed]:
    if number:
        in_order = sorted(chosen, key=lambda passage: passage.order)
        return [Placed(passage, number, "details") for passage in in_order]
    placed = [Placed(passage, number, section(passage)) for passage in chosen]
    # What one message states stands together, in its order, where the best of it stands.
    first: dict[tuple[str, int], int] = {}
    for place, row in enumerate(placed):
        if row.passage.states:
            first.setdefault((row.section, row.passage.message), place)

    def rank(item: tuple[int, Placed]) -> tuple[int, int, int]:
        place, row = item
        if not row.passage.states:
            return SECTIONS.index(row.section), place, 0
        return SECTIONS.index(row.section), first[row.section, row.passage.message], row.passage.order

    return [row for _, row in sorted(enumerate(placed), key=rank)]


def section(passage: Passage) -> str:
    """Return the section of the digest that a passage belongs to."""
    if _is_left_open(passage):
        return "open items"
    if passage.role == "person":
        return "intent"
    if passage.kind == "commit" or passage.closing == LAST or (passage.closing and passage.place > 1 / 2):
        return "outcome"
    return "friction" if classification.text_kind(passage.text) in ("dead end", "blocker") else "learnt"


def _is_left_open(passage: Passage) -> bool:
    return passage.is_open and bool(passage.closing or passage.role == "person" or passage.kind == "task")


def _states_open(passage: Passage) -> bool:
    """True for what asks or leaves to do in so many words; an offer to go on waits for its turn."""
    return passage.states in kinds.OPEN and not redundancy.asks_how_to_go_on(passage.text)


def _price(passage: Passage) -> float:
    """Return the tokens of a passage as it is written: an item of a list."""
    return tokens.share(f"- {with_path(passage)}\n")


def with_path(passage: Passage) -> str:
    """Return a passage's text, with the whole path of the file that it names where it does not say it itself."""
    return f"{passage.text} ({passage.path})" if passage.path else passage.text


def _with_best_first(passages: Sequence[Passage], ranked: list[int]) -> list[int]:
    """Return the ranking led by the best of each: asked first, said last, asked last without an answer, open."""
    front: list[int] = []
    pools = (_first_request, _last_message, _unanswered, _open_items)
    for pool in (choose_of(passages, ranked) for choose_of in pools):
        front += [index for index in pool if index not in front][:1]
    return [*front, *(index for index in ranked if index not in front)]


def _first_request(passages: Sequence[Passage], ranked: Sequence[int]) -> list[int]:
    asks = [index for index in ranked if passages[index].role == "person"]
    asks = [index for index in asks if terms.is_request(with_path(passages[index]))]
    first = min((passages[index].message for index in asks), default=-1)
    return sorted(index for index in asks if passages[index].message == first)


def _last_message(passages: Sequence[Passage], ranked: Sequence[int]) -> list[int]:
    last = [index for index in ranked if passages[index].closing == LAST]
    return [index for index in last if not passages[index].is_narration] or last


def _unanswered(passages: Sequence[Passage], ranked: Sequence[int]) -> list[int]:
    """Return what a person asked last, where the agent said nothing more, in the order in which they said it."""
    answered = max((passage.message for passage in passages if passage.role == "agent"), default=-1)
    left = [index for index in ranked if passages[index].role == "person" and passages[index].message > answered]
    return sorted(left, key=lambda index: (-passages[index].message, passages[index].order))


def _open_items(passages: Sequence[Passage], ranked: Sequence[int]) -> list[int]:
    left = [index for index in ranked if _is_left_open(passages[index])]
    return sorted(left, key=lambda index: not _states_open(passages[index]))


def _rank(passages: Sequence[Passage]) -> list[int]:
    """Return the indexes of the passages, the most telling first: greedy coverage."""
    spoken = [sorted(terms.terms(with_path(passage))) for passage in passages]
    weights = _weights(passages, spoken)
    worth = [_prior(passage) / (len(with_path(passage)) + _OVERHEAD) for passage in passages]
    covered: set[str] = set()

    def gain(index: int) -> float:
        return worth[index] * sum(weights[term] for term in spoken[index] if term not in covered)

    queue = LazyQueue(((gain(index), index) for index in range(len(passages))), gain)
    ranked: list[int] = []
    for _, index in queue:
        ranked.append(index)
        covered.update(spoken[index])
        queue.change()
    return ranked


def _weights(passages: Sequence[Passage], spoken: Sequence[Iterable[str]]) -> dict[str, float]:
    """Return what each term tells: the logarithm of how often it was said, up to twice where it is not settled.

    Logarithms are rounded, so that machines whose last digits differ choose the same.
    """
    times: dict[str, int] = {}
    unsettled: dict[str, float] = {}
    for passage, own in zip(passages, spoken, strict=True):
        for term in own:
            times[term] = times.get(term, 0) + 1
            unsettled[term] = unsettled.get(term, 0.0) + passage.is_open * passage.place
    return {term: round(math.log1p(count), 9) * (1 + unsettled[term] / count) for term, count in times.items()}


def _prior(passage: Passage) -> float:
    prior = 1 + _LATE * passage.place
    if passage.closing:
        prior *= _CLOSING
    if passage.states:
        prior *= _STATED
    return prior * _NARRATION if passage.is_narration else prior
