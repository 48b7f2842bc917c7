"""The record that a person names by its number or its address, and what is said where there is none.

Owns the sentence for each. Refuses to choose: of several with one number the address says which.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.documents import register
from sleep.errors import UsageError
from sleep.language import tokens
from sleep.records import kinds, near_handles

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sleep.documents.register import Record

_SHOWN = 15  # tokens of a record that is told apart from another


def find(registry: Iterable[Record], kind: str, handle: str) -> Record:
    """Return the record of a kind that a person names by its number or its address.

    Raises UsageError where there is none, and where a number names several: with the address of each.
    """
    own = [record for record in registry if record.fragment.stated_kind == kind]
    records = register.named(own, handle)
    if not records:
        hint = f"sleepwake {kinds.ENTRIES[kind].command}.list --all"
        raise UsageError(f"there is no {kind} {handle}{near(own, handle)}", hint=hint)
    if len(records) > 1:
        each = "; ".join(
            f"{record.fragment.identity} {tokens.clip(record.fragment.text, _SHOWN)!r}" for record in records
        )
        addresses = " or ".join(str(record.fragment.identity) for record in records)
        raise UsageError(
            f"{handle.strip()} names {len(records)} records since a merge: {each} (the address is exact)",
            hint=f"the same command with {addresses} in place of {handle.strip()}",
        )
    return records[0]


def near(registry: Iterable[Record], handle: str) -> str:
    """Return in brackets which records a handle may have meant that names none, "" where that cannot be told."""
    return near_handles.meant(handle, (name for record in registry for name in register.handles(record.fragment)))


def refuse_successor(registry: Iterable[Record], record: Record, by: str) -> None:
    """Raise UsageError unless `by` names another record of the same kind, and only one."""
    kind = record.fragment.kind
    others = [other for other in registry if other.fragment.identity != record.fragment.identity]
    if not register.named((other for other in others if other.fragment.kind == kind), by):
        what = (
            f"{by} is that {kind} itself" if register.named([record], by) else f"there is no {kind} {by} to replace it"
        )
        raise UsageError(what, hint=f"sleepwake {kinds.ENTRIES[kind].command}.list --all")
    find(others, kind, by)
