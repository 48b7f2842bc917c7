"""One piece of work a process, over the processors that there are.

Owns the processes: they end with the call, and with this process, however that ends. Results come in the order of the
pieces, whatever the number of processes.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, TypeVar

from sleep.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.process import BaseProcess

Piece = TypeVar("Piece")
Result = TypeVar("Result")
_MOST = 8


def each(
    act: Callable[[Piece], Result],
    pieces: Sequence[Piece],
    notice: Callable[[int, int], None],
    workers: int | None = None,
) -> Iterator[Result]:
    """Yield what an act makes of each piece.

    Args:
        act: a function of a module, since it is named to the processes.
        pieces: values that can be pickled.
        notice: called with (done, all).
        workers: processes; 1 works in this one. Default: as many as there are processors, pieces, and no more than 8.

    Raises:
        StorageError: a process was ended from outside, as a system does that runs out of memory.
    """
    many = min(workers or os.cpu_count() or 1, len(pieces), _MOST)
    notice(0, len(pieces))
    if many <= 1:
        for done, piece in enumerate(pieces, 1):
            yield act(piece)
            notice(done, len(pieces))
        return
    # Spawned, not forked: a progress bar has a thread of its own, and a fork of a process with threads can hang.
    with ProcessPoolExecutor(many, multiprocessing.get_context("spawn"), _end_with_parent) as processes:
        results = processes.map(act, pieces)
        for done in range(1, len(pieces) + 1):
            try:
                result = next(results)
            except BrokenProcessPool:
                raise StorageError(
                    "one of the processes was ended from outside", hint="is there enough memory for that many?"
                ) from None
            yield result
            notice(done, len(pieces))


def _end_with_parent() -> None:
    """Let a process of ours end when the one that started it is gone: killed, that one cannot end it itself."""
    parent = multiprocessing.parent_process()
    if parent:
        threading.Thread(target=_wait, args=(parent,), daemon=True).start()


def _wait(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
