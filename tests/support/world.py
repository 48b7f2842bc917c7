"""A memory in a real git repository, with a person at work around it."""

from __future__ import annotations

import os
import subprocess
import warnings
from pathlib import Path

import faults
import template

from sleep.store import layout, lock, step
from sleep.store.plan import Plan
from sleep.store.repository import Repository

START = {
    "main.md": "# Main\n\nPurpose.\n",
    "memory/sleep.yaml": "format: 1\n",
    "memory/hot/threads.md": "# Threads\n\n- T-001\n",
    "memory/hot/old.md": "to be removed\n",
    "journal/instance-1.md": "---\ninstance: 1\n---\n\nfirst\n",
    ".gitignore": "memory/state/.*\n",
}
CODE = {name: f"{name} as committed\n" for name in ("staged.txt", "split.txt", "unstaged.txt", "gone.txt")}
WRITES = {
    "main.md": "# Main\n\nPurpose.\n\nHANDOFF\n",
    "memory/hot/threads.md": "# Threads\n\n- T-001\n- T-002\n",
    "memory/hot/old.md": None,
    "memory/warm/deep/auth.md": "# Auth\n\n#hash line\n",
}


def plan(writes=None, subject="hot to warm, 1 decision", **fields):
    """Return a plan with all that a commit message can have."""
    trailers = (("Sleep-Cycle", "3"), ("Sleep-Step", "hot to warm"))
    given = {"step": "hot to warm", "subject": subject, "body": "kept 3\n# not a comment", "trailers": trailers}
    return Plan(**{**given, **fields}, writes=WRITES if writes is None else writes)


def git(folder, *words, check=True, **options):
    """Run git as a person would and return its output."""
    answer = subprocess.run(
        ("git", *words), cwd=folder, capture_output=True, text=True, errors="surrogateescape", check=False, **options
    )
    assert not check or answer.returncode == 0, answer.stderr
    return answer.stdout


def fill(folder, files):
    """Write files, texts or bytes, making their folders."""
    for path, content in files.items():
        place = Path(folder, path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape"))


def _world(top, prefix, commit, files):
    top.mkdir(parents=True, exist_ok=True)
    git(top, "init", "--quiet")
    fill(top / prefix, dict(files))
    fill(top, CODE)
    if commit:
        git(top, "add", "--all")
        git(top, "commit", "--quiet", "--message=start")


class World:
    """A repository at `top` with a memory in its folder `prefix`."""

    def __init__(self, top, prefix="", *, commit=True, start=None):
        self.top = Path(top)
        self.home = self.top / prefix
        files = START if start is None else start
        template.lay(self.top, _world, prefix, commit, tuple(files.items()))

    @property
    def root(self):
        """The memory root, found anew."""
        return layout.find_root(str(self.home))

    def git(self, *words, **options):
        """Run git in the repository."""
        return git(self.top, *words, **options)

    def apply(self, taken=None, fault=None, **options):
        """Take a step under the lock, recovering first, as commands do."""
        root = self.root
        with lock.hold(root, "test", 20) as held:
            repository = Repository(root, **options)
            step.recover(root, held, repository)
            with faults.raised(fault):
                return step.apply(root, taken or plan(), held, repository)

    def recover(self, **options):
        """Recover under the lock."""
        root = self.root
        with lock.hold(root, "test", 20) as held:
            return step.recover(root, held, Repository(root, **options))

    def head(self):
        """Return the id of HEAD, "" on an unborn branch."""
        return self.git("rev-parse", "--verify", "--quiet", "HEAD", check=False).strip()

    def person_works(self):
        """Leave staged, partly staged, unstaged, removed, added and untracked work outside the step's files."""
        fill(self.top, {"staged.txt": "staged\n", "split.txt": "staged half\n", "added.txt": "added\n"})
        self.git("add", "staged.txt", "split.txt", "added.txt")
        self.git("rm", "--quiet", "--cached", "gone.txt")
        (self.top / "gone.txt").unlink()
        fill(self.top, {"split.txt": "staged half\nother half\n", "unstaged.txt": "unstaged\n", "new.txt": "new\n"})
        fill(self.home, {"journal/instance-2.md": "open\n", "memory/hot/mine.md": b"\xff\r\n"})

    def persons(self, writes=None):
        """Return everything that is a person's: files, index entries and status but for the step's files."""
        ours = {self.root.in_tree(path) for path in (WRITES if writes is None else writes)}
        files = {path: (self.top / path).read_bytes() for path in self.files() if path not in ours}
        index = [line for line in self.git("ls-files", "--stage", "-z").split("\0") if line.split("\t")[-1] not in ours]
        status = self.git("status", "--porcelain", "-z", "--untracked-files=all").split("\0")
        return files, index, [line for line in status if line[3:] not in ours]

    def files(self):
        """Return all paths on disk, of temporary files too."""
        found = []
        for folder, names, files in os.walk(self.top):
            names[:] = [name for name in names if name != ".git"]
            found += [os.path.relpath(os.path.join(folder, name), self.top) for name in files if name != ".git"]
        return sorted(found)

    def texts(self, writes=None):
        """Return the step's files as they are on disk."""
        return {path: self.text(path) for path in (WRITES if writes is None else writes)}

    def text(self, path):
        """Return a file below the root, None when there is none."""
        place = self.home / path
        return place.read_bytes().decode("utf-8", "surrogateescape") if place.exists() else None

    def leftovers(self):
        """Return what only an interrupted step leaves: temporary files, lock files, index entries, records."""
        root = self.root
        locks = [path for path in (*Path(root.git_dir).rglob("*.lock"),) if path.parent.name != "sleepwake"]
        temporary = [path for path in self.files() if ".sleepwake-" in path]
        records = [path for path in ("intent.json", "message", "step") if Path(root.state_dir, path).exists()]
        announced = self.git("diff-files", "--name-only", "--diff-filter=A").split()
        return [*map(str, locks), *temporary, *records, *announced]

    def check(self):
        """Assert that git itself finds nothing wrong."""
        assert self.git("fsck", "--strict", "--no-dangling") == ""


def in_child(act, meanwhile=None):
    """Run `act` in a child process of its own group and return how it ended (as `os.waitstatus_to_exitcode`).

    `meanwhile` is called with the child's process id while it runs.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the child only runs git and ends
        pid = os.fork()
    if not pid:
        code = 99
        try:
            os.setsid()
            act()
            code = 0
        finally:
            os._exit(code)
    if meanwhile:
        meanwhile(pid)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
