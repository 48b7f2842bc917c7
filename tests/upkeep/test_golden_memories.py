"""Memories that older versions of this program wrote are read, slept on, undone and migrated, and nothing is lost.

Each golden file is the `git fast-export` of a memory of format 1 with four cycles; its name has the version's commit.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import template
from scene import Scene

from sleep.documents import fates_page
from sleep.history import cycle_diff, entry_life, explain, topic_log
from sleep.history.rebuild import undo
from sleep.history.step_fates import Past
from sleep.settings import FORMAT
from sleep.upkeep import doctor, migration

GOLDEN = sorted((Path(__file__).parent.parent / "golden").glob("format-1-*.export"))
NOW = "2026-12-24T12:00:00Z"


@pytest.fixture(params=GOLDEN, ids=lambda path: path.stem)
def golden(request, tmp_path):
    """A memory as an older version left it."""
    return Scene.copied(template.lay(tmp_path / "memory", _imported, str(request.param)))


def _imported(top, export):
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main", str(top)], check=True)
    with open(export, "rb") as stream:
        subprocess.run(["git", "-C", str(top), "fast-import", "--quiet"], stdin=stream, check=True)
    subprocess.run(["git", "-C", str(top), "reset", "--quiet", "--hard"], check=True)


def entries(scene):
    """Return the addresses of all entries."""
    return [entry.address for path in scene.view.journals for entry in scene.view.journal(path).entries]


def answer(scene):
    """Ask every question of history of every entry and cycle, and check that accounts are whole."""
    for row in scene.view.cycles:
        whole = explain.whole(scene.place, row.instance)
        assert "".join(whole.text[one.start : one.end] for one in whole.runs) == whole.text
        assert sum(one.hundredths for one in whole.shares) == 10_000
        assert cycle_diff.between(scene.place, row.number).steps
    past = Past(scene.place.root)
    for address in entries(scene):
        assert entry_life.tell(past, address).verdict
    for topic in {path.rpartition("/")[2].removesuffix(".md") for path in scene.view.files("memory/warm/")}:
        assert topic_log.read(scene.place, topic).events
    assert not [one for one in doctor.examine(scene.place, NOW) if one.level == "fail"]


def records(scene):
    """Return what the decisions and questions in the tiers say."""
    return {one.text for _, one in scene.view.placed() if one.kind in ("decision", "question")}


def test_it_is_read(golden):
    """All that was stated stands, a wake tells it, and every question of history is answered."""
    assert golden.place.settings.format == 1
    expected = {f"Use engine {number} for part {number}" for number in range(1, 5)}
    assert expected <= records(golden)
    assert "Use engine 4 for part 4" in golden.wake().text
    answer(golden)


def test_it_is_slept_on_and_undone(golden):
    """A sleep and its undo leave every document as it was, in the first format, without pages of fates."""
    before = {path: golden.text(path) for path in golden.git("ls-files").split() if path.startswith("memory/")}
    golden.open()
    golden.add("decision", "Use engine 5", why="it is the fastest")
    golden.sleep()
    assert "Use engine 5" in records(golden)
    assert golden.view.files(fates_page.FOLDER) == ()
    undo.undo(golden.place)
    after = {path: golden.text(path) for path in golden.git("ls-files").split() if path.startswith("memory/")}
    assert after == before


@pytest.mark.parametrize("number", [1, 3])
def test_an_old_cycle_is_undone(golden, number):
    """A cycle that another version slept is undone, and what the others said stays."""
    said = records(golden)
    undo.undo(golden.place, number)
    assert {f"Use engine {one} for part {one}" for one in range(1, 5) if one != number} <= records(golden)
    assert records(golden) <= said


def test_it_is_migrated(golden):
    """After its migration it says the same, answers the same questions, and goes on in the new format."""
    said = records(golden)
    done = migration.migrate(golden.place)
    assert (done.before, done.after, len(done.pages)) == (1, FORMAT, 4)
    assert records(golden) == said
    golden.open()
    golden.add("decision", "Use engine 5", why="it is the fastest")
    golden.sleep()
    assert len(golden.view.files(fates_page.FOLDER)) == 5
    answer(golden)
    undo.undo(golden.place, 2)
    assert len(golden.view.files(fates_page.FOLDER)) == 4
