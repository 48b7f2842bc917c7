"""What is wrong with the pages that a session is told, each fault with its place and what mends it."""

# ruff: noqa: E501  # a fault stays on its line, as in a table

from __future__ import annotations

import os

import pytest

from sleep.store import context
from sleep.upkeep import page_checks

TASK = "---\nstatus: todo\npriority: high\nupdated_at: 2026-02-20\n---\n\n"
FEATURE = "---\nstatus: active\ntags: [a]\n---\n\n## Why\n\nBecause.\n"
SOUND = {
    "memory/sleep.yaml": "format: 1\n",
    "memory/core/0.soul.md": "Words. [The task](../state/auth.md), [a site](https://example.org), `[x](nowhere)`.\n",
    "memory/core/3.stack.md": "---\nname: Stack\nsummary: What we use\n---\n",
    "memory/core/5.data.sql": "-- tables\n",
    "memory/core/CHANGELOG.json": '[{"date": "2026-02-20", "description": "x"}]',
    "memory/core/RELEASES.json": '[{"version": "0.1.0"}]',
    "memory/core/features/snapshot.md": FEATURE.replace("tags:", "related_tasks: [auth]\ntags:"),
    "memory/knowledge/a.md": "---\ndescription: About a\ntags: [x]\npinned: true\n---\n\nWords.\n",
    "memory/state/auth.md": TASK + "<!-- {{WHY}} -->\n\n```\n{{CODE}} [x](nowhere)\n```\n",
    "memory/state/.sleep.json": '{"debt": 1}',
    "memory/hot/context.md": "# Context\n",
}
# A change to the sound tree, and the findings that it makes: level, place, and words of what is said.
# fmt: off
FAULTS = [
    ("broken front matter", {"memory/state/auth.md": "---\nstatus: todo\npriority: [high\n---\n"}, ("fail", "memory/state/auth.md:", "front matter: ")),
    ("an unreadable page", {"memory/knowledge/b.md": b"\0"}, ("fail", "memory/knowledge/b.md", "is no text")),
    ("a folder like a page", {"memory/knowledge/b.md/c.txt": "x"}, ("fail", "memory/knowledge/b.md", "is a folder")),
    ("malformed JSON", {"memory/core/CHANGELOG.json": '[\n{"date": "2026-02-20",}]'}, ("fail", "memory/core/CHANGELOG.json:2", "is no JSON")),
    ("no status", {"memory/state/b.md": "---\npriority: low\n---\n"}, ("warn", "memory/state/b.md", "has no status: it is shown as unknown")),
    ("an odd status", {"memory/state/b.md": "---\npriority: low\nstatus: someday\n---\n"}, ("note", "memory/state/b.md:3", "status is someday")),
    ("no date", {"memory/state/b.md": TASK.replace("2026-02-20", "soon")}, ("warn", "memory/state/b.md:4", "updated_at is soon, no date")),
    ("a parent that is nowhere", {"memory/state/b.md": TASK.replace("status", "parent_task: gone\nstatus")}, ("warn", "memory/state/b.md:2", "no task is called gone")),
    ("a related task that is nowhere", {"memory/core/features/b.md": FEATURE.replace("tags:", "related_tasks: [auth, gone]\ntags:")}, ("warn", "memory/core/features/b.md:3", "no task is called gone")),
    ("a feature without why", {"memory/core/features/b.md": FEATURE.replace("Because.", "(To be defined)")}, ("warn", "memory/core/features/b.md", "says no why")),
    ("tags that are no list", {"memory/knowledge/b.md": "---\ndescription: b\ntags: x, y\n---\n"}, ("note", "memory/knowledge/b.md:3", "tags is no list")),
    ("no description", {"memory/knowledge/b.md": "Words.\n"}, ("warn", "memory/knowledge/b.md", "has no description")),
    ("pinned to what", {"memory/knowledge/b.md": "---\ndescription: b\npinned: maybe\n---\n"}, ("warn", "memory/knowledge/b.md:3", "pinned is maybe")),
    ("no summary", {"memory/core/4.more.md": "Words.\n"}, ("warn", "memory/core/4.more.md", "has no summary")),
    ("a placeholder", {"memory/core/1.user.md": "Likes tea.\n\n- (Add your preferences here)\n"}, ("warn", "memory/core/1.user.md:3", "(Add your preferences here) is still there")),
    ("a template's name", {"memory/core/1.user.md": "Hello {{NAME}}.\n"}, ("warn", "memory/core/1.user.md:1", "{{NAME}} is still there")),
    ("a link to nowhere", {"memory/knowledge/b.md": "---\ndescription: b\n---\n\nSee [c](c.md#x).\n"}, ("warn", "memory/knowledge/b.md:5", "leads to c.md, which is not there")),
    ("a change without a date", {"memory/core/CHANGELOG.json": '[{"description": "x"}]'}, ("warn", "memory/core/CHANGELOG.json", "entry 1 has no date")),
    ("a release without a version", {"memory/core/RELEASES.json": '[{"version": "tea"}]'}, ("warn", "memory/core/RELEASES.json", "entry 1 has no version")),
    ("a core file without a number", {"memory/core/notes.md": "x"}, ("note", "memory/core/notes.md", "no section of a snapshot shows it")),
    ("a page in a folder below", {"memory/knowledge/deep/b.md": "x"}, ("note", "memory/knowledge/deep", "no section of a snapshot shows it")),
    ("a page beside the folders", {"memory/notes.md": "x"}, ("note", "memory/notes.md", "no section of a snapshot shows it")),
    ("another tool's folder", {"_agent_context/core/0.soul.md": "x"}, ("warn", "_agent_context/", "is not read: memory/ comes before it")),
    ("a soul that is too long", {"memory/core/0.soul.md": "Words and words.\n\n" * 900}, ("warn", "memory/core/0.soul.md", "summary instead of full")),
    ("pinned pages that are too long", {"memory/knowledge/b.md": "---\ndescription: b\npinned: true\n---\n" + "Words. " * 2_000}, ("warn", "memory/knowledge/", "1 of 2 pinned pages do not fit")),
    ("a byte order mark", {"memory/knowledge/b.md": "\ufeff---\ndescription: b\n---\n"}, ("note", "memory/knowledge/b.md", "begins with a byte order mark")),
]
# fmt: on


def lay(base, files):
    """Write files and return the context."""
    for path, content in files.items():
        place = base / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
    return context.require(str(base))


def test_a_sound_tree(tmp_path):
    """A tree that is in order has no finding."""
    assert page_checks.examine(lay(tmp_path, SOUND)) == []


@pytest.mark.parametrize(("change", "finding"), [one[1:] for one in FAULTS], ids=[one[0] for one in FAULTS])
def test_fault(tmp_path, change, finding):
    """A fault is found, with its level, its place and words that say what it is, and nothing else is."""
    found = page_checks.examine(lay(tmp_path, SOUND | change))
    level, where, what = finding
    assert [one.level for one in found if one.where.startswith(where) and what in one.what] == [level], found
    assert len(found) <= 2
    assert all(one.fix for one in found if one.level != "note")


@pytest.mark.parametrize("name", ["checklist.md", "page.md", "proposals.md", "topics.md"])
def test_the_programs_own_pages_are_no_strangers(tmp_path, name):
    """Pages that commands of ours write beside the folders are not reported."""
    assert page_checks.examine(lay(tmp_path, SOUND | {f"memory/{name}": "# Page\n"})) == []


def test_failures_come_first(tmp_path):
    """What fails the check stands above what only warns."""
    changes = {path: content for _, change, _ in FAULTS for path, content in change.items() if "b.md/" not in path}
    levels = [one.level for one in page_checks.examine(lay(tmp_path, SOUND | changes))]
    assert levels == sorted(levels, key=("fail", "warn", "note").index)
    assert set(levels) == {"fail", "warn", "note"}


def test_fix_takes_marks_away_and_nothing_else(tmp_path):
    """With `fix` a byte order mark goes, and every other byte of every file stays as it is."""
    where = lay(
        tmp_path,
        SOUND | {"memory/knowledge/b.md": "\ufeff---\r\ndescription: b\r\n---\r\n", "memory/core/1.user.md": "{{X}}"},
    )
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    found = page_checks.examine(where, fix=True)
    assert ("note", "memory/knowledge/b.md") in [(one.level, one.where) for one in found]
    for path, content in before.items():
        assert path.read_bytes() == content.removeprefix(b"\xef\xbb\xbf")
    assert not [one for one in page_checks.examine(where) if "byte order mark" in one.what]


def test_older_folders_are_examined(tmp_path):
    """The pages of an older tool are examined in place, under its own name."""
    files = {path.replace("memory/", "_dream_context/"): text for path, text in SOUND.items() if "hot" not in path}
    assert (
        page_checks.examine(lay(tmp_path, files | {"_dream_context/state/b.md": "x"}))[0].where
        == "_dream_context/state/b.md"
    )


def test_each_fault_is_placed_once(tmp_path, monkeypatch):
    """The line of a long list is looked for once, however many of its words lead nowhere: a page may be large."""
    looked = []
    honest = page_checks.front_matter.line_of
    monkeypatch.setattr(
        page_checks.front_matter, "line_of", lambda text, name: looked.append(name) or honest(text, name)
    )
    gone = "".join(f"  - gone-{at}\n" for at in range(200))
    page = FEATURE.replace("tags:", f"related_tasks:\n{gone}tags:")
    found = page_checks.examine(lay(tmp_path, SOUND | {"memory/core/features/b.md": page}))
    assert {one.where for one in found if "no task is called gone" in one.what} == {"memory/core/features/b.md:3"}
    assert sum("no task is called gone" in one.what for one in found) == 200
    assert looked.count("related_tasks") == 1


def test_links_that_lead_out_are_left_alone(tmp_path):
    """A page that is a link out of the project is a failure, and `fix` does not write through it."""
    if os.name == "nt":
        pytest.skip("links")
    where = lay(tmp_path / "in", SOUND)
    outside = tmp_path / "outside.md"
    outside.write_bytes(b"\xef\xbb\xbfx")
    (tmp_path / "in/memory/knowledge/b.md").symlink_to(outside)
    found = page_checks.examine(where, fix=True)
    assert found[0].what == "is a link that leads out of the project"
    assert outside.read_bytes() == b"\xef\xbb\xbfx"
