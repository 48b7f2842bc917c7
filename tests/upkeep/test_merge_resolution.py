"""A merge of two branches with a memory each: what a sleep writes is resolved, what people wrote is theirs to merge."""

from __future__ import annotations

import pytest
from scene import Scene

from sleep.documents import cycles, main_page
from sleep.store.git import checkout
from sleep.upkeep import doctor, merge_resolution, status

_CORE = "memory/core/2.memory.md"


@pytest.fixture
def scene(tmp_path):
    """A memory with one cycle, on main."""
    return Scene(tmp_path / "project").grow(_divided)


def _divided(made):
    _parted(made.lived())


def _parted(made):
    """Live once on each of two branches; returns the memory, on main."""
    made.git("switch", "--quiet", "--create", "side")
    _live(made, "Count holidays as Sundays")
    made.git("switch", "--quiet", "main")
    (made.top / ".git/sleepwake/opened").unlink(missing_ok=True)  # two machines do not know of each other
    _live(made, "Name exports by month")
    return made


def _live(scene, decision):
    scene.open()
    scene.add("decision", decision, why="the manager said so")
    scene.add("handoff", f"go on: {decision}")
    scene.sleep()


def _merge(scene):
    """Merge the other branch; returns what git could not merge."""
    scene.git("merge", "--quiet", "--no-edit", "side", check=False)
    return scene.git("diff", "--name-only", "--diff-filter=U").splitlines()


def _edited(scene, path, branches):
    """Commit an edit of a page on branches; each is a function of its text."""
    for branch, edit in branches.items():
        scene.git("switch", "--quiet", branch)
        scene.write(path, edit(scene.text(path)))
        scene.git("commit", "--quiet", "--all", "--message=edit")
    scene.git("switch", "--quiet", "main")


def _unmerged(scene):
    return scene.git("diff", "--name-only", "--diff-filter=U").splitlines()


def _mended(scene):
    return doctor.examine(scene.place, scene.now(), fix=True)


def _decisions(scene):
    return {record.fragment.text for record in scene.view.records.values() if record.fragment.kind == "decision"}


def test_a_merge_of_two_memories_is_resolved_and_nothing_of_either_is_lost(scene):
    """Once in the merge and once after it, the doctor makes of two memories one that has all that both said."""
    assert {"main.md", "memory/cycles.md", "journal/instance-2.md", "memory/hot/decisions.md"} <= {*_merge(scene)}
    (said,) = [each for each in _mended(scene) if "the merge is resolved in" in each.what]
    assert "journal/instance-2.md" in said.what
    assert _unmerged(scene) == []
    assert checkout.under_way(scene.place.root)
    scene.git("commit", "--quiet", "--no-edit")
    _mended(scene)
    assert {"Count holidays as Sundays", "Name exports by month"} <= _decisions(scene)
    rows = [cycle.instance for cycle in cycles.read(scene.text("memory/cycles.md"))]
    assert len(rows) == len({*rows}) == 3
    assert not [each for each in _mended(scene) if each.level == "fail"]


@pytest.mark.parametrize("late", ["main", "side"])
def test_the_handoff_is_that_of_who_slept_last_on_whichever_side(scene, late):
    """After a merge the last row and the handoff are the last sleep's, and the current state counts both sides."""
    scene.git("switch", "--quiet", late)
    _live(scene, "Print on A5")
    scene.git("switch", "--quiet", "main")
    last = cycles.read(scene.git("show", f"{late}:memory/cycles.md"))[-1]
    _merge(scene)
    _mended(scene)
    scene.git("commit", "--quiet", "--no-edit")
    assert [each.what for each in scene.check() if "one side of a merge" in each.what or "handoff" in each.what]
    _mended(scene)
    rows = cycles.read(scene.text(cycles.PATH))
    assert [row.slept for row in rows] == sorted(row.slept for row in rows)
    assert main_page.handoff(scene.text("main.md"))["updated"] == f"{last.slept} by instance {last.instance}"
    assert f"instances slept: {len(rows)}, the last is {last.instance}" in scene.text("main.md")
    assert [each for each in scene.check() if each.check == "continuity"] == []
    assert status.read(scene.place, scene.now()).last_sleep == last.slept


def test_a_rebase_of_two_memories_is_resolved_at_each_stop(scene):
    """In a rebase each step of a sleep meets the other branch: the doctor resolves every stop, and nothing is lost."""
    (scene.top / ".git/sleepwake/opened").unlink(missing_ok=True)
    own = scene.text("journal/instance-2.md")
    scene.git("rebase", "--quiet", "side", check=False)
    stops = 0
    while checkout.under_way(scene.place.root):
        stops += 1
        assert stops < 9, scene.git("status")
        (said,) = [each for each in _mended(scene) if "the merge is resolved in" in each.what]
        assert said.fix.startswith("git rebase --continue, then")
        assert _unmerged(scene) == []
        scene.git("-c", "core.editor=true", "rebase", "--continue", check=False)
    assert stops > 1
    _mended(scene)
    assert {"Count holidays as Sundays", "Name exports by month"} <= _decisions(scene)
    assert not [each for each in _mended(scene) if each.level == "fail"]
    assert own in [scene.text(path) for path in scene.view.journals]


def test_a_rebase_loses_no_open_task_and_no_blocker(scene):
    """What no commit of the rebased steps puts into a tier was a record all the same: the fates of its cycle say so."""
    for branch, subject in (("side", "carts"), ("main", "orders")):
        scene.git("switch", "--quiet", branch)
        (scene.top / ".git/sleepwake/opened").unlink(missing_ok=True)
        done = scene.add("task", f"Sort the {subject}").address
        scene.add("task", f"Count the {subject}")
        scene.add("blocker", f"Nobody knows where the {subject} are")
        if branch == "main":
            scene.add("constraint", "Never delete an order")  # on a page where nothing meets it
        scene.sleep()
        scene.move("task", str(done), "done", "sorted")
        scene.sleep()
    before = _open(scene)
    scene.git("rebase", "--quiet", "side", check=False)
    while checkout.under_way(scene.place.root):
        assert [each for each in _mended(scene) if "the merge is resolved in" in each.what]
        scene.git("-c", "core.editor=true", "rebase", "--continue", check=False)
    _mended(scene)
    assert before <= _open(scene)
    assert {"Sort the orders", "Sort the carts"}.isdisjoint(_open(scene))
    assert [each.what for each in _mended(scene) if "were no records" in each.what] == []


def _open(scene):
    return {record.fragment.text for record in scene.view.records.values() if record.fragment.is_open}


def test_a_doctor_that_only_looks_resolves_nothing(scene):
    """Without `--fix` every conflict stays, and the finding on it says the command."""
    left = _merge(scene)
    found = doctor.examine(scene.place, scene.now())
    assert _unmerged(scene) == left
    assert all("doctor --fix" in each.fix for each in found if "conflict mark" in each.what)


def test_what_people_wrote_on_both_sides_is_merged_where_it_stands_apart(scene):
    """A purpose of one branch and a section of the other stand in the page, whatever became of our sections."""
    _edited(
        scene,
        "main.md",
        {
            "main": lambda text: text.replace("## Wake protocol", "Plans shifts.\n\n## Wake protocol", 1),
            "side": lambda text: text.replace("## HANDOFF", "## People\n\nAsk Ann.\n\n## HANDOFF", 1),
        },
    )
    _merge(scene)
    merge_resolution.resolve(scene.place.root)
    page = scene.text("main.md")
    assert "Plans shifts." in page
    assert "Ask Ann." in page
    assert "<<<<<<<" not in page
    assert "main.md" not in _unmerged(scene)


@pytest.mark.parametrize("path", ["main.md", _CORE])
def test_two_texts_of_people_are_left_to_them(scene, path):
    """Where both branches changed the same words of a page, its conflict stays; the others are resolved."""
    first = next(line for line in scene.text(path).splitlines() if line.strip())
    _edited(
        scene, path, {name: lambda text, name=name: text.replace(first, f"# By {name}", 1) for name in ("main", "side")}
    )
    _merge(scene)
    assert "memory/cycles.md" in merge_resolution.resolve(scene.place.root)
    assert _unmerged(scene) == [path]
    assert "<<<<<<<" in scene.text(path)


def test_what_a_person_resolved_is_left_alone(scene):
    """A document without marks is the person's work, though git still calls it unmerged."""
    _merge(scene)
    scene.write("memory/cycles.md", "# By hand\n")
    assert "memory/cycles.md" not in merge_resolution.resolve(scene.place.root)
    assert scene.text("memory/cycles.md") == "# By hand\n"


def test_one_journal_that_both_branches_went_on_with_is_left(scene):
    """Two versions of one journal are a person's to merge: neither may be thrown away."""
    path = "journal/instance-1.md"
    _edited(scene, path, {name: lambda text, name=name: f"{text}\nAdded by {name}.\n" for name in ("main", "side")})
    _merge(scene)
    assert path not in merge_resolution.resolve(scene.place.root)
    assert path in _unmerged(scene)


def test_a_tier_that_one_side_took_away_stays(scene):
    """A topic that went on one branch and was changed on the other is there: what it holds is looked up afterwards."""
    path = "memory/warm/parsers.md"
    scene.write(path, "# Parsers\n\nOld words.\n")
    scene.git("add", path)
    scene.git("commit", "--quiet", "--message=topic")
    scene.git("switch", "--quiet", "--create", "third")
    scene.write(path, "# Parsers\n\nNew words.\n")
    scene.git("commit", "--quiet", "--all", "--message=new")
    scene.git("switch", "--quiet", "main")
    scene.git("rm", "--quiet", path)
    scene.git("commit", "--quiet", "--message=gone")
    scene.git("merge", "--quiet", "third", check=False)
    assert merge_resolution.resolve(scene.place.root) == (path,)
    assert "New words." in scene.text(path)
    assert _unmerged(scene) == []


def test_a_page_that_two_readers_wrote_has_the_lines_of_both(scene):
    """Two pages of `wake.page` that meet in a merge become one, and a wake tells what either reader wrote."""
    for branch, line in (("main", "- Exports are named by month [i2abc.1]"), ("side", "- Holidays count [i2xyz.1]")):
        scene.git("switch", "--quiet", branch)
        scene.write("memory/page.md", f"## Rules\n\n{line}\n")
        scene.git("add", "--all")
        scene.git("commit", "--quiet", "--message=page")
    scene.git("switch", "--quiet", "main")
    assert "memory/page.md" in _merge(scene)
    assert "memory/page.md" in merge_resolution.resolve(scene.place.root)
    assert scene.text("memory/page.md") == (
        "## Rules\n\n- Exports are named by month [i2abc.1]\n- Holidays count [i2xyz.1]\n"
    )


def test_a_cherry_pick_of_a_part_of_a_sleep_is_resolved(scene):
    """A step that is picked without those before it brings its journal along, and nothing of it is lost."""
    scene.git("switch", "--quiet", "--create", "pick", "main~4")
    scene.git("cherry-pick", "main~2", "main~1", "main", check=False)  # without the commit that adds the journal
    for _ in range(3):
        if checkout.under_way(scene.place.root):
            _mended(scene)
            assert _unmerged(scene) == []
            scene.git("-c", "core.editor=true", "cherry-pick", "--continue", check=False)
    assert not checkout.under_way(scene.place.root)
    _mended(scene)
    assert "Name exports by month" in _decisions(scene)
    assert not [each for each in _mended(scene) if each.level == "fail"]


@pytest.mark.parametrize("style", ["merge", "diff3"])
def test_what_a_person_adds_while_the_marks_stand_is_theirs(scene, style):
    """A page with marks and with words that neither side has is left to the person; the others are resolved."""
    scene.git("config", "merge.conflictStyle", style)
    _merge(scene)
    page = scene.text("main.md").replace("## HANDOFF", "Ask Ann.\n\n## HANDOFF", 1)
    scene.write("main.md", page)
    assert "memory/hot/decisions.md" in merge_resolution.resolve(scene.place.root)
    assert scene.text("main.md") == page
    assert _unmerged(scene) == ["main.md"]


def test_a_side_that_a_person_chose_stays(scene):
    """A page that a person took from one side is hers, also where a filter is for pictures alone."""
    scene.write(".gitattributes", "*.png filter=lfs\n")
    assert "memory/cycles.md" in _merge(scene)
    scene.git("checkout", "--quiet", "--ours", "memory/cycles.md")
    page = scene.text("memory/cycles.md")
    assert "memory/hot/decisions.md" in merge_resolution.resolve(scene.place.root)
    assert scene.text("memory/cycles.md") == page
    assert _unmerged(scene) == ["memory/cycles.md"]


def test_what_git_takes_for_binary_is_resolved(tmp_path):
    """Where a filter makes what git stores binary, git leaves ours without a mark, and both sides' words are kept."""
    made = Scene(tmp_path / "project").lived()
    for verb, program in (("clean", "gzip -nc"), ("smudge", "gzip -dcf")):
        made.git("config", f"filter.pack.{verb}", program)
    (made.top / ".gitattributes").write_text("memory/** filter=pack\njournal/*.md filter=pack\nmain.md filter=pack\n")
    made.git("add", ".gitattributes")
    made.git("add", "--renormalize", ".")
    made.git("commit", "--quiet", "--message=pack it")
    scene = _parted(made)
    assert {"memory/cycles.md", "main.md", "journal/instance-2.md"} <= {*_merge(scene)}
    assert "<<<<<<<" not in scene.text("memory/cycles.md")
    _mended(scene)
    assert _unmerged(scene) == []
    scene.git("commit", "--quiet", "--no-edit")
    _mended(scene)
    assert {"Count holidays as Sundays", "Name exports by month"} <= _decisions(scene)
    assert not [each for each in _mended(scene) if each.level == "fail"]


def test_what_git_stores_otherwise_is_resolved_as_it_stands_in_files(tmp_path):
    """Where git's attributes name a filter, the sides of a conflict are read through it."""
    made = Scene(tmp_path / "project").lived()
    for verb in ("clean", "smudge"):
        made.git("config", f"filter.turn.{verb}", "tr A-Za-z N-ZA-Mn-za-m")
    (made.top / ".gitattributes").write_text("memory/** filter=turn\njournal/** filter=turn\n")
    made.git("add", ".gitattributes")
    made.git("add", "--renormalize", ".")
    made.git("commit", "--quiet", "--message=turn the letters")
    scene = _parted(made)
    assert {"memory/hot/decisions.md", "journal/instance-2.md"} <= {*_merge(scene)}
    merge_resolution.resolve(scene.place.root)
    assert "Name exports by month" in scene.text("memory/hot/decisions.md")
    assert "Anzr rkcbegf ol zbagu" in scene.git("show", ":memory/hot/decisions.md")
    assert "journal/instance-2.md" not in _unmerged(scene)


def test_in_a_merge_the_doctor_says_what_is_left_to_do_and_nothing_else(scene):
    """It resolved something, so it does not say that nothing was changed, nor asks for what the second run does."""
    _merge(scene)
    words = [f"{each.what} -> {each.fix}" for each in _mended(scene)]
    assert not [line for line in words if "nothing was changed" in line or line.endswith("-> sleepwake doctor --fix")]


@pytest.mark.parametrize("is_stashed", [False, True])
def test_a_squash_that_meets_a_conflict_is_resolved(scene, is_stashed):
    """Git does not call it a merge, and it is resolved as one, whatever lies in a stash."""
    if is_stashed:
        scene.write("note.txt", "later\n")
        scene.git("add", "note.txt")
        scene.git("stash")
    scene.git("merge", "--quiet", "--squash", "side", check=False)
    assert _unmerged(scene) != []
    (said,) = [each for each in _mended(scene) if "is resolved in" in each.what]
    assert "the merge is resolved in" in said.what
    assert said.fix.startswith("git commit, then")
    assert _unmerged(scene) == []
    scene.git("commit", "--quiet", "--all", "--message=squash")
    _mended(scene)
    assert {"Count holidays as Sundays", "Name exports by month"} <= _decisions(scene)


def test_a_stash_that_meets_a_conflict_is_resolved_and_kept(scene):
    """Edits by hand that were stashed for a pull give way to what was pulled; the stash has them, and we say so."""
    path = "memory/hot/decisions.md"
    text = scene.text(path)
    scene.write(path, text.replace("the manager said so", "the manager said so twice"))
    scene.git("stash")
    scene.write(path, text.replace("the manager said so", "the manager said so once"))
    scene.git("commit", "--quiet", "--all", "--message=pulled")
    scene.git("stash", "pop", check=False)
    assert _unmerged(scene) == [path]
    (said,) = [each for each in _mended(scene) if path in each.what]
    assert "git stash show -p" in said.fix
    assert "said so once" in scene.text(path)
    assert "<<<<" not in scene.text(path)
    assert "said so twice" in scene.git("stash", "show", "--patch")
    assert _unmerged(scene) == []
    scene.open()
    assert scene.sleep() is not None


@pytest.mark.parametrize("style", ["merge", "diff3"])
def test_two_journals_that_were_committed_with_marks_are_kept_both(scene, style):
    """Whoever commits the marks of a merge in a journal has both journals back by the command that the doctor names."""
    own = scene.text("journal/instance-2.md")
    other = scene.git("show", "side:journal/instance-2.md")
    scene.git("config", "merge.conflictStyle", style)
    _merge(scene)
    scene.git("checkout", "--ours", "main.md", "memory")
    scene.git("add", "--all")
    scene.git("commit", "--quiet", "--no-edit")
    (fix,) = {each.fix for each in doctor.examine(scene.place, scene.now()) if "a conflict mark" in each.what}
    assert fix.startswith("`sleepwake doctor --fix` keeps both journals")
    assert not [each for each in _mended(scene) if each.level == "fail"]
    tag = other.partition("tag: ")[2].split()[0]
    assert (scene.text("journal/instance-2.md"), scene.text(f"journal/instance-2-{tag}.md")) == (own, other)
    assert {"Count holidays as Sundays", "Name exports by month"} <= _decisions(scene)
