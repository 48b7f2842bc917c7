"""Handoffs: what of earlier instances' words to the next one is over, and what the main page tells already.

Owns which fields of a handoff are a state that the next handoff replaces: what is next, and how it felt. A summary, a
risk and advice stay. Where nearly every log that was taken in says what is next, that is its handoff: what an older
one says was so in its time. Refuses to end what is next in logs that say it now and then, for those lists are of
different work. Pure.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.documents import main_page
from sleep.language import dates
from sleep.language.acts import kind_names
from sleep.language.acts.forms import form

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from sleep.records.address import Address
    from sleep.wake.outdated.expiry import Item
    from sleep.wake.quality import SourceLine

HANDOFF, TONE = "handoff", "tone"
_DERIVED = re.compile(r"(.*?) \[(\w+\.\d+)\](?:; .*)? \(derived\)", re.DOTALL)  # a field that was made of an entry
_OWN = re.compile(r"([^;].*?) \[(\w+\.\d+)\](?! \(derived\))(?:; |$)", re.DOTALL)  # an entry's own words
_BEGINNING = 60  # characters by which the words of an entry are known
_DERIVING = frozenset(("change", "fix", "insight", "note", TONE))  # kinds of which a field is made of nobody's saying
_REPLACED = frozenset(("next_priority", "emotional_register"))
_LOGS, _NEARLY_ALL = 3, 0.75  # logs that say what is next at least, and their share of all
_LABEL = re.compile(r"[^:：\n]{1,40}(?=[:：])")


def field(text: str) -> str:
    """Return the field of a handoff that a line gives, as the main page calls it; "" for none."""
    label, colon, _ = text.partition(": ")
    name = label.casefold().replace(" ", "_")
    return name if colon and name in main_page.FIELDS else ""


def replaced(items: Mapping[int, Item]) -> set[int]:
    """Return the indexes of items that a newer handoff, or a newer tone, has replaced."""
    own = {index: item for index, item in items.items() if _is_state(item)}
    newest: dict[str, int] = {}
    for item in own.values():
        newest[item.kind] = max(newest.get(item.kind, 0), item.line.instance)
    return {index for index, item in own.items() if item.line.instance < newest[item.kind]}


def _is_state(item: Item) -> bool:
    return item.kind == TONE or (item.kind == HANDOFF and field(item.line.text) in _REPLACED)


def older_plans(lines: Sequence[SourceLine], ages: Sequence[Collection[int]], logs: Mapping[int, str]) -> set[int]:
    """Return the indexes of lines that say what is next in logs before the newest that does, if nearly all do.

    Args:
        lines: the lines.
        ages: of each line the instances, by age, that say it.
        logs: the days of the instances, by age, that documents were taken in as: an older log may come in later.
    """
    plans = {index: own for index, own in enumerate(ages) if not logs.keys().isdisjoint(own) and _is_plan(lines[index])}
    planning = logs.keys() & {age for own in plans.values() for age in own}
    if len(planning) < max(_LOGS, len(logs) * _NEARLY_ALL):
        return set()
    newest = max(planning, key=lambda age: (dates.order(logs[age]), age))
    return {index for index, own in plans.items() if newest not in own}


def _is_plan(line: SourceLine) -> bool:
    """True for a line below a heading, in a list or behind a label that says that it is what comes next."""
    label = _LABEL.match(line.text)
    names = (line.heading, line.about, label[0] if label else "")
    return any(form("headings.next").search(kind_names.trimmed(name)) for name in names if name)


def on_page(fields: Mapping[str, str], last: Address | None) -> Callable[[Collection[Address], str, str], bool]:
    """Return what tells by addresses, kind and text whether the main page, which has these fields, tells a line.

    It does a line of the newest handoff, whose address is `last`, what a field quotes of one, and what was done that a
    field was derived from.
    """
    own = {match[2]: match[1] for value in fields.values() for match in _OWN.finditer(value)}
    derived = {match[2]: match[1].replace("**", "") for match in map(_DERIVED.fullmatch, fields.values()) if match}

    def is_told(addresses: Collection[Address], kind: str, text: str) -> bool:
        spoken = text.partition("; ")[0].rstrip(" .…")  # without fields
        wordings = [words for words in (spoken, spoken.partition(": ")[2]) if words]
        if kind == HANDOFF:
            is_field = last in addresses and field(text) in fields
            values = [own.get(str(address), "") for address in addresses]
            return is_field or any(words[:_BEGINNING] in value for value in values for words in wordings)
        values = [derived[str(address)] for address in addresses if str(address) in derived]
        return kind in _DERIVING and any(main_page.quotes(value, words) for value in values for words in wordings)

    return is_told
