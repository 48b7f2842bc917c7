"""The records of a memory as values, for a harness that has labels of its own.

Owns what such a harness is told of a record. Refuses to score.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from sleep.documents import paths
from sleep.language.acts import reasons
from sleep.memory import noticed
from sleep.records import headline
from sleep.records.fragment import SOURCE
from sleep.records.kinds import key

if TYPE_CHECKING:
    from sleep.memory.view import View
    from sleep.records.fragment import Fragment


def records(view: View) -> list[dict[str, str | None]]:
    """Return the records (kind, text, details, why, state, standing, source), in the order in which they were said.

    `text` is what is stated, without the label before it, `details` what stands below it. Those that were only noticed
    come last, and have no state: of what waits for a word, and of what warm memory tells as noticed since it waits no
    more, the likeliest two of each journal.
    """
    by_age = attrgetter("identity")
    stated = sorted((record.fragment for record in view.records.values()), key=by_age)
    waiting = {record.fragment.identity: record.fragment for record in noticed.waiting(view)}
    warm = {fragment.identity: fragment for _, fragment in view.placed(paths.WARM) if fragment.is_asked}
    left = warm | waiting
    likely = noticed.likeliest(left.values())
    asked = sorted((fragment for fragment in left.values() if fragment.identity in likely), key=by_age)
    return [_record(fragment) for fragment in (*stated, *asked)]


def _record(fragment: Fragment) -> dict[str, str | None]:
    text, rest = headline.parted(fragment.stated_kind, fragment.text)
    return {
        "kind": key(fragment.stated_kind),
        "text": text,
        "details": rest or None,
        "why": fragment.field("why") or reasons.find(text) or None,
        "state": fragment.state or None,
        "standing": fragment.standing,
        "source": fragment.field(SOURCE) or None,
    }
