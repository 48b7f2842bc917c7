"""What states a record in a document besides a box and a label of its own: plain words, and the heading above.

Refuses to judge what only sounds like a record: that is `noticed_forms`'.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.language.acts import no_records
from sleep.records import classification
from sleep.records.kinds import OPEN

if TYPE_CHECKING:
    from sleep.documents.hand.heading_entries import Section


def is_plain(kind: str, words: str, heading: str) -> bool:
    """True where the words are form enough: what begins as a rule, a choice told as one, a label and what blocks it."""
    match kind:
        case "constraint":
            return classification.lays_down(words, heading)
        case "decision":
            return classification.decides(words) and not no_records.stands(words)
        case "blocker":
            return classification.is_held_up(words)
        case "dead end":
            return classification.failed(words, heading)
    return False


def is_below(kind: str, above: Section, own: str, words: str) -> bool:
    """True where the heading above gives a piece its kind, or makes a form of what its words say."""
    if "insight" in (above.kind, own) and kind == "constraint":
        return classification.is_rule(words, above.title)
    if kind == "dead end" and {above.kind, own} & {"insight", "decision"}:
        return classification.fails(words)
    if kind == "constraint" and above.kind == "decision":
        return True
    is_open = {kind, above.kind} <= OPEN  # one list holds them all, whichever it is named for
    return (kind == above.kind or is_open) and classification.states(above.kind, above.title)
