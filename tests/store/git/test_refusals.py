"""What git says when it refuses, as errors of ours with the next step."""

from __future__ import annotations

import pytest

from sleep.errors import GitStateError, StorageError
from sleep.store.git import refusals
from sleep.store.git.refusals import HookRefusedError


@pytest.mark.parametrize(
    ("message", "hooked", "kind", "hint"),
    [
        ("fatal: cannot write: No space left on device", False, StorageError, "make room"),
        ("fatal: cannot update ref 'refs/heads/a': couldn't write '/a/a.lock'", False, StorageError, "df -h"),
        ("fatal: unable to write new index file", False, StorageError, "df -h"),
        ("eslint: No space left on device", True, HookRefusedError, "satisfy the hook"),
        ("fatal: Unable to create '/a/.git/index.lock': File exists.", True, GitStateError, "rm '/a/.git/index.lock'"),
        ("error: gpg failed to sign the data\nfatal: failed to write commit object", True, GitStateError, "`git.sign"),
        ("", True, HookRefusedError, "satisfy the hook"),
        ("fatal: bad object", False, GitStateError, "git status"),
    ],
)
def test_each_refusal_has_its_next_step(message, hooked, kind, hint):
    """A full disk, another git, a key and a hook are told apart; what a hook says of a disk is the hook's."""
    error = refusals.explain("commit", message, place="/a", hooked=hooked)
    assert type(error) is kind
    assert hint in error.hint
    assert error.where == "/a"


def test_only_what_a_hook_says_at_length_is_cut():
    """Up to the limit a message is whole; a longer one keeps its first and its last half of it."""
    assert refusals.clip("  x\n") == "x"
    assert refusals.clip("x" * refusals._CLIP) == "x" * refusals._CLIP
    half = refusals._CLIP // 2
    assert refusals.clip("a" * 5_000 + "b" * 5_000) == f"{'a' * half}\n…\n{'b' * half}"


@pytest.mark.parametrize(
    ("message", "step"),
    [
        ("fatal: detected dubious ownership in repository at '/srv/m y'", "safe.directory '/srv/m y'"),
        ("fatal: will not add file alias 'a.md' ('A.md' already exists in index)", "git mv a.md"),
        ("fatal: journal/a.md: clean filter 'git-crypt' failed", "'^filter.git-crypt'"),
        ("fatal: memory/a.md: smudge filter lfs failed", "'^filter.lfs'"),
        ("error: bad signature 0x62726167\nfatal: index file corrupt", "files stay as they are)"),
        ("fatal: .git/index: index file smaller than expected", "files stay as they are)"),
        (
            "fatal: cannot lock ref 'HEAD': unable to resolve reference 'refs/heads/main': reference broken",
            'logs/refs/heads/main)" into .git/refs/heads/main',
        ),
        (
            "fatal: not a git repository (or any of the parent directories): .git",
            ".git/HEAD is damaged (would be right: ref: refs/heads/BRANCH)",
        ),
        ("fatal: something else", "git status"),
    ],
)
def test_the_next_step_for_what_git_says(message, step):
    """A refusal that has a way out names it, with the path or the filter that git names."""
    error = refusals.explain("add", message, place="/srv/m y", hooked=False)
    assert error.hint.endswith((step, f"{step} ...)"))


def test_a_damaged_branch_is_not_waited_for():
    """A lock that another git holds may go, and the file of a branch that names no commit stays as it is."""
    assert refusals.is_busy("fatal: cannot lock ref 'HEAD': is at 1234 but expected 5678")
    assert not refusals.is_busy(
        "fatal: cannot lock ref 'HEAD': unable to resolve reference 'refs/heads/main': reference broken"
    )
