"""What a sleep adds to the project's own pages, and what it leaves alone."""

from __future__ import annotations

import json

import pytest
from scene import SECRET

from sleep.documents.project import managed_block
from sleep.language import tokens
from sleep.recall.index import rows
from sleep.store import context
from sleep.wake.snapshot import build

MEMORY, CHANGES = "memory/core/2.memory.md", "memory/core/CHANGELOG.json"
TASK, FEATURE = "memory/state/t-active.md", "memory/core/features/auth.md"
HAND = "# Memory\n\nThe queue is Ada's.\n"
LIST = '[\n  {\n    "date": "2026-01-01",\n    "description": "by hand"\n  }\n]\n'
PAGE = "---\nstatus: todo\n---\n# Active\n\nDo it.\n"
PRD = "---\nstatus: active\n---\n\n## Why\n\nx\n\n## Changelog\n\n### 2026-01-02 - Created\n- made\n"


@pytest.fixture
def pages(scene):
    """Return a memory with all pages that a sleep adds to, and some that it does not, committed."""
    scene.write(MEMORY, HAND)
    scene.write(CHANGES, LIST)
    scene.write(TASK, PAGE)
    scene.write("memory/state/other.md", PAGE)
    scene.write(FEATURE, PRD)
    scene.write("memory/core/0.soul.md", "Careful.\n")
    scene.write("memory/core/1.user.md", "Ada likes tea.\n")
    scene.git("add", "--all")
    scene.git("commit", "--quiet", "--message=pages")
    return scene


def _live(scene, number=1):
    scene.open()
    scene.add("decision", f"Use flock for lock {number}", why="it ends with its holder")
    scene.add("constraint", f"Never hold lock {number} while a person is asked")
    scene.add("change", f"t-active: lock {number} is in, `src/lock{number}.py`")
    scene.add("insight", f"The feature auth needs lock {number} twice")
    scene.add("tone", "calm")


def _snapshot(scene):
    return build.snapshot(context.of(scene.place.root), scene.place.settings).text


def test_a_sleep_adds_to_every_page(pages):
    """One commit has an entry of the changelog, the block of memory, and a dated line of the task and the feature."""
    _live(pages)
    pages.sleep()
    changed = pages.git("show", "--name-only", "--format=%s", "HEAD").split("\n")
    assert changed[0].startswith("sleep: handoff")
    assert {MEMORY, CHANGES, TASK, FEATURE} < set(changed)
    assert not {"memory/state/other.md", "memory/core/0.soul.md", "memory/core/1.user.md"} & set(changed)
    entries = json.loads(pages.text(CHANGES))
    assert [entry["description"] for entry in entries] == [
        "t-active: lock 1 is in, `src/lock1.py`; 1 constraint, 1 decision (D-001)",
        "by hand",
    ]
    assert (entries[0]["date"], entries[0]["cycle"]) == ("2026-11-21", 1)
    memory = pages.text(MEMORY)
    assert memory.startswith(HAND)
    assert "\n- D-001 Use flock for lock 1 (why: it ends with its holder) [i1" in memory
    assert "\n- Rule: Never hold lock 1 while a person is asked [i1" in memory
    assert "- 2026-11-21: t-active: lock 1 is in, `src/lock1.py` [i1" in pages.text(TASK)
    assert pages.text(TASK).startswith(PAGE)
    assert "### 2026-11-21 - Sleep on i1" in pages.text(FEATURE)
    assert "\n- Insight: The feature auth needs lock 1 twice [i1" in pages.text(FEATURE)
    assert not pages.check()
    before = pages.everything()
    assert pages.sleep().steps == ()
    assert pages.everything() == before


def test_the_commit_says_which_records_came_and_went(pages):
    """Of the page of memory the commit names what is new in its block, changed and taken out; of others the page."""
    pages.add("decision", "Use flock")
    pages.add("decision", "Keep the log")
    pages.sleep()
    assert f"- {MEMORY}: D-002, D-001 new\n" in pages.git("log", "-1", "--format=%b")
    pages.move("decision", "D-001", "reversed")
    pages.add("decision", "Use a server")
    pages.sleep()
    body = pages.git("log", "-1", "--format=%b")
    assert f"- added to {CHANGES}\n- {MEMORY}: D-003 new; D-001 taken out\n" in body


def test_an_undo_takes_all_of_it_back(pages):
    """Undoing the cycle brings every page back byte for byte; undoing an older one leaves the later one's."""
    before = pages.owned()
    _live(pages)
    pages.sleep()
    pages.undo()
    after = pages.owned()
    assert {path: after[path] for path in (MEMORY, CHANGES, TASK, FEATURE)} == {
        path: before[path] for path in (MEMORY, CHANGES, TASK, FEATURE)
    }
    pages.sleep()
    _live(pages, 2)
    pages.sleep()
    pages.undo(2)
    assert "lock 1" not in pages.text(MEMORY) + pages.text(CHANGES) + pages.text(TASK) + pages.text(FEATURE)
    assert all("lock 2" in pages.text(path) for path in (MEMORY, CHANGES, TASK, FEATURE))


def test_edits_by_hand_outlive_a_sleep_and_an_undo(pages):
    """What a person wrote into the pages since, beside our lines and in the block, stays through a sleep and undo."""
    _live(pages)
    pages.sleep()
    text = pages.text(MEMORY)
    pages.write(MEMORY, "By Bo.\n" + text.replace("- Rule: Never", "- mine\n- Rule: Never") + "Below.\n")
    pages.write(TASK, pages.text(TASK).replace("## Changelog\n\n", "## Changelog\n\n- 2026-11-22: by Bo\n"))
    entries = [{"date": "2026-11-22", "description": "by Bo"}, *json.loads(pages.text(CHANGES))]
    pages.write(CHANGES, json.dumps(entries, indent=2) + "\n")
    _live(pages, 2)
    pages.sleep()
    memory = pages.text(MEMORY)
    assert memory.startswith("By Bo.\n" + HAND)
    assert "-->\n- mine\nBelow.\n" in memory
    assert memory.count("lock 1 (why") == memory.count("lock 2 (why") == 1
    pages.undo(1)
    assert pages.text(MEMORY).startswith("By Bo.\n" + HAND)
    assert "lock 1" not in pages.text(MEMORY)
    assert "lock 2 (why" in pages.text(MEMORY)
    assert "- mine\n" in pages.text(MEMORY)
    assert "Below.\n" in pages.text(MEMORY)
    assert [entry["description"].split(";")[0] for entry in json.loads(pages.text(CHANGES))] == [
        "by Bo",
        "t-active: lock 2 is in, `src/lock2.py`",
        "by hand",
    ] or [entry["description"].split(";")[0] for entry in json.loads(pages.text(CHANGES))] == [
        "t-active: lock 2 is in, `src/lock2.py`",
        "by Bo",
        "by hand",
    ]
    assert "- 2026-11-22: by Bo\n" in pages.text(TASK)
    assert "lock 1" not in pages.text(TASK)


def test_pages_that_are_not_there_are_not_made(scene):
    """Without a changelog, tasks and features a sleep makes none; the page of memory that `init` laid has its block."""
    _live(scene)
    scene.sleep()
    assert scene.text(CHANGES) is None
    assert "D-001 Use flock" in scene.text(MEMORY)
    (scene.home / MEMORY).unlink()
    _live(scene, 2)
    scene.sleep()
    assert scene.text(MEMORY) is None


def test_a_decision_is_told_once(pages):
    """Neither the snapshot nor a wake tells what the block says beside the records, and recall reads it there alone."""
    _live(pages)
    pages.sleep()
    told = _snapshot(pages)
    assert "The queue is Ada's." in told
    assert told.count("Use flock for lock 1") == 1
    assert managed_block.OPEN not in told
    assert pages.wake().text.count("Use flock for lock 1") == 1
    assert not [row for row in rows.read(MEMORY, pages.text(MEMORY)) if "flock" in row.text]
    assert [row for row in rows.read(MEMORY, pages.text(MEMORY)) if "Ada" in row.text]


def test_what_cannot_be_read_is_left_and_named(pages):
    """A changelog that is no JSON and a task with broken front matter are left as they are, and the commit says so."""
    pages.write(CHANGES, "[1,\n")
    pages.write(TASK, "---\nstatus: [\n---\nx\n")
    pages.git("commit", "--quiet", "--all", "--message=broken")
    _live(pages)
    pages.sleep()
    assert pages.text(CHANGES) == "[1,\n"
    assert pages.text(TASK) == "---\nstatus: [\n---\nx\n"
    body = pages.git("log", "-1", "--format=%b")
    assert f"left {CHANGES} alone: it cannot be read" in body
    assert f"left {TASK} alone: it cannot be read" in body


def test_no_secret_is_copied(pages):
    """A secret that stands in a committed record does not come into the block or the changelog, and stops no sleep."""
    _live(pages)
    pages.sleep()
    path = "memory/hot/decisions.md"
    pages.write(path, pages.text(path).replace("Use flock for lock 1", f"Use {SECRET} for lock 1"))
    pages.git("commit", "--quiet", "--all", "--message=by hand")
    _live(pages, 2)
    pages.sleep()
    assert SECRET not in pages.text(MEMORY) + pages.text(CHANGES)
    assert "for lock 1 (why" in pages.text(MEMORY)


def test_a_sleep_by_itself_leaves_unfinished_work_alone(pages):
    """What a person has not committed of a page is neither committed nor overwritten by a sleep by itself."""
    _live(pages)
    pages.write(TASK, PAGE + "half a")
    pages.sleep(by_itself=True)
    assert pages.text(TASK) == PAGE + "half a"
    assert pages.git("show", f"HEAD:{TASK}") == PAGE
    assert "D-001" in pages.text(MEMORY)
    assert f"left {TASK} alone: it has changes that nobody committed" in pages.git("log", "-1", "--format=%b")


def test_it_can_be_switched_off(pages):
    """With `sleep.pages: off` no page is written."""
    pages.write("memory/sleep.yaml", pages.text("memory/sleep.yaml") + "sleep:\n  pages: off\n")
    _live(pages)
    pages.sleep()
    assert [pages.text(path) for path in (MEMORY, CHANGES, TASK, FEATURE)] == [HAND, LIST, PAGE, PRD]


@pytest.mark.parametrize(
    ("stem", "said", "is_named"),
    [
        ("t-active", "t-active is done", True),
        ("t-active", "T_Active is done", True),
        ("t-active", "not-t-active-either is done", False),
        ("auth", "the auth token is gone", False),
        ("auth", "the feature auth is done", True),
        ("auth", "the auth feature is done", True),
        ("auth", "see `auth`", True),
        ("auth", "see features/auth.md", True),
        ("auth", "authentication.md is done", False),
        ("x", "the Big Move is done", True),
    ],
)
def test_a_page_is_named_by_name(scene, stem, said, is_named):
    """A plain word names a page only as one; a name with a sign in it, an id and a title of several words always do."""
    path = f"memory/core/features/{stem}.md"
    scene.write(path, "---\ntitle: Big Move\n---\n")
    scene.add("change", said)
    scene.sleep()
    assert ("## Changelog" in scene.text(path)) == is_named


def test_a_long_block_is_bounded(scene):
    """The block holds what fits, rules first, and counts the rest with the commands that list it."""
    for number in range(80):
        scene.add("decision", f"Use engine {number} for part {number} of the machine in the cellar", why="x " * 30)
    scene.add("constraint", "Never touch the cellar")
    scene.sleep()
    lines = scene.text(MEMORY).split("\n")
    assert lines[3].startswith("- Rule: Never touch the cellar [")
    assert "`sleepwake decision.list`" in lines[-3]
    assert lines[-3].startswith("- and ")
    shown = [line for line in lines if line.startswith("- D-")]
    assert len(shown) + int(lines[-3].split()[2]) == 80
    scene.add("tone", "x")
    before = scene.text(MEMORY)
    scene.sleep()
    assert scene.text(MEMORY) == before


def test_a_reason_is_told_in_whole_statements(scene):
    """Where all have room the block tells reasons whole, else the first statements that have room, none cut."""
    first, second = (
        "It ends with its holder, also after a crash",
        "no pid is left behind " + "that somebody reads " * 12,
    )
    why = f"{first}; {second.strip()}"
    scene.add("decision", "Use flock for the lock " + "of the store in the cellar " * 6, why=why)
    scene.add("decision", "Use one queue", why="Two were slow. " + "They waited for one another " * 14, source="person")
    scene.sleep()
    page = scene.text(MEMORY)
    assert f"(why: {why})" in page
    assert "- D-002 (person) Use one queue (why: " in page
    for number in range(60):
        scene.add("decision", f"Use engine {number} for part {number} of the machine in the cellar", why="x " * 30)
    scene.add("decision", "Use one queue more", why="Two were slow. " + "They waited for one another " * 14)
    scene.add("constraint", "Use flock for the lock", why=why)
    scene.add("constraint", "只用一个队列", why="以前有两个队列。" + "它们互相等待，谁也不能继续工作，" * 9)
    scene.sleep()
    rows = [line.rpartition(" [")[0] for line in scene.text(MEMORY).split("\n") if line.startswith("- ")]
    assert f"- Rule: Use flock for the lock (why: {first})" in rows
    assert "- D-063 Use one queue more (why: Two were slow)" in rows
    assert "- Rule: 只用一个队列 (why: 以前有两个队列)" in rows
    assert not any("…" in row for row in rows)


def test_a_line_of_an_earlier_version_is_no_hands(scene):
    """Where a person edited the block, what an earlier version cut inside a reason is not taken for theirs."""
    why = "it ends with its holder " * 20
    said = scene.add("decision", "Use flock for the lock", why=why)
    scene.sleep()
    page = scene.text(MEMORY)
    whole = next(line for line in page.split("\n") if "D-001" in line)
    former = f"- {tokens.clip(whole[2 : whole.rindex(' [')], 80)} [{said.address}]"
    assert "… [" in former
    scene.write(MEMORY, page.replace(whole, f"{former}\n- My own line"))
    scene.add("note", "x")
    scene.sleep()
    page = scene.text(MEMORY)
    assert (page.count("D-001"), whole in page, "- My own line" in page) == (1, True, True)


def test_soul_and_user_are_proposed_to(pages):
    """A person's rule that neither page says is proposed in a page; taken over or deleted, not again."""
    rule, other = "Never push on a Friday", "Always answer in German"
    for text in (rule, other, "Never rewrite history"):
        pages.add("constraint", text, source="person")
    pages.add("constraint", "Never hold the lock")
    before = pages.text("memory/core/0.soul.md"), pages.text("memory/core/1.user.md")
    pages.sleep()
    page = pages.text("memory/proposals.md")
    assert f"- Rule of a person: {rule} [i1" in page
    assert "hold the lock" not in page
    assert (pages.text("memory/core/0.soul.md"), pages.text("memory/core/1.user.md")) == before
    assert rule in pages.run("review")[1]
    pages.write("memory/core/1.user.md", f"{before[1]}{rule}.\n")
    pages.write("memory/proposals.md", "\n".join(line for line in page.split("\n") if other not in line))
    pages.add("note", "x")
    pages.sleep()
    told = [line for line in pages.text("memory/proposals.md").split("\n") if line.startswith("- ")]
    assert len(told) == 1
    assert "Never rewrite history" in told[0]
    pages.undo(2)
    pages.undo(1)
    assert "Rule" not in (pages.text("memory/proposals.md") or "")


def test_proposals_that_are_settled_leave_no_page(pages):
    """When soul or user says all of it the page goes; without a person's rules it does not come."""
    pages.add("constraint", "Never push on a Friday", source="person")
    pages.sleep()
    pages.write("memory/core/0.soul.md", "Never push on a Friday.\n")
    pages.add("note", "x")
    pages.sleep()
    assert pages.text("memory/proposals.md") is None
    assert not pages.check()
