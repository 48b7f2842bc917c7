"""A file for each session in a folder of this machine, as hooks keep them: where it is, and when it goes.

Owns their names, which no id of a client's can lead elsewhere, and removing those of sessions that are long over. A
disk that refuses is no error.
"""

from __future__ import annotations

import os
import time

from sleep.debt.ids import hashed


def path(folder: str, session: str) -> str:
    """Return where the file of a session is in a folder, there or not."""
    return os.path.join(folder, hashed(session.encode("utf-8", "replace")))


def sweep(folder: str, aged: float) -> None:
    """Remove the files in a folder that have not changed for so many seconds."""
    before = time.time() - aged
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for file in entries:
        try:
            if file.stat(follow_symlinks=False).st_mtime < before:
                os.unlink(file.path)
        except OSError:  # another hook was faster
            continue
