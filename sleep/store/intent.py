"""The intent record: what a step is about to do, on disk before it does it.

Owns the record's form and place (`sleepwake/intent.json` of the worktree's git directory). With it and the stored blobs
any later process can finish the step or undo it. Refuses a record that it cannot read, rather than forget it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sleep.errors import RecoveryError
from sleep.store import files
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sleep.store.layout import Root

FORMAT = 1
DISMISS = "git status shows your files; sleepwake doctor --dismiss forgets the step and leaves them as they are"


class Swap(NamedTuple):
    """One file of a step: from blob `before` to blob `after`, None where there is no file.

    `mode` is the permission bits it has now, `entry` its index entry (`mode id`) at the start, None when it had none.
    """

    path: str
    before: str | None
    after: str | None
    mode: int | None
    entry: str | None


class Intent(NamedTuple):
    """A step under way: its message, where HEAD and branch were at the start, who takes it, its files.

    `folders` are those that the step makes, outermost first, relative to the root.
    """

    step: str
    message: str
    head: str | None
    branch: str | None
    pid: int
    swaps: tuple[Swap, ...]
    folders: tuple[str, ...]

    @property
    def paths(self) -> list[str]:
        """The files of the step."""
        return [swap.path for swap in self.swaps]


def save(root: Root, intent: Intent, written: Mapping[str, str]) -> None:
    """Write the record, safe on disk, but not before what it speaks of: `written`, as `files.sync_files` takes it."""
    swaps = [swap._asdict() for swap in intent.swaps]
    record = {"format": FORMAT, **intent._asdict(), "swaps": swaps, "folders": list(intent.folders)}
    path = root.intent
    temporary = files.prepare(path, files.encode(json.dumps(record, indent=1) + "\n"), sync=False)
    try:
        files.sync_files({**written, temporary: path})
        files.replace(temporary, path)
    except BaseException:
        files.remove(temporary)
        raise


def load(root: Root) -> Intent | None:
    """Return the record, None when no step is under way; RecoveryError when it cannot be understood."""
    text = files.read(root.intent)
    if text is None:
        return None
    try:
        record = json.loads(text)
        if record.pop("format") != FORMAT:
            raise ValueError("its format is unknown")  # one sentence for every way of being unreadable  # noqa: TRY301
        swaps = tuple(Swap(**swap) for swap in record.pop("swaps"))
        return Intent(**{**record, "swaps": swaps, "folders": tuple(record["folders"])})
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise RecoveryError(
            f"the record of an interrupted step cannot be read: {error}", where=root.intent, hint=DISMISS
        ) from error


def forget(root: Root) -> None:
    """Remove the record: the step is over."""
    files.remove(root.intent)
