"""The design card: how the program is to be made, a part a test."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

from sleep.documents.markdown import blocks

ROOT = Path(__file__).resolve().parents[2]
DATE = "2040-11-22T12:00:00 +0000"  # after every sleep of a test


@cache
def _sources():
    """Return the program's modules: path below the package and text."""
    found = sorted((ROOT / "sleep").rglob("*.py"))
    return {path.relative_to(ROOT / "sleep").as_posix(): path.read_text(encoding="utf-8") for path in found}


def _users(library):
    """Return the modules that import a library, at their top or late."""
    says = re.compile(rf"(?m)^\s*(?:import|from) {library}\b")
    return [path for path, text in _sources().items() if says.search(text)]


def test_6_1():
    """6.1: The repository has tasks.py, sleep/, memory/, journal/, main.md and tests/."""
    for name in ("tasks.py", "sleep/__init__.py", "memory/hot", "journal", "main.md", "tests"):
        assert (ROOT / name).exists()


def test_6_2(clerk):
    """6.2: Invoke tasks journal, sleep and wake, also from a folder below."""
    below = clerk.home / "src"
    below.mkdir()
    listed = clerk.inv("--list")
    for name in ("journal.add", "journal.show", "sleep", "sleep.status", "wake", "snapshot", "status"):
        assert re.search(rf"(?m)^  {re.escape(name)}\b", listed), name
    clerk.do("note", "from below", folder=below)
    clerk.do("sleep", folder=below)
    assert "from below" in clerk.do("wake", folder=below)


def test_6_3(clerk):
    """6.3: Beside a person's own tasks.py, the memory's tasks run and hers stay."""
    mine = "from invoke import task\n\n\n@task\ndef hello(c):\n    print('hello')\n"
    (clerk.home / "tasks.py").write_text(mine)
    (laid,) = [one for one in clerk.facts("init")["laid"] if one["path"] == "tasks.py"]
    line = laid["note"].rpartition("last line: ")[2]
    (clerk.home / "tasks.py").write_text(f"{mine}{line}\n")
    assert clerk.inv("hello", "sleep.debt") == "hello\n0\n"


def test_6_4(old):
    """6.4: Each step is one commit, which says what it did and has its trailers."""
    log = old.scene.git("log", "--format=%s|%(trailers:key=Sleep-Step,valueonly,separator=)", "-6").splitlines()
    assert [row.rpartition("|")[2] for row in log].count("") == 0
    assert all(row.startswith("sleep: ") for row in log)
    assert old.scene.git("status", "--porcelain") == ""


def test_6_5(old, monkeypatch):
    """6.5: Debt tracking and snapshots read git history."""
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_DATE", DATE)
    for number in range(4):
        old.scene.write(f"src/auth{number}.py", "x = 1\n")
        old.scene.git("add", f"src/auth{number}.py")
        old.scene.git("commit", "--quiet", f"--message=Fix the login {number}")
    for words in (("sleep.status",), ("status",), ("snapshot",), ("wake", "--peek")):
        told = old.do(*words)
        assert re.search(r"\b4 commits\b", told), words
    assert "Fix the login 3" in old.do("snapshot")
    assert old.do("sleep.debt", SLEEP_DEBT_COMMITS="score") == "2\n"
    assert old.do("sleep.debt") == "0\n"


def test_6_6(clerk, tmp_path):
    """6.6: A clone knows its last sleep from what git has."""
    clerk.do("note", "something")
    clerk.do("sleep")
    clerk.scene.git("clone", "--quiet", ".", str(tmp_path / "clone"))
    told = json.loads(clerk.do("sleep.status", "--json", folder=tmp_path / "clone"))
    assert told["last_sleep"] == clerk.facts("sleep.status")["last_sleep"]


def test_6_7(tmp_path):
    """6.7: GitPython is used, behind one door, where a repository is made or cloned; commits run git themselves.

    Deviates: ADR 57
    """
    assert _users("git") == ["store/repository.py"]
    script = (
        "import sys; from sleep.store import repository; before = 'git' in sys.modules; "
        "repository.create(sys.argv[1]); print(before, 'git' in sys.modules)"
    )
    words = (sys.executable, "-c", script, str(tmp_path / "new"))
    assert subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout == "False True\n"
    assert (tmp_path / "new/.git").is_dir()


def test_6_8():
    """6.8: Invoke runs the tasks for `inv`, and prints the help; one module of the rooms of tasks loads it."""
    assert _users("invoke") == ["tasks/command_line/invoke_program.py"]


def test_6_9():
    """6.9: mistune reads the Markdown of journals and imports; tiers and main.md are read by line.

    Deviates: ADR 5
    """
    assert _users("mistune") == ["documents/markdown/block_rules.py"]
    (heading, fence) = blocks.parse("## Decision: x\n\n```\n## no heading\n```\n")
    assert (heading.kind, fence.kind) == ("heading", "code")


def test_6_10():
    """6.10: ruamel.yaml reads the YAML that the lean reader does not, and writes none.

    Deviates: docs/dependencies.md
    """
    assert _users("ruamel") == ["documents/yaml_oracle.py"]
    assert "dump(" not in _sources()["documents/yaml_oracle.py"]


def test_6_11():
    """6.11: A library beyond these four is on docs/dependencies.md, with what it is for and why it is not ours."""
    (listed,) = re.findall(r"(?ms)^dependencies = \[(.*?)^\]", (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    named = set(re.findall(r'"([\w.]+)', listed))
    assert {"gitpython", "invoke", "mistune", "ruamel.yaml"} <= named
    page = (ROOT / "docs/dependencies.md").read_text(encoding="utf-8").lower()
    assert [name for name in named if f"| [{name}](" not in page] == []
