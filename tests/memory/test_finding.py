"""What is wrong, as a value: the words of a fix, and its command apart."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from dev import ROOT
from sleep.memory.finding import Finding

_FINDS = (
    "changes/losses.py",
    "changes/sealed_journals.py",
    "upkeep/doctor.py",
    "upkeep/page_checks.py",
    "wake/checks.py",
)
_BARE = re.compile(r"^(?:sleepwake|git|mv|rm|ls) .* (?:shows?|finds?|names?|keeps?|says?|lays?|gives?|forgets?) ")


@pytest.mark.parametrize(
    ("fix", "command"),
    [
        ("sleepwake doctor --fix", "sleepwake doctor --fix"),
        ("`git branch i3abc 1a2b3c` keeps them", "git branch i3abc 1a2b3c"),
        ("fetch it from another clone: `git log --all -- a.md`", "git log --all -- a.md"),
        ("mend the line", ""),
        ("git fetch --unshallow, then the same command again", ""),
        ("git merge --continue or git merge --abort", ""),
        ("", ""),
    ],
)
def test_the_command_of_a_fix_stands_apart(fix, command):
    """Of words that have a command between backticks it is that, of a fix that is one the whole, else nothing."""
    finding = Finding("git", "fail", "it is so", "a.md", fix)
    assert finding.command == command
    assert finding.facts == {**finding._asdict(), "command": command}
    assert finding.line.endswith(fix)


@pytest.mark.parametrize("name", _FINDS)
def test_no_fix_ends_its_command_with_bare_words(name):
    """No text of ours goes on in words behind a command that no backticks end: a program would run them."""
    tree = ast.parse(Path(ROOT, "sleep", name).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert not _BARE.match(node.value), node.value
