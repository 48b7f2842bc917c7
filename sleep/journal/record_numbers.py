"""Record numbers that a memory has used, by letter: a new one is higher than all of them.

Owns where they are looked for. Refuses to give one away: that is `writer`'s, under the lock.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from sleep.documents import paths, register

if TYPE_CHECKING:
    from sleep.memory.view import View


def used(view: View) -> dict[str, int]:
    """Return the highest record numbers in use, by letter; a document that is as it was is not read through again."""
    folders = ("memory/hot/", paths.WARM, paths.COLD)
    pages = (path for folder in folders for path in view.files(folder))
    highest: dict[str, int] = {}
    for path in (*pages, *view.unslept):
        for letter, number in _numbers_in(view.read(path) or ""):
            highest[letter] = max(number, highest.get(letter, 0))
    return highest


@lru_cache(maxsize=2048)
def _numbers_in(text: str) -> tuple[tuple[str, int], ...]:
    return tuple(register.used_numbers([text]).items())
