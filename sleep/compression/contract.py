"""What a step asks of a compressor, and what it gets back.

Owns the values that pass between the cycle and whoever compresses: the extractive compressor, a program, a model.
Refuses to know how it is done. Records that must survive whole never come here; only prose does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.language import salience
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from typing import TypeAlias

    from sleep.language.salience import Worths
    from sleep.memory.groups import Groups
    from sleep.records.address import InstanceId
    from sleep.records.fragment import Fragment

    # It never fails, for the extractive compressor is always there to answer.
    Compressor: TypeAlias = Callable[["Request"], "Answer"]

WHOLE, SHORTENED, MERGED, DROPPED = "kept", "shortened", "merged", "dropped"


class Present(NamedTuple):
    """What the documents hold already, by `extractive.sayings`, but for what an instance said that is slept on again.

    Empty without groups.
    """

    groups: Groups | None = None
    without: InstanceId | None = None

    def has(self, *keys: Hashable, fits: Callable[[Fragment], bool] = lambda _: True) -> bool:
        """Return whether there is a fragment of one of these keys that fits."""
        members = self.groups.members(*keys) if self.groups else ()
        return any(self.without not in fragment.instances and fits(fragment) for fragment in members)


class Request(NamedTuple):
    """What to compress: the step's name and ratio, the fragments in order, the tokens that they may take together.

    `present` is what the documents they go to hold already. Of that, the `standing` ones compete with
    the candidates for `room`, tokens that all of them may take together; a compressor that settles that itself says
    so in its answer, and takes `budget` as no limit. `name_worths` says what names and pairs of names are worth to
    whoever comes next, as `salience` reckons it. `lived` are the instances that spoke for themselves: the others are
    documents that were taken in.
    """

    step: str
    ratio: float
    budget: int
    candidates: tuple[Fragment, ...]
    present: Present = Present()
    standing: tuple[Fragment, ...] = ()
    room: int = 0
    lived: frozenset[InstanceId] = frozenset()
    name_worths: Worths = salience.NOTHING


class Fate(NamedTuple):
    """What became of one fragment: kept, shortened, merged or dropped.

    `after` is the fragment it became, or became part of; None where it was dropped or says what stands there already.
    `detail` says into what, or why; `parts` are the runs (start, end) of its text that were kept.
    """

    before: Fragment
    fate: str
    after: Fragment | None = None
    detail: str = ""
    parts: tuple[tuple[int, int], ...] = ()


class Answer(NamedTuple):
    """What a compressor made of a request: a fate for each candidate in order, who did it, and what went wrong.

    `note` is "" unless another compressor was asked for and its answer was refused. `standing` are the fates of the
    request's standing fragments, of which some make room; None if the compressor left that open.
    """

    fates: tuple[Fate, ...]
    compressor: str
    note: str = ""
    standing: tuple[Fate, ...] | None = None

    @property
    def fragments(self) -> tuple[Fragment, ...]:
        """The fragments that stay, in the order of the candidates they came from, each once."""
        return tuple(dict.fromkeys(fate.after for fate in self.fates if fate.after))
