"""Reading the options of a task without Invoke, which costs 60 ms: only what leaves no doubt, all else is left to it.

Owns what a plain reading is. Refuses help, slips, further tasks, and an option that is said twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep import options
from sleep.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from sleep.options import Option

    T = TypeVar("T")


def read(typed: Sequence[str], table: Sequence[Option], task: str, asked: Callable[..., T]) -> T | None:
    """Return `asked` of what the words say, by the names of options; None where they want more than a plain reading."""
    try:
        words = list(options.parse(typed, table, task))
    except UsageError:
        return None
    names = [word.name for word in words]
    if "" in names or len(set(names)) < len(names) or any(word.value.startswith("-") for word in words):
        return None
    valued = {option.name for option in table if option.is_valued}
    return asked(**{word.name.replace("-", "_"): word.value if word.name in valued else True for word in words})
