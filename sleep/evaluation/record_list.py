"""The records of a memory as values, for a harness that has labels of its own.

Owns what such a harness is told of a record. Refuses to score.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from sleep.documents import paths
from sleep.memory import noticed
from sleep.records.fragment import SOURCE
from sleep.records.kinds import key

if TYPE_CHECKING:
    from sleep.memory.view import View
    from sleep.records.fragment import Fragment

_MOST = 2  # noticed records for each journal


def records(view: View) -> list[dict[str, str | None]]:
    """Return the records (kind, text, why, state, standing, source), in the order in which they were said.

    Those that were only noticed come last, and have no state: what waits for a word, and of what waits no more what
    warm memory still tells as noticed, the newest; not more than two for each journal.
    """
    by_age = attrgetter("identity")
    stated = sorted((record.fragment for record in view.records.values()), key=by_age)
    waiting = [record.fragment for record in noticed.waiting(view)]
    there = {fragment.identity for fragment in waiting}
    warm = (fragment for _, fragment in view.placed(paths.WARM) if fragment.is_noticed)
    older = sorted((fragment for fragment in warm if fragment.identity not in there), key=by_age, reverse=True)
    left = [*waiting, *older][: _MOST * len(view.journals)]
    return [_record(fragment) for fragment in (*stated, *sorted(left, key=by_age))]


def _record(fragment: Fragment) -> dict[str, str | None]:
    return {
        "kind": key(fragment.stated_kind),
        "text": fragment.text,
        "why": fragment.field("why") or None,
        "state": fragment.state or None,
        "standing": fragment.standing,
        "source": fragment.field(SOURCE) or None,
    }
