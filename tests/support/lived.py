"""A memory that has lived: cycles, an undo, and two branches that each journaled and slept, merged."""

from __future__ import annotations

import random
import shutil

from scene import Scene, git

from sleep.documents import cycles, paths, tier

WORDS = ("lock", "parser", "cache", "index", "queue", "socket", "token", "ledger", "window", "shard", "timer", "relay")
TOPICS = ("auth", "store", "relay")


def live(scene, letters, number, entries=6):
    """Live one instance: decisions, questions, prose, words that were said before, moves of records."""
    scene.open()
    topic = letters.choice(TOPICS)
    a, b = letters.sample(WORDS, 2)
    scene.add(
        "decision", f"Use {a} {number} for the {b}", why=f"it is faster by {number}", alternatives="none", topic=topic
    )
    scene.add("question", f"Who owns the {b} of part {number}?")
    for _ in range(entries):
        a, b = letters.sample(WORDS, 2)
        scene.add("insight", f"The {a} of `src/{b}{number}.py` takes {letters.randint(1, 99)} ms a {b}", topic=topic)
    scene.add("insight", f"Everybody says that the {topic} is slow on Mondays", topic=topic)  # said again and again
    opened = [one for one in scene.view.records.values() if one.fragment.is_open]
    for kind, to in (("question", "answered"), ("decision", "reversed")):
        own = [one.fragment for one in opened if one.fragment.kind == kind]
        if own and letters.random() < 0.4:
            scene.move(kind, str(letters.choice(own).identity), to, f"said in part {number}")
    scene.add("tone", f"calm, number {number}")


def lived(top, count, seed=1, entries=6):
    """Return a scene after so many cycles, of which one was undone and some were slept on two branches."""
    letters = random.Random(seed)
    scene = Scene(top)
    for number in range(1, count + 1):
        live(scene, letters, number, entries)
        scene.sleep()
        if number == count // 2:
            scene.undo(max(1, number - 1))
    start = scene.head()
    live(scene, letters, 101, entries)
    scene.sleep()
    scene.git("checkout", "--quiet", "-b", "other", start)
    shutil.rmtree(scene.place.root.state_dir)  # another machine does not know which numbers were given here
    for number in (102, 103):
        live(scene, letters, number, entries)
        scene.sleep()
    scene.git("checkout", "--quiet", "main")
    merge(scene, "other")
    live(scene, letters, 104, entries)
    scene.sleep()
    return scene


def merge(scene, other):
    """Merge a branch as a person would: two journals of one name both stay, and so does what either memory says."""
    base = scene.git("merge-base", "HEAD", other).strip()
    scene.git("merge", "--quiet", "--no-commit", "--no-ff", other, check=False)
    for path in scene.git("diff", "--name-only", "--diff-filter=U").splitlines():
        was, ours, theirs = (_at(scene, rev, path) for rev in (base, "HEAD", other))
        if paths.journal_number(path) is not None:
            tag = theirs.partition("tag: ")[2].split()[0]
            scene.write(path, ours)
            scene.write(paths.journal(paths.journal_number(path), tag), theirs)
        else:
            scene.write(path, _joined(path, was, ours, theirs))
    scene.git("add", "--all")
    scene.git("commit", "--quiet", "--message=Merge the other branch")


def _at(scene, rev, path):
    return git(scene.top, "show", f"{rev}:{path}", check=False)


def _joined(path, was, ours, theirs):
    if path == cycles.PATH:
        return ours + "".join(f"{row}\n" for row in theirs.splitlines() if row not in ours.splitlines())
    if not paths.tier_of(path):
        return ours
    before, here, there = (tier.parse(text).fragments for text in (was, ours, theirs))
    gone = [one for one in before if one not in there and one in here]
    return tier.write(ours, drop=gone, add=[one for one in there if one not in before and one not in here])
