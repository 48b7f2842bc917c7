"""What an undo could take along, or bring back, that is not its cycle's."""

from __future__ import annotations

import re

import pytest
from scene import Scene

from sleep.errors import SleepError

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def _live(person, *numbers):
    """Live and sleep on instances that decide something, in this process: many are needed."""
    scene = Scene.copied(person.folder)
    for number in numbers:
        scene.add("decision", f"Use engine {number}", why="it is fast")
        scene.add("handoff", f"Part {number} is next")
        scene.sleep()


def _undo_is_refused(person, *words, says, way):
    """Check that an undo, dry or not, is refused with the way out, and changes nothing."""
    before, head = person.everything(), person.git("rev-parse", "HEAD")
    said = person.sleepwake("sleep.undo", *words, code=None)
    assert says in said
    assert way in said
    number = int(words[1]) if words else None
    with pytest.raises(SleepError, match=re.escape(says)):
        Scene.copied(person.folder).undo(number, dry_run=True)
    assert (person.everything(), person.git("rev-parse", "HEAD")) == (before, head)


def _memory(person):
    return {name: text for name, text in person.everything().items() if "state/" not in name}


def _journals(person):
    return {name: text for name, text in person.everything().items() if name.startswith("journal/instance")}


@pytest.mark.parametrize("depth", [1, 4])
def test_a_memory_in_a_shallow_clone(person, tmp_path, depth):
    """Where history begins within the cycle, an undo is refused and everything stays, down to the last file."""
    person.grow(_live, 1, 2, 3)
    clone = person.clone(tmp_path / "shallow", "--depth", str(depth))
    _undo_is_refused(clone, says="shallow", way="git fetch --unshallow")
    clone.git("fetch", "--quiet", "--unshallow")
    clone.sleepwake("sleep.undo")
    assert "| 3 |" not in clone.read("memory/cycles.md")
    assert "Use engine 2" in clone.read("memory/hot/decisions.md")


@pytest.mark.parametrize("depth", [5])
def test_a_whole_cycle_in_a_shallow_clone(person, tmp_path, depth):
    """A cycle that is wholly in a shallow clone is undone there as anywhere."""
    person.grow(_live, 1, 2, 3)
    clone = person.clone(tmp_path / "shallow", "--depth", str(depth))
    clone.sleepwake("sleep.undo")
    person.sleepwake("sleep.undo")
    assert _memory(clone) == _memory(person)
    assert "Use engine 2" in clone.read("memory/hot/decisions.md")


def test_an_older_cycle_in_a_shallow_clone(person, tmp_path):
    """A cycle whose commits a shallow clone does not have at all is refused with the same way out."""
    person.grow(_live, 1, 2, 3)
    clone = person.clone(tmp_path / "shallow", "--depth", "6")
    _undo_is_refused(clone, "--cycle", "2", says="shallow", way="git fetch --unshallow")


def _squashed(person, *more):
    """Live on a branch and squash it as a forge does, the body being all messages, so that it ends in our trailers."""
    _live(person, 1)
    main = person.git("branch", "--show-current").strip()
    person.git("switch", "--quiet", "--create", "feature")
    person.write("code.py", "print('a feature')\n")
    person.commit("a feature")
    _live(person, 2, 3, 4)
    body = person.git("log", "--reverse", "--format=* %B", f"{main}..feature")
    person.git("switch", "--quiet", main)
    person.git("merge", "--quiet", "--squash", "feature")
    person.git("commit", "--quiet", f"--message=Feature (#12)\n\n{body.rstrip()}", *more)


def test_the_journals_that_a_squash_merge_brought(person):
    """A squash merge that ends in our trailers is no step of ours: an undo of its cycles is refused, journals stay."""
    _squashed(person)
    assert "Sleep-Cycle: 4" in person.git("log", "-1", "--format=%(trailers)")
    _undo_is_refused(person, says="Feature (#12)", way="git revert")
    assert len(_journals(person)) == 4


def test_the_journals_that_a_squash_merge_of_two_authors_brought(person):
    """A squash merge that hides our trailers is refused too, and named."""
    _squashed(person, "--trailer", "Co-authored-by: Bob <bob@example.org>", "--allow-empty")
    person.git("commit", "--quiet", "--amend", "--message=Feature (#12)\n\nCo-authored-by: Bob <bob@example.org>")
    _undo_is_refused(person, says="Feature (#12)", way="git revert")


def test_work_before_a_squash_merge(person):
    """A cycle before a squash merge can still be undone, and what the squash brought stays."""
    _squashed(person)
    journals = _journals(person)
    person.sleepwake("sleep.undo", "--cycle", "1", code=None)
    assert _journals(person) == journals
    assert person.read("code.py") == "print('a feature')\n"
    assert "Use engine 4" in person.read("memory/hot/decisions.md")


def test_work_that_was_amended_into_a_step(person):
    """A step that somebody amended with work of their own is not taken back with its cycle.

    It looks as one of a newer program does, which writes pages of its own: the refusal says what to do in both cases.
    """
    _live(person, 1, 2)
    person.write("memory/knowledge/mine.md", "what I found out myself\n")
    person.git("add", "--all")
    person.git("commit", "--quiet", "--amend", "--no-edit")
    _undo_is_refused(person, says="none of ours", way="undo it with that one")
    _undo_is_refused(person, says="none of ours", way="git revert")
    assert person.read("memory/knowledge/mine.md") == "what I found out myself\n"


def test_a_line_that_was_amended_into_a_step(person):
    """A remark that somebody amended into a tier within a step is not taken back with its cycle."""
    _live(person, 1)
    person.sleepwake("journal.add", "--kind", "insight", "--text", "The parser is slow")
    person.sleepwake("sleep")
    person.git("reset", "--quiet", "--hard", "HEAD~1")  # the step that brings it to hot memory
    person.write("memory/hot/context.md", person.read("memory/hot/context.md") + "\nA remark of mine.\n")
    person.git("commit", "--quiet", "--all", "--amend", "--no-edit")
    person.sleepwake("sleep")
    _undo_is_refused(person, says="none of ours", way="git revert")


def test_the_other_instance_of_a_cycle_number(person):
    """Where two branches slept on a cycle of the same number, an undo takes back one, names it, and asks which."""
    person.grow(_live, 1, 2, 3)
    # As a rebase leaves it whose conflicts were resolved: two cycles 2, each with its line and its commits.
    words = "s/Sleep-Cycle: 3/Sleep-Cycle: 2/"
    files = "sed -i 's/^| 3 | /| 2 | /' memory/cycles.md; sed -i 's/in cycle 3$/in cycle 2/' main.md"
    files += '; for page in memory/fates/0003-*; do [ -e "$page" ] || continue; sed -i "s/cycle 3/cycle 2/" "$page"; '
    files += 'sed -i "s/--cycle 3/--cycle 2/" "$page"; mv "$page" memory/fates/0002-"${page#memory/fates/0003-}"; done'
    person.git("filter-branch", "--msg-filter", f"sed '{words}'", "--tree-filter", files, "HEAD~4..HEAD")
    mine, theirs = re.findall(r"(?m)^\| 2 \| (\w+) ", person.read("memory/cycles.md"))
    history = person.sleepwake("sleep.history")
    assert [name in history for name in (mine, theirs)] == [True, True]
    _undo_is_refused(person, "--cycle", "2", says=f"{mine} and {theirs}", way=f"--instance {theirs}")
    assert f"cycle 2 of instance {theirs} is undone" in person.sleepwake("sleep.undo")
    assert "Use engine 2" in person.read("memory/hot/decisions.md")
    assert "Use engine 3" not in person.read("memory/hot/decisions.md")
    assert re.findall(r"(?m)^\| 2 \| (\w+) ", person.read("memory/cycles.md")) == [mine]
    assert f"cycle 2 of instance {mine} is undone" in person.sleepwake("sleep.undo", "--cycle", "2")
    assert len(_journals(person)) == 3


def test_a_secret_that_was_taken_out(person):
    """A secret that somebody took out of the memory does not come back with an undo, in no line of any commit."""
    person.sleepwake("journal.add", "--kind", "handoff", "--text", "Rotate the deploy key soon")
    path = "journal/instance-1.md"
    person.write(path, person.read(path).replace("deploy key", "deploy key PLACEHOLDER"))
    person.sleepwake("sleep")
    for name, text in person.everything().items():
        if text and "PLACEHOLDER" in text:
            person.write(name, text.replace("PLACEHOLDER", TOKEN))
    person.commit("a slip")
    _live(person, 2)
    for name, text in person.everything().items():
        if text and TOKEN in text:
            person.write(name, text.replace(TOKEN, "[redacted]"))
    person.commit("redacted")
    head = person.git("rev-parse", "HEAD").strip()
    person.sleepwake("sleep.undo", code=None)
    assert TOKEN not in "".join(text for text in person.everything().values() if text)
    assert TOKEN not in person.git("log", "-p", f"{head}..HEAD")


@pytest.mark.parametrize("committed", [True, False], ids=["committed", "pending"])
def test_a_name_that_a_person_removed(person, committed):
    """What a person took out of the memory by hand does not come back with an undo, in no other wording either."""
    person.sleepwake("journal.add", "--kind", "handoff", "--text", "Jane Roe called about the bill")
    person.sleepwake("journal.add", "--kind", "insight", "--text", "Jane Roe pays late every month")
    person.sleepwake("sleep")
    _live(person, 2)
    for name, text in person.everything().items():
        if text and "Jane Roe" in text:
            person.write(name, text.replace("Jane Roe", "The client"))
    if committed:
        person.commit("no names")
    person.sleepwake("sleep.undo")
    for name, text in person.everything().items():
        assert "Jane" not in (text or ""), name
    assert "Use engine 2" not in person.read("memory/hot/decisions.md")
    assert "The client called" in person.read("main.md")


def test_a_line_that_a_person_removed_from_a_later_tier(person):
    """What a person deleted in warm memory does not come back in hot memory when the move there is undone."""
    person.sleepwake("journal.add", "--kind", "decision", "--text", "Use flock", "--why", "it is old")
    person.sleepwake("sleep")
    _live(person, 2, 3)
    (path,) = [name for name, text in person.everything().items() if "warm/" in name and "Use flock" in (text or "")]
    lines = person.read(path).split("\n")
    at = next(index for index, line in enumerate(lines) if "Use flock" in line)
    end = next((at + 1 + more for more, line in enumerate(lines[at + 1 :]) if not line.startswith(" ")), len(lines))
    person.write(path, "\n".join(lines[:at] + lines[end:]))
    person.commit("gone for good")
    person.sleepwake("sleep.undo")
    assert not any("Use flock" in (person.read(name) or "") for name in person.everything() if "journal" not in name)


def _merged(person):
    """Sleep on two branches, merge them with both journals and lines kept, and return the instances."""
    _live(person, 1)
    main = person.git("branch", "--show-current").strip()
    person.git("switch", "--quiet", "--create", "feature")
    _live(person, 2)
    theirs = re.findall(r"(?m)^\| 2 \| (\w+) ", person.read("memory/cycles.md"))[0]
    person.git("mv", "journal/instance-2.md", f"journal/instance-2-{theirs[2:]}.md")
    person.commit("a name of its own")
    person.git("switch", "--quiet", main)
    _live(person, 3)
    mine = re.findall(r"(?m)^\| 2 \| (\w+) ", person.read("memory/cycles.md"))[0]
    row = next(line for line in person.git("show", "feature:memory/cycles.md").split("\n") if theirs in line)
    person.git("merge", "--quiet", "--no-commit", "--strategy-option=ours", "feature")
    person.write("memory/cycles.md", person.git("show", "HEAD:memory/cycles.md") + row + "\n")
    person.commit("Merge branch 'feature'")
    return mine, theirs


def test_what_a_merge_brought(person):
    """Undoing a cycle beside a merge leaves what the merge brought; one that the merge brought itself is refused."""
    mine, theirs = _merged(person)
    journals = _journals(person)
    assert len(journals) == 3
    said = person.sleepwake("sleep.undo", "--instance", theirs, code=6)
    assert "a merge" in said
    assert "git revert -m 1" in said
    assert person.git("status", "--porcelain") == ""
    person.sleepwake("sleep.undo", "--instance", mine)
    assert _journals(person) == journals
    assert theirs in person.read("memory/cycles.md")
    assert "Use engine 3" not in person.read("memory/hot/decisions.md")


def test_a_cycle_after_a_merge(person):
    """A cycle that came after a merge of two branches is undone, and all that the merge brought stays."""
    _merged(person)
    before = _memory(person)
    _live(person, 4)
    person.sleepwake("sleep.undo")
    after = _memory(person)
    assert {name: text for name, text in after.items() if name in before} == before


@pytest.mark.parametrize("name", ["ev\nil", "a | b", "tail "])
def test_a_cycle_that_took_up_a_topic_of_a_strange_name(person, name):
    """A cycle whose steps name a topic file with a newline, a bar or a space at its end is undone as any other."""
    _live(person, 1, 2)
    scene = Scene.copied(person.folder)
    address = scene.view.cycles[0].instance.entry(2)
    scene.write(f"memory/warm/{name}.md", f"# Evil\n\n## Insights\n\n- The parser reads twice [{address}]\n")
    _live(person, 3)
    assert "undone in" in person.sleepwake("sleep.undo")
