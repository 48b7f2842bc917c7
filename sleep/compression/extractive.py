"""The deterministic compressor: whole fragments, chosen by kind and by how much they say for their length.

Owns the choice. Takes fragments and a budget, returns what is kept, merged and dropped; writes no word of its own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.compression.contract import DROPPED, KEPT, MERGED, Answer, Fate
from sleep.memory.fragment import Fragment, render
from sleep.memory.kinds import priority
from sleep.text import tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.compression.contract import Request

NAME = "extractive/1"
_TELLING = re.compile(
    r"`[^`\n]{2,60}`|(?:[\w.-]+/)+[\w.-]+|\b[a-z]+[A-Z]\w+|\b\w+_\w+\b|#\d{1,6}\b|\bv?\d+(?:\.\d+)+\b|"
    r"\b[0-9a-f]{7,40}\b|\b[A-Z][a-z]+(?: [A-Z][a-z]+)*|\b[A-Z]{2,}[A-Z0-9-]*\b|\b\d+\b"
)
_NORMAL = re.compile(r"[\W_]+")
_OVERHEAD = 15


class Choice(NamedTuple):
    """What became of the candidates, by their index: kept (in order), merged (into which index), dropped (why)."""

    kept: tuple[int, ...]
    merged: dict[int, int]
    dropped: dict[int, str]


def cost(fragment: Fragment) -> int:
    """Return the tokens of a fragment as it is written in a tier."""
    return tokens.count(render(fragment))


def salience(fragment: Fragment) -> float:
    """Return how much a fragment says for its length: distinct names, paths, numbers and ids by characters."""
    telling = {found.casefold() for found in _TELLING.findall(fragment.text)}
    return len(telling) / (_OVERHEAD + len(fragment.text))


def normal(text: str) -> str:
    """Return a text's words alone, folded: two fragments with the same are one."""
    return _NORMAL.sub(" ", text.casefold()).strip()


def choose(candidates: Sequence[Fragment], budget: int, *, present: frozenset[str] = frozenset()) -> Choice:
    """Choose the fragments to keep within `budget` tokens.

    Equal texts merge into the first; what is `present` already (normal texts) is merged with what stands there
    (index -1). Then by kind's priority, by salience, by order, whatever still fits.
    """
    first: dict[str, int] = {}
    merged: dict[int, int] = {}
    for index, fragment in enumerate(candidates):
        text = normal(fragment.text) or fragment.text
        if text in present:
            merged[index] = -1
        elif text in first:
            merged[index] = first[text]
        else:
            first[text] = index
    order = sorted(
        first.values(), key=lambda index: (priority(candidates[index].kind), -salience(candidates[index]), index)
    )
    kept: list[int] = []
    dropped: dict[int, str] = {}
    left = budget
    for index in order:
        price = cost(candidates[index])
        if price <= left:
            kept.append(index)
            left -= price
        else:
            dropped[index] = "over the budget"
    merged = {index: into for index, into in merged.items() if into not in dropped}
    for index, fragment in enumerate(candidates):
        if index not in merged and index not in dropped and first.get(normal(fragment.text) or fragment.text) != index:
            dropped[index] = "over the budget, as the one it repeats"
    return Choice(tuple(sorted(kept)), merged, dropped)


def compress(request: Request) -> Answer:
    """Return the fragments of a request that fit its budget; see `contract.Compressor`."""
    candidates = request.candidates
    choice = choose(candidates, request.budget, present=frozenset(normal(one.text) for one in request.present))
    kept = {index: candidates[index] for index in choice.kept}
    for index, into in choice.merged.items():
        if into in kept:
            kept[into] = with_addresses(kept[into], candidates[index])
    fates = [_fate(index, candidates, kept, choice) for index in range(len(candidates))]
    return Answer(tuple(fates), NAME)


def _fate(index: int, candidates: Sequence[Fragment], kept: dict[int, Fragment], choice: Choice) -> Fate:
    one = candidates[index]
    if index in kept:
        return Fate(one, KEPT, kept[index])
    into = choice.merged.get(index)
    if into is None:
        return Fate(one, DROPPED, None, choice.dropped[index])
    if into < 0:
        return Fate(one, MERGED, None, "what stands there already")
    return Fate(one, MERGED, kept[into], str(candidates[into].identity))


def with_addresses(fragment: Fragment, other: Fragment) -> Fragment:
    """Return a fragment with another's addresses added."""
    return fragment._replace(addresses=tuple(dict.fromkeys((*fragment.addresses, *other.addresses))))
