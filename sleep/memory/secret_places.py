"""Which documents hold secrets that were committed before a rule knew them: what one wake finds out for the next.

Owns a file of this worktree: one path a line, none where there is no secret. A list that is too short or too long only
costs time, because every command that shows a memory also looks through what it shows.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from sleep.documents import paths
from sleep.errors import StorageError
from sleep.redaction import secret_scan
from sleep.store import files

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sleep.memory.view import View
    from sleep.store.layout import Root

NAME = "secret-places"


def clean(view: View, known: Sequence[str], names: Sequence[str] = ()) -> dict[str, str]:
    """Return the documents of a memory that have a secret as they are without; `known` are values from elsewhere.

    `names` are those that are looked through; none for all of them.
    """
    names = names or (paths.MAIN, *view.files("memory"), *view.files("journal"))
    texts = {name: secret_scan.redact(view.read(name) or "", known)[0] for name in names}
    return {name: text for name, text in texts.items() if text != (view.read(name) or "")}


def read(root: Root) -> tuple[str, ...]:
    """Return the paths of the documents that held secrets when the memory was last shown."""
    with suppress(OSError, ValueError), open(_path(root), encoding="utf-8") as file:
        return tuple(file.read().splitlines())
    return ()


def write(root: Root, names: Iterable[str]) -> None:
    """Keep the paths of documents; where that is refused, the next one finds them out again."""
    lines = "".join(f"{name}\n" for name in sorted(names) if name.isprintable())
    with suppress(OSError, StorageError, ValueError):
        if lines:
            files.write(_path(root), lines)
        else:
            os.remove(_path(root))


def _path(root: Root) -> str:
    return os.path.join(root.state_dir, NAME)
