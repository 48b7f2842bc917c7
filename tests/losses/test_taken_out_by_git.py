"""What a merge, a revert, a checkout or a clean took out of a memory is named, and one command puts it back."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
import template
from scene import Scene

FIX = "sleepwake doctor --fix"


def live(one, word):
    """Live an instance that decides, asks, finds out and forbids something, and sleep."""
    scene = Scene.copied(one.folder)
    scene.add("decision", f"Use {word} for the cache", why=f"{word} is fast")
    scene.add("question", f"Who owns the {word} server?")
    scene.add("constraint", f"Never delete the {word} volume")
    scene.add("insight", f"The {word} client reads its file twice")
    scene.sleep()


def tiers(one):
    """Return the words of all tiers."""
    files = (path for folder in ("hot", "warm", "cold") for path in (one.folder / "memory" / folder).glob("*.md"))
    return "\n".join(path.read_text() for path in files)


def is_whole(one, *words):
    """Check that all that was said with these words stands in a tier, and that the doctor finds nothing lost."""
    there = tiers(one)
    for word in words:
        assert f"Use {word} for the cache" in there
        assert f"Who owns the {word} server?" in there
        assert f"Never delete the {word} volume" in there
        assert there.count(f"Use {word} for the cache") == 1
    assert "-> sleepwake doctor --fix" not in one.sleepwake("doctor", code=None)
    assert one.git("status", "--porcelain") == ""


@pytest.fixture
def team(person, tmp_path):
    """Return a server's clone of a memory with one instance, and two people who each lived another one."""
    top = template.lay(tmp_path / "team", work_together, type(person))
    both = tuple(type(person)(top / name) for name in ("alice", "bob"))
    for one in both:
        one.git("remote", "set-url", "origin", str(top / "server.git"))
    return both


def work_together(top, kind):
    """Make a server at a path, and beside it those who use it."""
    server = top / "server.git"
    alice = kind(Scene(top / "alice").top)
    live(alice, "redis")
    alice.git("clone", "--quiet", "--bare", str(alice.folder), str(server))
    alice.git("remote", "add", "origin", str(server))
    alice.git("fetch", "--quiet", "origin")
    alice.git("branch", "--quiet", "--set-upstream-to=origin/main")
    bob = alice.clone(top / "bob")
    bob.git("remote", "set-url", "origin", str(server))
    live(alice, "postgres")
    live(bob, "sqlite")
    alice.git("push", "--quiet", "origin", "main")


def resolve(one, side):
    """End a merge with one side of every conflict, but both lines of the table and both journals."""
    both = one.git("show", ":2:memory/cycles.md") + one.git("show", ":3:memory/cycles.md").splitlines(keepends=True)[-1]
    stages = {number: one.git("show", f":{number}:journal/instance-2.md") for number in (2, 3)}
    one.git("checkout", f"--{side}", ".")
    one.write("memory/cycles.md", both)
    one.write("journal/instance-2.md", stages[2])
    tag = next(line.split()[1] for line in stages[3].splitlines() if line.startswith("tag:"))
    one.write(f"journal/instance-2-{tag}.md", stages[3])
    one.commit("merge")


@pytest.mark.parametrize("side", ["ours", "theirs"])
def test_one_side_of_a_conflict(team, side):
    """H1: the side of a merge that was not taken is named by sleep and doctor, and one command brings it back."""
    _, bob = team
    bob.git("pull", "--quiet", "--no-rebase", check=False)
    resolve(bob, side)
    lost = "postgres" if side == "ours" else "sqlite"
    assert f"Use {lost} for the cache" not in tiers(bob)
    said = bob.sleepwake("sleep", code=1)
    assert f"Use {lost} for the cache" in said
    assert FIX in said
    said = bob.sleepwake("doctor", code=1)
    for words in (f"Use {lost} for the cache", f"Who owns the {lost} server?", f"Never delete the {lost} volume"):
        assert words in said
    bob.sleepwake("doctor", "--fix")
    is_whole(bob, "redis", "postgres", "sqlite")
    assert f"The {lost} client reads its file twice" in tiers(bob)
    assert "nothing to sleep on" in bob.sleepwake("sleep")
    assert "handoff" not in bob.sleepwake("doctor")
    assert any(line.startswith("sleep: put back") for line in bob.git("log", "--format=%s").splitlines())


def test_a_pull_that_prefers_ours(team):
    """H2: a teammate's journal that `git pull -X ours` threw away is named and comes back from history."""
    _, bob = team
    bob.git("pull", "--quiet", "--no-rebase", "-X", "ours")
    assert "postgres" not in "".join(path.read_text() for path in (bob.folder / "journal").iterdir())
    said = bob.sleepwake("sleep", code=1)
    assert "journal" in said
    assert FIX in said
    assert "is gone" in bob.sleepwake("doctor", code=1)
    bob.sleepwake("doctor", "--fix")
    is_whole(bob, "redis", "postgres", "sqlite")
    assert "The postgres client reads its file twice" in tiers(bob)
    assert "nothing to sleep on" in bob.sleepwake("sleep")


def test_a_rebase_that_takes_theirs(team):
    """H2: a rebase in which each stop took one side loses nothing for good."""
    _, bob = team
    bob.git("pull", "--quiet", "--rebase", check=False)
    while (bob.folder / ".git" / "rebase-merge").exists():
        bob.git("checkout", "--theirs", ".", check=False)
        bob.git("add", "--all")
        bob.git("-c", "core.editor=true", "rebase", "--continue", check=False)
    assert "Use postgres" not in tiers(bob)
    assert FIX in bob.sleepwake("sleep", code=1)
    bob.sleepwake("doctor", "--fix")
    is_whole(bob, "redis", "postgres", "sqlite")


def test_a_rebase_that_drops_what_one_lived(team):
    """A rebase that leaves out a journal whose number another one has now is said, with the branch that keeps it."""
    _, bob = team
    tip = bob.git("rev-parse", "HEAD").strip()
    bob.git("pull", "--quiet", "--rebase", check=False)
    while (bob.folder / ".git" / "rebase-merge").exists():
        bob.git("rebase", "--skip", check=False)
    assert "Use sqlite" not in tiers(bob)
    keep = re.search(r"git (branch i2[a-z]{3} [0-9a-f]{12})` keeps them", bob.sleepwake("doctor"))
    assert keep[1].endswith(tip[:12])
    bob.git(*keep[1].split())
    assert "that no branch has" not in bob.sleepwake("doctor")


def test_a_journal_that_could_not_be_written_is_not_gone(person):
    """A journal that the disk refused never was, so the doctor misses none."""
    shutil.rmtree(person.folder / "journal")
    person.write("journal", "in the way")
    person.sleepwake("note", "The store is quick", code=None)
    (person.folder / "journal").unlink()
    assert "is gone" not in person.sleepwake("doctor", code=None)


def test_two_worktrees(person, tmp_path):
    """H1: what two worktrees of one machine said at once is all there after a merge that took one side."""
    live(person, "redis")
    person.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    other = type(person)(tmp_path / "side")
    live(other, "postgres")
    live(person, "sqlite")
    person.git("merge", "--quiet", "-X", "ours", "side")
    assert FIX in person.sleepwake("sleep", code=1)
    person.sleepwake("doctor", "--fix")
    is_whole(person, "redis", "postgres", "sqlite")


def test_a_revert_of_our_commit(person):
    """H3: what a `git revert` of a step took out of every list is named, and put back."""
    live(person, "redis")
    live(person, "postgres")
    (sha,) = person.git("log", "--format=%H", "--grep=Sleep-Step: journal to hot", "-1").split()
    person.git("revert", "--no-edit", sha)
    assert "Never delete the postgres volume" not in tiers(person)
    assert "Never delete the postgres volume" in person.sleepwake("sleep", code=1)
    assert "Never delete the postgres volume" in person.sleepwake("doctor", code=1)
    person.sleepwake("doctor", "--fix")
    is_whole(person, "redis", "postgres")
    assert "The postgres client reads its file twice" in tiers(person)


def test_an_older_state_that_was_checked_out(person):
    """An older state of the memory that was checked out and committed is no deletion that a person meant."""
    live(person, "redis")
    live(person, "postgres")
    before = person.git("log", "--format=%H", "--grep=seal instance-2").strip()
    person.git("checkout", before, "--", "memory/hot")
    person.commit("wip")
    assert "Use postgres for the cache" in person.sleepwake("sleep", code=1)
    person.sleepwake("doctor", "--fix")
    is_whole(person, "redis", "postgres")


@pytest.mark.parametrize("how", ["commit", "adopt", "uncommitted"])
def test_what_a_person_deleted_stays_deleted(person, how):
    """A line that a person took out of a tier is not called lost, and `--fix` does not bring it back."""
    live(person, "redis")
    text = person.read("memory/hot/context.md")
    gone = next(line for line in text.splitlines() if "Never delete the redis volume" in line)
    person.write("memory/hot/context.md", text.replace(f"{gone}\n", ""))
    if how == "commit":
        person.commit("that rule is wrong")
    if how == "adopt":
        person.sleepwake("sleep")
    assert "by hand" in person.sleepwake("doctor")
    assert FIX not in person.sleepwake("sleep")
    person.sleepwake("doctor", "--fix")
    assert "Never delete the redis volume" not in tiers(person)


def test_a_journal_that_was_deleted_and_not_committed(person):
    """A slept journal that a slip of `rm` took is named before the next commit, and written again."""
    live(person, "redis")
    (person.folder / "journal/instance-1.md").unlink()
    assert "is gone" in person.sleepwake("doctor", code=1)
    person.sleepwake("doctor", "--fix")
    is_whole(person, "redis")


def test_an_open_journal_that_a_clean_took(person):
    """M3: an open journal that `git clean -fdx` deleted is named, until somebody has read that it is gone."""
    person.sleepwake("journal.add", "--kind", "decision", "--text", "Use flock", "--why", "x")
    person.git("clean", "-fdxq")
    assert not (person.folder / "journal/instance-1.md").exists()
    said = person.sleepwake("doctor")
    assert "journal/instance-1.md" in said
    assert "never committed" in said
    person.sleepwake("doctor", "--fix")
    assert "never committed" not in person.sleepwake("doctor")


def test_a_journal_of_another_branch_is_not_gone(person):
    """What was slept on in another branch is that branch's: nothing is said to be gone here."""
    live(person, "redis")
    person.git("checkout", "-qb", "feature")
    live(person, "kafka")
    person.git("checkout", "-q", "-")
    assert "is gone" not in person.sleepwake("doctor")
    live(person, "mongo")  # the same number, another instance
    person.git("branch", "-qD", "feature")
    assert "never committed" not in person.sleepwake("doctor")


def test_a_sleep_on_no_branch_says_so(person):
    """On a detached HEAD a sleep says that no branch has its commits, and the doctor which command keeps them."""
    live(person, "redis")
    person.git("checkout", "-q", "--detach")
    person.sleepwake("note", "Kafka keeps its log for a week")
    assert "on no branch" in person.sleepwake("sleep")
    person.git("checkout", "-q", "-")
    said = person.sleepwake("doctor")
    assert "never committed" not in said
    keep = re.search(r"git (branch i2[a-z]{3} [0-9a-f]{12})` keeps them", said)
    person.git(*keep[1].split())
    assert "that no branch has" not in person.sleepwake("doctor")


def test_a_reset_is_said_until_a_branch_keeps_it(person):
    """After `git reset --hard` the doctor names the tip of what was lost, behind `--fix` too, until a branch has it."""
    live(person, "redis")
    live(person, "kafka")
    tip = person.git("rev-parse", "HEAD").strip()
    person.git("reset", "--quiet", "--hard", "HEAD~5")
    for words in (("doctor",), ("doctor", "--fix"), ("doctor",)):
        keep = re.search(r"git (branch i2[a-z]{3} [0-9a-f]{12})` keeps them", person.sleepwake(*words))
        assert keep[1].endswith(tip[:12])
    person.git(*keep[1].split())
    assert "that no branch has" not in person.sleepwake("doctor")


def test_a_stash_keeps_its_number(person):
    """M3: what is journaled while an open journal lies in the stash has another number, and the stash comes back."""
    person.sleepwake("journal.add", "--kind", "decision", "--text", "Use flock", "--why", "x")
    person.git("stash", "--quiet", "--include-untracked")
    assert "git stash pop" in person.sleepwake("doctor")
    person.sleepwake("journal.add", "--kind", "decision", "--text", "Use sqlite", "--why", "y")
    person.git("stash", "pop", "--quiet")
    assert sorted(path.name for path in (person.folder / "journal").glob("*.md")) == ["instance-1.md", "instance-2.md"]
    person.sleepwake("sleep")
    assert "Use flock" in tiers(person)
    assert "Use sqlite" in tiers(person)


def test_two_journals_of_one_number(person):
    """M3: a journal in the stash whose file another has taken is named, with a command that keeps both."""
    person.sleepwake("journal.add", "--kind", "decision", "--text", "Use flock", "--why", "x")
    person.git("stash", "--quiet", "--include-untracked")
    shutil.rmtree(person.folder / ".git/sleepwake")
    person.sleepwake("journal.add", "--kind", "decision", "--text", "Use sqlite", "--why", "y")
    said = person.sleepwake("doctor")
    assert "claim this file" in said
    (line,) = [one for one in said.splitlines() if "claim this file" in one]
    command, _, target = line.partition(" -> ")[2].partition(" > ")
    person.write(target, person.git(*command.replace("'", "").split()[1:]))
    assert "claim this file" not in person.sleepwake("doctor")
    person.sleepwake("sleep")
    assert "Use flock" in tiers(person)


def test_a_journal_that_a_person_deleted(person):
    """A journal that a person deleted in a commit stays deleted; the doctor says where it can be had."""
    live(person, "redis")
    live(person, "postgres")
    person.git("rm", "--quiet", "journal/instance-1.md")
    person.commit("forget it")
    said = person.sleepwake("doctor", "--fix", code=None)
    assert "was deleted in" in said
    assert not Path(person.folder, "journal/instance-1.md").exists()


def test_a_squash_merge_under_a_name_of_its_own(person):
    """What a squash lost of the other side, under whatever title a forge gave it, is missing and comes back."""
    main = person.git("branch", "--show-current").strip()
    person.git("switch", "--quiet", "--create", "side")
    _slept(person, "Bob keeps the queue small")
    person.git("switch", "--quiet", main)
    _slept(person, "Alice never pushes on a Friday")
    person.git("merge", "--quiet", "--squash", "-X", "theirs", "side")
    theirs = person.read("journal/instance-1.md")
    person.write(f"journal/instance-1-{theirs.partition('tag: ')[2][:3]}.md", theirs)
    row = person.read("memory/cycles.md").splitlines(keepends=True)[-1]  # both journals and both rows, as is documented
    person.write("memory/cycles.md", person.git("show", "HEAD:memory/cycles.md") + row)
    person.write("journal/instance-1.md", person.git("show", "HEAD:journal/instance-1.md"))
    person.commit("Feature (#12)")
    assert "Alice never pushes" not in person.read("memory/hot/context.md")
    assert "is in no tier" in person.sleepwake("doctor", code=1)
    person.sleepwake("doctor", "--fix")
    assert "Alice never pushes" in person.read("memory/hot/context.md")
    assert "Bob keeps" in person.read("memory/hot/context.md")
    assert "nothing is wrong" in person.sleepwake("doctor")


def _slept(person, words):
    scene = Scene.copied(person.folder)
    (person.folder / ".git/sleepwake/opened").unlink(missing_ok=True)  # two machines do not know of each other
    scene.add("constraint", words)
    scene.sleep()
