"""A memory in a real git repository, driven as the tasks drive it; and one in a dict, for many cycles at once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import forkserver
import template

from sleep.cycle import cycle_plan
from sleep.cycle import sleep as sleeps
from sleep.documents import paths, tier
from sleep.documents.journal import Draft
from sleep.history.rebuild import undo
from sleep.journal import writer
from sleep.journal.imports import conversion
from sleep.memory import place
from sleep.memory.view import View
from sleep.records.address import InstanceId
from sleep.settings import Settings
from sleep.store.tree import WorkTree
from sleep.upkeep import setup
from sleep.wake import assembly, checks

PROJECT = Path(__file__).resolve().parents[2]
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
_CLOCK = ".git/clock"  # of a memory that has grown
CODE = {name: f"{name} as committed\n" for name in ("staged.txt", "split.txt", "unstaged.txt", "gone.txt")}


def git(folder, *words, check=True, **options):
    """Run git as a person would and return its output."""
    answer = subprocess.run(
        ("git", *words), cwd=folder, capture_output=True, text=True, errors="surrogateescape", check=False, **options
    )
    assert not check or answer.returncode == 0, answer.stdout + answer.stderr
    return answer.stdout


def write(place_, content):
    """Write a text or bytes, making the folders."""
    place_.parent.mkdir(parents=True, exist_ok=True)
    place_.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape"))


def repository(top):
    """Return the path of a new repository with a little code in it."""
    return template.lay(top, _repository)


def _repository(top):
    top.mkdir(parents=True, exist_ok=True)
    git(top, "init", "--quiet")
    for name, text in CODE.items():
        write(top / name, text)
    git(top, "add", "--all")
    git(top, "commit", "--quiet", "--message=code")


def _memory(top, prefix, commit):
    if not (top / ".git").exists():
        repository(top)
    home = top / prefix
    home.mkdir(parents=True, exist_ok=True)
    setup.init(str(home))
    main = (home / "main.md").read_text(encoding="utf-8")
    write(home / "main.md", main.replace("(Say here, in your own words, what this", "What this"))
    if commit:
        git(top, "add", "--all")
        git(top, "commit", "--quiet", "--message=init")
        _pack(top)


def _grown(top, live, *given):
    scene = Scene(top)
    live(scene, *given)
    write(top / _CLOCK, scene._time.isoformat())
    _pack(top)


def _pack(top):
    """Leave few files to copy, and to remove: it takes half of the time."""
    git(top, "repack", "-a", "-d", "--quiet")


def _cycles(scene, count):
    if count > 1:
        scene.lived(count - 1)
    scene.cycle(count)


class Scene:
    """A repository at `top` with a memory in its folder `prefix`, and a clock that goes on a minute a call."""

    def __init__(self, top, prefix="", *, commit=True):
        self.top = Path(top)
        self.home = self.top / prefix
        self._time = datetime(2026, 11, 21, 10, 0, tzinfo=UTC)
        template.lay(self.top, _memory, prefix, commit)

    def grow(self, live, *given):
        """Become the memory after `live(scene, *given)`, which happens once a run and is copied."""
        for one in self.top.iterdir():  # a test may stand in the folder itself
            shutil.rmtree(one) if one.is_dir() else one.unlink()
        template.lay(self.top, _grown, live, *given)
        self._time = datetime.fromisoformat((self.top / _CLOCK).read_text())
        return self

    def lived(self, count=1):
        """Become the memory after so many plain cycles, which happen once a run and are copied."""
        return self.grow(_cycles, count)

    @classmethod
    def copied(cls, top, prefix=""):
        """Return a scene for a memory that is there."""
        made = cls.__new__(cls)
        made.top = Path(top)
        made.home = made.top / prefix
        made._time = datetime(2026, 12, 24, 10, 0, tzinfo=UTC)
        return made

    @property
    def place(self):
        """The memory's place, found anew."""
        return place.find(str(self.home))

    @property
    def view(self):
        """What is on disk now."""
        return View(WorkTree(self.place.root))

    def now(self):
        """Return the time, a minute later each call."""
        self._time += timedelta(minutes=1)
        return self._time.strftime("%Y-%m-%dT%H:%M:%SZ")

    def later(self, days):
        """Let so many days go by."""
        self._time += timedelta(days=days)

    def git(self, *words, **options):
        """Run git in the repository."""
        return git(self.top, *words, **options)

    def text(self, path):
        """Return a file below the root, None when there is none."""
        at = self.home / path
        return at.read_bytes().decode("utf-8", "surrogateescape") if at.exists() else None

    def write(self, path, content):
        """Write a file below the root."""
        write(self.home / path, content)

    def open(self, **options):
        """Open an instance."""
        return writer.open_instance(self.place, self.now(), **options)

    def add(self, kind, title, body="", instance=None, **fields):
        """Journal an entry."""
        named = tuple((name.replace("_", " "), value) for name, value in fields.items())
        return writer.add(self.place, self.now(), Draft(kind, title, body, named), instance=instance)

    def move(self, kind, handle, to, says="said", by=""):
        """Move a record."""
        return writer.move(self.place, self.now(), handle, kind, to, says, by=by)

    def wake(self, **options):
        """Wake."""
        return assembly.wake(self.place, self.now(), **options)

    def sleep(self, **options):
        """Sleep."""
        return sleeps.run(self.place, self.now(), **options)

    def rehearse(self, **options):
        """Sleep dry."""
        return sleeps.rehearse(self.place, self.now(), **options)

    def undo(self, number=None, **options):
        """Undo a cycle."""
        return undo.undo(self.place, number, **options)

    def check(self):
        """Return the findings of `wake.check` that are not mere notes."""
        found = checks.check(self.view, self.place.settings, "2026-11-22T00:00:00Z")
        return [one for one in found if one.level != "note"]

    def cycle(self, number=1):
        """Live one instance, a plain one, and sleep on it."""
        self.open()
        self.add(
            "decision", f"Use engine {number} for part {number}", why=f"it is faster by {number}", alternatives="none"
        )
        self.add("question", f"Who owns part {number}?")
        self.add("insight", f"The parser of part {number} reads `src/part{number}.py` twice")
        self.add("tone", f"calm, number {number}")
        return self.sleep()

    def head(self):
        """Return the id of HEAD, "" on an unborn branch."""
        return self.git("rev-parse", "--verify", "--quiet", "HEAD", check=False).strip()

    def subjects(self):
        """Return the subjects of all commits, newest first."""
        return self.git("log", "--format=%s").splitlines()

    def owned(self):
        """Return the memory's files as they are on disk, without what belongs to this machine alone."""
        files = [self.home / "main.md", *sorted(self.home.glob("memory/**/*")), *sorted(self.home.glob("journal/*"))]
        found = {one.relative_to(self.home).as_posix(): one for one in files if one.is_file()}
        return {name: one.read_bytes() for name, one in found.items() if not name.startswith("memory/state/.")}

    def everything(self):
        """Return all that a refused command may not change: files, index, status, commits, refs."""
        files = {}
        for folder, names, found in os.walk(self.top):
            names[:] = [name for name in names if name != ".git"]
            files |= {os.path.join(folder, name): Path(folder, name).read_bytes() for name in found}
        status = self.git("status", "--porcelain=v2", "--untracked-files=all")
        return (
            files,
            self.git("ls-files", "--stage"),
            status,
            self.git("log", "--format=%H", check=False),
            self.git("for-each-ref"),
        )

    def person_works(self):
        """Leave staged, partly staged, unstaged, removed, added and untracked work outside the memory."""
        for name, text in {"staged.txt": "staged\n", "split.txt": "half\n", "added.txt": "added\n"}.items():
            write(self.top / name, text)
        self.git("add", "staged.txt", "split.txt", "added.txt")
        self.git("rm", "--quiet", "--cached", "gone.txt")
        (self.top / "gone.txt").unlink()
        for name, text in {
            "split.txt": "half\nother half\n",
            "unstaged.txt": "unstaged\n",
            "new.txt": b"\xff\r\n",
        }.items():
            write(self.top / name, text)

    def persons(self):
        """Return a person's work: files, index entries and status of what is not memory."""
        ours = self.home.relative_to(self.top).as_posix().removeprefix(".")
        own = tuple(f"{ours}/{name}".strip("/") for name in ("main.md", "journal/", "memory/"))
        names = [one for one in self.top.rglob("*") if one.is_file() and ".git" not in one.parts]
        files = {
            path: one.read_bytes()
            for one in names
            if not (path := one.relative_to(self.top).as_posix()).startswith(own)
        }
        index = [
            line for line in self.git("ls-files", "--stage").splitlines() if not line.split("\t")[1].startswith(own)
        ]
        status = self.git("status", "--porcelain", "--untracked-files=all").splitlines()
        return files, index, [line for line in status if not line[3:].startswith(own)]

    def run(self, *words, folder=None, stdin="", **environ):
        """Run the command in a child and return (exit code, output, errors)."""
        answer = forkserver.run(words, cwd=folder or self.home, env=environment(**environ), stdin=stdin)
        return answer.returncode, answer.stdout, answer.stderr


def command(*words):
    """Return the argument list that runs the command in this Python."""
    return (sys.executable, "-m", "sleep", *words)


def environment(**more):
    """Return the environment of a child that runs the command."""
    return {**os.environ, "PYTHONPATH": str(PROJECT), **more}


class Memory:
    """A memory in a dict: a tree to read, and journals and cycles added to it."""

    def __init__(self, settings=None):
        self.texts = {paths.MAIN: "# Main\n\nA project.\n"}
        self.settings = settings or Settings()
        self.last = 0

    def read(self, path):
        """Return a text, or None."""
        return self.texts.get(path)

    def list(self, prefix):
        """Return the paths below a folder."""
        folder = f"{prefix.rstrip('/')}/"
        return tuple(sorted(path for path in self.texts if path.startswith(folder)))

    @property
    def view(self):
        """What is there now."""
        return View(self)

    def journal(self, text, now="2026-11-21T10:00:00Z"):
        """Add a hand-written journal as the next instance and return that."""
        self.last += 1
        instance = InstanceId(self.last, "abc")
        fields = {"started": now, "ended": now}
        self.texts[paths.journal(self.last)], _ = conversion.canonical(text, instance, fields, self.view.used_numbers())
        return instance

    def sleep(self, now="2026-11-21T10:00:00Z"):
        """Sleep on what is unslept, and return the steps."""
        taken, _, writes = cycle_plan.plan_all(self.settings, self, now, len(self.view.cycles) + 1)
        for path, text in writes.items():
            if text is None:
                self.texts.pop(path, None)
            else:
                self.texts[path] = text
        return taken

    def placed(self):
        """Return the fragments of all tiers by identity and text: (tier, fragment)."""
        return [(paths.tier_of(path), one) for path, one in self.view.placed()]

    def tier_of(self, address):
        """Return the tiers that hold the record of an address."""
        return [name for name, one in self.placed() if one.identity == address and one.is_record]


def documents(texts):
    """Return the fragments of documents, by path."""
    return {path: tier.parse(text).fragments for path, text in texts.items()}
