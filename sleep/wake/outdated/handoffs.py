"""Handoffs: what of earlier instances' words to the next one is over, and what the main page tells already.

Owns which fields of a handoff are a state that the next handoff replaces: what is next, and how it felt. A summary, a
risk and advice stay. Refuses handoffs of documents, which have no such fields. Pure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.documents import main_page

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

HANDOFF, TONE = "handoff", "tone"
_REPLACED = frozenset(("next_priority", "emotional_register"))


def field(text: str) -> str:
    """Return the field of a handoff that a line gives, as the main page calls it; "" for none."""
    label, colon, _ = text.partition(": ")
    name = label.casefold().replace(" ", "_")
    return name if colon and name in main_page.FIELDS else ""


def replaced(lines: Iterable[tuple[int, str, int, str]]) -> set[int]:
    """Return the indexes of lines that a newer handoff, or a newer tone, has replaced.

    `lines` are (index, kind, instance by age, text).
    """
    own = [line for line in lines if line[1] == TONE or (line[1] == HANDOFF and field(line[3]) in _REPLACED)]
    newest = {kind: max(instance for _, other, instance, _ in own if other == kind) for _, kind, _, _ in own}
    return {index for index, kind, instance, _ in own if instance < newest[kind]}


def is_on_page(kind: str, text: str, fields: Collection[str]) -> bool:
    """Return whether a line of the newest handoff is told by the main page, which has these fields."""
    return kind == HANDOFF and field(text) in fields
