"""The newest commits by one git process with bounds."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest
import template
from scene import git, repository, write

from sleep.store.git import bounded_log
from sleep.store.git.bounded_log import Log

BOUNDS = {"most": 100, "seconds": 20.0, "size": 1 << 20}


@pytest.fixture
def code(tmp_path):
    """Return the path of a repository with one commit."""
    return repository(tmp_path / "code")


def commit(top, names, message, **options):
    """Commit new content of files."""
    for name in names:
        write(top / name, f"{name} {message}\n")
    git(top, "add", "--all")
    git(top, "commit", "--quiet", "--cleanup=verbatim", f"--message={message}", **options)


@pytest.fixture
def huge(tmp_path):
    """Return the path of a repository with thirty thousand commits."""
    return template.lay(tmp_path / "huge", _huge)


def _huge(top):
    repository(top)
    lines = []
    for number in range(30_000):  # each of a change, by one git process: few files and trees are all of them
        said = f"commit {number}"
        lines.append(
            f"commit refs/heads/many\ncommitter Ada <a@example.org> {1_700_000_000 + number} +0000\n"
            f"data {len(said)}\n{said}\nM 100644 inline f{number % 7}.txt\ndata 1\n{number // 7 % 2}\n"
        )
    git(top, "fast-import", "--quiet", input="\n".join(lines))
    git(top, "checkout", "--quiet", "--force", "many")


def test_a_commit_is_read_whole(code):
    """Who, when, subject, trailers and each path with its letter; a path may hold what parts the fields."""
    odd = "\x1e new\nline é.txt"
    commit(code, [odd, "staged.txt"], "Say it\n\nBody.\n\nSleep-Step: seal\nSleep-Cycle: 3\n")
    (code / "gone.txt").unlink()
    commit(code, [], "Take it away")
    log = Log(str(code), **BOUNDS)
    gone, said, first = log
    assert (said.author, said.subject) == ("Ada Example", "Say it")
    assert said.trailers == (("Sleep-Step", "seal"), ("Sleep-Cycle", "3"))
    assert set(said.changes) == {("A", odd), ("M", "staged.txt")}
    assert gone.changes == ((bounded_log.GONE, "gone.txt"),)
    assert gone.parents == (said.sha,)
    assert first.parents == ()
    assert said.at == int(git(code, "log", "-1", "--format=%ct", said.sha))
    assert (log.is_cut, log.is_late, log.is_failed) == (False, False, False)


def test_a_merge_has_no_changes_and_two_parents(code):
    """What a merge brings is told by the commits that made it."""
    git(code, "checkout", "--quiet", "-b", "side")
    commit(code, ["side.txt"], "side")
    git(code, "checkout", "--quiet", "main")
    commit(code, ["main.txt"], "main")
    git(code, "merge", "--quiet", "--no-ff", "--message=merge", "side")
    merge = next(iter(Log(str(code), **BOUNDS)))
    assert (merge.subject, len(merge.parents), merge.changes) == ("merge", 2, ())


def test_thirty_thousand_commits_are_bounded(huge):
    """Of a huge history only so many commits are read, and git does not go on."""
    began = time.monotonic()
    log = Log(str(huge), most=250, seconds=20.0, size=1 << 20)
    commits = list(log)
    assert len(commits) == 250
    assert commits[0].subject == "commit 29999"
    assert log.is_cut
    assert not log.is_late
    assert time.monotonic() - began < 10


def test_bytes_are_bounded(huge):
    """An answer that is longer than the bound is cut between commits."""
    log = Log(str(huge), most=5_000, seconds=20.0, size=100_000)
    assert 100 < len(list(log)) < 5_000
    assert (log.is_cut, log.is_late, log.is_failed) == (True, False, False)


def test_time_is_bounded(code, tmp_path, monkeypatch):
    """A git that does not answer is ended at the limit, and nothing of it is left."""
    fake = tmp_path / "bin" / "git"
    write(fake, f"#!/bin/sh\necho $$ > {tmp_path}/pid\nexec sleep 60\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}{os.pathsep}{os.environ['PATH']}")
    began = time.monotonic()
    log = Log(str(code), most=5, seconds=0.5, size=1 << 20)
    assert list(log) == []
    assert time.monotonic() - began < 10
    assert log.is_cut
    assert log.is_late
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_who_stops_early_ends_git(huge, monkeypatch):
    """Nothing is left of git when the first commits are enough."""
    children = []
    spawn = os.posix_spawnp
    monkeypatch.setattr(
        os, "posix_spawnp", lambda *words, **more: children.append(spawn(*words, **more)) or children[0]
    )
    commits = iter(Log(str(huge), most=30_000, seconds=20.0, size=1 << 30))
    assert next(commits).subject == "commit 29999"
    os.kill(children[0], 0)
    del commits
    with pytest.raises(ProcessLookupError):
        os.kill(children[0], 0)


def test_nothing_where_there_is_nothing(tmp_path, code, monkeypatch):
    """No repository, no commit and no git are a log that failed, without an error."""
    git(code, "checkout", "--quiet", "--orphan", "new")
    folder = tmp_path / "plain"
    folder.mkdir()
    for top in (code, folder):
        log = Log(str(top), **BOUNDS)
        assert list(log) == []
        assert log.is_failed
    monkeypatch.setenv("PATH", str(folder))
    log = Log(str(code), **BOUNDS)
    assert list(log) == []
    assert log.is_failed


def test_nothing_that_settings_name_is_run(code, tmp_path):
    """Programs that a repository's settings name for showing, comparing and verifying are not run."""
    ran = tmp_path / "ran"
    for name in ("core.pager", "diff.external", "gpg.program", "core.fsmonitor", "diff.odd.command"):
        git(code, "config", name, f"touch {ran}")
    for name in ("log.showSignature", "diff.renames", "diff.relative"):
        git(code, "config", name, "true")
    write(code / ".gitattributes", "* diff=odd\n")
    commit(code, ["staged.txt"], "odd")
    ran.unlink(missing_ok=True)
    assert next(iter(Log(str(code), **BOUNDS))).subject == "odd"
    assert not ran.exists()


def test_it_loads_no_more_than_a_hook_has():
    """Neither what runs processes in other ways, nor typing."""
    words = (sys.executable, "-S", "-c", f"import sys; sys.path = {sys.path!r}; import sleep.store.git.bounded_log")
    words = (*words[:-1], f"{words[-1]}; print(*sys.modules)")
    loaded = set(subprocess.run(words, capture_output=True, text=True, check=True).stdout.split())
    assert not loaded & {"subprocess", "select", "signal", "typing", "threading", "sleep.store.history"}
