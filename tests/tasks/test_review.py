"""`review` and its like, on the command line; what was noticed, told apart wherever it is shown."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import select
import subprocess
import sys

import pytest

from sleep.documents import main_page

REDIS = "Use redis streams for the event queue"
NOTICED = ("--standing", "noticed", "--quotation", "redis streams then, I guess", "--transcript", "s1:41")


@pytest.fixture
def at(facts):
    """Return the address of a decision that was noticed."""
    return facts("journal.add", "--kind", "decision", "--text", REDIS, *NOTICED)["address"]


def test_what_waits_is_listed(run, facts, at):
    """The list says what, in which words, who and where, and what settles it; nothing else is written for nobody."""
    code, out, _ = run("review")
    assert code == 0
    assert out.startswith(f"{at}  noticed: decision: {REDIS}\n")
    assert '  in: "redis streams then, I guess"\n  said by: person, s1:41\n' in out
    assert "1 waits for review: 1 noticed" in out
    (item,) = facts("review")
    expected = {"address": at, "kind": "decision", "standing": "noticed", "source": "person", "transcript": "s1:41"}
    assert expected.items() <= item.items()
    facts("review.reject", at)
    assert run("review")[1] == "nothing waits for review\n"


def test_several_are_settled_at_once(run, facts, at):
    """Several addresses are one command; what it made is said, and a dry run writes none."""
    other = facts("journal.add", "--kind", "dead_end", "--text", "Polling was too slow", *NOTICED)["address"]
    code, out, _ = run("review.confirm", at, other, "--dry-run")
    assert (code, out.endswith("dry run: nothing was written\n")) == (0, True)
    assert out.count(" would be confirmed") == 2
    done = facts("review.confirm", at, other)
    assert [(one["handle"], one["verdict"], one["by"]) for one in done] == [
        (at, "confirm", "agent"),
        (other, "confirm", "agent"),
    ]
    (decision,) = facts("decision.list")
    assert (decision["standing"], decision["number"], decision["fields"]["source"]) == ("stated", "D-001", "agent")
    (ended,) = facts("deadend.list")
    assert (ended["kind"], ended["standing"]) == ("dead_end", "stated")


def test_the_reason_of_a_correction_comes_from_standard_input(run, facts, at):
    """`--why -` reads it, as it does where something is confirmed or rejected."""
    run("review.correct", at, "--text", "Use redis lists", "--why", "-", stdin="streams were lost")
    assert [one["fields"]["why"] for one in facts("decision.list")] == ["streams were lost"]


def test_a_correction_needs_words(run, at):
    """A correction without words, a kind that is none, an address that does not wait: refused, with the next step."""
    assert run("review.correct", at)[0] == 2
    assert run("review.correct", at, "--text", "x", "--kind", "note")[0] == 2
    code, _, err = run("review.reject", "i9xyz.1")
    assert (code, "Hint: sleepwake review" in err) == (2, True)
    assert "corrected as" in run("review.correct", at, "--text", "Use redis lists", "--kind", "constraint")[1]


@pytest.mark.parametrize("slept", [False, True])
def test_it_is_told_apart_everywhere(run, facts, at, slept):
    """Lists, status, wake, snapshot and recall say that it was only noticed; confirmed, they say so no more."""
    facts("journal.add", "--kind", "decision", "--text", "Keep the database in one file")
    if slept:
        run("sleep")
    assert [one["standing"] for one in facts("decision.list")] == ["stated"]
    assert [one["standing"] for one in facts("decision.list", "--all")] == ["stated", "noticed"]
    assert [one["address"] for one in facts("decision.list", "--state", "noticed")] == [at]
    assert "review      1 noticed: sleepwake review" in run("status")[1]
    assert facts("status")["review"] == {"noticed": 1}
    woken = run("wake")[1]
    assert "1 waits for review: 1 noticed (`sleepwake review`)." in woken
    assert f"{REDIS} (person)" in woken.partition("## Decisions noticed\n")[2].partition("\n# ")[0]
    shown = run("snapshot")[1]
    assert f"- Noticed: {REDIS} (person) [{at}]" in shown
    assert "- 1 noticed record waits for the person's word: `sleepwake review`" in shown
    briefing = run("snapshot", "--briefing", "--prompt", "which event queue do we use")[1]
    assert "Decision, noticed: " in briefing or "--prompt" in briefing or not briefing
    (passage,) = facts("recall", "redis streams event queue")["passages"][:1]
    assert passage["state"] == "only noticed, nobody has confirmed it"
    facts("review.confirm", at)
    states = {one["state"] for one in facts("recall", "redis streams event queue")["passages"]}
    assert states == {""}
    run("sleep")
    states = {one["state"] for one in facts("recall", "redis streams event queue")["passages"]}
    assert states == {""}
    assert "noticed" not in run("snapshot")[1]


def test_only_a_record_can_be_noticed(run):
    """Prose has no standing, and an entry of one's own has neither a source nor a transcript."""
    assert run("journal.add", "--text", "x", "--standing", "noticed")[0] == 2
    assert run("journal.add", "--kind", "task", "--text", "x", "--standing", "maybe")[0] == 2
    assert run("journal.add", "--kind", "task", "--text", "x", "--transcript", "s1:1")[0] == 2
    assert run("journal.add", "--kind", "task", "--text", "x", "--field", "confirms=i1abc.1")[0] == 2


def test_a_memory_is_a_list_of_records(run, facts, scene, at):
    """`bench.records` lists what was stated and noticed, each with its details, its standing and its state."""
    what = "Polling of all stores each second by each process, as the watcher did at first on laptops and in containers"
    rest = "it wakes the disk, and a laptop is empty before noon" + " on each day of the week but one" * 3
    facts("journal.add", "--kind", "dead end", "--text", f"{what}; {rest}", "--why", "slow")
    facts("journal.add", "--kind", "dead end", "--text", "Sockets; a fork holds them", "--why", "slow")
    assert json.loads(run("bench.records", str(scene.home))[1]) == [
        {
            "kind": "dead_end",
            "text": what,
            "details": rest,
            "why": "slow",
            "state": "standing",
            "standing": "stated",
            "source": None,
        },
        {
            "kind": "dead_end",
            "text": "Sockets; a fork holds them",
            "details": None,
            "why": "slow",
            "state": "standing",
            "standing": "stated",
            "source": None,
        },
        {
            "kind": "decision",
            "text": REDIS,
            "details": None,
            "why": None,
            "state": None,
            "standing": "noticed",
            "source": "person",
        },
    ]


def test_a_kind_is_a_name_in_json(facts):
    """Wherever facts name a kind, it is `dead_end`; it is asked for in either form."""
    facts("journal.add", "--kind", "dead-end", "--text", "Polling was slow on the mac")
    assert [one["kind"] for one in facts("journal.show", "--kind", "dead_end")["entries"]] == ["dead_end"]
    assert facts("recall", "polling mac slow", "--kind", "dead_end")["passages"][0]["kind"] == "dead_end"


def test_on_a_terminal_one_key_each(scene, at):
    """A person is asked about each and answers with a key; their word is a person's."""
    clients = ("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "SLEEP_SESSION", "CLAUDE_PROJECT_DIR")
    environment = {name: value for name, value in os.environ.items() if name not in clients}
    terminal, side = pty.openpty()
    words = [sys.executable, "-m", "sleep", "review"]
    child = subprocess.Popen(words, cwd=scene.home, env=environment, stdin=side, stdout=side, stderr=side)
    os.close(side)
    printed = b""
    pressed = False
    with contextlib.suppress(OSError):  # which a terminal answers whose other side has closed
        while select.select([terminal], [], [], 30)[0] and (more := os.read(terminal, 4096)):
            printed += more
            if b"(q)uit? " in printed and not pressed:
                pressed = bool(os.write(terminal, b"c"))
    child.kill()
    child.wait()
    os.close(terminal)
    assert f"{at} confirmed as D-001" in printed.decode()
    (record,) = scene.view.records.values()
    assert record.fragment.field("source") == "person"


def test_what_is_kept_is_measured(run, facts, at):
    """What a person keeps is on the checklist, once; `bench.brief` says what a wake tells and recall answers."""
    facts("review.confirm", at)
    kept = facts("review.keep", "D-001", "--told-by", "redis, queue", "--weight", "3")
    assert (kept["text"], kept["path"]) == (REDIS, "memory/checklist.md")
    facts("review.keep", "The port is 8003", "--told-by", "8003")
    facts("review.keep", "Which streams carry the event queue?", "--question", "--told-by", "redis")
    facts("review.keep", "What does the maintainer earn?", "--no-answer")
    code, _, err = run("review.keep", "The port is 8003")
    assert (code, "on the checklist already" in err) == (2, True)
    assert run("review.keep", "Why?", "--question")[0] == 2
    found = facts("bench.brief", "--budgets", "2000")
    (wake,) = found["wakes"]
    assert (wake["share"], wake["missing"]) == (0.75, ["The port is 8003"])
    assert found["recall"] == {
        "asked": 1,
        "within": [[200, 1], [1000, 1]],
        "unsure": 0,
        "empty": 1,
        "refused": 1,
        "missed": [],
    }
    code, out, _ = run("bench.brief", "--budgets", "2000", "--missing")
    assert code == 0
    assert "not told within 2,000 tokens: The port is 8003" in out
    assert "of 1 without an answer 1 are refused or marked" in out


def test_without_a_checklist_it_says_how_to_begin(run):
    """A memory without a checklist is told how to keep the first item."""
    code, _, err = run("bench.brief")
    assert (code, "Hint: sleepwake review.keep" in err) == (2, True)


def test_a_purpose_is_proposed(run, facts, scene):
    """Where main.md has none, `review` proposes the README's; `review.purpose` takes it, and it is asked no more."""
    (scene.home / "README.md").write_text("# T\n\nIt counts the bytes of files.\n", encoding="utf-8")
    (scene.home / "main.md").write_text(main_page.new("T"), encoding="utf-8")
    code, out, _ = run("review")
    assert code == 0
    assert "From README.md: It counts the bytes of files." in out
    assert "review.purpose" in out
    assert facts("review.purpose") == {"text": "It counts the bytes of files.", "source": "README.md"}
    assert run("review")[1] == "nothing waits for review\n"
    assert run("review.purpose", "--text", "Another")[0] == 2


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("review.keep", "x", "--weight", "99"), "a weight is 1 to 9, not 99"),
        (("review.keep", "x", "--weight", "0"), "a weight is 1 to 9, not 0"),
        (("review.keep", "D-99999"), "no record is called D-99999"),
        (("journal.show", "--kind", "foo"), "no kind is called 'foo'"),
        (("conversation.consolidate", "main.md", "--threshold", "7"), "a part of the context window"),
    ],
)
def test_options_that_name_nothing_are_refused(scene, run, words, says):
    """A weight out of range, a record, a kind or a part of a window that there is not, is refused in a sentence."""
    scene.lived()
    if words[0].startswith("conversation"):
        scene.write("main.md", '[{"role": "user", "content": "x"}]')
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert says in err


def test_a_day_is_nobody_who_said_it(scene, run):
    """What a journal by hand says is told with its day, and with no speaker where it names none."""
    scene.open()
    path = "journal/instance-1.md"
    scene.write(path, f"{scene.text(path)}\nTODO: delete the temp dir\n")
    scene.sleep()
    out = run("review")[1]
    assert "  said: " in out
    assert "said by" not in out
