"""Which journals this work tree has opened, in its git directory, where no `git clean` and no stash reaches.

Owns a small file of the last ones. An open journal is not committed: that it was there is known from here alone.
Refuses to hold what one says.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sleep.errors import StorageError
from sleep.store import files
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection

    from sleep.store.layout import Root

_NAME = "opened"
_MOST = 200
_COLUMNS = 3


class Opened(NamedTuple):
    """A journal that was opened here: its instance (`i7qxk`), path, and when, in ISO 8601."""

    instance: str
    path: str
    when: str


def read(root: Root) -> tuple[Opened, ...]:
    """Return the journals that were opened here, oldest first; lines of another form are passed over."""
    rows = (line.split("\t") for line in (files.read(_place(root)) or "").split("\n"))
    return tuple(Opened(*row) for row in rows if len(row) == _COLUMNS)


def add(root: Root, journal: Opened) -> None:
    """Note that a journal was opened; under the lock.

    Raises:
        StorageError: the disk refuses; the new journal is taken away, so that none is opened.
    """
    try:
        _write(root, (*read(root), journal)[-_MOST:])
    except StorageError:
        files.remove(root.absolute(journal.path))
        raise


def forget(root: Root, instances: Collection[str]) -> None:
    """Forget journals; under the lock."""
    left = tuple(journal for journal in read(root) if journal.instance not in instances)
    if left != read(root):
        _write(root, left)


def _write(root: Root, rows: tuple[Opened, ...]) -> None:
    os.makedirs(root.state_dir, exist_ok=True)
    files.write(_place(root), "".join("\t".join(row) + "\n" for row in rows), sync=False)


def _place(root: Root) -> str:
    return os.path.join(root.state_dir, _NAME)
