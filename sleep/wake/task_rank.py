"""What of a memory is about a task: by its words, by what it names, and by recall's ranking.

Owns asking recall, which candidate tells a row, and the choice of what is about the task within a budget. Refuses to
write an index: it is made in memory of what the wake sees.
"""

from __future__ import annotations

import math
from contextlib import closing
from typing import TYPE_CHECKING

from sleep.documents import paths
from sleep.documents.project import brief_parts
from sleep.language import term_weights
from sleep.records import address as addressing
from sleep.records import kinds
from sleep.wake import quality

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sleep.memory.view import View
    from sleep.recall.passages import PassageLine
    from sleep.records.address import Address
    from sleep.wake.candidates import Candidate, Memory

_TASK = 4.0  # what a line that says all of a task is worth, beside a line of the best quality
_NAMED = 40.0  # and a record, address or topic that it names
_RECALLED = 8.0  # and what recall ranks first for it
_RECORDS = 0.6  # of what is about a task, for records at the most before passages
_ABOUT = 0.35  # of the best line's share of the task, which another needs to be about it
_NEAR = 0.43  # of the best line's share, below which a record comes behind the passages
_BUDGET = 2_000  # tokens of recall's answer
_LEAST = 0.5  # of the best row's score, below which a row is beside the task
_SAME = 0.5  # of the words of a line of a journal, which a row has that it tells
_READ = 2_000  # characters of a task
_K1, _B = 1.2, 0.75  # of BM25: how soon a word said again counts no more, and how much a long text counts less


def ranks(view: View, task: str, candidates: Sequence[Candidate]) -> dict[int, float]:
    """Return by index how near a candidate is to a task, 0 to 1 for the best; nothing where no row has its words."""
    if not task.strip():
        return {}
    # late: a wake without a task asks recall for nothing
    from sleep.recall import search  # noqa: PLC0415
    from sleep.recall.index import access  # noqa: PLC0415

    with closing(access.index_tree(view.tree)) as index:
        result = search.recall(index, task[:_READ], _BUDGET, strict=False, may_list=False)
    rows = [row for passage in result.passages for row in passage.lines if row.score > 0]
    best = max((row.score for row in rows), default=0.0)
    if not best:
        return {}
    near: dict[int, float] = {}
    places = _places(candidates)
    for row in sorted(rows, key=lambda row: -row.score):
        if row.score < _LEAST * best:
            break
        for place in _told_by(row, candidates, places):
            near.setdefault(place, round(row.score / best, 6))
    return near


def _places(candidates: Sequence[Candidate]) -> dict[str, list[int]]:
    """Return the indexes of candidates by their addresses, and of lines of journals by their path."""
    places: dict[str, list[int]] = {}
    for index, candidate in enumerate(candidates):
        keys = [*map(str, candidate.fragment.addresses)]
        for key in keys or [candidate.path]:
            places.setdefault(key, []).append(index)
    return places


def _told_by(row: PassageLine, candidates: Sequence[Candidate], places: dict[str, list[int]]) -> list[int]:
    """Return the candidates that tell a row: its record or fragment, and lines with its words."""
    words = quality.terms(row.text)
    keys = row.addresses or (row.path,)
    matches = []
    for index in dict.fromkeys(index for key in keys for index in places.get(key, ())):
        candidate = candidates[index]
        own = quality.terms(candidate.fragment.text)
        if candidate.phase != "journals" or (own and len(own & words) >= _SAME * len(own)):
            matches.append(index)
    return matches


def choose_for_task(memory: Memory, shares: Sequence[float], budget: float) -> tuple[int, ...]:
    """Return the indexes of what is about a task, best first, within a budget; `shares` are those of the task."""
    best = max((share for share in shares if share < _NAMED), default=0.0)
    least = _ABOUT * min(best, _RECALLED if best >= _RECALLED else _TASK)
    order = sorted(range(len(shares)), key=lambda index: (-shares[index], index))
    about = [index for index in order if shares[index] and shares[index] >= least]
    named = [index for index in about if shares[index] >= _NAMED]
    records = [index for index in about if kinds.is_record(memory.candidates[index].kind)]
    choice = _Choice(memory)
    choice.take(named, budget)
    choice.take(records, min(budget - choice.spent, budget * _RECORDS))
    choice.take(about, budget - choice.spent)
    near = _NEAR * max((share for share in shares if share < _NAMED), default=0.0)
    return tuple(sorted(choice.indexes, key=lambda index: _task_order(memory.candidates[index], shares[index], near)))


class _Choice:
    """What was chosen so far of what is about a task; a record and its line in a journal are not both chosen."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._records: set[Address] = set()
        self.indexes: list[int] = []
        self.spent = 0.0

    def take(self, indexes: Sequence[int], room: float) -> None:
        """Choose what fits of these, the first before the others."""
        for index in indexes:
            candidate = self._memory.candidates[index]
            cost = candidate.cost + self._memory.day_cost
            addresses = candidate.fragment.addresses
            if cost <= room and index not in self.indexes and self._records.isdisjoint(addresses):
                room -= cost
                self.spent += cost
                self.indexes.append(index)
                self._records.update(addresses if kinds.is_record(candidate.kind) else ())


def _task_order(candidate: Candidate, share: float, near: float) -> tuple[bool, bool, int, float]:
    """Return where something about a task stands: what it names first, then records by part, then passages.

    What is not `near` the task, beside what is nearest, comes behind all that is.
    """
    return share < _NAMED, share < near, brief_parts.rank(candidate.kind), -share


def share_of_task(candidates: Sequence[Candidate], task: str, near: Mapping[int, float] | None = None) -> list[float]:
    """Return what share of a task each says, its words weighed by how few say them; what it names is worth most.

    What told only of its own time, long ago, is about a task that names it alone.
    `near` is by index how near recall ranks it, from 0 to 1. The weights of words are those of BM25 (Robertson and
    Zaragoza, 2009) where a word counts once.
    """
    if not task.strip():
        return [0.0] * len(candidates)
    query = sorted(term_weights.terms(task))
    numbers = (number[0] for number in addressing.NUMBER.finditer(task))
    handles = frozenset((*map(str, addressing.addresses(task)), *numbers))
    texts = [_terms(candidate) for candidate in candidates]
    counts = {term: sum(term in own for own in texts) for term in query}
    rarity = {term: math.log(1 + (len(texts) - count + 0.5) / (count + 0.5)) for term, count in counts.items() if count}
    most = sum(rarity[term] for term in sorted(rarity)) or 1.0
    mean = sum(map(len, texts)) / max(1, len(texts)) or 1.0
    shares = []
    near = near or {}
    for index, (candidate, own) in enumerate(zip(candidates, texts, strict=True)):
        length = (1 + _K1) / (1 + _K1 * (1 - _B + _B * len(own) / mean))
        share = sum(rarity[term] for term in sorted(rarity) if term in own) * length
        # Rounded, for a logarithm's last bit is not the same on every machine.
        worth = round(_TASK * share / most + _RECALLED * near.get(index, 0.0), 6) * (not candidate.is_old)
        shares.append(worth + _NAMED * _is_named(candidate, handles))
    return shares


def _is_named(candidate: Candidate, handles: frozenset[str]) -> bool:
    """Return whether a task names something by its number or address."""
    return not handles.isdisjoint((candidate.fragment.number, *map(str, candidate.fragment.addresses)))


def _terms(candidate: Candidate) -> frozenset[str]:
    texts = (
        paths.topic_of(candidate.path).replace("-", " "),
        candidate.fragment.text,
        *(value for _, value in candidate.fragment.fields),
    )
    return frozenset(term for text in texts for term in term_weights.terms(text))
