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
        ("tool --help 2>&1 | head -40", True),
        ("tmux capture-pane -pt main:1", True),
        ("tmux kill-session -t main", False),
        ("workmux status", True),
        ("gh api repos/a/b/pulls/3/comments --jq '.[].body'", True),
        ("gh api -X POST repos/a/b/issues -f title=x", False),
        ("bd list --open", True),
        ("npm run list", False),
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
    assert _last_error(text) == "- last error: [Bash] error: no such page as x (nothing ran after it)"
    assert f"x{actions.MENDED}" not in text


def _last_error(text):
    return next((line for line in text.split("\n") if line.startswith("- last error: ")), "")


def test_what_passed_later_is_no_last_error():
    """Not in the state, nor as lines that are come back to: one line tells that it failed and passed."""
    rows = "".join(f"ok  \tacme/pkg{number}\t(cached)\n" for number in range(20))
    failed = f"Exit code 1\n{rows}--- FAIL: TestLines_Secret (0.00s)\n    redact_test.go:59: no placeholder\nFAIL\nFAIL"
    text = _summary(
        ("go test ./...", failed), ("go test ./...", f"{rows}ok  \tacme/redact\t0.006s\n. redact_test.go:59")
    )
    assert _last_error(text) == ""
    assert "- [Bash] --- FAIL: TestLines_Secret (0.00s) (the same command passed later)" in text
    assert "no placeholder" not in text


@pytest.mark.parametrize(
    "printed",
    [
        "Command: git add docs\nOutput: (empty)\nError: (none)\nExit Code: 0",
        "=== RUN   TestRun_MutualExclusivityError\n--- PASS: TestRun_MutualExclusivityError (0.00s)\nPASS",
        "all 3 rows of execution_error_runs are there",
        "2026/01/20 16:03:25 ERROR error before init\n--- PASS: TestInit (0.00s)\nok  \tx\t0.1s",
        'the agents:\n> "also ci failed please fix. https://example.org/1"',
    ],
)
def test_a_name_or_an_empty_field_is_no_error(printed):
    """The word of failure is a piece of a name, or its field says that there was none."""
    assert _last_error(_summary(("make test", printed))) == ""


def test_results_that_failed_after_the_last_error_are_counted():
    """A result that failed without saying how is none without an error; a look that finds nothing did not fail."""
    text = _summary(
        ("make docs", "error: no such page as x"),
        ("make it", "Exit code 1\nso it goes"),
        ("rg x", "Exit code 1\nno hit"),
        ("make that", "built 7 parts of it"),
    )
    assert _last_error(text).endswith("error: no such page as x (then 3 results, 1 failed)")


def test_a_program_that_does_not_start_is_an_error_also_where_its_help_was_asked():
    """Asking for help only looks, unless it failed."""
    printed = "Process exited with code 1\nSyntaxError: no export named grade"
    assert "SyntaxError" in _last_error(_summary(("bun src/cli.ts grade --help", printed)))
    assert _last_error(_summary(("cat notes.md", "SyntaxError: no export named grade"))) == ""


def test_tests_that_passed_since_are_told_with_the_failure():
    """Another command that tests may have mended it: the state says so, and goes on to say so in the next round."""
    runs = [("npm test", "Error: Cannot find module pad"), ("npm install pad", "added 1 package")]
    text = _summary(*runs, ("npm run test:ci", "42 passing"))
    assert _last_error(text).endswith("Cannot find module pad (then 2 results without one, tests passed since)")
    history = MemoryConsolidator().consolidate(
        [{"role": "user", "content": f"[Session context consolidated]\n\n{text}"}] * 1 + TAIL * 2
    )
    assert _last_error(history[1]).endswith("tests passed since)")
    assert "tests passed" not in _summary(*runs, ("npm run test:ci", "41 passing, 1 failed"))


def _waiting(start, wait, printed):
    """Return the summary of a command that goes on under an id, is waited for by another tool, and is run again."""
    talk = [{"role": "user", "content": "Mend the build."}]
    for number, (name, given, text) in enumerate(
        (
            ("exec_command", {"cmd": "make test"}, start),
            (*wait, printed),
            ("exec_command", {"cmd": "make test"}, "30 passed in all"),
        )
    ):
        function = {"name": name, "arguments": json.dumps(given)}
        calls = [{"id": f"c{number}", "type": "function", "function": function}]
        talk.append({"role": "assistant", "content": None, "tool_calls": calls})
        talk.append({"role": "tool", "tool_call_id": f"c{number}", "content": text})
    return MemoryConsolidator().consolidate([*talk, *TAIL])[1]


@pytest.mark.parametrize(
    ("start", "wait"),
    [
        ("Process running with session ID 61772", ("write_stdin", {"session_id": 61772, "chars": ""})),
        ("Command running in background with ID: bash_1", ("BashOutput", {"bash_id": "bash_1"})),
        ("<command with shellId: 8 is still running after 30 seconds.>", ("read_bash", {"shellId": "8", "delay": 2})),
    ],
)
def test_what_waits_for_a_command_is_of_its_run(start, wait):
    """A failure that it prints is mended by a later run of the command, and is no last error."""
    text = _waiting(start, wait, "collected 30\n(fail) the lines of a page > are cut")
    assert _last_error(text) == ""
    assert f"are cut{actions.MENDED}" in text
    assert "61772" not in text


def test_a_merge_that_was_gone_on_with_is_no_error():
    """Its conflicts are over once a commit was made, whatever else the command did."""
    conflict = "CONFLICT (content): Merge conflict in a.py\nerror: could not apply 669232e1... add a budget"
    text = _summary(
        ("git add a.py && GIT_EDITOR=true git rebase --continue", conflict),
        ("git rebase --continue", "[main 1b33e998] add a budget\nSuccessfully rebased and updated refs/heads/main."),
        ("make", "built from 669232e1"),
    )
    assert "could not apply" not in text
    assert "could not apply" in _summary(("git rebase main", conflict))
