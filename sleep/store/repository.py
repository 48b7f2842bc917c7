"""Everything that changes the repository, and the one door to GitPython, which makes one.

Owns preflight, what is pending, raw blobs, and the commit of exactly given paths. Refuses to touch anything else a
person has staged, to start a garbage collection, and to wait for ever. Every changing child inherits the lock, so that
the lock outlives us if we are killed before the child.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import sys
import time
from typing import TYPE_CHECKING

from sleep.errors import GitStateError
from sleep.store import files, history, layout, signals
from sleep.store.git import (
    checkout,
    desk,
    environment,
    git_process,
    index_entries,
    loose_objects,
    porcelain,
    refusals,
    stale_locks,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from sleep.errors import SleepError
    from sleep.store.history import Commit
    from sleep.store.layout import Root
    from sleep.store.lock import Lock

PATIENCE = 15.0
_SETTINGS = {
    "gc.auto": "0",
    "maintenance.auto": "false",
    "core.abbrev": "no",  # git commit then prints the whole id
    "core.fsync": "added",
    "core.fsmonitor": "false",  # would start a daemon
    "core.safecrlf": "false",
    "i18n.commitEncoding": "UTF-8",
    "log.showSignature": "false",
}
# git syncs one object after the other. What it does elsewhere than on Linux, Python's fsync does not do.
_SYNCS_ASIDE = sys.platform.startswith("linux")
_HOOKS = (
    *("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"),
    *("post-index-change", "reference-transaction"),
)
_DRAFTS = ("SQUASH_MSG", "MERGE_MSG")  # a person's draft messages, which `git commit` deletes
_NEW_COMMIT = re.compile(rb"\[(?:detached HEAD|[^ ]+)(?: \(root-commit\))? (?P<sha>[0-9a-f]{4,64})\] ")
_UNUSUAL = ("core.sharedrepository", "extensions.objectformat", "extensions.compatobjectformat")
_ASKED = r"^((user|author|committer)\.(name|email)|core\.hookspath)$|^" + "$|^".join(map(re.escape, _UNUSUAL)) + "$"
_GIT_DIES = 128  # the code of git's `die`
_FIRST_PAUSE, _LONGEST_PAUSE = 0.02, 0.5


def create(path: str) -> None:
    """Make an empty git repository at `path`, and its folders; fine when there is one."""
    _make(None, "init", "--quiet", "--", path)  # Repo.init(path) would expand $HOME in it


def clone(source: str, place: str) -> None:
    """Clone a local repository to `place`, which does not exist yet, with files of its own (no hard links)."""
    _make(source, "clone", "--quiet", "--no-hardlinks", source, place)


def _make(folder: str | None, *words: str) -> None:
    _forget_caller()
    try:
        from git import Git  # late: it costs 130 ms, and a commit needs none of it  # noqa: PLC0415
    except ImportError as error:  # GitPython looks for git when it is loaded
        if "git executable" not in str(error):
            raise
        raise refusals.absent() from None
    Git(folder).execute(["git", *words], env=environment.settings(reading=False))


def _forget_caller() -> None:
    """Remove what a calling git has set for itself from this process's environment, which others hand to children."""
    for name in filter(environment.is_foreign, list(os.environ)):
        del os.environ[name]


class Repository:
    """A git work tree, for the memory inside it; paths are relative to the memory root.

    Args:
        root: the memory root.
        run_hooks: whether a person's git hooks run on our commits (`git.hooks`).
        sign: whether commits are signed (`git.sign`); None leaves it to git's own settings.
        patience: seconds to go on trying while another git holds a lock.
    """

    def __init__(
        self, root: Root, *, run_hooks: bool = True, sign: bool | None = None, patience: float = PATIENCE
    ) -> None:
        _forget_caller()
        if layout.find_git(root.work_tree) is None:
            raise GitStateError("is not a git work tree", where=root.work_tree, hint="git status")
        self.root = root
        self.patience = patience
        self._run_hooks = run_hooks
        self._sign = sign

    def preflight(self) -> None:
        """Raise GitStateError, with the command that ends it, when git is in the middle of something.

        So is a memory that is only partly checked out, and a repository whose `HEAD` is damaged. A branch without
        commits, a detached HEAD and a bisection are fine.
        """
        if work := checkout.under_way(self.root):
            what, ending = work
            raise GitStateError(f"{what} is under way (nothing was changed)", where=self.root.work_tree, hint=ending)
        checkout.refuse_damaged(self.root)
        checkout.refuse_absent(self.root)
        checkout.refuse_links(self.root)

    def pending(self, paths: Sequence[str] = ()) -> list[porcelain.Change]:
        """Return what differs between HEAD, index and work tree at or below the paths, by default the whole root."""
        words = ("status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames", "--")
        changes = porcelain.parse(self._read(*words, *self._specs(paths or ("",))))
        return [change._replace(path=self.root.from_tree(change.path)) for change in changes]

    def entries(self, paths: Sequence[str]) -> dict[str, str]:
        """Return the index entry (`mode id`, and a stage in a conflict) of those paths that are in the index."""
        if not paths:
            return {}
        if self._is_plain:
            wanted = {os.fsencode(self.root.in_tree(path)) for path in paths}
            known = index_entries.read(os.path.join(self.root.git_dir, "index"), wanted)
            if known is not None:
                return {self.root.from_tree(os.fsdecode(path)): entry for path, entry in known.items()}
        out = self._read("ls-files", "--stage", "-z", "--", *self._specs(paths))
        entries = {}
        for line in filter(None, out.split(b"\0")):
            entry, _, path = line.partition(b"\t")
            entries[self.root.from_tree(os.fsdecode(path))] = entry.removesuffix(b" 0").decode()
        return entries

    def write_blobs(self, places: Sequence[str], lock: Lock) -> list[str]:
        """Store the raw bytes of files (absolute paths) as objects, unfiltered; return their ids.

        Where `_SYNCS_ASIDE` they are safe on disk when what `loose` says of them is synced.
        """
        if self._is_plain:
            return [loose_objects.store(self._objects, place) for place in places]
        feed = b"".join(map(porcelain.quoted, places))
        words = ("hash-object", "-w", "--no-filters", "--stdin-paths")
        return self._run(words, lock, feed=feed).out.decode().split() if places else []

    def loose(self, names: Iterable[str]) -> dict[str, str]:
        """Return the files of those objects that have one of their own and may not be on disk, for `files.sync_files`.

        Others are in a pack, or git has synced them.
        """
        places = (loose_objects.place(self._objects, name) for name in names if _SYNCS_ASIDE)
        return {place: place for place in places if os.path.exists(place)}

    def track(self, paths: Sequence[str], lock: Lock) -> None:
        """Announce new files to the index (intent to add), without content; GitStateError for one that git ignores."""
        if not paths:
            return
        try:
            self._insist(("add", "--intent-to-add", "--", *self._specs(paths)), lock)
        except GitStateError as error:
            feed = b"".join(os.fsencode(self.root.in_tree(path)) + b"\0" for path in paths)
            ignored = self._run(("check-ignore", "-z", "--stdin"), feed=feed, fine=(0, 1)).out
            if not ignored:
                raise
            path = self.root.from_tree(os.fsdecode(ignored.split(b"\0")[0]))
            raise GitStateError(
                "is ignored by git (memory has to be committed)", where=path, hint=f"git check-ignore -v '{path}'"
            ) from error

    def untrack(self, paths: Sequence[str], lock: Lock) -> None:
        """Take paths out of the index, leaving the files."""
        if paths:
            feed = b"".join(os.fsencode(self.root.in_tree(path)) + b"\0" for path in paths)
            self._insist(("update-index", "--force-remove", "-z", "--stdin"), lock, feed=feed)

    def unstage(self, paths: Sequence[str], lock: Lock) -> None:
        """Make the index agree with HEAD for these paths, leaving the files."""
        differing = self._run(("diff-index", "--cached", "--quiet", "HEAD", "--", *self._specs(paths)), fine=(0, 1))
        if paths and differing.code:
            self._insist(("reset", "--quiet", "HEAD", "--", *self._specs(paths)), lock)

    def unstage_stale(self, paths: Iterable[str], lock: Lock) -> list[str]:
        """Unstage what another git wrote back to an older commit's content, and return these paths.

        A person's `git commit` reads the index before it locks it: what a commit of ours put into it in between it
        takes out again. The file is then on disk as in HEAD, and in the index as in an older commit: nothing is lost.
        """
        entries = self.entries(list(paths))
        stale = [path for path, entry in entries.items() if self._is_stale(path, entry.rpartition(" ")[2])]
        if stale:
            self.unstage(stale, lock)
        return stale

    def _is_stale(self, path: str, name: str) -> bool:
        spec = self._specs([path])
        if self._run(("diff", "--quiet", "HEAD", "--", *spec), fine=(0, 1)).code:
            return False
        return bool(self._read("log", "-1", "--format=%H", f"--find-object={name}", "HEAD", "--", *spec))

    def commit(self, paths: Sequence[str], message: str, lock: Lock, known: Collection[str] | None = None) -> str:
        """Commit exactly these paths as they are on disk, even if nothing differs, and return the commit's id.

        What else is staged stays staged. Tries again for `patience` seconds while another git is at work. `known` are
        those paths that are in the index, where the caller has looked.

        Raises:
            GitStateError: a hook refused, signing failed, another git kept its lock, or git said something else.
            StorageError: the disk refused.
        """
        known = self.entries(paths) if known is None else known
        absent = [path for path in paths if path not in known]
        new = [path for path in absent if os.path.lexists(self.root.absolute(path))]
        self.track(new, lock)
        gone = set(absent).difference(new)
        if gone and history.head(self.root) is not None:
            gone.difference_update(history.read_many(self.root, "HEAD", gone))
        words = ("commit", "--only", "--allow-empty", "--cleanup=verbatim", "--no-verbose", "--file")
        with self._drafts_kept():
            specs = self._specs([path for path in paths if path not in gone])
            out = self._insist(
                (*words, "-", "--", *specs),
                lock,
                feed=files.encode(message),
                committing=True,
                announce=functools.partial(self._announced, paths, lock),
            ).out
        made = _NEW_COMMIT.match(out)
        sha = made["sha"].decode() if made else history.resolve(self.root, "HEAD")
        if self.is_hooked:
            self.unstage(paths, lock)  # a hook may have added to the commit what the index does not have
        return sha

    def take_back(self, made: Commit, paths: Sequence[str], lock: Lock) -> bool:
        """Take a commit of these paths off the branch, files left as they are; False where others stand on it."""
        words = ("HEAD", *made.parents, made.sha) if made.parents else ("-d", "HEAD", made.sha)
        if self._execute(("update-ref", *words), lock).code:
            return False
        (self.unstage if made.parents else self.untrack)(paths, lock)
        return True

    def _announced(self, paths: Sequence[str], lock: Lock) -> bool:
        """Announce anew what is on disk and not in the index, and return whether there is such a file.

        A person's `git commit` reads the index before it locks it: what came into it in between it takes out again.
        """
        known = self.entries(paths)
        absent = [path for path in paths if path not in known and os.path.lexists(self.root.absolute(path))]
        self.track(absent, lock)
        return bool(absent)

    def _commit_settings(self) -> dict[str, str]:
        settings = {"core.splitIndex": "false"}  # what is beside an index would come to lie on our desk
        settings |= {} if self._sign is None else {"commit.gpgSign": str(self._sign).lower()}
        return settings if self._run_hooks else settings | {"core.hooksPath": os.devnull}

    def _desk(self) -> contextlib.AbstractContextManager[dict[str, str] | None]:
        """Return where a commit is made: at our own desk, unless hooks would see it or no branch is checked out."""
        branch = checkout.branch(self.root)
        return desk.sit(self.root, branch) if branch and not self.is_hooked else contextlib.nullcontext({})

    @functools.cached_property
    def _missing_identity(self) -> dict[str, str]:
        known = {key for key, value in self._configured.items() if value.strip()}
        return environment.missing_identity(known, os.environ)

    @contextlib.contextmanager
    def _drafts_kept(self) -> Iterator[None]:
        """Put back a person's draft message (of `git merge --squash`, say) when our commit has removed it."""
        places = [os.path.join(self.root.git_dir, name) for name in _DRAFTS]
        drafts = {place: text for place in places if (text := files.read(place)) is not None}
        try:
            yield
        finally:
            for place, text in drafts.items():
                if not os.path.exists(place):
                    files.write(place, text)

    def _specs(self, paths: Iterable[str]) -> list[str]:
        return [f":(top,literal){inside}" if (inside := self.root.in_tree(path)) else ":(top)" for path in paths]

    def _read(self, *words: str) -> bytes:
        return self._run(words).out

    def _run(
        self,
        words: tuple[str, ...],
        lock: Lock | None = None,
        *,
        feed: bytes | None = None,
        fine: tuple[int, ...] = (0,),
    ) -> git_process.Answer:
        answer = self._execute(words, lock, feed=feed)
        if answer.code not in fine:
            raise self._explain(words[0], answer)
        return answer

    def _insist(
        self,
        words: tuple[str, ...],
        lock: Lock,
        *,
        feed: bytes | None = None,
        committing: bool = False,
        announce: Callable[[], bool] = lambda: False,
    ) -> git_process.Answer:
        """Run a changing command, again and again while another git is in the way, or took what was announced."""
        deadline, pause = time.monotonic() + self.patience, _FIRST_PAUSE
        while True:
            answer = self._execute(words, lock, feed=feed, committing=committing)
            if answer.code == 0:
                return answer
            message = files.decode(answer.error)
            again = refusals.is_busy(message) or (refusals.is_unknown(message) and announce())
            if not again or time.monotonic() > deadline or signals.are_waiting():
                raise self._explain(words[0], answer)
            time.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _execute(
        self,
        words: tuple[str, ...],
        lock: Lock | None = None,
        *,
        feed: bytes | None = None,
        committing: bool = False,
    ) -> git_process.Answer:
        """Run one git child to its end; it is ended with us if we are interrupted."""
        settings = _SETTINGS | (self._commit_settings() if committing else {})
        if words[0] == "hash-object" and _SYNCS_ASIDE:
            settings |= {"core.fsync": "none"}
        options = [word for pair in settings.items() for word in ("-c", "=".join(pair))]
        variables = environment.for_git(os.environ, reading=lock is None)
        variables |= self._missing_identity if committing else {}
        held = (lock.fileno(),) if lock and os.name != "nt" else ()
        with self._desk() if committing else contextlib.nullcontext({}) as own:
            if own is None:
                return git_process.Answer(_GIT_DIES, b"", refusals.locked(self.root.git_dir))
            answer = git_process.run(("git", *options, *words), self.root.work_tree, variables | own, feed, held)
        if lock and -answer.code in refusals.KILLERS:
            stale_locks.clear(self.root)
        return answer

    def _explain(self, verb: str, answer: git_process.Answer) -> SleepError:
        message = files.decode(answer.error + b"\n" + answer.out).strip()
        if answer.code < 0:
            return refusals.killed(verb, -answer.code, message, place=self.root.work_tree)
        hooked = verb == "commit" and answer.code == 1 and self.is_hooked
        return refusals.explain(verb, message, place=self.root.work_tree, hooked=hooked)

    @property
    def _objects(self) -> str:
        return os.path.join(self.root.common_dir, "objects")

    @functools.cached_property
    def _is_plain(self) -> bool:
        """Whether the index is read and blobs are stored without git.

        Git is asked elsewhere than on Linux, where it syncs and may spell names otherwise; of ids of SHA-256; and where
        a repository is shared, for it sets the permissions of others.
        """
        return _SYNCS_ASIDE and self._configured.keys().isdisjoint(_UNUSUAL)

    @functools.cached_property
    def _configured(self) -> dict[str, str]:
        """What git is set up with of identities, hooks, and other files than usual, by name in small letters."""
        words = ("config", "-z", "--get-regexp", _ASKED)
        out = files.decode(self._run(words, fine=(0, 1)).out)
        return {key: value for key, _, value in (line.partition("\n") for line in out.split("\0")) if key}

    @functools.cached_property
    def is_hooked(self) -> bool:
        """Whether hooks of a person's run on our commits."""
        if not self._run_hooks:
            return False
        named = self._configured.get("core.hookspath", os.path.join(self.root.common_dir, "hooks"))
        if named.startswith("%"):
            named = files.decode(self._read("rev-parse", "--git-path", "hooks")).strip()
        place = os.path.join(self.root.work_tree, os.path.expanduser(named))
        return any(os.access(os.path.join(place, name), os.X_OK) for name in _HOOKS)
