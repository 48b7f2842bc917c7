"""What an instance handed over in its own words, as fields of the main page, each with the address that says it.

Owns reading it from handoff entries, also what one of them announces as next. Refuses to derive a field that nobody
said: that is `cycle.handoff`'s. Pure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.documents import register
from sleep.language import sentences, tokens
from sleep.records import classification
from sleep.records.fragment import flat

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sleep.documents.entries import Entry

KIND = "handoff"
_WORDS, _FIELD = 1_000, 90  # tokens of its words at the most: half of the main page; and of a field


def fields(entries: Iterable[Entry]) -> dict[str, str]:
    """Return the fields that handoff entries say, of two that say one the last; nothing without such an entry."""
    rows: dict[str, str] = {}
    own = ""
    for entry in entries:
        if entry.kind == KIND:
            if announced := _announced(register.whole(entry)):
                rows["next_priority"] = f"{_clipped(announced)} [{entry.address}]"
            for name, value in entry.fields:
                rows[name.replace(" ", "_")] = f"{_clipped(value)} [{entry.address}]"
            words = tokens.clip(register.whole(entry), _WORDS)
            own = f"{words} [{entry.address}]" if words else own
    if own:
        rows["for_my_successor"] = "; ".join(filter(None, (rows.get("for_my_successor"), own)))
    return rows


def _clipped(text: str) -> str:
    return tokens.clip(flat(text), _FIELD)


def _announced(words: str) -> str:
    """Return what a handoff says is next in its own words (`Next: race four processes.`), "" where it says nothing."""
    tasks = (part for part in sentences.split(words) if classification.label_kind(part) == "task")
    return classification.without_label(next(tasks, "")).rstrip(".")
