"""Three-way merge of texts, by git.

Owns one call of `git merge-file`. Refuses to leave conflict markers: two edits of the same lines are no merge.
"""

from __future__ import annotations

import os
import subprocess
import tempfile

from sleep.store import files
from sleep.store.git import environment


def three_way(ours: str, base: str, theirs: str) -> str | None:
    """Return `ours` with the change from `base` to `theirs` made in it, or None when the two conflict."""
    with tempfile.TemporaryDirectory(prefix="sleepwake-") as folder:
        places = []
        for name, text in (("ours", ours), ("base", base), ("theirs", theirs)):
            places.append(os.path.join(folder, name))
            with open(places[-1], "wb") as file:
                file.write(files.encode(text))
        words = ["git", "merge-file", "-p", "--quiet", *places]
        clean = environment.for_git(os.environ, reading=True)
        done = subprocess.run(words, capture_output=True, check=False, env=clean, stdin=subprocess.DEVNULL)
    return files.decode(done.stdout) if done.returncode == 0 else None
