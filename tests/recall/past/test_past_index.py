"""The index beside git: what moves the work tree moves the answers, and what journals say binds before a sleep does."""

import os

import pytest
from scene import Scene, git

from sleep.recall import passages as found
from sleep.recall import search
from sleep.recall.index import access
from sleep.recall.postings import Limits
from sleep.store.tree import WorkTree


@pytest.fixture
def scene(tmp_path):
    """Return a memory that slept once, in a real repository."""
    return Scene(tmp_path / "project").lived()


def answered(scene, question, **options):
    """Return what a question finds now, whatever fits best."""
    opened = access.open_index(scene.place.root)
    answer = search.recall(opened, question, strict=False, **options)
    opened.close()
    return answer


def rows(base):
    """Return all rows of an index by path, with what shows them."""
    query = (
        "SELECT path, row.id & 1048575, text, addresses, state, number, line FROM row JOIN document ON document.id = "
    )
    return sorted(base.execute(f"{query}row.id >> 20"))


def is_whole(scene):
    """Return whether the index on disk has what one that is made of the work tree at once has."""
    opened = access.open_index(scene.place.root)
    same = rows(opened.base) == rows(access.index_tree(WorkTree(scene.place.root)).base)
    alone = {one for (one,) in opened.base.execute("SELECT row FROM alone")}
    opened.close()
    return same and bool(alone)


def journaled(scene, number, said):
    """Commit a journal as another machine would."""
    mark = f"i{number}zzz.1"
    scene.write(f"journal/instance-{number}.md", f"---\ninstance: {number}\ntag: zzz\n---\n\n- {said} [{mark}]\n")
    scene.git("add", "journal")
    scene.git("commit", "--quiet", f"--message={said}")
    return mark


def has(scene, word, mark):
    """Return whether a word finds its entry."""
    return mark in {
        one for passage in answered(scene, word).passages for line in passage.lines for one in line.addresses
    }


def test_a_switch_a_merge_and_a_rebase_are_followed(scene):
    """What a branch has is found on that branch, and after a merge or a rebase what the result has."""
    scene.git("switch", "--quiet", "--create", "side")
    side = journaled(scene, 20, "the otter swims")
    assert has(scene, "otter", side)
    scene.git("switch", "--quiet", "main")
    assert not has(scene, "otter", side)
    assert is_whole(scene)
    ours = journaled(scene, 21, "the heron stands")
    scene.git("merge", "--quiet", "--no-edit", "side")
    assert has(scene, "otter", side)
    assert has(scene, "heron", ours)
    assert is_whole(scene)
    scene.git("reset", "--quiet", "--hard", "HEAD~1")
    assert not has(scene, "otter", side)
    scene.git("switch", "--quiet", "side")
    scene.git("rebase", "--quiet", "main")
    assert has(scene, "otter", side)
    assert has(scene, "heron", ours)
    assert is_whole(scene)


def test_a_pull_is_followed(scene, tmp_path):
    """What another machine committed is found after a pull."""
    git(tmp_path, "clone", "--quiet", str(scene.top), "other")
    other = Scene.copied(tmp_path / "other")
    mark = journaled(other, 30, "the walrus sings")
    assert not has(scene, "walrus", mark)
    scene.git("pull", "--quiet", "--no-rebase", str(other.top), "main")
    assert has(scene, "walrus", mark)
    assert is_whole(scene)


def test_an_undo_is_followed(scene):
    """What a cycle brought into the tiers is found there, and after its undo no more; the journal has it still."""
    tiers = Limits(("hot", "warm", "cold"))
    scene.cycle(2)
    assert answered(scene, "engine 2 for part 2", limits=tiers).passages
    scene.undo()
    lines = [line for one in answered(scene, "part 2", limits=tiers).passages for line in one.lines]
    assert not [line for line in lines if "part 2" in line.text]
    assert any("engine 2" in line.text for one in answered(scene, "engine 2").passages for line in one.lines)
    assert is_whole(scene)


def _decision(scene):
    """Return the line that answers what engine part 1 uses."""
    lines = [line for one in answered(scene, "Use engine 1 for part 1").passages for line in one.lines]
    return next(line for line in lines if line.kind == "decision" and line.text.startswith("Decision: Use engine 1"))


def test_a_reversal_is_said_before_and_after_the_sleep(scene):
    """An entry that an event in a journal reversed says where and why, slept over or not; one that stands again not."""
    assert not _decision(scene).state
    scene.open()
    where = scene.move("decision", "D-001", "reversed", "too slow")[1].address
    told = _decision(scene)
    assert told.state == f"reversed in {where} (too slow)"
    assert told.state in answered(scene, "Use engine 1 for part 1").text
    scene.sleep()
    assert _decision(scene).state == told.state
    tiers = answered(scene, "Use engine 1 for part 1", limits=Limits(("hot", "warm")))
    assert told.state in {line.state for one in tiers.passages for line in one.lines}
    scene.open()
    scene.move("decision", "D-001", "standing", "fast now")
    assert not _decision(scene).state


def test_a_supersession_names_what_took_the_place(scene):
    """A superseded decision says by which one."""
    scene.open()
    scene.add("decision", "Use engine 9 everywhere", why="one is enough")
    scene.move("decision", "D-001", "superseded", by="D-002")
    assert _decision(scene).state.startswith("superseded by D-002")


def test_a_number_finds_its_record_before_a_sleep(scene):
    """A decision is called by its number from the moment it is journaled, within the limits that are asked for."""
    scene.open()
    scene.add("decision", "Paint the gate green", why="it was grey")
    first = answered(scene, "D-002").passages[0].best
    assert (first.tier, first.kind) == ("journal", "decision")
    assert "green" in first.text
    assert not answered(scene, "D-002", limits=Limits(kinds=("question",))).passages


@pytest.mark.parametrize(
    ("path", "tier"),
    [
        ("memory/core/1.user.md", "core"),
        ("memory/knowledge/tea.md", "knowledge"),
        ("memory/state/tea-task.md", "tasks"),
        ("memory/architecture.md", "architecture"),
        ("main.md", "main"),
    ],
)
def test_pages_are_found_with_their_lines(scene, path, tier):
    """The pages beside journals and tiers are found, each with its place; so is what their front matter says."""
    scene.write(path, "---\ndescription: everything about oolong\n---\n\n# Tea\n\nWater of\nninety degrees.\n")
    line = answered(scene, "ninety degrees").passages[0].best
    assert (line.path, line.tier, line.line) == (path, tier, 7)
    assert answered(scene, "oolong").passages[0].best.path == path
    os.unlink(scene.home / path)
    assert not [one for one in answered(scene, "oolong ninety").passages if one.best.path == path]


def test_what_is_machine_local_or_hidden_is_not_read(scene):
    """The ledger's folder and hidden files are no documents."""
    for path in ("memory/state/.sleep.json", "memory/state/.notes.md", "journal/.draft.md", "memory/cycles.md"):
        scene.write(path, "The quagga was here.\n")
    assert not answered(scene, "quagga").passages


def test_an_answer_has_all_that_a_program_needs(scene):
    """For JSON a passage has its addresses, place, day, tier, kind, score, words, other forms, state and lines."""
    one = found.to_json(answered(scene, "Use engine 1 for part 1").passages)[0]
    assert one["addresses"]
    assert (one["path"], one["tier"]) == ("journal/instance-1.md", "journal")
    text = scene.text(one["path"]).split("\n")
    assert "engine 1" in text[one["line"] - 1]
    assert "hot: memory/hot/decisions.md" in one["also"]
    assert {"engin", "part", "1"} <= set(one["why"])
    assert one["score"] > 0
    assert one["date"]
