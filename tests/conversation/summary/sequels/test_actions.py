"""What commands did: what only looks is left out, a later run takes the place of an earlier one."""

from __future__ import annotations

import json

import pytest

from sleep.conversation import MemoryConsolidator
from sleep.conversation.summary.sequels import actions

TAIL = [{"role": role, "content": f"{role} {number}"} for number, role in enumerate(["user", "assistant"] * 2)]


@pytest.mark.parametrize(
    ("command", "is_look"),
    [
        ("cd x && sed -n '1,200p' a.py", True),
        ("git log --oneline -5 | head", True),
        ("git -C /p status --short", True),
        ("gh pr view 3 --json title", True),
        ("rg -n 'a|b; rm -r' src 2>/dev/null | sort | uniq -c", True),
        ("grep -rn x . && echo done", True),
        ("make tool && tool list --help", False),
        ("tool list --help", True),
        ("git branch -D old", False),
        ("git push origin main", False),
        ("gh pr create --fill", False),
        ("ls > listing.txt", False),
        ("sed -i s/a/b/ x.py", False),
        ("find . -name '*.pyc' -delete", False),
        ("cat x && make test", False),
        ("pytest -q | tail -3", False),
    ],
)
def test_a_command_looks_when_all_of_its_steps_do(command, is_look):
    """By the programs that it runs, not by what it is given between quotation marks."""
    assert actions.read(command).is_look is is_look


@pytest.mark.parametrize(
    ("name", "arguments", "command"),
    [
        ("exec_command", '{"cmd":"sed -n \'1p\' \\"a\\"","workdir":"/x"}', "sed -n '1p' \"a\""),
        ("shell", '{"command":["bash","-lc","ls -l"]}', "ls -l"),
        ("Bash", "command: make a\nmake b\ndescription: build", "make a\nmake b"),
        ("Bash", "ls", "ls"),
        ("shell", '{"path": "src"}', ""),
        ("Read", "file_path: /p/a.py", ""),
    ],
)
def test_commands_are_read_as_clients_write_them(name, arguments, command):
    """As JSON, as lines, or bare; other calls give none."""
    assert actions.command_of(name, arguments) == command


def _summary(*runs):
    talk = [{"role": "user", "content": "Mend the build."}]
    for number, (command, printed) in enumerate(runs):
        given = {"name": "Bash", "arguments": json.dumps({"command": command})}
        calls = [{"id": f"c{number}", "type": "function", "function": given}]
        talk.append({"role": "assistant", "content": None, "tool_calls": calls})
        talk.append({"role": "tool", "tool_call_id": f"c{number}", "content": printed})
    return MemoryConsolidator().consolidate([*talk, *TAIL])[1]


def test_what_was_only_looked_at_is_told_of_the_latest_looks_alone():
    """Older ones can be had again; what stands in any of them is no failure."""
    looks = [(f"cat notes-{number}.md", f"If step {number} fails with an error, call Ann.") for number in range(6)]
    text = _summary(("make", "built 7 parts of it"), *looks)
    assert "built 7 parts of it" in text
    assert [number for number in range(6) if f"step {number} " in text] == []
    kept = _summary(*((command, f"All of part {number} is here.") for number, (command, _) in enumerate(looks)))
    assert [number for number in range(6) if f"part {number} " in kept] == [3, 4, 5]


def test_a_failure_that_was_mended_says_so_and_older_runs_are_gone():
    """Of runs of one command the last is told, and of a failure that it mended the line that tells it."""
    text = _summary(
        ("make test", "collected 7 tests\n" + "row\n" * 99 + "FAILED test_a: KeyError 7\n" + "row\n" * 99),
        ("make test 2>&1 | tail -3", "7 passed in all"),
        ("make docs", "error: no such page as x"),
    )
    assert f"- [Bash] FAILED test_a: KeyError 7{actions.MENDED}" in text
    assert "collected 7 tests" not in text
    assert "- [Bash] 7 passed in all" in text
    assert "- [Bash] error: no such page as x" in text
    assert f"x{actions.MENDED}" not in text
