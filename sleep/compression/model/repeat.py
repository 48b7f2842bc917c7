"""A compressor that says again what was committed: for a rebuild, and for a sleep that goes on after a crash.

What a model wrote cannot be made again, and must not be asked for again in silence. Owns taking a step's outcome from
what it left in the documents. Refuses words made of fragments that are not in the request; what the outcome does not
answer for is left to the extractive compressor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.compression import extractive
from sleep.compression.contract import DROPPED, SHORTENED, WHOLE, Answer, Fate
from sleep.compression.model import reply

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sleep.compression.contract import Request
    from sleep.records.fragment import Fragment


class Recorded:
    """A `Compressor` whose answers stand in the documents.

    Args:
        name: who compressed, as the commit says.
        outcome: the fragments that the step left in its tier.
        seen: the fragments that it had in hand, so that one without a trace was left out; None: whatever is asked.
        gone: the fragments that stood in the tier and do not any more, for they made room or were shortened.
    """

    def __init__(
        self,
        name: str,
        outcome: Iterable[Fragment],
        seen: frozenset[Fragment] | None = None,
        gone: frozenset[Fragment] = frozenset(),
    ) -> None:
        self.name = name
        self._outcome = tuple(outcome)
        self._seen = seen
        self._gone = gone

    def __call__(self, request: Request) -> Answer:
        """Return what the outcome says of the request's candidates."""
        candidates = request.candidates
        standing = tuple(map(self._stood, request.standing))
        there = {address for fragment in candidates for address in fragment.addresses}
        come = [fragment for fragment in self._outcome if there.issuperset(fragment.addresses)]
        pairs = reply.pair(candidates, come)
        fates = reply.fates(candidates, come, pairs, self.name)
        unknown = [index for index, into in enumerate(pairs) if into is None and self._is_unseen(candidates[index])]
        if not unknown:
            return Answer(fates, self.name, standing=standing)
        if len(unknown) == len(candidates):
            return extractive.compress(request)
        used = _cost_of_used(come, pairs)
        rest = tuple(candidates[index] for index in unknown)
        budget = max(0, request.budget - used)
        answer = extractive.compress(request._replace(candidates=rest, budget=budget, standing=(), room=0))
        fresh = dict(zip(unknown, answer.fates, strict=True))
        fates = tuple(fresh.get(index, fate) for index, fate in enumerate(fates))
        name = self.name if answer.compressor in self.name else f"{self.name} + {answer.compressor}"
        return Answer(fates, name if used else answer.compressor, standing=standing)

    def _is_unseen(self, fragment: Fragment) -> bool:
        return self._seen is not None and fragment not in self._seen

    def _stood(self, fragment: Fragment) -> Fate:
        if fragment not in self._gone:
            return Fate(fragment, WHOLE, fragment)
        after = next((fragment_ for fragment_ in self._outcome if fragment_.addresses == fragment.addresses), None)
        return Fate(fragment, SHORTENED, after) if after else Fate(fragment, DROPPED, None, extractive.MADE_ROOM)


def _cost_of_used(come: Sequence[Fragment], pairs: Iterable[int | None]) -> int:
    """Return the tokens of the fragments that something went into."""
    return sum(extractive.cost(come[index]) for index in {into for into in pairs if into is not None})
