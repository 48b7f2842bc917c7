"""Undo: the memory as it would be without one cycle, a person's work kept."""

from __future__ import annotations

import pytest

from sleep.documents import cycles, fates_page, main_page, paths
from sleep.errors import GitStateError, UsageError
from sleep.history.rebuild import undo


def _tiers(scene):
    return {path: text for path, text in scene.owned().items() if paths.tier_of(path)}


def _said(scene):
    return b"\n".join(_tiers(scene).values()).decode()


def test_the_last_one_exactly(scene):
    """Undoing the last cycle makes every memory file byte for byte what it was before, in one new commit."""
    scene.lived(3)
    scene.open()
    scene.add("decision", "Use the last")
    scene.git("add", "--all")
    scene.git("commit", "--quiet", "--message=journal")
    before, head = scene.owned(), scene.head()
    scene.sleep()
    done = scene.undo()
    assert (done.cycle, done.rebuilt) == (4, ())
    assert scene.owned() == before
    assert scene.git("diff", "--stat", head) == ""
    assert scene.subjects()[0].startswith("sleep: undo cycle 4 of instance i4")
    assert scene.git("status", "--porcelain") == ""
    assert set(scene.git("log", "-1", "--format=%(trailers:key=Sleep-Undo,valueonly)").split()) == {"4"}


def test_the_first_and_only_one(scene):
    """Undoing the only cycle leaves the memory as `init` and the journal made it."""
    scene.open()
    scene.add("decision", "one")
    scene.git("add", "--all")
    scene.git("commit", "--quiet", "--message=journal")
    before = scene.owned()
    scene.sleep()
    scene.undo()
    assert scene.owned() == before
    assert scene.view.cycles == ()


def test_back_to_the_beginning_one_by_one(scene):
    """Undoing cycle after cycle, the last first, passes through each earlier state of the tiers."""
    states = [_tiers(scene)]
    for number in range(1, 4):
        scene.cycle(number)
        states.append(_tiers(scene))
    for state in reversed(states[:-1]):
        scene.undo()
        assert _tiers(scene) == state
    with pytest.raises(UsageError, match="no cycle"):
        scene.undo()


def test_an_older_one_is_rebuilt_without(scene):
    """Undoing an older cycle leaves what the others made, and nothing that only its journal said but the journal."""
    scene.lived(4)
    journals = {path: text for path, text in scene.owned().items() if path.startswith(paths.JOURNALS)}
    done = scene.undo(2)
    assert (done.cycle, done.rebuilt) == (2, (3, 4))
    assert [cycle.number for cycle in scene.view.cycles] == [1, 3, 4]
    for number in (1, 3, 4):
        assert f"Use engine {number} " in _said(scene)
    assert "part 2" not in _said(scene)
    assert {path: text for path, text in scene.owned().items() if path.startswith(paths.JOURNALS)} == journals
    assert [one for one in scene.check() if one.level == "fail"] == []


def test_an_older_one_is_as_if_never_slept(tmp_path, scene):
    """The memory rebuilt without a cycle has the tiers of one in which that instance was never slept on."""
    scene.lived(2)
    for number in (3, 4):
        scene.cycle(number)
    scene.undo(2)
    rebuilt = _tiers(scene)
    scene.git("reset", "--quiet", "--hard", scene.git("log", "--format=%H", "--grep=Sleep-Cycle: 2").split()[-1] + "^")
    scene.git("checkout", "--quiet", "ORIG_HEAD", "--", "journal")
    for number in (3, 4):
        scene.sleep(instance=number)
    assert _tiers(scene) == rebuilt


def test_a_persons_later_edits_stay(scene):
    """What a person edited or committed by themselves after the undone cycle stays, in tiers and on the page."""
    scene.lived(2)
    scene.write("main.md", scene.text("main.md").replace("What this", "My purpose: what this"))
    scene.write("memory/hot/context.md", scene.text("memory/hot/context.md") + "\n## Mine\n\n- a remark of mine\n")
    scene.git("commit", "--quiet", "--all", "--message=mine")
    scene.cycle(3)
    scene.write("memory/knowledge/own.md", "adopted\n")
    for number in (2, 1, 3):
        scene.undo(number)
        assert main_page.purpose(scene.text("main.md")).startswith("My purpose: ")
        assert "\n## Mine\n\n- a remark of mine" in scene.text("memory/hot/context.md")
        assert scene.text("memory/knowledge/own.md") == "adopted\n"
    assert "engine" not in _said(scene)
    assert scene.view.cycles == ()


def test_edits_made_before_the_cycle_stay(scene):
    """The edits that a sleep adopted first are no part of its cycle and stay when it is undone."""
    scene.open()
    scene.add("note", "x")
    scene.write("memory/hot/context.md", scene.text("memory/hot/context.md") + "\nA remark.\n")
    scene.sleep()
    scene.undo()
    assert "\nA remark.\n" in scene.text("memory/hot/context.md")


def test_pending_edits_are_adopted_first(scene):
    """Edits that are not committed yet are adopted before the undo and kept through it."""
    scene.lived(2)
    scene.write("memory/hot/context.md", scene.text("memory/hot/context.md") + "\nA remark.\n")
    scene.undo()
    assert "\nA remark.\n" in scene.text("memory/hot/context.md")
    assert scene.subjects()[1] == "sleep: adopt memory/hot/context.md"


@pytest.mark.parametrize("committed", [True, False], ids=["committed", "pending"])
def test_a_conflict_is_refused(scene, committed):
    """An edit of the very lines that the undone cycle wrote stops the undo, with the file named and nothing changed."""
    scene.lived(2)
    scene.write(paths.DECISIONS, scene.text(paths.DECISIONS).replace("Use engine 2", "Use motor 2"))
    if committed:
        scene.git("commit", "--quiet", "--all", "--message=mine")
    before = scene.everything()
    with pytest.raises(GitStateError) as caught:
        scene.undo(2)
    assert caught.value.where == paths.DECISIONS
    assert scene.everything() == before
    with pytest.raises(GitStateError):
        scene.undo(2, dry_run=True)


def test_undo_then_sleep_again(scene):
    """After an undo a sleep takes the instance again and makes the same tiers, under a new number."""
    scene.lived(3)
    tiers = _tiers(scene)
    scene.undo()
    assert _tiers(scene) != tiers
    scene.sleep()
    assert _tiers(scene) == tiers
    assert [cycle.number for cycle in scene.view.cycles] == [1, 2, 4]


def test_undo_of_a_rebuilt_cycle(scene):
    """A cycle that an earlier undo rebuilt can be undone too, and what was undone stays undone."""
    scene.lived(4)
    scene.undo(2)
    done = scene.undo(3)
    assert (done.cycle, done.rebuilt) == (3, (4,))
    assert "part 2" not in _said(scene)
    assert "part 3" not in _said(scene)
    assert "Use engine 4" in _said(scene)
    scene.undo(1)
    assert [cycle.number for cycle in scene.view.cycles] == [4]
    assert [one for one in scene.check() if one.level == "fail"] == []


def _revert(scene):
    scene.git("revert", "--no-edit", "HEAD")


@pytest.mark.parametrize("number", [2, 3])
def test_an_undo_that_was_reverted_can_be_made_again(scene, number):
    """`git revert` of an undo gives the cycle back; another undo takes it out again, as the first did."""
    scene.lived(3)
    slept = scene.owned()
    scene.undo(number)
    undone = scene.owned()
    _revert(scene)
    assert scene.owned() == slept
    done = scene.undo(number)
    assert (done.cycle, scene.owned()) == (number, undone)
    scene.undo(1)
    assert number not in {cycle.number for cycle in scene.view.cycles}


def test_another_cycle_after_a_reverted_undo(scene):
    """A cycle whose undo was reverted is slept again where an older one is undone."""
    scene.lived(3)
    scene.undo(3)
    _revert(scene)
    assert scene.undo(2).rebuilt == (3,)
    assert [cycle.number for cycle in scene.view.cycles] == [1, 3]


@pytest.mark.parametrize("is_committed", [True, False])
def test_a_cycle_that_an_edit_gave_back_is_not_said_to_be_undone(scene, is_committed):
    """What was restored among other edits would stay: that is refused, and the way out is named."""
    scene.lived(2)
    scene.undo(2)
    scene.git("revert", "--no-commit", "HEAD")
    scene.git("revert", "--quit")
    scene.git("reset", "--quiet")
    scene.write("main.md", scene.text("main.md").replace("\n", "\n\nA word of my own.\n", 1))
    if is_committed:
        scene.git("commit", "--quiet", "--all", "--message=take it back")
    before = scene.owned()
    with pytest.raises(GitStateError, match=r"brought cycle 2 of i2\w+ back") as refused:
        scene.undo(2)
    assert refused.value.hint.startswith("git revert" if is_committed else "git checkout HEAD")
    assert scene.owned() == before


def test_sleeping_again_on_what_an_older_undo_left(scene):
    """An instance whose older cycle was undone is unslept again, and a sleep takes it in."""
    scene.lived(3)
    scene.undo(1)
    assert scene.view.unslept == ("journal/instance-1.md",)
    scene.sleep()
    assert "Use engine 1" in _said(scene)
    assert sorted(cycle.instance.number for cycle in scene.view.cycles) == [1, 2, 3]


def test_an_adoption_is_never_undone(scene):
    """No undo takes back an adoption, whichever cycle's sleep made it."""
    for number in range(1, 4):
        scene.write(f"memory/knowledge/{number}.md", f"mine {number}\n")
        scene.cycle(number)
    for number in (2, 3, 1):
        scene.undo(number)
        for each in range(1, 4):
            assert scene.text(f"memory/knowledge/{each}.md") == f"mine {each}\n"


def test_a_dry_undo_changes_nothing_and_tells_the_truth(scene):
    """A dry undo changes nothing, pending edits or not, and names the paths and cycles that the real one then has."""
    scene.lived(3)
    scene.write("memory/hot/context.md", scene.text("memory/hot/context.md") + "\nA remark.\n")
    before = scene.everything()
    dry = scene.undo(2, dry_run=True)
    assert scene.everything() == before
    assert "-A remark." not in dry.diff
    wet = scene.undo(2)
    assert dry == wet._replace(sha="")


@pytest.mark.parametrize("number", [0, 7])
def test_a_cycle_that_is_nowhere(scene, number):
    """A number that no cycle has is a usage error, and so is one that is undone already; nothing changes."""
    scene.lived(2)
    scene.undo(2)
    before = scene.everything()
    for wrong in (number, 2):
        with pytest.raises(UsageError, match="no cycle"):
            scene.undo(wrong)
    assert scene.everything() == before


def test_nothing_to_undo(scene):
    """A memory without cycles has nothing to undo, and says so."""
    with pytest.raises(UsageError, match="no cycle to undo"):
        scene.undo()


def test_squashed_history(scene):
    """A cycle whose commits were squashed away cannot be undone, which is said with nothing changed."""
    scene.lived(2)
    scene.git("reset", "--quiet", "--soft", scene.git("rev-list", "--max-parents=0", "HEAD").strip())
    scene.git("commit", "--quiet", "--message=squashed")
    before = scene.everything()
    with pytest.raises(UsageError, match="squashed"):
        scene.undo()
    assert scene.everything() == before


def test_a_journal_opened_since_keeps_its_numbers(scene):
    """Undoing the last cycle while a later journal is open leaves both journals, and the records keep their numbers."""
    scene.lived(2)
    scene.open()
    later = scene.add("decision", "later")
    scene.undo()
    assert scene.view.unslept == ("journal/instance-2.md", "journal/instance-3.md")
    scene.sleep()
    numbers = {
        one.fragment.number: one.fragment.text for one in scene.view.records.values() if one.fragment.kind == "decision"
    }
    assert numbers[later.number] == "later"
    assert len(numbers) == 3


def test_history_tells_what_became_of_each(scene):
    """The history lists every cycle with its commits, newest first, undone ones as undone."""
    scene.lived(3)
    scene.undo(2)
    found = undo.history(scene.place)
    assert [(one.number, one.state) for one in found] == [(3, "slept"), (2, "undone"), (1, "slept")]
    assert all(len(one.commits) >= 3 for one in found)
    assert found[1].before > 0 < found[1].after
    assert [one.number for one in undo.history(scene.place, 1)] == [3]
    assert all(one.slept.endswith("Z") for one in found)
    assert scene.text(cycles.PATH).count("\n| 2 |") == 0


def test_history_says_when_a_journal_was_slept_on_that_was_closed_before(scene):
    """A cycle has the time of its last commit: a journal of the past, or of an undone cycle, was closed long before."""
    scene.lived(2)
    scene.undo(1)
    text = scene.text(scene.view.journals[0])
    scene.write(scene.view.journals[0], text.replace(scene.view.cycles[-1].slept[:4], "2001"))
    scene.sleep()
    found = undo.history(scene.place)
    assert [one.number for one in found] == [3, 2, 1]
    assert scene.view.cycles[-1].slept.startswith("2001")
    assert found[0].slept == max(one.slept for one in found)


def test_an_event_of_a_later_journal_about_an_undone_record(scene):
    """A later move of a record that the undone cycle brought waits, and is carried out when that is slept on again."""
    scene.lived()
    scene.add("question", "Is it so?")
    scene.sleep()
    scene.move("question", "Q-002", "answered", "yes")
    scene.sleep()
    scene.undo(2)
    assert "Is it so?" not in _said(scene)
    scene.sleep()
    (question,) = [one.fragment for one in scene.view.records.values() if one.fragment.number == "Q-002"]
    assert question.state == "answered"


def test_the_fates_of_a_cycle_that_a_merge_dropped_stay(scene):
    """An undo leaves the page of a cycle alone whose line a merge took out; the history calls that one dropped."""
    scene.lived(1)
    main = scene.git("branch", "--show-current").strip()
    scene.git("checkout", "--quiet", "-b", "side")
    scene.cycle(2)
    page = fates_page.path(*scene.view.cycles[-1][:2])
    scene.git("checkout", "--quiet", main)
    scene.cycle(3)
    scene.git("merge", "--quiet", "--no-commit", "side", "--strategy=ours")
    scene.git("checkout", "side", "--", page, "journal")
    scene.git("commit", "--quiet", "--message=merge")
    text = scene.text(page)
    states = {(one.number, one.instance): one for one in undo.history(scene.place)}
    dropped = [one for one in states.values() if one.state == "dropped"]
    assert [page.endswith(f"{one.number:04}-{one.instance}.md") for one in dropped] == [True]
    assert dropped[0].before > 0 < dropped[0].after
    scene.undo()
    assert scene.text(page) == text


def test_files_that_differ_in_line_ends_alone_are_left_alone(scene):
    """Where git checks memory out with CRLF, an undo writes and names what it changes, and no other file."""
    scene.lived(2)
    plain = scene.undo(1, dry_run=True).paths
    scene.git("config", "core.autocrlf", "true")
    for path in scene.git("ls-files", "memory", "main.md", "journal").splitlines():
        scene.write(path, scene.text(path).replace("\n", "\r\n"))
    kept = set(scene.owned()).difference(plain)
    before = {path: scene.owned()[path] for path in kept}
    assert scene.undo(1).paths == plain
    assert {path: scene.owned()[path] for path in kept} == before
