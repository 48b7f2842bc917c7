"""Journals that git took out of a memory: which histories are asked for them."""

from __future__ import annotations

from scene import Scene

from sleep.changes import removal
from sleep.upkeep import doctor


def _lived(scene, words):
    (scene.top / ".git/sleepwake/opened").unlink(missing_ok=True)  # two machines do not know of each other
    scene.open()
    scene.add("decision", words, why="the manager said so")
    scene.add("task", f"Write down: {words}")
    scene.sleep()


def test_a_journal_that_a_squash_left_on_its_branch_comes_back(tmp_path):
    """What stands in a tier without its journal gets that back from the branch that a squash merge took it from."""
    scene = Scene(tmp_path / "project")
    scene.git("switch", "--quiet", "--create", "side")
    _lived(scene, "Count holidays as Sundays")
    scene.git("switch", "--quiet", "--create", "other", "HEAD~4")
    _lived(scene, "Name exports by month")
    scene.git("merge", "--quiet", "--squash", "side", check=False)
    for path in scene.git("diff", "--name-only", "--diff-filter=U").splitlines():
        side = "--theirs" if path == "memory/hot/threads.md" else "--ours"
        scene.git("checkout", "--quiet", side, "--", path)
    scene.git("add", "--all")
    scene.git("commit", "--quiet", "--message=Holidays (#12)")
    (lost,) = removal.lost_journals(scene.place.root, scene.view)
    assert "Count holidays as Sundays" in lost.text
    doctor.examine(scene.place, scene.now(), fix=True)
    assert {"Count holidays as Sundays", "Name exports by month"} <= {
        record.fragment.text for record in scene.view.records.values() if record.fragment.kind == "decision"
    }
    assert not [each for each in doctor.examine(scene.place, scene.now()) if each.level == "fail"]


def test_a_journal_of_another_branch_is_not_missed(tmp_path):
    """A journal that only another branch has, and of which nothing stands here, is no loss."""
    scene = Scene(tmp_path / "project")
    scene.git("switch", "--quiet", "--create", "side")
    _lived(scene, "Count holidays as Sundays")
    scene.git("switch", "--quiet", "--create", "other", "HEAD~4")
    assert removal.lost_journals(scene.place.root, scene.view) == []
