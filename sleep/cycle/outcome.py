"""A decided step as a value, and the rules that the steps share.

Owns the tokens that prose may take. Refuses to read or write
anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.compression import extractive
from sleep.language import tokens
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sleep.compression.contract import Fate
    from sleep.compression.segments import Span
    from sleep.records.fragment import Fragment

# Of what a tier may hold, the share that prose may fill before any has to go: where there is room, nothing makes room.
_FREE = 0.1
STEPS = ("adopt", "seal", "hot to warm", "warm to cold", "journal to hot", "handoff")


class Decided(NamedTuple):
    """A step's outcome: the writes, the sentence, the report, and the figures that the gate and the person see.

    `before` and `after` are tokens in and out; `fates` says what became of each fragment that the step took in hand, by
    which `compressor`, and `spans` accounts for the journal (journal to hot only); `short` says why a ratio was not
    met, or is ""; `passed` are moves that were journaled and cannot be made.
    """

    step: str
    subject: str
    lines: tuple[str, ...]
    writes: dict[str, str | None]
    before: int = 0
    after: int = 0
    ratio: float = 0.0
    spans: tuple[Span, ...] = ()
    short: str = ""
    fates: tuple[Fate, ...] = ()
    compressor: str = extractive.NAME
    passed: tuple[str, ...] = ()


def free(standing: Iterable[Fragment], cap: int, share: int = 0) -> int:
    """Return the tokens that prose may still take in a tier of that cap before any has to go, at least its `share`.

    `standing` is what the tier holds; it is not read to its end where that is clear before.
    """
    left = int(_FREE * cap)
    fragments = iter(standing)
    while left > share and (fragment := next(fragments, None)):
        left -= 0 if fragment.is_record else extractive.cost(fragment)
    return max(share, left)


def prose_budget(before: int, ratio: float, exact: Sequence[Fragment], prose: Sequence[Fragment]) -> int:
    """Return the tokens that prose may take: what records leave of the ratio, but never under its own share.

    Records are kept whole, so many of them would push out every tone and insight; the step then says why the ratio is
    not met.
    """
    left = int(before / ratio) - sum(map(extractive.cost, exact))
    return max(left, int(sum(tokens.count(fragment.text) for fragment in prose) / ratio))
