"""The command that was meant is named where no task has the name that was typed; nothing is run."""

from __future__ import annotations

import pytest

from sleep.errors import UsageError
from sleep.tasks import collection
from sleep.tasks.command_line import near_names

NAMES = list(collection.every())


@pytest.mark.parametrize(
    ("typed", "right"),
    [
        (("journal", "add"), "sleepwake journal.add"),
        (("journl", "add", "--text", "a b"), "sleepwake journal.add --text 'a b'"),
        (("decison", "list"), "sleepwake decision.list"),
        (("recal",), "sleepwake recall"),
        (("recal", "which lock"), "sleepwake recall 'which lock'"),
        (("wak",), "sleepwake wake"),
        (("stauts",), "sleepwake status"),
        (("Status",), "sleepwake status"),
        (("sleep.statu",), "sleepwake sleep.status"),
        (("sleep-status",), "sleepwake sleep.status"),
        (("snapshott",), "sleepwake snapshot"),
        (("undo", "3"), "sleepwake sleep.undo 3"),
        (("thread",), "one of thread.list, thread.show"),
        (("thread.clsoe", "T-001"), "one of thread.list, thread.show"),
        (("threads",), "one of thread.list, thread.show"),
    ],
    ids=" ".join,
)
def test_a_name_that_is_near(typed, right):
    """A space for a dot, a slip, another case, the last part or the first part of a name lead to the right command."""
    with pytest.raises(UsageError) as caught:
        near_names.refuse(typed, NAMES)
    assert f"(would be right: {right}" in str(caught.value)


@pytest.mark.parametrize("typed", [("foo",), ("xyzzy", "add"), ("",), ("e",)], ids=" ".join)
def test_a_name_that_is_near_to_nothing(typed):
    """Where nothing is near no command is guessed, and the list of all is named."""
    with pytest.raises(UsageError) as caught:
        near_names.refuse(typed, NAMES)
    assert "would be right" not in str(caught.value)
    assert caught.value.hint == "sleepwake --list"


def test_names_that_there_are():
    """The name of each task, and a line that begins with an option, are not refused."""
    for name in NAMES:
        near_names.refuse((name, "more"), NAMES)
        near_names.refuse(("--json", name), NAMES)
    near_names.refuse((), NAMES)


@pytest.mark.parametrize("word", ["status", "undo", "debt", "stauts"])
def test_a_word_after_a_task(scene, run, word):
    """`sleep status` and its like name the task, end with 2, and do not sleep."""
    scene.cycle(1)
    run("journal.add", "--text", "x")
    before = scene.everything()
    code, out, err = run("sleep", word)
    right = "status" if word == "stauts" else word
    assert (code, out) == (2, "")
    assert f"no command is called 'sleep {word}' (would be right: sleepwake sleep.{right})" in err
    assert scene.everything() == before


def test_the_error_is_one_sentence_and_a_hint_that_works(run):
    """A near miss says what would be right, once, and the hint's command prints the help of that task."""
    code, out, err = run("journal", "add", "--text", "x")
    assert (code, out) == (2, "")
    assert err == (
        "no command is called 'journal add' (would be right: sleepwake journal.add --text x)\n"
        "Hint: sleepwake journal.add --help\nSee docs/recovery.md#usage\n"
    )
    assert "Write an entry into the open journal" in run("journal.add", "--help")[1]


@pytest.mark.parametrize(
    ("words", "right"),
    [
        (("journal.add", "--kind", "decision", "--alternatives", "b"), "--alternative"),
        (("journal.add", "--confidense=high"), "--confidence"),
        (("wake", "--budgt", "300"), "--budget"),
        (("sleep", "--dryrun"), "--dry-run"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_an_option_that_is_near(scene, run, words, right):
    """An option that a task has not is answered with the one that was meant, and with a hint that works."""
    code, _, errors = run(*words)
    assert code == 2
    assert f"(would be right: {right})\nHint: sleepwake {words[0]} --help" in errors
    assert "would be right" not in run("wake", "--zzz")[2]
