"""What each idea of the engine is worth: the same evaluation without it.

Owns taking an idea away. The engine names its ideas in `extractive.IDEAS` and is told which to do without; a part of it
that cannot be told is not ablated, and that is said.
"""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING

from sleep.compression import document, extractive
from sleep.cycle import compressor

if TYPE_CHECKING:
    from sleep.compression.contract import Compressor
    from sleep.cycle.compressor import Pick
    from sleep.memory.view import View

ONLY_TIERS = "compressing at once cannot do without an idea, so only wake and tiers are ablated"


def ideas() -> tuple[str, ...]:
    """Return the ideas that the engine can do without."""
    return extractive.IDEAS


def pick(idea: str) -> Pick:
    """Return who compresses in every step: the engine without an idea; with all of them for ""."""
    if not idea:
        return compressor.plain
    without: Compressor = functools.partial(extractive.compress, without=frozenset({idea}))

    def chosen(_number: int, _step: str, _view: View) -> Compressor:
        return without

    return chosen


def can_do_at_once() -> bool:
    """Return whether a text can be compressed at once without an idea."""
    return "without" in inspect.signature(document.compress).parameters


def at_once(text: str, budget: int, idea: str) -> str:
    """Return a text compressed at once without an idea; with all of them for ""."""
    options = {"without": frozenset({idea})} if idea else {}
    return document.compress(text, budget, **options)
