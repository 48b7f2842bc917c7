"""Prose: the kind of entry that a passage becomes which states nothing.

Owns telling what was learnt, mended and done from the rest. Refuses records: what states one has its kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.journal.capture import deeds, fixes
from sleep.language.acts import statements
from sleep.records import classification
from sleep.records.kinds import ENTRIES

if TYPE_CHECKING:
    from sleep.compression.digest import Placed
    from sleep.compression.passages import Passage

# What the model of speech acts finds in prose is prose of that kind at once: it binds nobody.
INSIGHT = "insight"
# What an agent says of a kind that binds later instances is not its to decree by the way: it is kept as prose.
_LEARNT = frozenset(kind.name for kind in ENTRIES.values() if kind.is_lesson)


def kind(placed: Placed) -> str:
    """Return the kind of entry that a passage becomes which states nothing: no record, whatever its words."""
    passage = placed.passage
    if passage.role == "person" or passage.kind == "plan" or (passage.is_narration and not passage.reports):
        return passage.notices or _aside(passage)
    own = _own_kind(passage)
    if own == fixes.KIND or fixes.is_told(passage.text):
        return fixes.KIND
    if not passage.reports and (passage.notices or own in _LEARNT or statements.tells_cause(passage.text)):
        return passage.notices or INSIGHT
    return "change" if _is_done(placed, own) else "note"


def _aside(passage: Passage) -> str:
    """Return the kind of what reports nothing, a person's prose, a plan, a move: an insight where it tells a cause."""
    is_cause = (
        (passage.role == "person" or passage.kind == "plan")
        and not passage.heading
        and statements.tells_cause(passage.text)
    )
    return INSIGHT if is_cause else "note"


def _own_kind(passage: Passage) -> str:
    """Return the kind that a passage's words and its heading have in a journal written by hand."""
    above = classification.heading_kind(passage.heading) if passage.heading else ""
    return classification.text_kind(passage.text, above)


def _is_done(placed: Placed, own: str) -> bool:
    """True for prose that says what was done, and does not say nothing."""
    return (placed.section == "outcome" or own == "change") and not deeds.says_nothing(placed.passage.text)
