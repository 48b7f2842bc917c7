"""The account of a journal: what became of each of its characters when it was slept on.

Owns the runs, and their sums by fate, which make up the whole journal exactly. Refuses to judge: fates are a step's
own, or read off what its commit holds. Pure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.compression import segments
from sleep.compression.contract import DROPPED, MERGED, SHORTENED, WHOLE
from sleep.compression.segments import Span
from sleep.cycle import fate_record
from sleep.cycle.fate_record import FRAME, REFERENCED
from sleep.documents.fates_page import BETWEEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sleep.documents.journal import Journal

WAITING = "waiting"
FATES = (WHOLE, SHORTENED, MERGED, DROPPED, REFERENCED, FRAME, WAITING)
_HUNDREDTHS = 10_000
_NOT_SLEPT = "no cycle has slept on it"


class Run(NamedTuple):
    """A run of a journal: where it stands (`line` from 1), what became of it and why, and the entry that it is of.

    `address` is "" outside entries.
    """

    start: int
    end: int
    line: int
    fate: str
    detail: str
    address: str


class Share(NamedTuple):
    """What one fate makes of a journal: runs, characters, bytes of UTF-8, and hundredths of a percent of characters."""

    fate: str
    runs: int
    characters: int
    bytes: int
    hundredths: int

    @property
    def percent(self) -> float:
        """The percent of the characters; all shares add up to 100 exactly (as decimals)."""
        return self.hundredths / 100


def runs(journal: Journal, spans: Iterable[Span]) -> tuple[Run, ...]:
    """Return the spans as runs of the journal, as `fate_record.runs`, each with its line."""
    result: list[Run] = []
    line, at = 1, 0
    for of, start, end, fate, why in fate_record.runs(journal, spans):
        line += journal.text.count("\n", at, start)
        at = start
        result.append(Run(start, end, line, fate, why, "" if of == BETWEEN else of))
    return tuple(result)


def waiting(journal: Journal) -> tuple[Span, ...]:
    """Return the spans of a journal that no cycle has slept on."""
    entries = [Span(entry.start, entry.end, WAITING, _NOT_SLEPT) for entry in journal.entries]
    return tuple(sorted([*segments.frame(journal.text, journal.entries), *entries]))


def shares(text: str, account_runs: Iterable[Run]) -> tuple[Share, ...]:
    """Return the sums by fate, in the order of `FATES`; characters and bytes add up to the text's, percents to 100.

    Percents are rounded by the largest remainder, so that no hundredth is lost.
    """
    grouped: dict[str, list[Run]] = {}
    for run in account_runs:
        grouped.setdefault(run.fate, []).append(run)
    names = sorted(grouped, key=lambda fate: FATES.index(fate) if fate in FATES else len(FATES))
    sizes = [sum(run.end - run.start for run in grouped[name]) for name in names]
    parts = largest_remainder(sizes, _HUNDREDTHS)
    return tuple(
        Share(
            name,
            len(grouped[name]),
            size,
            sum(len(text[run.start : run.end].encode("utf-8", "surrogateescape")) for run in grouped[name]),
            part,
        )
        for name, size, part in zip(names, sizes, parts, strict=True)
    )


def largest_remainder(sizes: Sequence[int], whole: int) -> list[int]:
    """Return whole numbers in proportion to the sizes that add up to `whole`; zeros where there is nothing."""
    total = sum(sizes)
    if not total:
        return [0] * len(sizes)
    parts = [size * whole // total for size in sizes]
    order = sorted(range(len(sizes)), key=lambda index: (-(sizes[index] * whole % total), index))
    for index in order[: whole - sum(parts)]:
        parts[index] += 1
    return parts
