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
        (("thread.reopen", "T-1"), "sleepwake thread.resume T-1"),
        (("stats",), "sleepwake memory.stats"),
        (("dashboard",), "sleepwake relay.serve"),
        (("ask", "what is next"), "sleepwake recall 'what is next'"),
        (("what is blocked?",), "sleepwake recall 'what is blocked?'"),
        (("what", "is", "next"), "sleepwake recall 'what is next'"),
        (("what's", "next?"), """sleepwake recall 'what'"'"'s next?'"""),
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
    scene.lived()
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
        "Hint: sleepwake journal.add --help\nMore: sleepwake help recovery#usage\n"
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


@pytest.mark.parametrize(
    ("words", "right"),
    [
        (("handoff", "the parser is done"), 'journal.add --kind handoff --text "the parser is done"'),
        (("question", "who owns it?"), 'journal.add --kind question --text "who owns it?"'),
        (("constraint.add", "never $HOME"), 'journal.add --kind constraint --text "..."'),
        (("dead-end",), "journal.add --kind 'dead end' --text \"...\""),
        (("question", "answer", "Q-001"), "question.answer Q-001"),
        (("task",), "one of task.list"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_kind_that_is_taken_for_a_task(words, right):
    """A kind of entry in the place of a task leads to `journal.add`, unless a task of that kind is meant."""
    with pytest.raises(UsageError) as caught:
        near_names.refuse(words, NAMES)
    assert right in str(caught.value)


@pytest.mark.parametrize(
    ("words", "says", "hint"),
    [
        (("note",), "note needs TEXT, what it says, in your own words and in quotes", "note --help"),
        (
            ("blocker.resolve", "--outcome", "x"),
            "blocker.resolve needs HANDLE, its number or its address",
            "blocker.list",
        ),
        (
            ("journal.add", "free text"),
            "journal.add takes 'free text' only behind an option (--kind,",
            "journal.add --help",
        ),
        (
            ("question.answer", "Q-001", "yes, it does"),
            "(would be right: sleepwake question.answer Q-001 --answer 'yes, it does')",
            "question.answer --help",
        ),
        (
            ("decide", "Use Y", "-why", "it is there"),
            "decide has no option -why (would be right: sleepwake decide 'Use Y' --why 'it is there')",
            "decide --help",
        ),
        (("--list", "decide"), "no group of commands is called 'decide'\n", "--list"),
        (("--list", "foo"), "no group of commands is called 'foo'\n", "--list"),
        (("--list", "memry"), "'memry' (would be right: sleepwake --list memory)", "--list"),
        (("review", "i4"), "review takes no such word as 'i4'", "review --help"),
        (("wake", "--budget"), "wake takes --budget once, with a value behind it", "wake --help"),
        (("status", "--json=1"), "status takes --json without a value", "status --help"),
        (("wake", "--zzz"), "wake has no option --zzz", "wake --help"),
        (
            ("doubt.resolve", "D", "--reason", "x"),
            "doubt.resolve has no option --reason (would be right: --outcome)",
            "doubt.resolve --help",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_words_that_a_task_cannot_take(scene, run, words, says, hint):
    """What a task needs and lacks, or cannot take, is said in its own words, with the command that helps."""
    code, out, errors = run(*words)
    assert (code, out) == (2, "")
    assert says in errors
    assert f"Hint: sleepwake {hint}\n" in errors


def test_help_is_a_word_too(run):
    """`help` prints the front page, and `help NAME` how a task is called, with its plain words."""
    assert run("help") == run("--help")
    assert run("help", "wake") == run("wake", "--help")
    assert run("topic.merge", "--help")[1].startswith("Usage: sleepwake topic.merge TOPIC [ALSO...] [options]\n")
