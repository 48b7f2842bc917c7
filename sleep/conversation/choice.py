"""What has room: facts of an earlier summary first, then what binds or is open, then what was merely said or printed.

Owns the order of rank. What was kept once gives way only to what binds, was chosen, is open or went wrong, and then
the least of it first; what was merely said never fills the last room, so that later consolidations have some. Where
there is more than room, what says something new comes before what is said all over.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from sleep.conversation import marks, results
from sleep.conversation.fact import JOINT, PART, Fact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_RANK = {kind: 10.0 - number for number, kind in enumerate(marks.KINDS)}
_CLEAR = 1.9  # worth above which a sentence of a high kind is surely one
_SPARED = 0.25  # of the room, left to later consolidations by what was merely said
_GIVEN = 0.25  # of the room that what was kept before may give way to in one consolidation
INSTRUCTION = "instruction"  # what a tool printed to be obeyed, among what was dropped
_BOUND = 1.0  # what a high kind adds to the worth
_LENGTH = 0.4  # how much length counts against a fact: half a power would favour shreds
_OFTEN = 4  # times; a form that returns as often is a form
_MOST = 2_400  # facts that compete
_LOWER = bytes(range(256)).lower()


_JOINT = JOINT.encode("latin-1")
_Form = bytes


class Choice(NamedTuple):
    """What stays, as (kind, text) in the order of the conversation, and how many facts of each kind did not."""

    facts: tuple[tuple[str, str], ...]
    dropped: dict[str, int]
    tokens: int


class _One(NamedTuple):
    fact: Fact
    cost: int
    worth: float


def choose(
    old: Sequence[tuple[str, str]], new: Iterable[Fact], budget: int, count: Callable[[str], int], said: frozenset[str]
) -> Choice:
    """Return the facts that fit `budget` tokens; `said` are texts that stand in the summary anyway."""
    kept = [(number, kind, text, _cost(text, count)) for number, (kind, text) in enumerate(dict.fromkeys(old))]
    fresh = _distinct(new, {text for _, _, text, _ in kept} | said, count)
    dropped: Counter[str] = Counter()
    if len(fresh) > _MOST:  # what is worth little had no chance; of equals the later stays
        fresh.sort(key=lambda one: (one.worth, one.fact.at))
        dropped.update(one.fact.kind for one in fresh[:-_MOST])
        fresh = fresh[-_MOST:]
    used = sum(cost for *_, cost in kept)
    high = [one for one in fresh if _is_high(one)]
    wanted = min(sum(one.cost for one in high), int(budget * _GIVEN)) if kept else 0
    if used > budget - wanted:
        kept, used = _yielded(kept, used, budget, wanted, dropped)
    free = budget - used
    chosen: list[Fact] = []
    if sum(one.cost for one in fresh) > free * (1 - _SPARED):
        fresh = _pressed(fresh, count, dropped)
    fresh.sort(key=_order)
    spare = free * _SPARED
    for one in fresh:
        if one.fact.name and results.speaks(one.fact.text):
            dropped[INSTRUCTION] += 1
        elif one.cost <= free - (0 if _is_high(one) else spare):
            chosen.append(one.fact)
            free -= one.cost
        else:
            dropped[one.fact.kind] += 1
    stands = [*((kind, text) for _, kind, text, _ in kept), *_written(chosen)]
    return Choice(tuple(dict.fromkeys(stands)), dict(dropped), budget - free)


def _is_high(one: _One) -> bool:
    return one.fact.kind in marks.HIGH and one.worth >= _CLEAR


def _order(one: _One) -> tuple[bool, float, int, int]:
    """Return the key by which facts are taken: pins, then what is worth most for its length."""
    worth = one.worth + _BOUND * _is_high(one)
    return one.fact.kind != marks.PINNED, -worth / (one.cost + 8) ** _LENGTH, one.fact.at, one.fact.place


def _distinct(new: Iterable[Fact], seen: set[str], count: Callable[[str], int]) -> list[_One]:
    """Return each fact once, where it stands first, with the most that it is worth anywhere."""
    first: dict[tuple[str, str], Fact] = {}
    for fact in new:
        key = (fact.name, fact.text)
        known = first.get(key)
        if known is None:
            whole = f"[{fact.name}] {fact.text}" if fact.name else fact.text
            if whole not in seen:
                first[key] = fact
        elif fact.worth > known.worth:
            first[key] = known._replace(worth=fact.worth, kind=fact.kind)
    return [
        _One(fact, _cost(fact.text, count) + len(fact.name) // 4 + 2 * bool(fact.name), fact.worth)
        for fact in first.values()
    ]


def _cost(text: str, count: Callable[[str], int]) -> int:
    return count(text) + 1


def _yielded(
    kept: list[tuple[int, str, str, int]], used: int, budget: int, wanted: int, dropped: Counter[str]
) -> tuple[list[tuple[int, str, str, int]], int]:
    """Return what was kept before, without the least of it, so that there is room for what is wanted now."""
    gone: set[int] = set()
    for number, kind, _, cost in sorted(kept, key=lambda one: (_RANK[one[1]], -one[0])):
        low = kind not in marks.HIGH
        if used <= budget - wanted or (not low and used <= budget):
            break
        gone.add(number)
        dropped[kind] += 1
        used -= cost
    return [one for one in kept if one[0] not in gone], used


def _pressed(fresh: list[_One], count: Callable[[str], int], dropped: Counter[str]) -> list[_One]:
    """Return the facts when there are more than room: what repeats a form is worth less, and of results lines go."""
    shapes = [_forms(one.fact) for one in fresh]
    times = Counter(chain.from_iterable(shapes))
    out = []
    had: Counter[_Form] = Counter()
    for one, own in zip(fresh, shapes, strict=True):
        fact, cost, worth = one.fact, one.cost, one.worth
        often = [times[form] for form in own]
        least = min(often)
        if fact.kind == marks.TOOL:
            worth += results.worth(fact.text)
            if len(own) > 1 and max(often) >= _OFTEN:
                pieces = fact.text.split(JOINT)
                rare = [piece for piece, number in zip(pieces, often, strict=False) if number < _OFTEN]
                left = rare or (pieces[-1:] if fact.end else pieces[:1])
                fact = fact._replace(text=JOINT.join(left))
                cost = one.cost - count(one.fact.text) + count(fact.text)
        if least < _OFTEN or _is_high(one):
            out.append(_One(fact, cost, worth))
        elif had[own[0]] < _OFTEN:  # some of them show what the others were like
            had[own[0]] += 1
            out.append(_One(fact, cost, worth * _OFTEN / (2 * least)))
        else:
            dropped[fact.kind] += 1
    return out


def _forms(fact: Fact) -> list[_Form]:
    """Return how a fact, and of a result each line, begins and ends without its digits.

    That is what a form that is filled in again and again has in common.
    """
    bare = fact.text.encode("latin-1", "replace").translate(_LOWER, b"0123456789")
    if fact.kind != marks.TOOL:
        return [bare[:18] + bare[-12:]]
    return [piece[:18] + piece[-12:] for piece in bare.split(_JOINT)]


def _written(chosen: list[Fact]) -> list[tuple[str, str]]:
    """Return facts as they are written, in order; the head and the end of one result are one."""
    chosen.sort(key=lambda fact: (fact.at, fact.place))
    written: list[tuple[str, str]] = []
    head: Fact | None = None
    for fact in chosen:
        if fact.kind != marks.TOOL:
            written.append((fact.kind, f"[{fact.name}] {fact.text}" if fact.name else fact.text))
            continue
        same = head is not None and (head.at, head.place >> PART) == (fact.at, fact.place >> PART)
        text = f"… {fact.text}" if fact.end else fact.text
        if fact.end and same:
            index = next(number for number in range(len(written) - 1, -1, -1) if written[number][0] == marks.TOOL)
            written[index] = (marks.TOOL, f"{written[index][1]} {text}")
        else:
            written.append((marks.TOOL, f"[{fact.name}] {text}"))
        head = fact
    return written
