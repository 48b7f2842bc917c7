"""Where history begins, or was squashed, nobody is told that something happened there."""

from __future__ import annotations

import re

from scene import Scene


def _live(person, *numbers):
    scene = Scene.copied(person.folder)
    for number in numbers:
        scene.add("decision", f"Use engine {number}", why="it is fast")
        scene.sleep()


def test_the_memory_at_a_cycle_before_a_shallow_clone(person, tmp_path):
    """What a shallow clone begins with is not given out for the memory after a cycle that was long before."""
    _live(person, 1, 2, 3)
    instance = person.read("memory/cycles.md").split("| 1 | ")[1].split(" ")[0]
    clone = person.clone(tmp_path / "shallow", "--depth", "6")
    for moment in ("cycle 1", "instance 1"):
        said = clone.sleepwake("wake", "--at", moment, code=None)
        assert "is older than this clone" in said
        assert "git fetch --unshallow" in said
    assert "engine 2" in clone.sleepwake("wake", "--at", "cycle 2")
    assert "shallow clone" in clone.sleepwake("memory.explain", f"{instance}.1")


def test_the_other_of_two_cycles_of_one_number(person):
    """The memory at a cycle whose number two branches gave is told only when it is said which one is meant."""
    _live(person, 1, 2)
    words, files = "s/Sleep-Cycle: 2/Sleep-Cycle: 1/", "sed -i 's/^| 2 | /| 1 | /' memory/cycles.md"
    person.git("filter-branch", "--msg-filter", f"sed '{words}'", "--tree-filter", files, "HEAD~3..HEAD")
    both = re.findall(r"(?m)^\| 1 \| (\w+) ", person.read("memory/cycles.md"))
    said = person.sleepwake("wake", "--at", "cycle 1", code=2)
    assert all(instance in said for instance in both)


def test_debt_of_work_after_the_last_sleep(person):
    """A squash merge that carries our trailers is no sleep: what happened between the sleep and it is not settled."""
    main = person.git("branch", "--show-current").strip()
    person.git("switch", "--quiet", "--create", "feature")
    _live(person, 1)
    body = person.git("log", "-1", "--format=%B")
    person.git("switch", "--quiet", main)
    person.git("merge", "--quiet", "--squash", "feature")
    person.git("commit", "--quiet", f"--message=Feature\n\n{body.rstrip()}", "--date=2027-05-01T10:00:00Z")
    assert "last sleep 2026-12-24" in person.sleepwake("doctor", "--rebuild-ledger")


def test_the_story_of_a_squash_merge(person):
    """What a squash merge brought is told as its author's edit, not as a step of the cycle that its message ends in."""
    main = person.git("branch", "--show-current").strip()
    person.git("switch", "--quiet", "--create", "feature")
    _live(person, 1)
    body = person.git("log", "-1", "--format=%B", "HEAD~1").rstrip()  # as it would end in the journal's coming to hot
    person.git("switch", "--quiet", main)
    person.git("merge", "--quiet", "--squash", "feature")
    person.git("commit", "--quiet", f"--message=Feature\n\n{body}")
    squash = person.git("log", "-1", "--format=%h").strip()
    instance = person.read("memory/cycles.md").split("| 1 | ")[1].split(" ")[0]
    for words in (("trace", f"{instance}.1"), ("memory.explain", f"{instance}.1")):
        story = person.sleepwake(*words)
        told = [line for line in story.splitlines() if squash in line]
        assert told, story
        assert not [line for line in told if "journal to hot" in line or "seal" in line], story
