"""What a keyed runner has heard and not yet answered, in a file beside its identity: `kill -9` does not lose it.

Owns the file: lines of JSON, readable by its owner alone, replaced as a whole. A line that makes no sense is none.
What was answered last stands there too, by id: a relay tells again what may not have arrived.
"""

from __future__ import annotations

import json

from sleep.relay.runner.guards import Unanswered, Waiting
from sleep.store import files

_PRIVATE = 0o600


def path_of(identity: str) -> str:
    """Return the file that belongs to the file of an identity."""
    return f"{identity}.pending.jsonl"


def write(path: str, kept: Unanswered) -> None:
    """Replace the file.

    Raises:
        StorageError: the disk refuses.
    """
    lines = [["heard", *one] for one in kept.heard] + [["answered", one] for one in kept.answered]
    files.write(path, "".join(json.dumps(one) + "\n" for one in lines), _PRIVATE)


def read(path: str) -> Unanswered:
    """Return what the file says; nothing, where there is none."""
    rows = [_row(line) for line in (files.read(path) or "").splitlines()]
    heard = tuple(Waiting(*row[1:]) for row in rows if row[:1] == ["heard"] and len(row) == len(Waiting._fields) + 1)
    return Unanswered(heard, tuple(row[1] for row in rows if row[:1] == ["answered"] and len(row) > 1))


def _row(line: str) -> list[str]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return []
    return row if isinstance(row, list) and all(isinstance(one, str) for one in row) else []
