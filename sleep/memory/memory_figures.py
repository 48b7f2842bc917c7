"""What a memory holds, in figures: its tiers, and the journals that no cycle has slept on.

Owns counting both, for the screen of a person, the statistics and the dashboard. Refuses to fail for a journal that
cannot be read: its error is returned beside the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sleep.documents import paths
from sleep.errors import DocumentError
from sleep.language import tokens

if TYPE_CHECKING:
    from sleep.memory.view import View


class TierSize(NamedTuple):
    """What a tier holds now."""

    tier: str
    files: int
    fragments: int
    tokens: int


class WaitingJournal(NamedTuple):
    """A journal that no cycle has slept on: its instance's number, its entries, whether more may come, its path."""

    number: int
    entries: int
    is_open: bool
    path: str


class WaitingJournals(NamedTuple):
    """The journals that no cycle has slept on, and why others of them cannot be read."""

    journals: tuple[WaitingJournal, ...]
    errors: tuple[DocumentError, ...]


def tier_size(view: View, name: str) -> TierSize:
    """Return what a tier holds."""
    there = view.files(f"{paths.MEMORY}{name}/")
    fragments = sum(len(view.tier(path).fragments) for path in there)
    return TierSize(name, len(there), fragments, sum(tokens.count(view.read(path) or "") for path in there))


def waiting_journals(view: View) -> WaitingJournals:
    """Return the journals that no cycle has slept on, the oldest first."""
    journals, errors = [], []
    for path in view.unslept:
        try:
            current = view.journal(path)
        except DocumentError as error:
            errors.append(error)
            continue
        journals.append(WaitingJournal(current.instance.number, len(current.entries), not current.sealed, path))
    return WaitingJournals(tuple(journals), tuple(errors))
