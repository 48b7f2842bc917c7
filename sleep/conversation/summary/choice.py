"""What has room: facts of an earlier summary first, then what binds or is open, then what was merely said or printed.

Owns the order of rank. What was kept once gives way only to what binds, was chosen, is open or went wrong, and then
the least of it first; what was merely said never fills the last room, so that later consolidations have some. Where
there is more than room, what says something new comes before what is said all over.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from sleep.conversation.summary import marks, results, sieve, source_text
from sleep.conversation.summary.fact import HIGH, JOINT, KINDS, LONG, PINNED, TOOL, Fact, clipped, unnumbered
from sleep.conversation.summary.sieve import DIGITS, LOWER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_RANK = {kind: 10.0 - number for number, kind in enumerate(KINDS)}
_CLEAR = 1.9  # worth above which a sentence of a high kind is surely one
_SPARED = 0.25  # of the room, left to later consolidations by what was merely said
_CONCESSION = 0.25  # of the room that what was kept before may give way to in one consolidation
INSTRUCTION = "instruction"  # what a tool printed to be obeyed, among what was dropped
_BOUND = 1.0  # what a high kind adds to the worth
_LENGTH = 0.4  # how much length counts against a fact: half a power would favour shreds
_OFTEN = 4  # times; a form that returns as often is a form
_MOST = 2_400  # facts that compete
_KELVIN = "\u212a"  # the only other sign whose small letter is one of ASCII
_JOINT = JOINT.encode("latin-1")
_Form = bytes


class Choice(NamedTuple):
    """What stays, as (kind, text) in the order of the conversation, and how many facts of each kind did not."""

    facts: tuple[tuple[str, str], ...]
    dropped: dict[str, int]
    tokens: int


# A fact, its cost, what it is worth now, and whether it is surely of a high kind.
_Candidate = tuple[Fact, int, float, bool]


def choose(
    old: Sequence[tuple[str, str]],
    new: Iterable[Fact],
    budget: int,
    count: Callable[[str], int],
    verbatim: frozenset[str],
    numbers: Sequence[int] = (),
) -> Choice:
    """Return the facts that fit `budget` tokens; `verbatim` are texts that stand in the summary anyway.

    `numbers` are those of the last message of a person by the index of a turn.
    """
    known = [(kind, text) for kind, text in dict.fromkeys(old) if unnumbered(text) not in verbatim]
    standing = [(number, kind, text, _cost(text, count)) for number, (kind, text) in enumerate(known)]
    fresh = _deduplicate(new, {unnumbered(text) for _, _, text, _ in standing} | verbatim, count)
    dropped: Counter[str] = Counter()
    if len(fresh) > _MOST:  # what is worth little had no chance; of equals the later stays
        fresh.sort(key=lambda candidate: (candidate[2], candidate[0].at))
        dropped.update(fact.kind for fact, *_ in fresh[:-_MOST])
        fresh = fresh[-_MOST:]
    used = sum(cost for *_, cost in standing)
    claim = min(sum([cost for _, cost, _, high in fresh if high]), int(budget * _CONCESSION)) if standing else 0
    if used > budget - claim:
        standing, used = _yield_room(standing, used, budget, claim, dropped)
    free = budget - used
    if sum([cost for _, cost, _, _ in fresh]) > free * (1 - _SPARED):
        fresh = _press(fresh, count, dropped)
    fresh.sort(key=_order)
    picked, rest = _pick(fresh, free, dropped)
    stands = [*((kind, text) for _, kind, text, _ in standing), *_write(picked, numbers)]
    return Choice(tuple(dict.fromkeys(stands)), dict(dropped), budget - rest)


def _pick(fresh: Sequence[_Candidate], free: int, dropped: Counter[str]) -> tuple[list[Fact], int]:
    """Return the facts that have room, in the order given, and the tokens that are left."""
    picked: list[Fact] = []
    spare = free * _SPARED
    speaks = results.instruction_detector([fact.text for fact, *_ in fresh if fact.name])
    for fact, cost, _, high in fresh:
        if fact.name and speaks(fact.text):
            dropped[INSTRUCTION] += 1
        elif fact.kind == TOOL and source_text.is_code(fact.text, JOINT):
            dropped[TOOL] += 1  # the files have it
        elif cost <= free - (0 if high else spare):
            picked.append(fact)
            free -= cost
        else:
            dropped[fact.kind] += 1
    return picked, free


def _order(candidate: _Candidate) -> tuple[bool, float, int, int]:
    """Return the key by which facts are taken: pins, then what is worth most for its length, of equals the later."""
    fact, cost, worth, high = candidate
    worth += _BOUND * high
    return fact.kind != PINNED, -worth / (cost + 8) ** _LENGTH, -fact.at, fact.place


def _deduplicate(new: Iterable[Fact], present: set[str], count: Callable[[str], int]) -> list[_Candidate]:
    """Return each fact once, where it stands first, with the most that it is worth anywhere."""
    first: dict[tuple[str, str], Fact] = {}
    is_named = any(text.startswith("[") for text in present)
    for fact in new:
        _, text, worth, _, _, name, _ = fact
        first_fact = first.setdefault((name, text), fact)
        if first_fact is not fact and worth > first_fact.worth:
            first[name, text] = first_fact._replace(worth=worth, kind=fact.kind)
    out: list[_Candidate] = []
    for (name, text), fact in first.items():
        if not name:
            if text not in present:
                out.append((fact, count(text) + 2, fact.worth, _is_high(fact)))
        elif not is_named or f"[{name}] {text}" not in present:
            out.append((fact, count(text) + 3 + len(name) // 4, fact.worth, _is_high(fact)))
    return out


def _is_high(fact: Fact) -> bool:
    return fact.worth >= _CLEAR and fact.kind in HIGH


def _cost(text: str, count: Callable[[str], int]) -> int:
    return count(text) + 1


def _yield_room(
    standing: list[tuple[int, str, str, int]], used: int, budget: int, claim: int, dropped: Counter[str]
) -> tuple[list[tuple[int, str, str, int]], int]:
    """Return what was kept before, without the least of it, so that there is room for what is wanted now."""
    numbers: set[int] = set()
    for number, kind, _, cost in sorted(standing, key=lambda entry: (_RANK[entry[1]], -entry[0])):
        low = kind not in HIGH
        if used <= budget - claim or (not low and used <= budget):
            break
        numbers.add(number)
        dropped[kind] += 1
        used -= cost
    return [entry for entry in standing if entry[0] not in numbers], used


def _shorter(fact: Fact, cost: int, often: Sequence[int], count: Callable[[str], int]) -> tuple[Fact, int]:
    """Return a fact without lines whose form returns so often, and not longer than others are, and its cost."""
    if fact.kind == TOOL:
        short = _without_forms(fact, often) if often and max(often) >= _OFTEN else fact
    else:
        short = fact if fact.kind == PINNED else fact._replace(text=clipped(fact.text, LONG))
    return (fact, cost) if short is fact else (short, cost + count(short.text) - count(fact.text))


def _press(fresh: list[_Candidate], count: Callable[[str], int], dropped: Counter[str]) -> list[_Candidate]:
    """Return the facts when there are more than room: what repeats a form is worth less, and of results lines go."""
    lines, forms, times = _forms([fact for fact, *_ in fresh])
    joined = "".join([fact.text for fact, *_ in fresh])
    failures = marks.broken() if _KELVIN in joined else sieve.within(marks.broken(), forms)
    out: list[_Candidate] = []
    often: Sequence[int]
    had: Counter[_Form] = Counter()
    for candidate, own in zip(fresh, lines, strict=True):
        fact, cost, worth, high = candidate
        if len(own) == 1:
            often, least = (), times[own[0]]
        else:
            often = [times[line] for line in own]
            least = min(often)
        is_often = least >= _OFTEN and not high
        if is_often:
            form = forms[own[0]]
            if had[form] >= _OFTEN:  # some of them show what the others were like
                dropped[fact.kind] += 1
                continue
            had[form] += 1
        if fact.kind == TOOL:
            worth += results.worth(fact.text, failures)
        if often or len(fact.text) > LONG:
            fact, cost = _shorter(fact, cost, often, count)
        if is_often:
            worth = worth * _OFTEN / (2 * least)
        out.append((fact, cost, worth, high))
    return out


def _without_forms(fact: Fact, often: Sequence[int]) -> Fact:
    """Return what a tool printed without the lines whose form returns so often, or with one of them."""
    pieces = fact.text.split(JOINT)
    rare = [piece for piece, number in zip(pieces, often, strict=False) if number < _OFTEN]
    kind, _, worth, at, place, name, end = fact
    return Fact(kind, JOINT.join(rare or (pieces[-1:] if end else pieces[:1])), worth, at, place, name, end)


def _forms(facts: Sequence[Fact]) -> tuple[list[list[bytes]], dict[bytes, _Form], dict[bytes, int]]:
    """Return the lines of facts without their digits, what form each line has, and how often that form is there.

    A form is how a line begins and ends: what one that is filled in again and again has in common. Only results have
    more than one line.
    """
    joined = "\n".join([fact.text for fact in facts])
    bare = joined.encode("latin-1", "replace").translate(LOWER, DIGITS).split(b"\n")
    lines = [whole.split(_JOINT) if fact.kind == TOOL else [whole] for fact, whole in zip(facts, bare, strict=True)]
    there = Counter(chain.from_iterable(lines))
    forms = {line: line[:18] + line[-12:] for line in there}
    times: Counter[_Form] = Counter()
    for line, number in there.items():
        times[forms[line]] += number
    return lines, forms, {line: times[form] for line, form in forms.items()}


def _write(facts: list[Fact], numbers: Sequence[int]) -> list[tuple[str, str]]:
    """Return facts as they are written, in order and with their number; head and end of one result are one."""
    facts.sort(key=lambda fact: (fact.at, fact.place))
    lines: list[tuple[str, str]] = []
    head: Fact | None = None
    for fact in facts:
        if fact.kind != TOOL:
            number = numbers[fact.at] if 0 <= fact.at < len(numbers) and fact.kind != PINNED else 0
            text = f"[{fact.name}] {fact.text}" if fact.name else fact.text
            lines.append((fact.kind, f"{text} @{number}" if number > 1 else text))
            continue
        same = head is not None and head.part == fact.part
        text = f"… {fact.text}" if fact.end else fact.text
        if fact.end and same:
            index = next(number for number in range(len(lines) - 1, -1, -1) if lines[number][0] == TOOL)
            lines[index] = (TOOL, f"{lines[index][1]} {text}")
        else:
            lines.append((TOOL, f"[{fact.name}] {text}"))
        head = fact
    return lines
