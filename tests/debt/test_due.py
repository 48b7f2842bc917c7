"""Whether a sleep by itself is due: what waits, what is left alone, cooldown, mode."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from sleep.debt import due, sessions, timestamps
from sleep.debt.ledger import Ledger, Session, Settlement
from sleep.documents import front_matter
from sleep.settings import Settings
from sleep.store import context as contexts

NOW = 1_800_000_000.0
SETTINGS = Settings()
_TABLE = """# Cycles

| cycle | instance | slept | sessions | tokens before | tokens after | steps |
| --- | --- | --- | --- | --- | --- | --- |
"""


class Folder:
    """A memory's folder with journals, as plain files."""

    def __init__(self, top):
        self.top = top
        (top / "memory" / "state").mkdir(parents=True)
        (top / "journal").mkdir()
        (top / ".git").mkdir()
        (top / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        (top / "memory" / "sleep.yaml").write_text("format: 1\n")

    @property
    def context(self):
        """The context."""
        return contexts.find(str(self.top))

    def journal(self, number, body="## Note: it holds [i1abc.1]\n", *, tag="abc", age=0.0, name="", **fields):
        """Write a journal."""
        told = "".join(f"{key}: {value}\n" for key, value in fields.items())
        path = self.top / "journal" / (name or f"instance-{number}.md")
        path.write_text(
            f"---\ninstance: {number}\ntag: {tag}\nstarted: 2026-11-21T10:00:00Z\n{told}---\n"
            f"# Journal: instance {number}\n\n{body}"
        )
        os.utime(path, (NOW - age, NOW - age))
        return path

    def slept(self, *instances):
        """Write the table of cycles."""
        rows = "".join(f"| {n} | {one} | 2026-11-21 | - | 10 | 5 | seal |\n" for n, one in enumerate(instances, 1))
        (self.top / "memory" / "cycles.md").write_text(_TABLE + rows)

    def session(self, name, *, living):
        """Let a session be known, living or over."""
        ended = None if living else timestamps.iso(NOW - 60)
        started = timestamps.iso(NOW - 100)
        return sessions.update(self.context, name, started_at=started, ended_at=ended)

    def due(self, debt=0, **options):
        """Ask whether a sleep is due."""
        return due.is_due(self.context, ledger(debt), SETTINGS, NOW, **options)


@pytest.fixture
def folder(tmp_path):
    """Return a memory's folder."""
    return Folder(tmp_path / "project")


def ledger(debt=0, **fields):
    """Return a ledger with this debt."""
    return Ledger(sessions=tuple(Session(f"m{one}", score=1) for one in range(debt)), **fields)


def numbers(found):
    """Return the numbers of instances."""
    return [one.number for one in found]


def test_what_no_cycle_has_slept_on_waits(folder):
    """Journals that the table does not name wait, in the order of their numbers."""
    for number in (10, 9, 2):
        folder.journal(number)
    folder.slept("i9abc")
    assert numbers(due.unslept(folder.context)) == [2, 10]


def test_the_journals_of_a_session_are_those_that_name_it_slept_on_or_not(folder):
    """A session's journals are found by its name, the newest first, also when they were slept on."""
    for number, session in ((2, "a"), (9, "b"), (10, "a")):
        folder.journal(number, sessions=[session])
    folder.slept("i2abc")
    found = due.journals_of(folder.context, "a")
    assert [path.rpartition("/")[2] for path in found] == ["instance-10.md", "instance-2.md"]
    assert due.journals_of(folder.context, "c") == []


def test_of_two_instances_with_one_number_the_table_tells_which(folder):
    """Where a merge brought two journals of one number, the tag tells which of them was slept on."""
    folder.journal(3)
    folder.journal(3, tag="xyz", name="instance-3-xyz.md")
    folder.slept("i3abc")
    assert [os.path.basename(one.path) for one in due.unslept(folder.context)] == ["instance-3-xyz.md"]


@pytest.mark.parametrize(
    "body", ["", "\n\n", "## Tone: tone check against instance i1abc [i2abc.1]\n\nIt left no tone.\n"]
)
def test_a_journal_with_nothing_in_it_does_not_wait(folder, body):
    """Neither an empty journal nor one with the tone check alone is anything to sleep on."""
    folder.journal(2, body)
    assert due.unslept(folder.context) == []


def test_a_journal_that_is_not_ours_does_not_wait(folder):
    """Without front matter, or with one that cannot be read, a file waits for its import and not for a sleep."""
    (folder.top / "journal" / "instance-1.md").write_text("# Monday\n\nWe met.\n")
    (folder.top / "journal" / "instance-2.md").write_text("---\ninstance: [\n---\n\nWe met.\n")
    (folder.top / "journal" / "notes.md").write_text("---\ninstance: 3\ntag: abc\n---\n\nWe met.\n")
    assert due.unslept(folder.context) == []


def test_the_instance_of_the_session_that_starts_is_left_alone(folder):
    """A session that goes on in an instance does not have it slept on at its start."""
    folder.journal(1, sessions="[s1]", age=9_999)
    folder.session("s1", living=False)
    assert numbers(due.ready(folder.context, NOW)) == [1]
    assert due.ready(folder.context, NOW, "s1") == []
    assert folder.due(99, but="s1") == ""


def test_an_instance_whose_session_lives_is_left_alone(folder):
    """While one of its sessions may live, an instance is not slept on; once it is over, it is."""
    folder.journal(1, sessions="[s1, s2]", age=9_999)
    folder.session("s1", living=False)
    folder.session("s2", living=True)
    assert due.ready(folder.context, NOW) == []
    folder.session("s2", living=False)
    assert numbers(due.ready(folder.context, NOW)) == [1]


@pytest.mark.parametrize("named", [{}, {"sessions": "[of-another-machine]"}], ids=["no session", "an unknown one"])
def test_an_instance_that_nobody_is_known_for_is_left_until_it_is_quiet(folder, named):
    """Without a known session, a journal is slept on 30 minutes after it was touched, or once it is closed."""
    folder.journal(1, age=60, **named)
    assert due.ready(folder.context, NOW) == []
    folder.journal(1, age=due.QUIET + 1, **named)
    assert numbers(due.ready(folder.context, NOW)) == [1]
    folder.journal(1, age=60, ended="2026-11-21T11:00:00Z", **named)
    assert numbers(due.ready(folder.context, NOW)) == [1]


def test_it_is_due_when_the_last_instance_was_not_slept_on(folder):
    """One instance that is ready is reason enough, if it is the last."""
    assert folder.due() == ""
    folder.journal(1, age=9_999)
    assert folder.due() == "instance 1 is not slept on"
    folder.slept("i1abc")
    assert folder.due(99) == ""


def test_an_older_instance_alone_is_due_only_with_debt(folder):
    """Where the last instance lives, an older one that was left waits until debt is at must sleep."""
    folder.journal(1, age=9_999)
    folder.journal(2, sessions="[s2]")
    folder.session("s2", living=True)
    assert folder.due(9) == ""
    assert folder.due(10) == "debt is 10"


def test_debt_that_was_only_just_caught_up_does_not_count(folder):
    """What this very start has booked makes no sleep due; the rest does."""
    folder.journal(1, age=9_999)
    folder.journal(2, sessions="[s2]")
    folder.session("s2", living=True)
    assert folder.due(12, caught_up=3) == ""
    assert folder.due(13, caught_up=3) == "debt is 10"


def test_a_sleep_by_hand_under_way_is_left_alone(folder):
    """While an epoch is young nobody sleeps by himself; an old one holds nobody up."""
    folder.journal(1, age=9_999)
    young, old = (Settlement(timestamps.iso(NOW - age)) for age in (60, 9_999))
    assert due.is_due(folder.context, ledger(epoch=young), SETTINGS, NOW) == ""
    assert due.is_due(folder.context, ledger(epoch=old), SETTINGS, NOW)


@pytest.mark.parametrize(
    ("last", "cooling"),
    [(None, False), ("garbage", False), (NOW - 3_599, True), (NOW - 3_601, False), (NOW + 60, False)],
)
def test_the_cooldown_is_a_timestamp(last, cooling):
    """For an hour after a sleep it cools; a time in the future, or none, cools nothing."""
    told = timestamps.iso(last) if isinstance(last, float) else last
    assert due.is_cooling(ledger(last_sleep_at=told), SETTINGS, NOW) is cooling


def test_the_mode_is_set_or_told_by_where_memory_is(folder):
    """By default it suggests beside the code and runs in a repository of its own; what is set holds."""
    context = folder.context
    assert due.mode(context, SETTINGS) == "suggest"
    assert due.mode(context._replace(separate=True), SETTINGS) == "run"
    assert due.mode(context._replace(separate=True), SETTINGS._replace(sleep_auto="off")) == "off"


def test_a_separate_memory_is_told_from_inside_too(tmp_path):
    """A memory in a repository inside the code's, which points to it, runs also for who finds it by its own path."""
    (tmp_path / ".git" / "sleepwake").mkdir(parents=True)
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (tmp_path / ".git" / "sleepwake" / "root").write_text("../.sleepwake\n")
    memory = Folder(tmp_path / ".sleepwake")
    assert due.mode(memory.context, SETTINGS) == "run"


def wanted(folder, auto="run", debt=0, **fields):
    """Ask whether a child is wanted."""
    settings = SETTINGS._replace(sleep_auto=auto)
    return due.attend_wanted(folder.context, ledger(debt, **fields), settings, NOW, "s9")


def test_a_child_is_wanted_for_a_sleep_that_may_run(folder):
    """A sleep that is due wants a child in mode `run` only, and not while it cools."""
    assert not wanted(folder)
    folder.journal(1, age=9_999)
    assert wanted(folder)
    assert not wanted(folder, last_sleep_at=timestamps.iso(NOW - 60))
    assert not wanted(folder, auto="suggest", debt=99)
    assert not wanted(folder, auto="off", debt=99)


def test_a_child_is_wanted_for_a_digest_that_was_missed(folder, tmp_path):
    """A session that is over and not digested wants one in every mode, unless journals do not write themselves."""
    transcript = tmp_path / "s1.jsonl"
    transcript.write_text("{}\n")
    folder.session("s1", living=False)
    sessions.update(folder.context, "s1", transcript_path=str(transcript))
    assert wanted(folder, auto="off")
    silent = SETTINGS._replace(journal_auto=False)
    assert not due.attend_wanted(folder.context, ledger(), silent, NOW)
    sessions.update(folder.context, "s1", digested={"size": 3})
    assert not wanted(folder, auto="off")


def test_a_child_is_wanted_for_a_step_that_was_cut_off(folder):
    """What a kill left is finished at the next start, in every mode."""
    state = folder.top / ".git" / "sleepwake"
    state.mkdir(parents=True, exist_ok=True)
    (state / "intent.json").write_text("{}")
    assert wanted(folder, auto="off")


def test_nothing_is_wanted_where_no_memory_is(tmp_path):
    """A folder without settings, or outside of git, has a ledger and no journals to write."""
    (tmp_path / "_agent_context" / "state").mkdir(parents=True)
    context = contexts.find(str(tmp_path))
    assert not due.attend_wanted(context, ledger(99), SETTINGS._replace(sleep_auto="run"), NOW)


def test_it_loads_nothing_that_a_hook_cannot_afford():
    """Asking loads no git, no Invoke, no Markdown and no YAML library."""
    code = "import sys, sleep.debt.due; print(*sys.modules)"
    loaded = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, check=True).stdout.split()
    heavy = {"git", "invoke", "mistune", "ruamel.yaml", "dataclasses", "datetime", "pathlib", "subprocess", "asyncio"}
    assert not heavy & set(loaded)


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("sessions: [a.b:1, c_d-2]\n", ("a.b:1", "c_d-2")),
        ("sessions: ['a', \"007\"]\r\n", ("a", "007")),
        ("sessions:\n  - a\n  - b-1\ntag2: x\n", ("a", "b-1")),
        ("sessions:\n- a\n", ("a",)),
        ("sessions: []\n", ()),
        ("title: a\n", ()),
    ],
)
def test_the_sessions_of_a_journal_are_read_as_the_program_reads_them(written, names):
    """Flow and block lists, quoted or not, give the same names as the reader of front matter."""
    text = f"---\ninstance: 1\ntag: abc\n{written}---\n# Journal: instance 1\n"
    assert due._sessions(text) == names
    read = front_matter.read(text).fields.get("sessions") or []
    assert tuple(map(str, read)) == names
