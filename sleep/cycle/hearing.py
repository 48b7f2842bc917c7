"""What a memory has been speaking of lately, and so what whoever comes next is likely to look for.

Owns reading it from a view: the last instances in their journals, those before in what is left of them in the tiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.compression import salience
from sleep.errors import DocumentError
from sleep.memory import address as addressing
from sleep.memory import paths

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sleep.cycle.view import View
    from sleep.memory.address import InstanceId
    from sleep.memory.fragment import Fragment


_READ = 3  # journals: to read more of them costs time, and the tiers tell nearly as well


def lately(view: View, instance: InstanceId) -> dict[str, float]:
    """Return what names and pairs of names are worth after an instance: what a step of its sleep goes by."""
    journals = [path for path in view.journals if (paths.journal_number(path) or 0) <= instance.number]
    return heard(view, journals[-_READ:], view.placed("memory/hot/", paths.WARM))


def heard(view: View, journals: Iterable[str], placed: Iterable[tuple[str, Fragment]]) -> dict[str, float]:
    """Return what each name and pair of names is worth; see `salience.heard`.

    Args:
        view: the memory.
        journals: the paths of the journals that are read themselves.
        placed: fragments of the tiers, which tell of the other instances.
    """
    spoken = {number: list(_lines(view, path)) for path in journals if (number := paths.journal_number(path))}
    read = frozenset(spoken)
    for _, one in placed:
        for number in sorted({address.number for address in one.addresses} - read):
            spoken.setdefault(number, []).append(one.text)
    return salience.heard([spoken[number] for number in sorted(spoken, reverse=True)])


def _lines(view: View, path: str) -> Iterator[str]:
    try:
        start = view.journal(path).body
    except DocumentError:
        start = 0
    for line in (view.read(path) or "")[start:].split("\n"):
        if line.strip():
            yield addressing.MARK.sub("", line).strip()
