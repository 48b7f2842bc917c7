"""What a cycle lost and kept, as a reviewer of it has to see."""

from __future__ import annotations

import pytest

from sleep.changes.comparison import Passage
from sleep.compression.contract import DROPPED, MERGED, WHOLE
from sleep.documents import paths
from sleep.errors import UsageError
from sleep.history import cycle_diff
from sleep.records.fragment import Fragment


def full(scene, insights=70):
    """Live one instance that says more prose than fits, the last of it twice, and sleep."""
    scene.open()
    scene.add("decision", "Use flock for the lock", why="it ends with its holder", alternatives="a pid file")
    for number in range(insights):
        scene.add(
            "insight", f"Part {number} of `src/part{number}.py` takes {number} ms for each file that it reads twice"
        )
    scene.add("tone", "calm")
    return scene.sleep()


def by_fate(step, fate):
    """Return the fragments that had this fate in a step."""
    return [one.passage.before for one in step.went if one.fate == fate]


def test_what_is_dropped_is_not_in_memory(scene):
    """The fragments told as dropped are in no tier, those told as kept are in hot, and together they are all."""
    full(scene)
    (step,) = cycle_diff.between(scene.place).steps
    assert (step.step, step.observed) == ("journal to hot", "")
    held = {one.identity for _, one in scene.view.placed("memory/hot/")}
    assert {one.identity for one in by_fate(step, WHOLE)} == held
    dropped = {one.identity for one in by_fate(step, DROPPED)}
    assert dropped
    assert not dropped & held
    said = [one for one in scene.view.journal("journal/instance-1.md").entries if one.title]
    assert len(step.went) == len(said) - sum(one.kind == "tone" and one.title.startswith("tone") for one in said)
    assert all(one.passage.detail for one in step.went if one.fate == DROPPED)


def test_counts_are_sums(scene):
    """Counts by fate and kind are those of the fragments, and of both what is lost comes first."""
    full(scene)
    (step,) = cycle_diff.between(scene.place, 1).steps
    counts = step.counts()
    assert sum(number for number, _, _ in counts.values()) == len(step.went)
    assert sum(before for _, before, _ in counts.values()) == sum(one.before for one in step.went)
    assert sum(after for _, _, after in counts.values()) == sum(one.after for one in step.went)
    for fates in ([fate for fate, _ in counts], [one.fate for one in step.went]):
        assert fates == sorted(fates, key=cycle_diff.FATES.index)


def test_what_was_merged_counts_as_the_kind_that_it_was():
    """A fragment that went into one of another kind is counted by its own."""
    passage = Passage(MERGED, Fragment("insight", "It reads twice.", ()), Fragment("decision", "Read once.", ()))
    step = cycle_diff.StepDiff("journal to hot", "i1abc", "", "", (cycle_diff.Went(MERGED, passage, 4, 0),), "")
    assert step.counts() == {(MERGED, "insight"): (1, 4, 0)}


def test_moves_and_states(scene):
    """What went to another tier is told as moved, with where to, and a record in a new state as changed."""
    full(scene, 3)
    scene.open()
    scene.move("decision", "D-001", "reversed", "too slow")
    scene.sleep()
    (step,) = cycle_diff.between(scene.place).steps
    assert [one.number for one in by_fate(step, cycle_diff.CHANGED)] == ["D-001"]
    scene.cycle(7)
    steps = {one.step: one for one in cycle_diff.between(scene.place).steps}
    moved = [one.passage for one in steps["hot to warm"].went if one.fate == cycle_diff.MOVED]
    assert moved
    for one in moved:
        assert one.after in scene.view.tier(one.target).fragments
        assert paths.tier_of(one.target) == "warm"


def test_the_last_cycle_and_any_other(scene):
    """Without a number it is the last cycle; a number that is none is refused, with where to look."""
    with pytest.raises(UsageError, match="no cycle yet"):
        cycle_diff.between(scene.place)
    scene.cycle(1)
    scene.cycle(2)
    assert cycle_diff.between(scene.place).cycle == 2
    assert cycle_diff.between(scene.place, 1).cycle == 1
    with pytest.raises(UsageError) as caught:
        cycle_diff.between(scene.place, 3)
    assert caught.value.hint == "sleepwake sleep.history"


def test_an_undone_cycle_is_still_told(scene):
    """What an undone cycle did is told, and that it is undone; unasked only where no other stands."""
    scene.lived()
    scene.cycle(2)
    scene.undo(2)
    assert cycle_diff.between(scene.place).cycle == 1
    scene.undo(1)
    found = cycle_diff.between(scene.place, 1)
    assert (found.cycle, found.state, found.note) == (1, "undone", "")
    assert found.steps
    assert cycle_diff.between(scene.place).cycle == 2


def test_commits_that_are_gone_are_said_to_be(scene):
    """Where a squash took the commits, the cycle is known from its page, and that they are gone is said."""
    start = scene.head()
    scene.cycle(1)
    scene.git("reset", "--quiet", "--soft", start)
    scene.git("commit", "--quiet", "--message=all of it")
    found = cycle_diff.between(scene.place, 1)
    assert [(one.step, one.commit) for one in found.steps] == [("journal to hot", "")]
    assert [one.fate for one in found.steps[0].went] == [WHOLE] * len(found.steps[0].went)
    assert "not in this branch's history" in found.note


def test_merged_ones_name_into_what(scene):
    """What was merged is told with what it went into, and takes no tokens of its own."""
    scene.open()
    scene.add("insight", "The parser reads the file twice")
    scene.add("insight", "The parser reads the file twice")
    scene.sleep()
    (step,) = cycle_diff.between(scene.place).steps
    (merged,) = [one for one in step.went if one.fate == MERGED]
    assert (merged.after, merged.passage.target) == (0, paths.CONTEXT)
    assert merged.passage.before.identity in merged.passage.after.addresses
