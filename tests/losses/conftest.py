"""What a user would lose, each as it happened: real git, and the command itself."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import forkserver
import pytest
import template
from scene import git, repository, write


class Person:
    """Someone at a terminal, in a folder: runs git and `sleepwake`, reads and writes files."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def git(self, *words, check=True):
        """Run git and return its output."""
        return git(self.folder, *words, check=check)

    def sleepwake(self, *words, code=0, stdin="", seconds=None, **environment):
        """Run the command, check its exit code (None takes any) and return its output, errors included."""
        done = forkserver.run(words, cwd=self.folder, env={**os.environ, **environment}, stdin=stdin, timeout=seconds)
        said = done.stdout + done.stderr
        assert code is None or done.returncode == code, said
        return said

    def read(self, path):
        """Return the text of a file, None where there is none."""
        at = self.folder / path
        return at.read_text(encoding="utf-8") if at.exists() else None

    def write(self, path, content):
        """Write a file."""
        write(self.folder / path, content)

    def commit(self, message, *words):
        """Commit everything there is, as a person would."""
        self.git("add", "--all")
        self.git("commit", "--quiet", f"--message={message}", *words)

    def clone(self, folder, *words):
        """Clone into a folder, as from a server, and return who works there."""
        subprocess.run(
            ("git", "clone", "--quiet", *words, self.folder.as_uri(), str(folder)), check=True, capture_output=True
        )
        return Person(folder)

    def grow(self, live, *given):
        """Become who has lived through `live(person, *given)`, which happens once a run and is copied."""
        shutil.rmtree(self.folder)
        template.lay(self.folder, _grown, live, *given)
        self.git("update-index", "-q", "--refresh")  # the files are others than those that git had looked at
        return self

    def everything(self):
        """Return by path all that git tracks here, and all else that stands in the memory."""
        names = self.git("ls-files", "-z", "--cached", "--others").split("\0")
        return {name: self.read(name) for name in names if name and (self.folder / name).is_file()}


@pytest.fixture
def person(tmp_path):
    """Return someone with a fresh memory in a repository, committed."""
    return Person(template.lay(tmp_path / "project", _begin))


def _begin(top):
    beginner = Person(repository(top))
    beginner.sleepwake("init")
    beginner.commit("init")


def _grown(top, live, *given):
    live(Person(template.lay(top, _begin)), *given)
