"""What a keyed runner has heard and not yet answered, in a file beside its identity: `kill -9` does not lose it.

Owns the file: lines of JSON, readable by its owner alone, replaced as a whole. A line that makes no sense is none; a
file without any that does is somebody else's, and is refused.
What was answered last stands there too, by id: a relay tells again what may not have arrived.
"""

from __future__ import annotations

import json

from sleep.errors import RelayError
from sleep.relay.runner.guards import Backlog, BacklogItem
from sleep.store import files

_PRIVATE = 0o600


def path_of(identity: str) -> str:
    """Return the file that belongs to the file of an identity."""
    return f"{identity}.pending.jsonl"


def write(path: str, backlog: Backlog) -> None:
    """Replace the file.

    Raises:
        StorageError: the disk refuses.
    """
    lines = [["heard", *item] for item in backlog.items] + [["answered", ident] for ident in backlog.answers]
    files.write(path, "".join(json.dumps(line) + "\n" for line in lines), _PRIVATE)


def read(path: str) -> Backlog:
    """Return what the file says; nothing, where there is none.

    Raises:
        RelayError: it is another file.
    """
    lines = (files.read(path) or "").splitlines()
    rows = [row for line in lines if (row := _row(line))[:1] in (["heard"], ["answered"])]
    if lines and not rows:
        raise RelayError(
            "does not hold what an agent heard, and is left as it is", where=path, hint=f"mv {path} {path}.moved"
        )
    length = len(BacklogItem._fields) + 1
    items = tuple(BacklogItem(*row[1:]) for row in rows if row[0] == "heard" and len(row) == length)
    return Backlog(items, tuple(row[1] for row in rows if row[0] == "answered" and len(row) > 1))


def _row(line: str) -> list[str]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return []
    return row if isinstance(row, list) and all(isinstance(cell, str) for cell in row) else []
