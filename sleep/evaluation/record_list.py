"""The records of a memory as values, for a harness that has labels of its own.

Owns what such a harness is told of a record. Refuses to score.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.memory import noticed
from sleep.records.fragment import SOURCE
from sleep.records.kinds import key

if TYPE_CHECKING:
    from sleep.memory.view import View
    from sleep.records.fragment import Fragment


def records(view: View) -> list[dict[str, str | None]]:
    """Return the records (kind, text, why, state, standing, source), in the order in which they were said.

    Those that were only noticed come last, and have no state.
    """
    stated = sorted((record.fragment for record in view.records.values()), key=lambda fragment: fragment.identity)
    waiting = sorted((record.fragment for record in noticed.waiting(view)), key=lambda fragment: fragment.identity)
    return [_record(fragment) for fragment in (*stated, *waiting)]


def _record(fragment: Fragment) -> dict[str, str | None]:
    return {
        "kind": key(fragment.stated_kind),
        "text": fragment.text,
        "why": fragment.field("why") or None,
        "state": fragment.state or None,
        "standing": fragment.standing,
        "source": fragment.field(SOURCE) or None,
    }
