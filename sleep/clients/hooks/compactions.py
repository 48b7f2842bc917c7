"""When each session was last compacted, and how long its transcript was then: on this machine only.

Owns the file `state/.compactions.json`. What stands in it saves work and proves nothing: two hooks at once may lose one
of two moments, and then a digest is asked for once more.
"""

from __future__ import annotations

import os

from sleep import lean_json
from sleep.debt import sessions
from sleep.errors import StorageError
from sleep.store import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sleep.store.context import Context

NAME = ".compactions.json"
GROWTH = (
    200 << 10
)  # bytes that make another digest worth its time, for a client that announces compactions all the time
_LIMIT = 50


def grown(context: Context, session: str, transcript: str) -> int:
    """Return by how many bytes a transcript grew since the session's last compaction; all of it if there was none."""
    noted = _read(context).get(session)
    before = noted.get("size") if isinstance(noted, dict) else 0
    return max(0, sessions.size(transcript)) - (before if isinstance(before, int) else 0)


def was(context: Context, session: str) -> bool:
    """Return whether a session was ever compacted, as far as this machine knows."""
    return session in _read(context)


def note(context: Context, session: str, transcript: str, moment: str) -> None:
    """Write down that a session is being compacted at a moment (ISO 8601). A disk that refuses is no error."""
    noted = _read(context)
    noted.pop(session, None)
    noted[session] = {"at": moment, "size": max(0, sessions.size(transcript))}
    newest = dict(list(noted.items())[-_LIMIT:])
    try:
        files.write(os.path.join(context.state, NAME), lean_json.dumps(newest, indent=1, ascii_only=False) + "\n")
    except StorageError:
        return


def _read(context: Context) -> dict[str, object]:
    try:
        with open(os.path.join(context.state, NAME), encoding="utf-8") as file:
            value = lean_json.loads(file.read())
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
