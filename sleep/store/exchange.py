"""The files of one step on disk: forward to after, back to before.

Owns the staging folder: what is to be put in place, and second names for what was there. Every move looks first: a file
that is neither before nor after is somebody else's work. Knows git only as a store of raw blobs.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from sleep.errors import GitStateError, RecoveryError
from sleep.store import files, history
from sleep.store.git.loose_objects import blob_name
from sleep.store.intent import DISMISS, Swap

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sleep.store.intent import Intent
    from sleep.store.layout import Root
    from sleep.store.lock import Lock
    from sleep.store.repository import Repository

    Contents = Mapping[str, bytes | None]


class Exchange:
    """Files on their way between two contents.

    What is not in its place yet is kept in a folder of the git directory, so that nobody's `git add --all` takes it.

    Args:
        root: the memory root.
    """

    __slots__ = ("_root", "_staged", "_staging", "written")

    def __init__(self, root: Root) -> None:
        self._root = root
        self._staging = os.path.join(root.state_dir, "step")
        self._staged: dict[str, str] = {}
        self.written: dict[str, str] = {}  # what was prepared, for `files.sync_files`

    def prepare(
        self, before: Contents, after: Contents, entries: Mapping[str, str], repository: Repository, lock: Lock
    ) -> tuple[Swap, ...]:
        """Write the new contents to the staging folder and both into the object database; return what is to be swapped.

        `entries` are the index entries of the files. Nothing is safe on disk before `written` is synced.

        Raises:
            GitStateError: a file is no longer what `before` says.
            StorageError: the disk refuses.
        """
        self.clear()
        self._stage({path: content for path, content in after.items() if content != before[path]})
        befores, afters = self._store(before, entries, repository, lock)
        self.written = {staged: self._root.absolute(path) for path, staged in self._staged.items()}
        self.written |= repository.loose([*befores.values(), *afters.values()])
        modes = {path: files.permissions(self._root.absolute(path)) for path in befores}
        return tuple(
            Swap(
                path,
                befores.get(path),
                None if content is None else afters.get(path, befores.get(path)),
                modes.get(path),
                entries.get(path),
            )
            for path, content in after.items()
        )

    def _stage(self, contents: Contents) -> None:
        """Write contents to the staging folder."""
        for path, content in contents.items():
            if content is not None:
                staged = os.path.join(self._staging, f"after-{len(self._staged)}")
                self._staged[path] = files.prepare(self._root.absolute(path), content, at=staged, sync=False)

    def _store(
        self, before: Contents, entries: Mapping[str, str], repository: Repository, lock: Lock
    ) -> tuple[dict[str, str], dict[str, str]]:
        """Have git store what stands and what is staged; return the blobs of both by path."""
        there = [path for path, content in before.items() if content is not None]
        befores = {path: name for path in there if (name := _indexed(before[path], entries.get(path)))}
        fresh = [path for path in there if path not in befores]
        names = repository.write_blobs([*map(self._root.absolute, fresh), *self._staged.values()], lock)
        for path, name in zip(fresh, names, strict=False):
            if _indexed(before[path], name) != name:
                raise _changed(path)
            befores[path] = name
        return befores, dict(zip(self._staged, names[len(fresh) :], strict=True))

    def forward(self, record: Intent) -> None:
        """Bring every file to its content after the step; GitStateError when one changed meanwhile."""
        folders = []
        for swap in record.swaps:
            place, now = self._root.absolute(swap.path), self._now(swap)
            if now == swap.after:
                continue
            if now != swap.before:
                raise _changed(swap.path)
            self._set_aside(swap)
            if swap.after is None:
                files.delete(place, sync=False)
            else:
                ready = self._staged.pop(swap.path, None)
                files.replace(ready or files.prepare(place, self._blob(swap.after), swap.mode), place, sync=False)
            folders.append(os.path.dirname(place))
        files.sync_folders(folders)

    def back(self, record: Intent) -> None:
        """Bring every file that was swapped back to its content before the step; others are left alone."""
        for swap in record.swaps:
            if self._now(swap) == swap.after != swap.before:
                self.restore(swap)
        for folder in reversed(record.folders):
            with contextlib.suppress(OSError):  # not empty: somebody uses it
                os.rmdir(self._root.absolute(folder))

    def restore(self, swap: Swap) -> None:
        """Bring one file back to its content before the step, whatever is there now."""
        place = self._root.absolute(swap.path)
        aside = self._aside(swap)
        if swap.before is None:
            files.delete(place)
        elif os.path.exists(aside):
            files.replace(aside, place)
        else:
            files.replace(files.prepare(place, self._blob(swap.before), swap.mode), place)

    def strangers(self, record: Intent) -> list[Swap]:
        """Return the swaps whose file is neither before nor after."""
        return [swap for swap in record.swaps if self._now(swap) not in {swap.before, swap.after}]

    def clear(self) -> None:
        """Remove the staging folder."""
        self._staged.clear()
        self.written = {}
        files.clear(self._staging)

    def _set_aside(self, swap: Swap) -> None:
        """Give a file a second name where that can be done: bringing it back then needs no room on a full disk."""
        if swap.before is not None:
            with contextlib.suppress(OSError, NotImplementedError):
                os.makedirs(self._staging, exist_ok=True)
                os.link(self._root.absolute(swap.path), self._aside(swap), follow_symlinks=False)

    def _aside(self, swap: Swap) -> str:
        return os.path.join(self._staging, f"before-{blob_name(os.fsencode(swap.path))}")

    def _now(self, swap: Swap) -> str | None:
        content = files.read_bytes(self._root.absolute(swap.path), within=self._root.path)
        return None if content is None else blob_name(content, swap.before or swap.after or "")

    def _blob(self, name: str) -> bytes:
        content = history.blobs(self._root, (name,))[name]
        if content is None:
            raise RecoveryError(f"blob {name} of the step is gone (pruned by git gc?)", hint=DISMISS)
        return content


def _indexed(content: bytes | None, entry: str | None) -> str:
    """Return the blob of an index entry (`mode id`) where it is this very content, "" where it is not.

    What the index names is in the object database.
    """
    name = (entry or "").rpartition(" ")[2]
    return name if content is not None and name and blob_name(content, name) == name else ""


def _changed(path: str) -> GitStateError:
    return GitStateError("changed while the step was being taken", where=path, hint="run the same command again")
