"""What became of a record, by the events of journals and by what a tier says of it.

Owns which event counts: two branches may each have closed a record, and a sleep then passes one move over; and what a
record says since an event said a field anew. Refuses to read an index.
"""

from __future__ import annotations

from sleep.records.kinds import KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def last_state(kind: str, tier: str, carried: Collection[str], events: Iterable[tuple[str, str]]) -> str:
    """Return what became of a record, in words (`reversed in i9abc.4 (too slow)`), "" where it binds.

    Args:
        kind: the kind of the record.
        tier: what a tier says became of it, "" where it binds there or stands in none.
        carried: the addresses that a tier has of it: those of the events that a sleep carried out.
        events: (address, words) of its events, in order. One that a tier does not have counts if it is a legal move.
    """
    if kind not in KINDS or not KINDS[kind].states:
        return next((words for _, words in reversed([*events])), tier)
    there: list[str] = []
    waiting: list[str] = []
    for address, words in events:
        (there if address in carried else waiting).append(words)
    state = _state(kind, tier if there else "")
    words = next((event for event in reversed(there) if _state(kind, event) == state), tier)
    for event in waiting:
        to = _state(kind, event)
        if to in KINDS[kind].amends:
            continue
        if to not in KINDS[kind].states:  # a verdict
            words = event
        elif any(move.to == to and state in move.origins for move in KINDS[kind].moves):
            state, words = to, event
    return words


def amend(kind: str, text: str, events: Iterable[tuple[str, str]]) -> str:
    """Return the text of a record with each field as it was last said, and where: what is next of a thread.

    Args:
        kind: the kind of the record.
        text: its lines, a field on each but the first.
        events: (address, words) of its events, in order.
    """
    lines = text.split("\n")
    for address, words in events:
        name, _, value = words.partition(f" in {address} (")
        if kind in KINDS and name in KINDS[kind].amends:
            lines = [line for line in lines if not line.lstrip(" -").startswith(f"{name}: ")]
            lines.append(f"  {name}: {value.removesuffix(')')} ({address})")
    return "\n".join(lines)


def _state(kind: str, words: str) -> str:
    """Return the state that words name, that in which a record is born where they are empty, else their first word."""
    return words.split(" ", 1)[0] if words else KINDS[kind].states[0]
