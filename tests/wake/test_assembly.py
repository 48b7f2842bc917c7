"""A wake: what is read, under a hard budget, with a ledger that adds up."""

from __future__ import annotations

import copy
import fnmatch
import functools
import random
import re

import pytest
from scene import Memory

from sleep.documents import main_page, paths
from sleep.errors import UsageError
from sleep.language import tokens
from sleep.memory.view import View
from sleep.recall.past import moment
from sleep.records import address as addressing
from sleep.settings import Settings
from sleep.store.tree import InMemory
from sleep.wake import assembly, candidates, render

_ROW = re.compile(r"^\| ([\w, ]+) \| +(\d+) \| (\d*) ?\| ?(.*?) ?\| ?(.*?) ?\|$", re.MULTILINE)
_LINE = re.compile(r"^Ledger: +(\d+) of (\d+) tokens: (.*), ledger +(\d+)\. Left out: (.*)\.$", re.MULTILINE)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
BUDGETS = (200, 201, 250, 333, 500, 1000, 2345, 5000, 20_000, 60_000)


def _memory(cycles, script=""):
    memory = Memory()
    memory.texts["memory/architecture.md"] = "# Architecture\n\n" + "".join(
        f"## Part {number}\n\n{'It is built of layers. ' * 20}\n\n" for number in range(20)
    )
    for number in range(cycles):
        memory.journal(
            f"## Decision: keep part{number} in `src/{number}.py` {script}\n\n- why: it is faster by {number}\n\n"
            f"## Open questions\n\n- Who owns part{number}? {script}\n\n"
            f"## Constraints\n\n- Never touch part{number}. {script}\n\n"
            f"## Active threads\n\n- Rewrite of part{number}\n\n"
            + "".join(f"- Added `src/{number}_{count}.py` for the parser {script}\n" for count in range(20))
            + "\nIt felt calm.\n"
        )
        memory.sleep()
    return memory


def _copy(memory):
    other = copy.copy(memory)
    other.texts = dict(memory.texts)
    return other


@pytest.fixture(scope="module")
def large():
    """Return a memory of sixteen cycles with more open records than a wake can show."""
    return _memory(16)


@pytest.fixture(scope="module")
def wide():
    """Return a memory in a script where a character is a token."""
    return _memory(6, "数据库的锁不能在网络磁盘上使用" * 3)


@pytest.fixture(scope="module")
def small():
    """Return a memory of one cycle."""
    return _memory(1)


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("task", ["", "make the parser of part7 faster"])
def test_the_budget_is_hard(large, wide, small, budget, task):
    """The whole text, ledger and last line included, never costs more than the budget, in any script."""
    for memory in (large, wide, small):
        found = assembly.assemble(
            memory.view, Settings(), task=task, budget=budget, last="Your journal is journal/instance-7.md.\n"
        )
        assert tokens.count(found.text) == found.cost <= budget
        assert found.text.endswith("Your journal is journal/instance-7.md.\n")


@pytest.mark.parametrize("budget", [one for one in BUDGETS if one >= 6000])
def test_the_ledger_adds_up(large, budget):
    """The ledger's figures are those of the phases, add up to the whole, and no phase is over its share."""
    found = assembly.assemble(large.view, Settings(), budget=budget)
    rows = {row[0]: row for row in _ROW.findall(found.text)}
    assert int(rows["all"][1]) == found.cost
    assert int(rows["all"][2]) == budget
    phases = [name for name in rows if name not in ("all", "title, ledger")]
    assert phases == ["orient", "hot", "architecture", "warm", "journals"]
    assert sum(int(rows[name][1]) for name in phases) + int(rows["title, ledger"][1]) == found.cost
    for one in found.phases:
        assert (int(rows[one.name][1]), int(rows[one.name][2])) == (one.cost, one.budget)
        assert one.cost <= max(one.budget, 12)
        assert tokens.count(one.text) == one.cost


@pytest.mark.parametrize("budget", [one for one in BUDGETS if one < 6000])
def test_a_brief_ledger_adds_up(large, budget):
    """In brief the ledger is one line, whose figures add up to the whole."""
    found = assembly.assemble(large.view, Settings(), budget=budget)
    ((size, total, costs, frame, left_out),) = _LINE.findall(found.text)
    assert (int(size), int(total)) == (found.cost, budget)
    shown = {name: int(cost) for name, cost in (one.rsplit(" ", 1) for one in costs.split(", "))}
    assert shown == {one.name: one.cost for one in found.phases if one.cost}
    assert sum(shown.values()) + int(frame) == found.cost
    assert int(frame) <= 90
    assert all(one.command in left_out for one in found.phases if one.left_out)


def test_the_shares_are_the_most_that_a_phase_costs(large):
    """Without a budget of its own, a wake spends on no phase more than the settings say, while others can use it."""
    settings = Settings(wake_budget=6000, wake_main=600, wake_hot=2000, wake_architecture=500, wake_warm=300)
    memory, chance = _copy(large), random.Random(1)
    words = ["".join(chance.sample(_LETTERS, 6)) for _ in range(400)]
    rows = "".join(f"- The {' '.join(chance.sample(words, 9))} in `{at}.py`.\n" for at in range(400))
    memory.journal(f"# Friday\n\n## Insights\n\n{rows}")
    found = {one.name: one for one in assembly.assemble(memory.view, settings).phases}
    assert found["warm"].cost <= 300
    assert found["architecture"].cost <= 500
    assert found["orient"].cost + found["hot"].cost <= 2600
    flowing = {one.name: one for one in assembly.assemble(large.view, settings, budget=6000).phases}
    assert sum(one.cost for one in flowing.values()) > 5500


def test_what_no_other_phase_can_use_is_hot_memorys(large):
    """Of hot memory nothing is left out while room is free that neither warm memory nor journals have a use for."""
    rows = "".join(f"- Never put part {at} behind the gate of part {at + 1}. [i1abc.{at + 900}]\n" for at in range(500))
    memory = _copy(large)
    memory.texts["memory/hot/context.md"] += f"\n## Constraints\n\n{rows}"
    settings = Settings(wake_hot=1000, wake_budget=50_000)
    found = {one.name: one for one in assembly.assemble(memory.view, settings).phases}
    assert (found["hot"].left_out, found["hot"].cost > 9000) == ("", True)


def test_no_phase_has_more_than_the_whole():
    """The ledger names no part that is more than the whole budget, however much hot memory is given."""
    rows = "".join(f"- Never put part {at} behind the gate of part {at + 1}. [i1abc.{at}]\n" for at in range(1, 1500))
    view = View(InMemory({"memory/hot/context.md": f"# Context\n\n## Constraints\n\n{rows}"}))
    for budget in (None, 20_000):
        wake = assembly.assemble(view, Settings(), budget=budget)
        assert max(phase.budget for phase in wake.phases) <= 20_000, budget
        assert wake.cost <= 20_000, budget


@pytest.mark.parametrize("size", [3, 3000])
def test_of_a_long_section_its_beginning_is_told(large, size):
    """A page of one long section is told as far as its share goes, by paragraphs, or by words where one is longer."""
    page = "# Architecture\n\nIt begins here. " + "\n\n".join(
        f"{number} {'of layers ' * size}." for number in range(4000 // size)
    )
    large.texts["memory/architecture.md"] = f"{page}\n\n## Doors\n\nThere are two doors.\n"
    (found,) = [one for one in assembly.assemble(large.view, Settings()).phases if one.name == "architecture"]
    assert found.text.startswith("# Architecture\n\nIt begins here. 0 of layers")
    assert 0.7 * found.budget < found.cost <= found.budget
    assert "the rest of Architecture" in found.left_out
    assert "There are two doors." in found.text


def test_what_does_not_fit_is_named(large):
    """Every open record is shown whole or counted, with handles where they fit and the command that lists them."""
    found = assembly.assemble(large.view, Settings(wake_budget=6000))
    (hot,) = [one for one in found.phases if one.name == "hot"]
    assert hot.left_out
    assert hot.command
    for kind, plural in (("thread", "threads"), ("question", "questions"), ("constraint", "constraints")):
        open_ones = [one for at, one in large.placed() if at == "hot" and one.kind == kind and one.is_open]
        shown = sum(f"[{one.identity}]" in hot.text for one in open_ones)
        if shown < len(open_ones):
            line = re.search(rf"- (\d+) more {plural} \(`sleepwake {kind}.list`\)(?:: (.*))?", hot.text)
            assert int(line[1]) == len(open_ones) - shown
            assert {one.handle for one in open_ones} >= set(
                (line[2] or "").replace(",…", "").replace("…", "").split(", ")
            ) - {""}


def test_what_does_not_fit_is_counted_in_brief(large):
    """In brief, open records that are left out are counted by kind, with a command that lists some."""
    found = assembly.assemble(large.view, Settings(), budget=500)
    (line,) = re.findall(r"^- Not shown: (.*)$", found.text, re.MULTILINE)
    for kind, plural in (("thread", "threads"), ("question", "questions"), ("constraint", "constraints")):
        there = sum(at == "hot" and one.kind == kind and one.is_open for at, one in large.placed())
        assert 0 < int(re.search(rf"(\d+) {plural}", line)[1]) <= there
    assert "(`sleepwake constraint.list`, likewise the others)" in line


@pytest.mark.parametrize("budget", [600, 2500, 8000])
def test_nothing_is_cut_inside(large, budget):
    """Every fragment that is shown is shown whole; only in brief does prose stand without its address."""
    brief = budget < 6000
    lines = {line for _, one in large.placed() for line in render.write_fragment(one, brief=brief).split("\n")}
    assert brief or all(addressing.MARK.search(line) for line in lines if line.startswith("- "))
    for one in assembly.assemble(large.view, Settings(), budget=budget).phases:
        if one.name in ("hot", "warm"):
            items = [line for line in one.text.split("\n") if line.startswith("- ") and "sleepwake" not in line]
            assert items or one.name == "warm"
            assert set(items) <= lines


def test_what_binds_comes_first(large):
    """With little room, hot memory shows constraints before questions, and both before changes."""
    found = assembly.assemble(large.view, Settings(), budget=300)
    (hot,) = [one for one in found.phases if one.name == "hot"]
    assert "## Constraints" in hot.text
    assert "## Changes" not in hot.text


def test_the_same_input_gives_the_same_bytes(large):
    """Assembling twice from the same memory gives the same text."""
    one, other = (assembly.assemble(large.view, Settings(), task="the parser of part3") for _ in range(2))
    assert one.text == other.text


def test_what_is_about_the_task_comes_first(large):
    """What the task speaks of stands right behind the main page, from whatever tier, and once."""
    for number in (3, 9, 15):
        found = assembly.assemble(large.view, Settings(), task=f"part{number} is slow", budget=700)
        (about,) = [one for one in found.phases if one.name == "task"]
        assert found.phases.index(about) == 1
        assert about.text.startswith("# About the task\n")
        assert f"part{number} " in about.text
        lines = [line for line in found.text.split("\n") if line.startswith("- ")]
        assert len(lines) == len(set(lines))


def test_cold_is_read_whatever_is_called_for():
    """A standing decision in cold memory is shown at any age, and first where the task names it or speaks of it."""
    memory = Memory(Settings(keep_warm=3))
    memory.journal("## Decision: use the old engine\n\n- why: x\n")
    memory.sleep()
    for number in range(8):
        memory.journal(f"Day {number}.\n")
        memory.sleep()
    (decision,) = [one for at, one in memory.placed() if at == "cold" and one.kind == "decision"]
    assert assembly.assemble(memory.view, memory.settings).text.count("use the old engine") == 1
    for task in ("look at D-001 again", f"why {decision.identity}", "the engine"):
        found = assembly.assemble(memory.view, memory.settings, task=task)
        assert found.text.count("use the old engine") == 1
        assert "use the old engine" in next(one.text for one in found.phases if one.name == "task")


@pytest.mark.parametrize("budget", [0, 199, 60_001])
def test_a_budget_out_of_bounds(scene, budget):
    """A budget below 200 or above 60,000 is a usage error that says so, and no journal is opened."""
    with pytest.raises(UsageError, match="200 to 60000"):
        scene.wake(budget=budget)
    assert scene.view.journals == ()


def test_a_fresh_memory(scene):
    """The first wake prints purpose, protocol and architecture, and opens an empty journal: nobody was before."""
    found = scene.wake()
    assert "What this project is for" in found.text
    assert "sleepwake journal.add" in found.text
    assert scene.view.journal(found.path).entries == ()
    assert found.text.endswith(f"Your journal is {found.path} ({found.instance}).\n")


def test_the_tone_check_quotes_the_closing_tone(scene):
    """The first entry of a new journal quotes the last tone of the instance before, with its address."""
    scene.add("tone", "worried about NFS")
    said = scene.add("tone", "calm at the end").address
    scene.add("note", "x")
    scene.sleep()
    text = scene.text(scene.wake().path)
    assert f"It closed with: calm at the end ({said})" in text
    assert "worried" not in text
    scene.add("note", "no tone here")
    scene.sleep()
    assert "It left no tone." in scene.text(scene.wake().path)


def test_waking_twice_is_one_instance(scene):
    """Wake twice, with or without a session, is the same instance and writes nothing the second time."""
    for session in ("", "a"):
        first = scene.wake(session=session)
        before = scene.everything()
        assert scene.wake(session=session).path == first.path
        assert scene.everything() == before
    assert scene.wake(session="b").path != scene.wake(session="a").path
    assert scene.wake(fresh=True).path not in (scene.wake(session="a").path, scene.wake(session="b").path)


def test_peeking_changes_nothing(scene):
    """A peek opens no journal, changes nothing, and shows what a wake would."""
    scene.lived()
    before = scene.everything()
    found = assembly.peek(scene.place)
    assert scene.everything() == before
    assert found.path == ""
    assert [one.text for one in found.phases] == [one.text for one in scene.wake().phases]


def test_at_a_past_commit(scene):
    """A wake at a past commit shows the memory as it was then, and says so; it changes nothing, whatever is on disk."""
    scene.lived()
    then = assembly.peek(scene.place)
    at = moment.find(scene.place.root, "HEAD", "2031-01-01")
    scene.cycle(2)
    scene.write("memory/hot/context.md", "unsaved\n")
    before = scene.everything()
    found = assembly.peek(scene.place, at=at)
    assert [(one.name, one.text) for one in found.phases] == [(one.name, one.text) for one in then.phases]
    assert f"As of commit {at.sha[:7]}, " in found.text
    assert scene.everything() == before


@pytest.mark.parametrize("budget", [200, 1_000, 8_000])
def test_the_title_of_a_past_wake_is_within_the_budget(scene, budget):
    """The line that says which commit is shown costs tokens of the budget, not beside it."""
    for number in (1, 2, 3):
        scene.cycle(number)
    at = moment.find(scene.place.root, "cycle 2", "2031-01-01")
    found = assembly.peek(scene.place, at=at, budget=budget)
    assert "cycle 2" in found.text
    assert found.cost <= budget


def _part(number, line):
    return f"Crane {_LETTERS[number]}{_LETTERS[line // 26]}{_LETTERS[line % 26]}"


@functools.cache
def _of_its_time(lines):
    memory = Memory()
    memory.journal("The nightly build is currently offline and waiting for a disk.\n")
    memory.sleep()
    for number in range(12):
        memory.journal("".join(f"- {_part(number, line)} writes {line} tons.\n" for line in range(lines)))
        memory.sleep()
    return memory


def test_what_is_outdated_is_counted():
    """What is not shown because it told of its own time, long ago, stands in the ledger."""
    memory = _of_its_time(90)
    for budget in (2_000, 6_000):
        found = assembly.assemble(memory.view, Settings(), budget=budget)
        assert "currently offline" not in found.text
        assert any("(1 outdated)" in one.left_out and one.command for one in found.phases)
        assert found.text.count("(1 outdated)") == 1


@pytest.mark.parametrize("budget", [2_000, 10_000])
def test_what_told_of_its_own_time_is_told_last(budget):
    """Where there is room for all else, what was so long ago is told too, and says when that was."""
    memory = _of_its_time(2)
    found = assembly.assemble(memory.view, Settings(), budget=budget)
    assert "- The nightly build is currently offline and waiting for a disk. (as of 21 Nov)" in found.text
    assert "outdated" not in found.text
    assert all(_part(number, line) in found.text for number in range(12) for line in range(2))


@pytest.mark.parametrize("budget", range(260, 700, 20))
def test_nothing_that_holds_gives_way_to_what_told_of_its_own_time(budget):
    """At no budget is it told before the last of the others."""
    text = assembly.assemble(_of_its_time(2).view, Settings(), budget=budget).text
    told = [_part(number, line) in text for number in range(12) for line in range(2)]
    assert "currently offline" not in text or all(told)


def test_no_line_is_barred_by_the_age_of_its_journal(monkeypatch):
    """Where there are many, the oldest are glanced at: what matters in them is told, and the rest is counted."""
    memory = Memory()
    memory.journal("The first part was looked at.\n\nNever restart the ledger before noon, because it loses a day.\n")
    for number in range(12):
        memory.journal(f"The exporter writes part {number} of the invoice archive.\n")
    monkeypatch.setattr(candidates, "_READ", 400)
    monkeypatch.setattr(candidates, "_OLDER", 1)
    monkeypatch.setattr(candidates, "_EACH", 1)
    found = assembly.assemble(memory.view, Settings(), budget=12_000)
    assert "Never restart the ledger before noon" in found.text
    assert "was looked at" not in found.text
    lines = {phase.name: phase for phase in found.phases}["journals"]
    assert re.match(r"\d+ of \d+ lines", lines.left_out)
    assert lines.command


def test_a_line_about_the_task_is_found_in_the_oldest_journal(monkeypatch):
    """With a task, a line that speaks of it is told from however old a journal, before better ones."""
    memory = Memory()
    memory.journal("Never restart the ledger, because it loses a day.\n\nThe quokka valve sits left.\n")
    for number in range(12):
        memory.journal(f"The exporter writes part {number} of the invoice archive.\n")
    for name, value in (("_READ", 400), ("_OLDER", 1), ("_EACH", 1)):
        monkeypatch.setattr(candidates, name, value)
    assert "quokka" not in assembly.assemble(memory.view, Settings(), budget=8_000).text
    found = assembly.assemble(memory.view, Settings(), task="turn the quokka valve", budget=8_000)
    assert "The quokka valve sits left" in found.text[found.text.index("# About the task") :][:200]


@pytest.mark.parametrize("budget", [1_000, 10_000])
def test_what_is_left_out_is_fetched_by_a_command_as_it_stands(large, budget):
    """Whatever the ledger counts as left out, the command beside it runs as it stands and finds files."""
    memory = Memory()
    memory.texts.update(large.texts)
    rows = "".join(f"- Added `src/new_{at}.py` for the parser [i1abc.{at + 900}]\n" for at in range(225))
    memory.texts["memory/hot/context.md"] += f"\n## Changes\n\n{rows}"
    memory.journal(
        "".join(f"- The crane of quay {number} lifts {number + 2} tons of stone.\n" for number in range(900))
    )
    phases = assembly.assemble(memory.view, Settings(), budget=budget).phases
    commands = [phase.command for phase in phases if phase.left_out]
    assert "cat journal/*.md" in commands
    for command in commands:
        name, *patterns = command.split()
        assert name == "cat"
        assert all(fnmatch.filter(memory.texts, pattern) for pattern in patterns), command


def test_a_thousand_tokens_hold_what_cannot_be_missed():
    """At 1,000 tokens purpose, state, what is next, blockers and rules are there, however long the journals are."""
    memory = Memory()
    memory.texts[paths.MAIN] = main_page.new("Tea", "A house for tea.")
    for number in range(12):
        lines = (f"- The kettle {number}.{line} was filled at the well of village {line}.\n" for line in range(40))
        memory.journal("".join(lines))
        memory.sleep()
    memory.journal(
        "## Handoff: the oven stands\n\n- next priority: light the oven\n- open risk: the flue leaks\n\n"
        "## Constraint: Never pour before noon\n\n## Blocker: the water permit is missing\n\n"
    )
    memory.sleep()
    wake = assembly.assemble(memory.view, Settings(), budget=1_000)
    assert wake.cost <= 1_000
    for words in (
        "A house for tea.",
        "light the oven",
        "the flue leaks",
        "Never pour before noon",
        "permit is missing",
    ):
        assert words in wake.text


def test_a_long_wake_says_a_day_once():
    """What may have ended since has its day behind it in brief; below the heading of its day it has none."""
    memory = Memory()
    memory.journal("## Next steps\n\n- Call the bank\n- Sell the car of the company\n", now="2026-03-03T10:00:00Z")
    imported = "\nimported: {from: notes, path: a.md, hash: '0'}\n---\n"
    memory.texts[paths.journal(1)] = memory.texts[paths.journal(1)].replace("\n---\n", imported, 1)
    memory.sleep()
    for number in range(4):
        memory.journal(f"The exporter writes part {number} of the invoice archive.\n")
        memory.sleep()
    brief, whole = (assembly.assemble(memory.view, Settings(), budget=budget).text for budget in (1_000, 20_000))
    assert "Sell the car of the company (3 Mar)" in brief
    assert "### 3 March 2026\n\n- Call the bank (imported: a.md) [i1abc.1]\n- Sell the car of the company (imp" in whole
    assert "(3 Mar)" not in whole


def test_a_fix_whose_line_is_cut_is_told_by_its_fragment_alone():
    """A line of a journal that has room for the beginning of a fix only, its fragment says in full: it is left out."""
    words = (
        "The reader returns both limits of the harbour correctly, so the trouble is in the layer of the command line"
    )
    memory = Memory()
    memory.journal(
        f"## Fix: {words} and of the policy at run time, and not where the settings of the pier are parsed.\n\n"
        "- error: tool (untrusted): the evaluation keeps controls of one lamp apart across several files, 27 pass, "
        "3 fail, 136 calls of expect, ran 30 tests across 1 file in fifty seconds\n- change: edits of lamp.py\n"
    )
    memory.sleep()
    for number in range(4):
        memory.journal(f"## Note: Painted pier {number} today.\n")
        memory.sleep()
    text = assembly.assemble(memory.view, Settings(), budget=2_000).text
    assert text.count("The reader returns both limits") == 1


def test_a_secret_that_was_committed_is_not_told(scene):
    """What a memory holds from before a rule knew it as a secret is told by no wake, and the budget holds."""
    scene.wake()
    scene.add("note", "The server is up and answers on port 22.")
    scene.sleep()
    text = scene.text(paths.CONTEXT).replace("port 22", "port 22, 密码: abc123")
    scene.write(paths.CONTEXT, text)
    scene.git("commit", "-qam", "before")
    woken = assembly.peek(scene.place, scene.now, budget=500)
    assert "abc123" not in woken.text
    assert "密码: [REDACTED:password]" in woken.text
    assert woken.cost <= 500
    assert "abc123" not in scene.wake().text


def test_a_secret_of_what_is_due_is_not_told(scene):
    """What waits for a word is named beside the memory without a secret, and so is what is due."""
    scene.wake()
    scene.add("decision", "Use Postgres for the queue", revisit_when="after 1 instance, while port 22 is open")
    for _ in range(2):
        scene.sleep()
        scene.open()
        scene.add("note", "more")
    page = "memory/hot/decisions.md"
    scene.write(page, scene.text(page).replace("port 22", "密码: abc123"))
    scene.git("commit", "-qam", "before")
    for woken in (assembly.peek(scene.place, scene.now()), scene.wake()):
        assert "D-001 is due" in woken.text
        assert "abc123" not in woken.text


def test_a_line_is_told_whole_where_there_is_room_for_all():
    """A long line is cut only where its memory does not fit the budget."""
    tail = "and the relay of the seventh lamp is the one that was soldered last"
    line = f"The lamps of the pier were mended, the amber, the basalt, the cobalt and the damask lamp first, {tail}."
    memory = Memory()
    memory.journal(f"## Note: {line}\n\n- Another lamp burns.\n")
    assert tail in assembly.assemble(memory.view, Settings(), budget=2_000).text
    memory.journal("".join(f"- The lamp {name} of the pier burns at night.\n" for name in _LETTERS * 12))
    many = "".join(f"- Lamp {word} of the {word}er pier burns, {line}\n" for word in map("q{}x".format, _LETTERS))
    memory.journal(f"## Note: pier\n\n{many}")
    assert tail not in assembly.assemble(memory.view, Settings(), budget=1_000).text
