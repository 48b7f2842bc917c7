"""The processor's time that something takes, where only what is worse than linear is told apart."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def spent(act: Callable[..., object], *args: object) -> float:
    """Return the seconds of the processor's time that a call takes."""
    begun = time.process_time()
    act(*args)
    return time.process_time() - begun
