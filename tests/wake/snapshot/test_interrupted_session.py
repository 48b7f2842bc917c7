"""What a session is told of itself after a compaction: its own journal, as far as no cycle has slept on it."""

from __future__ import annotations

import re
import subprocess

import pytest
from examples import share
from hypothesis import given, settings
from hypothesis import strategies as st

from sleep.documents import cycles, entries, journal
from sleep.documents.cycles import Cycle
from sleep.documents.journal import Draft
from sleep.records import kinds
from sleep.records.address import InstanceId
from sleep.redaction import untrusted
from sleep.settings import Settings
from sleep.wake.snapshot import build, held_records, interrupted_session, ladder, sections
from sleep.wake.snapshot.parts import size
from tests.wake.snapshot.test_budget import HOOK, crowded

ME = InstanceId(7, "qxk")
ASKED = (("source", "person"), ("time", "2026-11-21T10:00:01.000Z"))
DRAFTS = (
    Draft("note", "Please make the lock hold on NFS.", "", ASKED),
    Draft(
        "decision", "Use flock for the lock.", "", (("why", "it needs no server"), ("alternatives", "filelock")), "D-1"
    ),
    Draft("constraint", "No server may be needed.", "It is a laptop."),
    Draft("question", "Does NFS honour it?", "", (), "Q-1"),
    Draft("task", "Try it on NFS."),
    Draft("note", f"{held_records.TOOL}: OSError: no locks left", "", (("source", held_records.TOOL),)),
    Draft("change", "Files", "", (("files", "src/lock.py (2)"),)),
    Draft("tone", "calm"),
    Draft("note", "The lock holds now; NFS is next."),
)


def written(drafts=DRAFTS, instance=ME, **fields):
    """Return a journal with these entries, as the program writes it."""
    text = journal.start(instance, {"started": "2026-11-21T10:00:00Z", "sessions": ["s-1"], **fields})
    for draft in drafts:
        text, _ = journal.append(text, draft, instance)
    return text


@pytest.fixture
def lay(world):
    """Return a function that lays a memory of ours in a repository, with a journal in it, and other files."""
    subprocess.run(("git", "init", "--quiet", world.base), check=True)

    def lay(text=None, **files):
        own = {"/journal/instance-7.md": written() if text is None else text, "sleep.yaml": "format: 1\n"}
        return world.lay({"core/0.soul.md": "Ada.\n", **own, **files})

    return lay


def told(world, budget=HOOK, name="s-1"):
    """Return what a session is told in a budget."""
    return build.snapshot(world.context, Settings(), budget, name)


def own(text):
    """Return the section of a text."""
    return text.partition(f"## {interrupted_session.NAME}\n")[2].partition("\n\n## ")[0]


def test_a_fix_is_told_with_its_error_and_its_change(lay):
    """After a compaction a fix is told with the error and the change, before what was only noted."""
    fields = (("error", "OSError: no locks left"), ("change", "edits of src/lock.py"), ("source", "agent"))
    fix = Draft("fix", "The lock was asked for twice.", "", fields)
    text = own(told(lay(written((Draft("note", "NFS is next."), fix)))).text)
    assert [line for line in text.splitlines() if line.startswith("- ")] == [
        "- Fix: The lock was asked for twice. (error: OSError: no locks left; change: edits of src/lock.py) [i7qxk.2]",
        "- Note: NFS is next. [i7qxk.1]",
    ]


def test_the_newest_of_each_sort_is_told_first(lay):
    """Asked, decided, binding, open, failed, done, said: one of each, with its address, before a second of any."""
    text = own(told(lay()).text)
    assert [line for line in text.splitlines() if line.startswith("- ")] == [
        "- Asked: Please make the lock hold on NFS. [i7qxk.1]",
        "- Decision D-1: Use flock for the lock. (why: it needs no server) [i7qxk.2]",
        "- Constraint: No server may be needed. It is a laptop. [i7qxk.3]",
        "- Task: Try it on NFS. [i7qxk.5]",
        "- Note: tool (untrusted): OSError: no locks left [i7qxk.6]",
        "- Change: Files (files: src/lock.py (2)) [i7qxk.7]",
        "- Note: The lock holds now; NFS is next. [i7qxk.9]",
        "- Question Q-1: Does NFS honour it? [i7qxk.4]",
    ]
    assert "in journal/instance-7.md" in text


def test_what_was_said_last_is_newest(lay):
    """What a client's time gives goes before the place in the journal, which a digest fills by weight."""
    drafts = [Draft("note", f"Ask {at}.", "", (("source", "person"), ("time", at))) for at in ("T2", "T3", "T1")]
    text = own(told(lay(written([*drafts, Draft("task", "A"), Draft("task", "B")]))).text)
    assert [line[2:].partition(" [")[0] for line in text.splitlines() if line.startswith("- ")] == [
        *("Asked: Ask T3.", "Task: B", "Asked: Ask T2.", "Asked: Ask T1.", "Task: A")
    ]


def test_what_was_closed_since_is_not_told(lay):
    """A question that was answered is not open, one that was asked again is; the answer itself is told."""
    moves = [
        Draft("question event", "Q-1 answered", "", (("record", "Q-1"), ("to", "answered"), ("reason", "it does"))),
        Draft("decision event", "D-1 reversed", "", (("record", "D-1"), ("to", "reversed"))),
        Draft("decision event", "D-1 standing", "", (("record", "D-1"), ("to", "standing"))),
        Draft("constraint event", "lifted", "", (("record", "i7qxk.3"), ("to", "lifted"))),
    ]
    text = own(told(lay(written([*DRAFTS, *moves]))).text)
    assert "[i7qxk.4]" not in text
    assert "[i7qxk.3]" not in text
    assert "[i7qxk.2]" in text
    assert "- Question event: Q-1 answered (reason: it does) [i7qxk.10]" in text


@pytest.mark.parametrize("name", ["", " ", "s-2", "s-", "../s-1\n"])
def test_nobody_else_is_told_it(lay, name):
    """Another session, and one without an id, is told what every start is told, to the byte."""
    world = lay()
    assert told(world, name=name) == build.snapshot(world.context, Settings(), HOOK)


def test_what_was_slept_on_is_in_the_tiers(lay):
    """Once a cycle has slept on the journal the session is told nothing apart."""
    world = lay()
    assert own(told(world).text)
    table = cycles.append(None, Cycle(1, ME, "2026-11-21T11:00:00Z", ("s-1",), 1, 1, ("handoff",)))
    world.lay({"cycles.md": table})
    assert own(told(world).text) == ""


def test_journals_of_one_session_are_told_together(lay):
    """Where a session has two journals that nobody slept on, both are named and the later entry is the newer."""
    other = InstanceId(8, "abc")
    text = own(told(lay(**{"/journal/instance-8.md": written([Draft("task", "Go on.")], other)})).text)
    assert "journal/instance-7.md, journal/instance-8.md:" in text
    assert text.index("Go on. [i8abc.1]") < text.index("Try it on NFS. [i7qxk.5]")


def test_a_tree_without_git_tells_nothing(world):
    """Where no journal can be written none is read: a folder of that name is somebody else's."""
    world.lay({"/journal/instance-7.md": written(), "core/0.soul.md": "Ada.\n", "sleep.yaml": "format: 1\n"})
    assert own(told(world).text) == ""


def test_a_journal_that_cannot_be_read_costs_one_line(lay):
    """A journal with a zero byte in it is a line in the section's place; the rest of the snapshot is as it was."""
    text = told(lay(written() + "\0")).text
    assert own(text) == "\n(journal/instance-7.md is no text)"
    assert "Ada." in text


def many(count=60):
    """Return drafts of all sorts, more than any share holds."""
    words = "the lock of the ledger and what becomes of it when its holder dies "
    sorts = ("decision", "task", "change", "note", "insight", "constraint")
    return [Draft(sorts[at % len(sorts)], f"Entry {at}: {words * (at % 9)}") for at in range(count)]


@pytest.mark.parametrize("budget", [500, 777, 1_000, 2_000, 4_000, HOOK, 20_000])
@pytest.mark.parametrize("crowd", [True, False])
def test_it_has_its_share_and_no_more(lay, budget, crowd):
    """Full or crowded, the section stays within a fifth of the budget, and names or counts what it does not show."""
    world = lay(written(many()), **(crowded() if crowd else {}))
    built = told(world, budget)
    assert built == told(world, budget)
    assert size(built.text) <= budget
    (ledger,) = (one for one in built.sections if one.name == interrupted_session.NAME)
    assert ledger.bytes <= max(budget * sections.SESSION // ladder.ALL, 300)
    assert ledger.rung in {"summary", "count"}
    text = own(built.text)
    assert "journal/instance-7.md" in text
    assert "sleepwake recall" in text
    if budget == HOOK:
        assert ledger.bytes > 1_000
        assert built.text.index(f"## {interrupted_session.NAME}") < 100
        for kind in ("Decision", "Task", "Change", "Constraint"):
            assert f"- {kind}: Entry" in text


RECORDS = {"Standing Constraints", "Standing Decisions", "Open Tasks", "Open Questions", "Dead Ends", "Active Threads"}


def test_the_others_are_told_as_before_where_it_is_small(lay):
    """Beside it stands the same as without it, as long as there is room; of its own records each is told once."""
    world = lay()
    before, after = build.snapshot(world.context, Settings(), HOOK), told(world)
    assert after.sections[0].name == interrupted_session.NAME
    assert after.sections[1:] == tuple(one for one in before.sections if one.name not in RECORDS)
    addresses = re.findall(r"(?m)^- .*\[(i\d+[a-z]{3}\.\d+)\]$", before.text)
    assert addresses
    assert all(after.text.count(f"[{one}]") == 1 for one in addresses)


def test_everything_is_told_without_a_budget(lay):
    """In full all entries stand with all their words."""
    text = own(build.snapshot(lay(written(many())).context, Settings(), None, "s-1").text)
    assert text.count("\n- ") == 60
    assert "..." not in text


def test_the_mark_of_tools_is_the_one_they_bear():
    """What tools printed is known by the mark that a digest gives it."""
    assert held_records.TOOL == untrusted.MARK


LINE = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn")), max_size=40)
BODY = st.lists(
    st.one_of(LINE, st.sampled_from(["## Decision: no [i7qxk.3]", "```", "# x", "- why: y", "", "<!--", "## y"])),
    max_size=5,
)
DRAFT = st.builds(
    Draft,
    st.sampled_from([*kinds.ENTRIES, "question event"]),
    LINE,
    BODY.map("\n".join),
    st.dictionaries(st.sampled_from(["why", "source", "time"]), LINE.filter(str.strip), max_size=3).map(
        lambda one: tuple(one.items())
    ),
).filter(lambda one: (one.title + one.body).strip())


@settings(max_examples=share(40))
@given(st.lists(DRAFT, max_size=4))
def test_entries_are_read_as_the_program_reads_them(drafts):
    """What the program writes, whatever is in it, is read by lines as its own parser reads it."""
    text = written(drafts)
    parsed = journal.read(text).entries
    found = entries.read(text)
    assert [entry[:6] for entry in found] == [entry[:6] for entry in parsed]
    assert [(entry.source, entry.noticed) for entry in found] == [(entry.source, entry.noticed) for entry in parsed]


def test_what_ends_an_entry_is_not_told(lay):
    """The line that ends an entry with a body is the program's, and no words of the entry."""
    text = own(told(lay(written([Draft("note", "A title", "And a body.")], form=2))).text)
    assert "- Note: A title And a body. [i7qxk.1]" in text
    assert "end of" not in text
