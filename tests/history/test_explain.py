"""Why something is in memory or is not: told by the step itself, or by what its commit shows, and never made up."""

from __future__ import annotations

import os
import subprocess
from decimal import Decimal

import pytest
from examples import share
from hypothesis import given, settings
from hypothesis import strategies as st
from scene import Memory, Scene

from sleep.changes import comparison as passage
from sleep.compression.contract import DROPPED, MERGED, WHOLE
from sleep.cycle import fate_record
from sleep.documents import paths
from sleep.errors import UsageError
from sleep.history import account, document_fates, entry_life, explain
from sleep.history.step_fates import Past

WORDS = "The parser reads `src/part{0}.py` twice and takes {0} ms for part{0} of the file number {0}"


def told(scene, handle):
    """Return the life of what a handle names."""
    past = Past(scene.place.root)
    return entry_life.tell(past, explain.find(past.now, handle))


def fates(found):
    """Return what happened as (step, cycle, fate), without the sealing."""
    return [(one.step, one.cycle, one.fate) for one in found.happened if one.step != "seal"]


def full(scene, insights=40, *, first=False):
    """Become a memory of one instance that said more prose than fits, slept on; return the addresses of the prose.

    `first` makes it one of the first format.
    """
    scene.grow(speak_first if first else speak, insights)
    return [str(one.address) for one in scene.view.journal(paths.journal(1)).entries if one.kind == "insight"]


def speak(scene, insights=40):
    """Live one instance that says more prose than fits, and sleep."""
    scene.open()
    scene.add("decision", "Use flock for the lock", why="it ends with its holder", alternatives="a pid file")
    for number in range(insights):
        scene.add("insight", WORDS.format(number))
    scene.sleep()


def speak_first(scene, insights):
    """Live the same in a memory of the first format, whose steps write no fates down."""
    scene.write("memory/sleep.yaml", "format: 1\n")
    scene.git("commit", "--quiet", "--all", "--message=format 1")
    speak(scene, insights)


def cool(scene):
    """Become a memory that keeps little in warm memory."""
    scene.write("memory/sleep.yaml", f"{scene.text('memory/sleep.yaml')}\nkeep_warm: 2\n")
    scene.git("commit", "--quiet", "--all", "--message=keep little")


def quiet(scene, cycles, start=100):
    """Let instances come and go that say nothing of what was before."""
    for number in range(start, start + cycles):
        scene.cycle(number)


def rewrite(scene, old, new):
    """Rewrite the messages of all commits, as a person or another program would have written them."""
    words = ("filter-branch", "--force", "--msg-filter", f"sed 's,{old},{new},'", "HEAD")
    scene.git(*words, env={**os.environ, "FILTER_BRANCH_SQUELCH_WARNING": "1"})


def test_what_was_dropped_names_step_and_reason(scene):
    """Of what did not fit, the life names step, cycle and reason, and that only the journal has it."""
    said = full(scene)
    held = {str(address) for _, one in scene.view.placed() for address in one.addresses}
    gone = [address for address in said if address not in held]
    assert gone
    found = told(scene, gone[0])
    assert fates(found) == [("journal to hot", 1, DROPPED)]
    reason = found.happened[-1].detail
    assert reason
    assert found.happened[-1].observed == ""
    assert found.verdict.startswith(f"only the journal has it (journal/instance-1.md:{found.line}): dropped in journal")
    assert reason in found.verdict
    assert scene.text(found.path).split("\n")[found.line - 1].endswith(f"[{gone[0]}]")


def test_a_record_is_followed_from_tier_to_tier(scene):
    """A decision's life names every step that moved it, each with its commit, and the line where it stands now."""
    full(scene, 3)
    cool(scene)
    quiet(scene, 6)
    found = told(scene, "D-001")
    assert [one[0] for one in fates(found)] == ["journal to hot", "hot to warm", "warm to cold"]
    (stands,) = found.stands
    assert paths.tier_of(stands.path) == "cold"
    assert f"[{found.address}]" in scene.text(stands.path).split("\n")[stands.line - 1]
    for one in found.happened:
        trailers = scene.git("log", "-1", "--format=%(trailers)", one.commit)
        assert f"Sleep-Step: {one.step}\n" in trailers
        assert f"Sleep-Cycle: {one.cycle}\n" in trailers
    assert [one.observed for one in found.happened] == [""] * 4


def test_only_steps_that_took_part_are_compared(scene, monkeypatch):
    """However long the history, the documents of no more steps are compared than the entry has gone through."""
    full(scene, 3, first=True)
    cool(scene)
    quiet(scene, 6)
    again = []
    monkeypatch.setattr(
        document_fates,
        "section",
        lambda root, step, real=document_fates.section: again.append(step.step) or real(root, step),
    )
    told(scene, "D-001")
    assert again == ["journal to hot", "hot to warm", "warm to cold"]


def test_a_decision_is_whole_in_cold_memory(scene):
    """A standing decision goes to cold memory with all its words, and is told as kept."""
    scene.open()
    scene.add(
        "decision", "Use flock. It was there already.", why="it ends with its holder; and more", confidence="high"
    )
    scene.sleep()
    cool(scene)
    quiet(scene, 6)
    last = told(scene, "D-001").happened[-1]
    assert (last.step, last.fate) == ("warm to cold", WHOLE)
    (cold,) = [one for _, one in scene.view.placed(paths.COLD) if one.number == "D-001"]
    assert cold.text == "Use flock. It was there already."
    assert dict(cold.fields) == {"why": "it ends with its holder; and more", "confidence": "high"}


def test_what_repeats_another_is_merged_into_it(scene):
    """An entry that says the same as another is told as merged, and into which; both lead to the same place."""
    scene.open()
    first = scene.add("insight", "The parser reads the file twice").address
    second = scene.add("insight", "The parser reads the file twice.").address
    scene.sleep()
    found = told(scene, str(second))
    assert fates(found) == [("journal to hot", 1, MERGED)]
    assert str(first) in found.happened[-1].detail
    assert [one.path for one in found.stands] == [one.path for one in told(scene, str(first)).stands]


def test_an_event_is_told_of_the_record_it_moved(scene):
    """A move of a record is in the record's life with its reason, and in that of the entry that moved it."""
    scene.open()
    scene.add("thread", "Prove the lock", next="race")
    scene.sleep()
    scene.open()
    scene.move("thread", "T-001", "resolved", "nothing was lost")
    scene.sleep()
    (moved,) = [one.address for one in scene.view.journal("journal/instance-2.md").entries if "event" in one.kind]
    details = [one.detail for one in told(scene, "T-001").happened]
    assert f"active -> resolved (nothing was lost); with {moved}" in details
    assert "active -> resolved" in " ".join(one.detail for one in told(scene, str(moved)).happened)


def test_an_edit_is_told_as_a_persons(scene):
    """What a person changed or took out is told as edited or removed, with who did it, also before it is committed."""
    said = full(scene, 3)
    text = scene.text(paths.CONTEXT)
    line = next(one for one in text.split("\n") if said[0] in one)
    scene.write(paths.CONTEXT, text.replace(line, line.replace("The parser", "Our parser")))
    last = told(scene, said[0]).happened[-1]
    assert (last.step, last.fate, last.commit) == ("not committed", entry_life.EDITED, "")
    assert last.before.startswith("The parser")
    assert last.after.startswith("Our parser")
    scene.git("commit", "--quiet", "--all", "--message=my words")
    last = told(scene, said[0]).happened[-1]
    assert (last.step, last.fate, last.commit) == ("edit", entry_life.EDITED, scene.head())
    assert "Ada Example" in last.detail
    scene.write(paths.CONTEXT, "\n".join(one for one in scene.text(paths.CONTEXT).split("\n") if said[0] not in one))
    quiet(scene, 1)
    found = told(scene, said[0])
    assert fates(found)[-1] == ("adopt", 0, entry_life.REMOVED)
    assert "removed in adopt" in found.verdict


def test_a_commit_that_was_edited_gives_no_reason(scene):
    """Of a step that wrote no fates down only what its commit shows and says is told, and that is said."""
    said = full(scene, first=True)
    scene.git("reset", "--quiet", "--hard", "HEAD~1")
    text = scene.text(paths.CONTEXT)
    line = next(one for one in text.split("\n") if one.endswith("]") and "parser" in one)
    scene.write(paths.CONTEXT, text.replace(line + "\n", ""))
    scene.git("commit", "--quiet", "--all", "--amend", "--no-edit")
    address = next(one for one in said if f"[{one}]" in line)
    one = told(scene, address).happened[-1]
    assert (one.step, one.fate) == ("journal to hot", DROPPED)
    assert one.detail == "its commit says of all that it dropped: over the budget"
    assert one.observed == "its reasons are in no page of fates"


def test_a_cycle_that_was_undone_and_slept_again(scene):
    """The life of an entry tells the undo, and the sleep after it."""
    full(scene, 2)
    scene.undo()
    found = told(scene, "D-001")
    assert fates(found) == [("journal to hot", 1, WHOLE), ("undo", 1, DROPPED)]
    assert any("no cycle has slept on it" in note for note in found.notes)
    scene.sleep()
    assert fates(told(scene, "D-001"))[-1] == ("journal to hot", 2, WHOLE)
    assert explain.whole(scene.place, scene.view.cycles[0].instance).cycle == 2


def test_what_a_step_wrote_down_survives_a_squash(scene):
    """Where a squash took the commits, the page of fates still tells what the steps did, to the last byte, and why."""
    start = scene.head()
    said = full(scene)
    before = explain.whole(scene.place, scene.view.cycles[0].instance)
    gone = next(one.address for one in before.runs if one.fate == DROPPED)
    why = told(scene, gone).happened[-1].detail
    scene.git("reset", "--quiet", "--soft", start)
    scene.git("commit", "--quiet", "--message=everything at once")
    found = told(scene, gone)
    assert [(one.fate, one.detail, one.commit) for one in found.happened] == [(DROPPED, why, "")]
    assert any("not in this branch's history" in note for note in found.notes)
    whole = explain.whole(scene.place, scene.view.cycles[0].instance)
    assert (whole.runs, whole.shares, whole.commit) == (before.runs, before.shares, "")
    exact(whole)
    assert set(said) <= {one.address for one in whole.runs}


def test_a_step_that_was_amended_is_not_believed(scene):
    """Where a commit does not hold what its step wrote down, the entry is told as dropped, and that it was amended."""
    said = full(scene)
    scene.git("reset", "--quiet", "--hard", "HEAD~1")
    text = scene.text(paths.CONTEXT)
    line = next(one for one in text.split("\n") if one.endswith("]") and "parser" in one)
    scene.write(paths.CONTEXT, text.replace(line + "\n", ""))
    scene.git("commit", "--quiet", "--all", "--amend", "--no-edit")
    address = next(one for one in said if f"[{one}]" in line)
    one = told(scene, address).happened[-1]
    assert (one.step, one.fate) == ("journal to hot", DROPPED)
    assert "somebody amended it" in one.detail


def test_nothing_is_compared_where_a_step_wrote_its_fates_down(scene, monkeypatch):
    """What a memory of this format is asked is looked up: no documents of the past are compared."""
    full(scene, 3)
    quiet(scene, 4)
    monkeypatch.setattr(document_fates, "section", None)
    assert fates(told(scene, "D-001")) == [("journal to hot", 1, WHOLE), ("hot to warm", 3, WHOLE)]
    exact(explain.whole(scene.place, scene.view.cycles[0].instance))


def test_squashed_history_is_said_to_be_gone(scene):
    """Where a squash took the commits, that is said, and the account is by what memory holds, to the last byte."""
    said = full(scene, first=True)
    start = scene.git("rev-parse", ":/^format 1").strip()
    scene.git("reset", "--quiet", "--soft", start)
    scene.git("commit", "--quiet", "--message=everything at once")
    found = told(scene, "D-001")
    assert fates(found) == [("edit", 0, entry_life.ADDED)]
    assert any("not in this branch's history" in note for note in found.notes)
    whole = explain.whole(scene.place, scene.view.cycles[0].instance)
    assert whole.commit == ""
    assert "told by what memory holds now" in whole.notes[0]
    exact(whole)
    held = {str(address) for _, one in scene.view.placed() for address in one.addresses}
    by_address = {one.address: one.fate for one in whole.runs}
    assert {address: by_address[address] == WHOLE for address in said} == {address: address in held for address in said}


def test_a_shallow_clone_says_so(scene, tmp_path):
    """In a clone without the older history the fragment is found, and what is not known, its cycle too, is said."""
    full(scene, 2)
    subprocess.run(
        ["git", "clone", "--quiet", "--depth=1", f"file://{scene.top}", str(tmp_path / "shallow")], check=True
    )
    found = told(Scene.copied(tmp_path / "shallow"), "D-001")
    assert fates(found) == [("journal to hot", 1, WHOLE), ("older history", 0, entry_life.ADDED)]
    assert "not in this clone" in found.happened[-1].detail
    assert any("shallow clone" in note for note in found.notes)


def test_a_step_that_changed_nothing_is_told_too(scene):
    """A journal of which nothing was taken into memory is accounted for all the same, though no commit did it."""
    scene.open()
    code = scene.add("note", "", "```text\n" + "x = 1\n" * 200 + "```").address
    scene.sleep()
    assert not any("journal to hot" in one for one in scene.subjects())
    assert fates(told(scene, str(code))) == [("journal to hot", 1, fate_record.REFERENCED)]
    exact(explain.whole(scene.place, code.instance))


def test_what_waits_is_said_to_wait(scene):
    """An entry that no cycle has slept on has no life yet, and its journal's account says so."""
    scene.open()
    address = scene.add("insight", "Something").address
    found = told(scene, str(address))
    assert (found.happened, found.stands) == ((), ())
    assert "no cycle has slept on it" in found.notes[0]
    whole = explain.whole(scene.place, address.instance)
    exact(whole)
    assert {one.fate for one in whole.shares} == {account.WAITING, fate_record.FRAME}


@pytest.mark.parametrize("handle", ["i9zzz.1", "D-099", "T-099", "Q-099", "i9zzz", "99", "x", "", "i1abc.", "²"])
def test_what_is_not_there_is_an_error_with_a_hint(scene, handle):
    """An address, number or instance that is not there is refused, with the command that shows what there is."""
    full(scene, 1)
    with pytest.raises(UsageError) as caught:
        told(scene, handle)
    assert caught.value.hint.startswith("sleepwake ")


def test_a_number_leads_to_its_entry_when_memory_has_forgotten_it(scene):
    """The number of a record that no tier holds any more still leads to its entry."""
    scene.open()
    address = scene.add("question", "Who owns it?").address
    scene.move("question", "Q-001", "answered", "we do")
    scene.sleep()
    scene.write(paths.CONTEXT, "# Context\n")
    assert explain.find(scene.view, "q-1") == address


def exact(whole):
    """Check that an account is of every character and every byte, and that its percents add up to 100."""
    assert "".join(whole.text[one.start : one.end] for one in whole.runs) == whole.text
    assert sum(one.characters for one in whole.shares) == len(whole.text)
    assert sum(one.bytes for one in whole.shares) == len(whole.text.encode("utf-8", "surrogateescape"))
    assert sum(Decimal(str(one.percent)) for one in whole.shares) == 100


def test_an_account_says_what_the_tiers_hold(scene):
    """What the account of a journal calls kept is in hot memory, and what it calls dropped is not."""
    full(scene)
    whole = explain.whole(scene.place, scene.view.cycles[0].instance)
    assert whole.notes == ()
    exact(whole)
    held = {str(address) for _, one in scene.view.placed("memory/hot/") for address in one.addresses}
    said = {fate: {one.address for one in whole.runs if one.fate == fate} for fate in (WHOLE, DROPPED)}
    assert said[WHOLE] == held
    assert said[DROPPED]
    assert not said[DROPPED] & held
    assert (whole.stands["hot"], whole.stands["warm"], whole.stands["cold"]) == (len(held), 0, 0)
    assert sum(whole.stands.values()) == len({one.address for one in whole.runs if one.address})


def test_lines_are_those_of_the_journal(scene):
    """Each run is told with the line of the journal that it begins in."""
    full(scene, 3)
    whole = explain.whole(scene.place, scene.view.cycles[0].instance)
    for one in whole.runs:
        assert whole.text[: one.start].count("\n") + 1 == one.line


_LINE = st.one_of(
    st.text("abc é漢 .`*#|>-[]:", max_size=50),
    st.sampled_from(
        ["# A", "## Decisions", "- We decided to use it because of this.", "- [ ] next: x", "```", "", "  - y"]
    ),
    st.sampled_from(
        ["Why does it fail?", "| a | b |", "| --- | --- |", "The same words.", "It felt calm.", "> quoted"]
    ),
)
MARKDOWN = st.lists(_LINE, min_size=1, max_size=25).map("\n".join)


@settings(max_examples=share(60))
@given(st.lists(MARKDOWN, min_size=1, max_size=2))
def test_any_journal_is_accounted_for(journals):
    """Whatever the Markdown, a step's own account and the one read off the documents cover it exactly once."""
    memory = Memory()
    for text in journals:
        instance = memory.journal(text)
        for one in memory.sleep():
            if one.decided.step != "journal to hot":
                continue
            journal = memory.view.journal(paths.journal(instance.number))
            docs = {path: memory.view.tier(path).fragments for path in paths.HOT}
            found = passage.between({"journal": fate_record.fragments(journal)}, docs)
            own = [each for each in found if each.source == "journal"]
            for spans in (one.decided.spans, document_fates.observed(journal, own), account.waiting(journal)):
                runs = account.runs(journal, spans)
                assert "".join(journal.text[run.start : run.end] for run in runs) == journal.text
                shares = account.shares(journal.text, runs)
                assert sum(share.hundredths for share in shares) == 10_000
                assert sum(share.bytes for share in shares) == len(journal.text.encode("utf-8", "surrogateescape"))


@given(st.lists(st.integers(0, 10**6), max_size=8), st.integers(1, 10_000))
def test_no_hundredth_is_lost(sizes, whole):
    """Shares in whole numbers add up to the whole, and each is less than one away from its exact share."""
    parts = account.largest_remainder(sizes, whole)
    total = sum(sizes)
    assert sum(parts) == (whole if total else 0)
    assert all(abs(part * total - size * whole) < total for part, size in zip(parts, sizes, strict=True) if total)
