"""The words of a command are read the same for every task, without Invoke, and mean what they mean to it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from sleep.errors import UsageError
from sleep.records.kinds import RECORDS
from sleep.tasks import collection
from sleep.tasks.command_line import invoke_program

EVERY = collection.every()


def read(name, *words):
    """Return the values that words give to a task, None where they are more than a plain reading takes."""
    task = EVERY[name]
    reading = task.read(words)
    return reading.values if task.is_whole(reading) else None


def test_help_and_plain_words_are_of_parameters():
    """What a task says of its parameters and of plain words is of parameters that it has, and each of these is told."""
    for name, task in EVERY.items():
        free = [parameter for parameter in task.parameters if not parameter.is_needed]
        assert {*task.plain} <= {parameter.name for parameter in task.parameters}, name
        assert [parameter.name for parameter in task.parameters if not parameter.help] == [], name
        assert {type(parameter.default) for parameter in free} <= {str, bool, type(None)}, name
        assert {parameter.name for parameter in task.parameters if parameter.is_needed} <= {*task.plain}, name


def test_help_of_what_is_no_parameter():
    """A text for a parameter that a task has not is a slip of ours, and is refused."""
    from sleep.tasks.task import Task  # noqa: PLC0415

    with pytest.raises(ValueError, match="which"):
        Task("x", lambda json=False: None, help={"which": "x"})


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ("wake", {}),
        ("wake --task make=faster -b 8000", {"task": "make=faster", "budget": "8000"}),
        ("wake --peek --at=cycle -j", {"peek": True, "at": "cycle", "json": True}),
        ("wake --budget -1", {"budget": "-1"}),
        ("wake --help", None),
        ("wake status", None),
        ("wake --task", None),
        ("wake --task --json", None),
        ("wake -n --new", None),
        ("sleep --dry-run -j", {"dry_run": True, "json": True}),
        ("sleep --instance=7 --root x", {"instance": "7", "root": "x"}),
        ("sleep -a -i 7", {"ask": True, "instance": "7"}),
        ("sleep --instance", None),
        ("sleep --ask=yes", None),
        ("sleep -x", None),
        ("sleep x", None),
        ("recall why a lock", {"question": "why a lock"}),
        ("recall --budget=500 x", {"question": "x", "budget": "500"}),
        ("recall x -t hot --tier=warm -k dead", {"question": "x", "tier": ["hot", "warm"], "kind": ["dead"]}),
        (
            "recall x -e -l -j -r there",
            {"question": "x", "ever": True, "least": True, "json": True, "root": "there"},
        ),
        ("recall --ever -- -x --json", {"ever": True, "question": "-x --json"}),
        ("recall -- --help", {"question": "--help"}),
        ("recall -", {"question": "-"}),
        ("recall", None),
        ("recall --json", None),
        ("recall -h x", None),
        ("recall x -be", None),
        ("recall x --json=1", None),
        ("sleep.add 2 Bug", {"score": "2", "text": "Bug"}),
        ("sleep.add 2 Bug fix --json", {"score": "2", "text": "Bug fix", "json": True}),
        ("sleep.add --score 2 --text -x", {"score": "2", "text": "-x"}),
        ("sleep.add --score 2 x", {"score": "2", "text": "x"}),
        ("sleep.add --text x 3", {"score": "3", "text": "x"}),
        ("sleep.add -s 2 -t x", {"score": "2", "text": "x"}),
        ("sleep.add 2 --root r x", {"score": "2", "root": "r", "text": "x"}),
        ("sleep.add 2 -", {"score": "2", "text": "-"}),
        ("sleep.done all of it", {"text": "all of it"}),
        ("sleep.done --text --it", {"text": "--it"}),
        ("sleep.done", {}),
        ("sleep.undo 3", {"cycle": "3"}),
        ("sleep.undo 3 4", None),
        ("compress page.md", {"file": "page.md"}),
        ("conversation.originals 5f70", {"address": "5f70"}),
        ("review.purpose hiking", {"text": "hiking"}),
        ("memory.diff 2", {"cycle": "2"}),
        ("topic.list dns", {"topic": "dns"}),
        ("topic.merge a b c --into d", {"topic": "a", "also": ["b", "c"], "into": "d"}),
        ("review.confirm a b", {"handle": "a", "also": ["b"]}),
        ("journal.capture a b", {"transcript": ["a", "b"]}),
        ("bench.wake folder 500", {"memory": "folder", "budget": "500"}),
        ("journal.import a b c", {"file": "a", "also": ["b", "c"]}),
        ("journal.import a --also b c", {"file": "a", "also": ["b", "c"]}),
        ("relay.run --name a -- claude -p", {"name": "a", "command": ["claude", "-p"]}),
    ],
)
def test_words_are_read(words, values):
    """Flags, values, letters and plain words mean what a task says; help, slips and more are left to Invoke."""
    name, *rest = words.split()
    assert read(name, *rest) == values


def test_a_text_of_several_words_is_refused():
    """Where an option may take prose too, words without quotes are refused with the line that would be right."""
    with pytest.raises(UsageError, match="sleepwake note 'use flock'"):
        read("note", "use", "flock")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("sleep.add 2 Bug fix --bogus", "--score=2 --text=Bug fix --bogus"),
        ("journal.import a b -dj", "--file=a --also=b -dj"),
        ("wake -j -n --new", "--new --json --new"),
    ],
)
def test_words_for_invoke(words, said):
    """What a plain reading took is said by options, and what it did not follows as it stood."""
    name, *rest = words.split()
    assert " ".join(EVERY[name].words(EVERY[name].read(rest))) == said


@pytest.mark.parametrize(
    ("name", "words", "values"),
    [
        ("decision.reverse", "D-001 --reason slow", {"handle": "D-001", "why": "slow"}),
        ("decision.reverse", "D-001 --why=slow", {"handle": "D-001", "why": "slow"}),
        ("decision.supersede", "D-001 --by D-002 --reason=slow", {"handle": "D-001", "by": "D-002", "why": "slow"}),
        ("decide", "Flock --reason slow", {"text": "Flock", "why": "slow"}),
        ("review.confirm", "D-001 --reason slow", {"handle": "D-001", "why": "slow"}),
        ("relay.kick", "bob --why loops", {"agent": "bob", "reason": "loops"}),
        ("decide", "Flock --why slow --reason slow", None),
        ("task.done", "D-001 --reason slow", None),
    ],
)
def test_a_reason_is_why(name, words, values):
    """A reason is given by `--why` or `--reason`, whichever a command calls it, and once."""
    assert read(name, *words.split()) == values


def test_an_option_that_a_task_has_not_is_named_before_its_value_is_taken_for_text():
    """The value of an option that is none is no second text: what is wrong is the option."""
    with pytest.raises(UsageError, match="decide has no option --because"):
        invoke_program.run(["sleepwake", "decide", "Use flock", "--because", "it is fast"])


def test_every_move_asks_for_its_reason_by_the_word_of_a_record():
    """Where a record is written and where it is moved a reason has one name, `why`."""
    moves = [task for name, task in EVERY.items() if name.partition(".")[0] in {kind.command for kind in RECORDS}]
    assert {parameter.option for task in moves for parameter in task.parameters} & {"why", "reason"} == {"why"}


def test_invoke_has_the_same_options():
    """An option of a task is Invoke's too, under its names and the same letter, with a value or without."""
    whole = invoke_program.whole()
    for name, task in EVERY.items():
        names = task.spellings()
        ours = {
            ((*(each for each in names if names[each] == parameter), *parameter.letter), not parameter.is_flag)
            for parameter in task.parameters
        }
        theirs = {(tuple(argument.names), argument.takes_value) for argument in whole[name].get_arguments()}
        assert ours == theirs, name


def test_a_start_loads_no_invoke():
    """A command that a session's start or an agent waits for loads neither Invoke nor GitPython."""
    names = ["wake", "status", "sleep", "recall", "journal.add", "thread.list", "note"]
    code = f"""
import sys
sys.path[:0] = {sys.path!r}
from sleep.tasks import collection
for name in {names!r}:
    collection.find(name)
    print(name, {{"invoke", "git"}} & {{*sys.modules}})
"""
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [f"{name} set()" for name in names]


@pytest.mark.parametrize("words", [("wake", "--peek"), ("status",), ("decision.list",)])
def test_both_ways_say_the_same(scene, words):
    """What is said without Invoke is what is said through it, which an option said twice brings about."""
    scene.open()
    scene.add("decision", "Use flock", why="it ends with its holder")
    short, long = (scene.run(*words, *("--json",) * times) for times in (1, 2))
    assert short == long
    assert short[0] == 0
