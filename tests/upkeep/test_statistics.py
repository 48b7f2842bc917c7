"""The figures are those of the documents, now and after each cycle."""

from __future__ import annotations

from scene import Scene

from sleep.documents import paths
from sleep.language import tokens
from sleep.memory.view import View
from sleep.store.tree import CommitTree
from sleep.upkeep import statistics


def spent(view, name):
    """Return a tier's tokens as its files give them."""
    return sum(tokens.count(view.read(path)) for path in view.files(f"memory/{name}/"))


def test_an_empty_memory_has_no_figures(scene):
    """Before the first cycle there is nothing over time, and the tiers are empty."""
    found = statistics.read(scene.place)
    assert (found.over_time, found.topics) == ((), ())
    assert found.tiers["warm"].files == 0
    assert sum(found.tiers["hot"].records.values()) == 0


def test_over_time_is_what_the_trees_held(scene):
    """After each cycle a tier's tokens are those of the tree that the cycle's last commit left."""
    scene.lived(5)
    found = statistics.read(scene.place)
    commits = {
        int(cycle): sha
        for line in reversed(scene.git("log", "--format=%H %(trailers:key=Sleep-Cycle,valueonly)").splitlines())
        if len(parts := line.split()) == 2
        for sha, cycle in [parts]
    }
    assert [one.cycle for one in found.over_time] == [1, 2, 3, 4, 5]
    journals = 0
    for one, row in zip(found.over_time, scene.view.cycles, strict=True):
        then = View(CommitTree(scene.place.root, commits[one.cycle]))
        assert (one.hot, one.warm, one.cold) == tuple(spent(then, name) for name in paths.TIER_NAMES)
        journals += row.before
        assert (one.journal, one.hot_share, one.journals) == (row.before, row.after, journals)
        assert one.ratio == round(row.before / row.after, 2)
        assert one.overall == round(journals / one.memory, 2)
    assert any(one.warm for one in found.over_time)


def test_tiers_and_topics_are_counted(scene):
    """Figures of tiers and topics are those of the files, and the parts of a topic count as one."""
    scene.lived(4)
    text = scene.text(next(iter(scene.view.files(paths.WARM))))
    scene.write("memory/warm/lock.md", text)
    scene.write("memory/warm/lock-2.md", text)
    view, found = scene.view, statistics.read(scene.place)
    for name, one in found.tiers.items():
        assert one.tokens == spent(view, name)
        assert one.fragments == sum(tier == name for tier in (paths.tier_of(path) for path, _ in view.placed()))
    assert found.tiers["hot"].records["question"] == found.tiers["hot"].open["question"] == 4
    (lock,) = [one for one in found.topics if one.topic == "lock"]
    assert (lock.files, lock.tokens) == (2, 2 * tokens.count(text))
    assert [one.tokens for one in found.topics] == sorted((one.tokens for one in found.topics), reverse=True)


def test_the_sizes_of_a_squashed_cycle(scene):
    """Where a cycle's commits are gone, its page of fates still has the sizes of the tiers."""
    start = scene.head()
    scene.cycle(1)
    before = statistics.read(scene.place).over_time
    scene.git("reset", "--quiet", "--soft", start)
    scene.git("commit", "--quiet", "--message=all of it")
    assert statistics.read(scene.place).over_time == before
    assert before[0].memory


def test_a_squashed_cycle_without_a_page_has_no_sizes(scene):
    """Where a cycle of the first format has no commits, its line in the table still counts, the tiers are unknown."""
    scene.write("memory/sleep.yaml", "format: 1\n")
    scene.git("commit", "--quiet", "--all", "--message=format 1")
    start = scene.head()
    scene.cycle(1)
    scene.git("reset", "--quiet", "--soft", start)
    scene.git("commit", "--quiet", "--message=all of it")
    scene.cycle(2)
    first, second = statistics.read(scene.place).over_time
    assert (first.hot, first.memory, first.overall) == (None, None, None)
    assert first.ratio is not None
    assert second.memory == spent(scene.view, "hot") + spent(scene.view, "warm")
    assert second.journals > second.journal


def test_a_memory_below_the_top(tmp_path):
    """In a folder of the repository, with a space in its name, the figures are the same."""
    below, top = Scene(tmp_path / "one", "notes of an agent"), Scene(tmp_path / "two")
    for one in (below, top):
        one.cycle(1)
    (first,), (second,) = (statistics.read(one.place).over_time for one in (below, top))
    assert first._replace(instance="", slept="") == second._replace(instance="", slept="")
    assert first.hot


def test_progress_is_told(scene):
    """The caller is told how far the counting is, to the end."""
    scene.lived()
    seen = []
    statistics.read(scene.place, lambda done, whole: seen.append((done, whole)))
    assert seen[-1][0] == seen[-1][1] > 0
