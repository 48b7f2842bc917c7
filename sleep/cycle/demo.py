"""The demonstration: this repository's own journals, put through their cycles in a throwaway clone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def run(say: Callable[[str], None], table: Callable[[Sequence[str], Sequence[Sequence[str]]], str], *, keep: bool) -> None:
    """Print the commits, the tiers and the ledger of a wake."""
    say(table(["demo"], [["to be written" if keep else "to be written"]]))
