"""What stands where a compressor's candidates go, of fragments that stand in no page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.compression import extractive
from sleep.compression.contract import Present
from sleep.memory.groups import Groups

if TYPE_CHECKING:
    from sleep.records.fragment import Fragment


def of(*fragments: Fragment) -> Present:
    """Return these as what is present."""
    groups = Groups(extractive.sayings)
    groups.follow("memory/hot/context.md", fragments, (), fragments)
    return Present(groups)
