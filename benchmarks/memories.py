"""Memories of made-up projects, laid out in git: slept on in this process, and written by one `git fast-import`.

Owns getting from seeds to a repository with the history that so many real sleeps would have left: the same steps,
gate, messages and commits, without a process for each. Only the adoption of each journal is put into the commit that
seals it.
"""

from __future__ import annotations

import itertools
import os
import subprocess
from typing import NamedTuple

import journals

from sleep import settings
from sleep.cycle import cycle_plan, topics
from sleep.documents import paths
from sleep.memory.view import View
from sleep.records.address import InstanceId
from sleep.records.fragment import render
from sleep.store.plan import message
from sleep.upkeep import setup

SETTINGS = settings.Settings(format=settings.FORMAT)
TYPICAL = 6_000  # bytes of a session's journal
_TAG = "abc"
_OLD = 15


class Commit(NamedTuple):
    """A commit to be written: message and files, None for one that goes."""

    message: str
    writes: dict[str, str | None]


class Memory:
    """A memory that is built in this process: its texts, and its commits so far."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.commits: list[Commit] = []
        self.instances = 0

    def read(self, path: str) -> str | None:
        """Return a text, as `Tree` asks."""
        return self.texts.get(path)

    def list(self, prefix: str) -> tuple[str, ...]:
        """Return the paths below a folder, as `Tree` asks."""
        folder = f"{prefix.rstrip('/')}/"
        return tuple(sorted(path for path in self.texts if path.startswith(folder)))

    def write(self, message_: str, writes: dict[str, str | None]) -> None:
        """Change files in a commit."""
        self.commits.append(Commit(message_, writes))
        for path, text in writes.items():
            if text is None:
                self.texts.pop(path, None)
            else:
                self.texts[path] = text

    def next_journal(self, size: int = TYPICAL) -> tuple[str, str]:
        """Return path and text of the next instance's journal, open and not yet written."""
        view = View(self)
        standing = [one for _, one in view.placed("memory/hot/", paths.WARM) if one.is_open]
        standing.sort(key=lambda one: one.identity)
        instance = InstanceId(self.instances + 1, _TAG)
        return paths.journal(instance.number), journals.journal(instance, size, standing, view.used_numbers())

    def live(self, instances: int) -> None:
        """Let so many instances work and be slept on."""
        for _ in range(instances):
            path, text = self.next_journal()
            self.instances += 1
            self.texts[path] = text
            now = journals.day(InstanceId(self.instances, _TAG))
            for one in cycle_plan.plan_all(SETTINGS, self, now, self.instances)[0]:
                self.write(message(one.plan), dict(one.decided.writes))

    def crowd(self, files: int) -> None:
        """Add parts of topics until warm and cold have so many files: 60 warm ones of a fragment, cold ones of ten.

        The topics are those that are there, for of more a tier would fold some. What is in cold is of the oldest
        instances, for what is younger would compete for its room, and be gone at once.
        """
        author = journals.Author(files)
        known = [one for _, one in View(self).placed() if not one.is_open]
        old = [one for one in known if max(address.number for address in one.addresses) <= _OLD]
        there = len(self.list(paths.WARM)) + len(self.list(paths.COLD))
        writes: dict[str, str | None] = {}
        names = {
            one: sorted({topics.base(paths.topic_of(at)) for at in self.list(one)}) for one in (paths.WARM, paths.COLD)
        }
        for number in range(max(0, files - there)):
            folder, count = (paths.WARM, 1) if number < 60 else (paths.COLD, 10)
            chosen = known[-count:] if folder == paths.WARM else author.random.choices(old, k=count)
            items = "".join(
                render(one._replace(kind="insight", text=f"{author.bullet()} {author.reason()}", number="", fields=()))
                for one in chosen
            )
            name = names[folder][number % len(names[folder])]
            part = next(one for one in itertools.count(2) if not {f"{folder}{name}-{one}.md"} & {*writes, *self.texts})
            writes[f"{folder}{name}.md"] = self.texts.get(f"{folder}{name}.md", f"# {name}\n")
            writes[f"{folder}{name}-{part}.md"] = f"# {name}, part {part}\n\n## Insights\n\n{items}"
        self.write("sleep: many topics\n", writes)

    def lay(self, folder: str) -> None:
        """Write the commits so far into a new repository in `folder` and check it out."""
        os.makedirs(folder)
        git(folder, "init", "--quiet", "--initial-branch=main")
        for name, value in (("user.name", "A Person"), ("user.email", "person@example.org")):
            git(folder, "config", name, value)
        setup.init(folder, None)
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "--message", "a project")
        start = b"reset refs/heads/main\nfrom refs/heads/main^0\n\n"
        stream = start + b"".join(_stream(one) for one in self.commits)
        git(folder, "fast-import", "--quiet", feed=stream)
        git(folder, "reset", "--quiet", "--hard", "refs/heads/main")
        git(folder, "tag", "laid")


def git(folder: str, *words: str, feed: bytes | None = None) -> str:
    """Run git to its end and return what it says."""
    done = subprocess.run(("git", "-c", "gc.auto=0", *words), cwd=folder, input=feed, check=True, capture_output=True)
    return done.stdout.decode()


def _stream(commit: Commit) -> bytes:
    """Return a commit in the form of git-fast-import(1)."""
    words = commit.message.encode()
    parts = [b"commit refs/heads/main\ncommitter A Person <person@example.org> 1767225600 +0000\n"]
    parts.append(b"data %d\n%s\n" % (len(words), words))
    for path, text in commit.writes.items():
        if text is None:
            parts.append(b"D %s\n" % path.encode())
        else:
            content = text.encode()
            parts.append(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(content), content))
    return b"".join(parts)
