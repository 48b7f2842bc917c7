"""One step, wholly or not at all: files replaced and committed, or everything as it was.

Owns the order of operations that makes a step survive a crash at any point: temporary files, raw blobs of before and
after, the intent record, replace, commit, forget. Recovery is the same code with the record read back. A file that is
neither before nor after is a person's: it is named and never touched.

What changes anything runs under the lock (`lock.hold`), and every writing command calls `recover` first.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal

from sleep.errors import GitStateError, RecoveryError, SleepError, StorageError
from sleep.store import files, history, intent, layout, signals
from sleep.store.exchange import Exchange
from sleep.store.git import checkout, stale_locks
from sleep.store.git.loose_objects import blob_name
from sleep.store.git.refusals import HookRefusedError
from sleep.store.intent import Intent
from sleep.store.plan import message
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sleep.store.exchange import Contents
    from sleep.store.git.porcelain import Change
    from sleep.store.layout import Root
    from sleep.store.lock import Lock
    from sleep.store.plan import Plan
    from sleep.store.repository import Repository

_EMPTY_BLOBS = (
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
)
_EXECUTABLE = 0o100
_RESUME = "sleepwake sleep.resume finishes it; sleepwake help recovery#interrupted when it cannot"


class Recovery(NamedTuple):
    """What became of an interrupted step.

    `finished`: it was carried to its end now; `found`: its commit was there already; `rolled back`: the files are as
    before it; `nothing`: there was none. `sha` is its commit, "" where there is none.
    """

    outcome: Literal["nothing", "finished", "found", "rolled back"]
    step: str = ""
    sha: str = ""

    @property
    def mended(self) -> str:
        """The step that was finished or rolled back, "" where there was none."""
        return self.step if self.outcome in ("finished", "rolled back") else ""


def interrupted(root: Root) -> bool:
    """Return whether a step was cut off and waits for `recover`; without the lock, also true of one under way."""
    return os.path.exists(root.intent)


def apply(root: Root, plan: Plan, lock: Lock, repository: Repository) -> str:
    """Take a step and return the id of its commit, "" when its files are already as planned.

    Args:
        root: the memory root.
        plan: what to write and to say.
        lock: the held lock.
        repository: the repository of the root.

    Raises:
        GitStateError: git is busy or refuses; a file is partly staged, in conflict, ignored, or changed meanwhile.
        StorageError: the disk refuses.
        RecoveryError: an interrupted step waits, or this one could neither be finished nor be undone.

    Whatever is raised, the files are as before; only after RecoveryError, or if forgetting the finished step failed,
    does `recover` have something to do.
    """
    after = _contents(root, plan.writes)
    before = {path: files.read_bytes(root.absolute(path), within=root.path) for path in after}
    after = {path: content for path, content in after.items() if content != before[path]}
    with signals.held(deadly=True):
        return _Step(root, lock, repository).take(plan, {path: before[path] for path in after}, after)


def adopt(root: Root, plan: Plan, pending: Sequence[Change], lock: Lock, repository: Repository) -> str:
    """Commit a person's pending edits as they are and return the commit's id, "" when nothing is pending.

    `plan` gives the words (its `writes` are not looked at); all that is owned of `pending` is committed. Errors as in
    `apply`.
    """
    owned = [change for change in pending if layout.is_owned(change.path)]
    contents = {change.path: files.read_bytes(root.absolute(change.path), within=root.path) for change in owned}
    with signals.held(deadly=True):
        return _Step(root, lock, repository).take(plan, contents, contents, owned)


def recover(root: Root, lock: Lock, repository: Repository) -> Recovery:
    """Bring an interrupted step to its end, if there is one; the first thing that every writing command does.

    Raises:
        RecoveryError: a file is neither before nor after; nothing was touched.
        GitStateError, StorageError: it could not be finished, for the reason given; the files are as before it.
    """
    for folder in (*layout.OWNED[1:], ""):
        files.sweep(root.absolute(folder), below=bool(folder))
    for folder in {root.state_dir, root.shared_dir}:
        files.sweep(folder, below=False)
    work = _Step(root, lock, repository)
    with signals.held(deadly=True):
        work.exchange.clear()
        record = intent.load(root)
        if record is None:
            return Recovery("nothing")
        stale_locks.clear(root)
        return work.resume(record)


class _Step:
    """One step under way: what it works with."""

    __slots__ = ("exchange", "lock", "repository", "root")

    def __init__(self, root: Root, lock: Lock, repository: Repository) -> None:
        self.root = root
        self.lock = lock
        self.repository = repository
        self.exchange = Exchange(root)

    def take(self, plan: Plan, before: Contents, after: Contents, pending: Sequence[Change] | None = None) -> str:
        """Prepare, write the record, carry out; `pending` is what git says of the files, None where it is not asked."""
        if not after:
            return ""
        if interrupted(self.root):
            raise RecoveryError("an interrupted step waits to be finished", where=self.root.path, hint=_RESUME)
        self.repository.preflight()
        entries = self.look(list(after), before, pending)
        folders = _missing_folders(self.root, [path for path, content in after.items() if content is not None])
        record = Intent(
            plan.step, message(plan), checkout.head(self.root), checkout.branch(self.root), os.getpid(), (), folders
        )
        try:
            try:
                record = record._replace(
                    swaps=self.exchange.prepare(before, after, entries, self.repository, self.lock)
                )
                intent.save(self.root, record, self.exchange.written)
            except BaseException:
                self.exchange.clear()
                self.exchange.back(record)
                intent.forget(self.root)
                raise
            return self.carry_out(record, [path for path in after if path in entries or after[path] is not None])
        finally:
            self.exchange.clear()

    def look(self, paths: Sequence[str], before: Contents, pending: Sequence[Change] | None) -> dict[str, str]:
        """Return the index entries of files that can be committed as they are; GitStateError where one cannot."""
        entries = self.repository.entries(paths)
        if pending is None:
            unsure = [path for path in before if not _is_plain(self.root, path, before[path], entries.get(path))]
            pending = self.repository.pending(unsure) if unsure else ()
        split = [change.path for change in pending if change.partly_staged]
        stale = self.repository.unstage_stale(split, self.lock) if split else []
        _refuse_split([change for change in pending if change.path not in stale])
        return entries | self.repository.entries(stale)

    def resume(self, record: Intent) -> Recovery:
        """Decide from what is there whether the step is done, to be finished, or to be undone."""
        sha = self.landed(record)
        if sha:
            self.close(record)
            return Recovery("found", record.step, sha)
        self.repository.preflight()
        self.refuse_strangers(record)
        try:
            if record.branch != checkout.branch(self.root):  # planned for another branch: never commit it here
                self.undo(record)
                return Recovery("rolled back", record.step)
            return Recovery("finished", record.step, self.carry_out(record))
        finally:
            self.exchange.clear()

    def carry_out(self, record: Intent, known: Sequence[str] | None = None) -> str:
        """Replace the files and commit them, or bring everything back and raise what stood in the way.

        `known` are the files that the index has when the new ones are announced; without, git is asked.
        """
        try:
            self.exchange.forward(record)
            self.repository.track([swap.path for swap in record.swaps if swap.entry is None and swap.after], self.lock)
            _refuse_when_asked_to_end(self.root)
            sha = self.repository.commit(record.paths, record.message, self.lock, known)
            self.refuse_unnamed(record, sha)
        except BaseException as error:
            sha = self.withdraw(record, error)
            if not sha or not isinstance(error, Exception):
                raise
            return sha  # git failed after it had moved the branch: the step is taken
        intent.forget(self.root)
        return sha

    def refuse_unnamed(self, record: Intent, sha: str) -> None:
        """Take the commit back and raise HookRefusedError where a hook took our trailers out: nothing could undo it.

        A commit on which another was made since stays.
        """
        wanted = _trailers(record.message)
        if not wanted or not self.repository.is_hooked:
            return
        made = history.commits(self.root, sha, limit=1)[0]
        absent = [name for name, value in wanted if (name, value) not in made.trailers]
        if absent and self.repository.take_back(made, record.paths, self.lock):
            raise HookRefusedError(
                f"a git hook took {', '.join(absent)} out of a commit's last lines, and no cycle is undone without",
                where=self.root.path,
                hint="let the hook leave the last lines of `sleep:` commits, or set `git.hooks: false` in "
                "memory/sleep.yaml",
            )

    def withdraw(self, record: Intent, error: BaseException) -> str:
        """Undo a step that failed, or close it if its commit was made, whose id is returned then."""
        try:
            sha = self.landed(record)
            if sha:
                self.close(record)
                return sha
            if isinstance(error, HookRefusedError):
                error.what += self.save_what_the_hook_did(record)
            self.undo(record)
        except SleepError as second:
            raise RecoveryError(
                f"the step failed ({error}) and could not be undone ({second})",
                where=self.root.path,
                hint="put that right; the next command that writes will finish or undo it",
            ) from error
        return ""

    def landed(self, record: Intent) -> str:
        """Return the id of the step's own commit, "" when it was not made: sought here and on the step's branch."""
        if history.head(self.root) is None:
            return ""
        since = f"^{record.head}" if record.head else ""
        made = history.commits(self.root, f"{since} HEAD")
        branch = f"refs/heads/{record.branch}"
        if record.branch not in {None, checkout.branch(self.root)} and _exists(self.root, branch):
            made += history.commits(self.root, f"{since} {branch}")
        ours = _lines(record.message)
        return next((commit.sha for commit in made if _says(f"{commit.subject}\n{commit.body}", ours)), "")

    def close(self, record: Intent) -> None:
        """Tidy the index of a step whose commit was made, and forget it."""
        if record.branch == checkout.branch(self.root):
            now = self.repository.entries(record.paths)
            unmoved = [swap.path for swap in record.swaps if _is_left(now.get(swap.path), swap.entry)]
            self.repository.unstage(unmoved, self.lock)
        intent.forget(self.root)

    def undo(self, record: Intent) -> None:
        """Bring files and index back to before the step, and forget it."""
        self.exchange.back(record)
        announced = list(self.repository.entries([swap.path for swap in record.swaps if swap.entry is None]))
        committed = history.read_many(self.root, "HEAD", announced) if announced and history.head(self.root) else {}
        self.repository.untrack([path for path in announced if path not in committed], self.lock)
        intent.forget(self.root)

    def save_what_the_hook_did(self, record: Intent) -> str:
        """Store files that a refusing hook has changed, bring them back, and say where they are."""
        places = ""
        for swap in self.exchange.strangers(record):
            place = self.root.absolute(swap.path)
            if os.path.exists(place):
                (name,) = self.repository.write_blobs([place], self.lock)
                files.sync_files(self.repository.loose([name]))
                places += f"\nwhat it had made of {swap.path}: git cat-file -p {name}"
            self.exchange.restore(swap)
        return places

    def refuse_strangers(self, record: Intent) -> None:
        """Raise RecoveryError naming the files, or staged contents, that are neither before nor after."""
        strange = {swap.path: swap for swap in self.exchange.strangers(record)}
        entries = self.repository.entries(record.paths)
        split = {
            change.path for change in self.repository.pending(record.paths) if change.partly_staged or change.conflicted
        }
        strange |= {
            swap.path: swap for swap in record.swaps if swap.path in split and entries.get(swap.path) != swap.entry
        }
        if strange:
            looks = "; ".join(
                f"{swap.path}: before git cat-file -p {swap.before}, after git cat-file -p {swap.after}"
                for swap in strange.values()
            )
            raise RecoveryError(
                f"{', '.join(strange)}: neither as before nor as after the interrupted step {record.step!r} "
                f"(one of the two would be right); nothing was touched",
                where=self.root.path,
                hint=f"{_RESUME} ({looks})",
            )


def _refuse_when_asked_to_end(root: Root) -> None:
    """Raise GitStateError where a signal waits: a commit's hooks may last."""
    if signals.are_waiting():
        raise GitStateError("was interrupted", where=root.path)


def _contents(root: Root, writes: Mapping[str, str | None]) -> dict[str, bytes | None]:
    """Return the planned contents by the real path of each file, links followed; StorageError outside the root."""
    contents = {}
    for path, text in sorted(writes.items()):
        real = files.resolve(root.absolute(path), root.path)
        inside = os.path.relpath(real, root.path).replace(os.sep, "/")
        if ".git" in inside.split("/"):
            raise StorageError("is inside a git directory (a file of the work tree would be right)", where=path)
        contents[inside] = None if text is None else files.encode(text)
    return contents


def _refuse_split(pending: Sequence[Change]) -> None:
    """Raise GitStateError for a file that cannot be committed as a whole."""
    for change in pending:
        if change.conflicted:
            raise GitStateError("is in conflict", where=change.path, hint=f"resolve it, then git add '{change.path}'")
        if change.partly_staged:
            raise GitStateError(
                "is partly staged, and a commit would lose the split (stage all of it, or nothing)",
                where=change.path,
                hint=f"git add '{change.path}', or git restore --staged '{change.path}'",
            )


def _is_plain(root: Root, path: str, content: bytes | None, entry: str | None) -> bool:
    """Return whether disk and index say the same of a file, so that nothing can be partly staged: git need not look."""
    if content is None or entry is None:
        return content is None and entry is None
    mode, _, name = entry.partition(" ")
    bits = files.permissions(root.absolute(path)) or 0
    return mode == ("100755" if bits & _EXECUTABLE else "100644") and name == blob_name(content, name)


def _missing_folders(root: Root, paths: Sequence[str]) -> tuple[str, ...]:
    """Return the folders that have to be made for these files, outermost first."""
    parts = (path.split("/")[:-1] for path in paths)
    folders = {"/".join(names[: depth + 1]) for names in parts for depth in range(len(names))}
    return tuple(sorted(folder for folder in folders if not os.path.lexists(root.absolute(folder))))


def _exists(root: Root, rev: str) -> bool:
    try:
        return bool(history.resolve(root, rev))
    except SleepError:
        return False


def _says(text: str, lines: Iterable[str]) -> bool:
    """Return whether a message has all of these lines; a hook may have put something around them, as in `#7: sleep`."""
    whole = _lines(text)
    return all(any(line in own for own in whole) for line in lines)


def _trailers(text: str) -> list[tuple[str, str]]:
    """Return the trailers that a message of ours ends with."""
    pairs = (line.partition(": ") for line in text.strip().split("\n\n")[-1].split("\n"))
    return [(name, value) for name, _, value in pairs if name.startswith("Sleep-")]


def _lines(text: str) -> set[str]:
    return {line.strip() for line in text.split("\n") if line.strip()}


def _is_left(now: str | None, then: str | None) -> bool:
    """Return whether an index entry is what the step found, or what it announced a new file with."""
    return now == then or (then is None and now is not None and now.endswith(_EMPTY_BLOBS))
