"""Every task: its help with an example, and its facts as JSON."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest
from scene import environment

from sleep.language import tokens
from sleep.tasks import namespace

NAMES = sorted(namespace.task_names)
WRITERS = {"bench.acts", "bench.records", "demo", "journal.close", "mcp", "relay.run"}  # they print no facts
LIFE = (
    (("init",), {"root", "laid"}),
    (("wake", "--session", "a"), {"instance", "path", "tokens", "budget", "parts"}),
    (("wake", "--peek"), {"instance", "path", "tokens", "budget", "parts"}),
    (("journal.open", "--client", "test"), {"instance", "path"}),
    (
        ("journal.add", "--kind", "decision", "--text", "Use the lock", "--why", "x"),
        {"address", "number", "path", "redacted"},
    ),
    (("journal.add", "--kind", "decision", "--text", "Use another"), {"address", "number", "path", "redacted"}),
    (("thread.open", "--text", "Move the lock", "--next", "measure"), {"number", "address", "path"}),
    (("journal.add", "--kind", "question", "--text", "Why?"), {"address"}),
    (("journal.add", "--kind", "doubt", "--text", "Is it so"), {"address"}),
    (("journal.add", "--kind", "constraint", "--text", "Never"), {"address"}),
    (("journal.show",), {"path", "instance", "sealed", "entries"}),
    (("thread.pause", "T-001", "--reason", "x"), {"record", "from", "to", "address"}),
    (("thread.resume", "T-001"), {"record", "from", "to", "address"}),
    (("thread.next", "T-001", "--text", "x"), {"record", "was", "address"}),
    (("thread.show", "T-001"), {"number", "address", "kind", "state", "says", "fields"}),
    (("decision.supersede", "D-001", "--by", "D-002"), {"record", "from", "to", "address"}),
    (("decision.reverse", "D-002", "--reason", "x"), {"record", "from", "to", "address"}),
    (("decision.reinstate", "D-002", "--reason", "x"), {"record", "from", "to", "address"}),
    (("decision.show", "D-002"), {"number", "state"}),
    (("sleep", "--dry-run"), {"steps", "skipped", "recovered", "diff"}),
    (("sleep",), {"steps", "skipped", "recovered", "diff"}),
    (("question.answer", "Q-001", "--answer", "so"), {"record", "from", "to", "address"}),
    (("question.reopen", "Q-001", "--reason", "x"), {"record", "from", "to", "address"}),
    (("question.show", "Q-001"), {"number", "state"}),
    (("thread.resolve", "T-001", "--outcome", "done"), {"record", "from", "to", "address"}),
    (("sleep.resume",), {"steps", "skipped", "recovered", "diff"}),
    (("sleep.history",), None),
    (("memory.stats",), {"tiers", "topics", "over_time", "svg"}),
    (("memory.explain", "D-002"), {"address", "happened", "stands", "verdict", "notes"}),
    (("memory.explain", "1", "--all"), {"path", "instance", "cycle", "characters", "fates", "runs", "stands", "notes"}),
    (("memory.diff",), {"cycle", "state", "slept", "note", "steps"}),
    (("sleep.undo", "--dry-run"), {"cycle", "instance", "rebuilt", "paths", "sha", "diff"}),
    (("sleep.undo",), {"cycle", "instance", "rebuilt", "paths", "sha", "diff"}),
    (("thread.list", "--all"), None),
    (("decision.list",), None),
    (("question.list", "--at", "HEAD~1"), None),
    (("doubt.list",), None),
    (("constraint.list", "--state", "active"), None),
    (("status",), {"root", "branch", "open_instances", "unslept", "tiers", "records", "cycles", "last_sleep", "due"}),
    (("wake.check",), {"ok", "findings"}),
    (("doctor",), {"ok", "findings"}),
    (("memory.redact", "memory/hot/context.md"), {"file", "redacted"}),
)


@pytest.mark.parametrize("name", NAMES)
def test_help_has_an_example(run, name):
    """Every task's help says what it does and gives an example that begins with its own name."""
    code, out, err = run(name, "--help")
    assert (code, err) == (0, "")
    example = " ".join(out.split("Example: ", 1)[1].split("Options:")[0].split())
    words = shlex.split(example)
    assert words[0] in ("sleepwake", "inv")
    assert words[1] in (name, name.partition(".")[0] if name in ("sleep.sleep", "wake.wake", "review.review") else name)


@pytest.mark.parametrize("name", NAMES[::10])
def test_help_may_stand_before_its_task(run, name):
    """The help of a task is the same before its name and behind it."""
    run(name, "--help")  # Invoke takes the flags' texts away
    assert run("--help", name) == run(name, "--help")


_FLAGS = """
from sleep.tasks import namespace
for name in namespace.task_names:
    for argument in namespace[name].get_arguments():
        if not argument.help:
            print(name, argument.names)
"""


def test_every_flag_is_explained():
    """Every argument of every task has a help text."""
    # In a child: Invoke takes the texts away the first time it is asked for a task's arguments.
    words = (sys.executable, "-c", _FLAGS)
    assert subprocess.run(words, env=environment(), capture_output=True, text=True, check=True).stdout == ""


def test_facts_have_a_json_form():
    """Every task but those that print no facts takes `--json`."""
    takers = {name for name in NAMES if any("json" in argument.names for argument in namespace[name].get_arguments())}
    assert {name for name in NAMES if not name.startswith("dev.")} - takers == WRITERS
    assert not takers & WRITERS


def test_a_life_in_json(facts, scene):
    """Through a whole life of a memory the output of every task with `--json` parses, with the facts it promises."""
    for words, keys in LIFE:
        found = facts(*words)
        assert keys is None or keys <= set(found), words


_LOOKS = re.compile(
    r"--(dry-run|peek)|\w\.(show|list|history|diff|explain|stats|check|status|debt) "
    r"|(status|doctor|snapshot|recall|review) "
)
_LOOKED = (("snapshot",), ("recall", "lock"), ("review",), ("sleep.status",), ("sleep.debt",))


def test_what_only_looks_writes_nothing(run, scene):
    """A task that shows something, or runs dry, leaves files, ledger, index, commits and refs as they are."""
    run("sleep.add", "2", "a talk")
    looked = 0
    for words in (*(words for words, _ in LIFE), *_LOOKED):
        looks = _LOOKS.search(f"{' '.join(words)} ")
        before = scene.everything() if looks else None
        assert run(*words)[0] == 0, words
        assert before is None or scene.everything() == before, words
        looked += bool(looks)
    assert looked == 25


def test_git_is_never_asked_to_throw_work_away(run, scene, tmp_path, monkeypatch):
    """Through a life, an undo and a repair, git is asked to send nothing, and to remove no file, branch or commit."""
    log, git = tmp_path / "asked", shutil.which("git")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/git").write_text(f"#!/bin/sh\nprintf '%s\\n' \"$*\" >> '{log}'\nexec '{git}' \"$@\"\n")
    (tmp_path / "bin/git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin{os.pathsep}{os.environ['PATH']}")
    for words in (*(words for words, _ in LIFE), ("doctor", "--fix")):
        assert run(*words)[0] == 0, words
    asked = [re.sub(r"^(-[cC] \S+ |--?[\w-]+(=\S*)? )*", "", line) for line in log.read_text().splitlines()]
    verbs = {line.partition(" ")[0] for line in asked}
    assert verbs >= {"commit", "log", "status"}
    losing = ("push", "reset", "clean", "checkout", "restore", "switch", "rebase", "stash", "gc", "branch", "rm")
    assert verbs.isdisjoint(losing)


def test_a_life_in_words(run, scene):
    """Through the same life every task ends with 0, says something on stdout, and nothing on stderr."""
    for words, _ in LIFE:
        code, out, err = run(*words)
        assert (code, err) == (0, ""), (words, out, err)
        assert out.endswith("\n")


def test_lists_show_what_is_open_unless_asked(facts):
    """A list shows what is open; `--all` and `--state` show the rest."""
    facts("thread.open", "--text", "one")
    facts("thread.open", "--text", "two")
    facts("thread.resolve", "T-001", "--outcome", "done")
    assert [one["number"] for one in facts("thread.list")] == ["T-002"]
    assert [one["number"] for one in facts("thread.list", "--all")] == ["T-001", "T-002"]
    assert [one["number"] for one in facts("thread.list", "--state", "resolved")] == ["T-001"]


def test_a_decision_that_does_not_say_why_is_asked(run):
    """A decision without its why is written, and asked for what it does not say."""
    _, out, _ = run("journal.add", "--kind", "decision", "--text", "Use it")
    assert "not given: why, alternatives, confidence, revisit when" in out
    assert "not given: why\n" in run("journal.add", "--kind", "dead-end", "--text", "Use numpy")[1]
    assert "does not say" not in run("journal.add", "--kind", "task", "--text", "Test it")[1]


def test_the_budget_is_hard_for_what_is_printed(scene, run):
    """What `wake` prints, its last line included, keeps within the budget."""
    scene.lived(3)
    for budget in ("200", "400", "1000"):
        code, out, _ = run("wake", "--budget", budget)
        assert code == 0
        assert tokens.count(out) <= int(budget)


def test_bytes_that_are_no_text_come_out_as_they_went_in(scene, run):
    """A journal with bytes that are not UTF-8 can be shown."""
    scene.write("x.md", b"# Day\n\n- caf\xe9\n")
    assert run("journal.import", "x.md")[0] == 0
    assert run("journal.show")[0] == 0


def test_a_task_keeps_its_help():
    """Asked twice for its arguments, a task gives the same help."""
    first, second = (namespace["init"].get_arguments() for _ in range(2))
    assert [one.help for one in first] == [one.help for one in second]
    assert all(one.help for one in second)


@pytest.mark.parametrize("ratio", ["1e-320", "0", "nan", "1e999", "-1"])
def test_a_ratio_by_which_nothing_can_be_divided(run, tmp_path, ratio):
    """A ratio has to be a number above 0 by which a length can be divided."""
    (tmp_path / "a.md").write_text("Words.\n")
    code, out, err = run("compress", str(tmp_path / "a.md"), f"--ratio={ratio}")
    assert (code, out) == (2, "")
    assert "would be right: a number above 0" in err


@pytest.mark.parametrize("words", [("compress", "none"), ("bench.edits", "none"), ("memory.redact", "none")])
def test_a_file_that_is_not_there(run, words):
    """A file that is named and not there is named again, with what would be right."""
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert "none: no such file (would be right: " in err


def test_a_demo_of_a_memory_that_is_not_there(run):
    """A root that is named and has no memory is said to have none; no other memory is shown in its place."""
    code, out, err = run("demo", "--root", "nowhere")
    assert (code, out) == (4, "")
    assert "nowhere: named, but there is no memory" in err
