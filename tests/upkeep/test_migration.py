"""A memory of an older format is read, slept on and undone as it is, and brought to the new one in one commit."""

from __future__ import annotations

import pytest

from sleep.documents import fates_page
from sleep.errors import DocumentError
from sleep.history import cycle_diff, document_fates, entry_life, explain
from sleep.history.rebuild import undo
from sleep.history.step_fates import Past
from sleep.settings import FORMAT, resolve
from sleep.upkeep import migration, statistics

WORDS = "The parser reads `src/part{0}.py` twice and takes {0} ms for part{0} of the file number {0}"


@pytest.fixture
def old(scene):
    """A memory of the first format with four cycles."""
    return scene.grow(_old)


def _old(scene):
    scene.write("memory/sleep.yaml", "# Settings\nformat: 1\nratio:\n  hot: 3\n")
    scene.git("commit", "--quiet", "--all", "--message=format 1")
    for cycle in range(4):
        scene.open()
        scene.add("decision", f"Use engine {cycle}", why="it ends with its holder")
        for number in range(8):
            scene.add("insight", WORDS.format(8 * cycle + number))
        scene.sleep()


def lives(scene):
    """Return what happened to every entry of every journal, without commits of people."""
    past = Past(scene.place.root)
    addresses = [entry.address for path in scene.view.journals for entry in scene.view.journal(path).entries]
    return {
        str(one): [(each.step, each.cycle, each.fate, each.detail) for each in entry_life.tell(past, one).happened]
        for one in addresses
    }


def test_an_older_format_is_slept_on_as_it_is(old):
    """A sleep on the first format writes no page of fates and leaves the format alone; an undo works there too."""
    assert old.view.files(fates_page.FOLDER) == ()
    assert old.place.settings.format == 1
    before = old.text("memory/hot/decisions.md")
    old.cycle(9)
    old.undo()
    assert old.text("memory/hot/decisions.md") == before
    assert old.view.files(fates_page.FOLDER) == ()


def test_a_migration_is_one_commit_and_changes_no_answer(old, monkeypatch):
    """After one commit of `sleep.yaml` and the pages, every question is answered as before, and nothing runs again."""
    said, count = lives(old), len(old.subjects())
    accounts = [explain.whole(old.place, row.instance).runs for row in old.view.cycles]
    figures = statistics.over_time(old.place)
    done = migration.migrate(old.place)
    assert (done.before, done.after, len(done.pages)) == (1, FORMAT, 4)
    assert len(old.subjects()) == count + 1
    assert set(old.git("show", "--name-only", "--format=").split()) == {"memory/sleep.yaml", *done.pages}
    assert old.text("memory/sleep.yaml") == f"# Settings\nformat: {FORMAT}\nratio:\n  hot: 3\n"
    assert not any("has no page of fates" in old.text(path) for path in done.pages)  # each has that one
    monkeypatch.setattr(document_fates, "section", None)
    assert lives(old) == said
    assert [explain.whole(old.place, row.instance).runs for row in old.view.cycles] == accounts
    assert statistics.over_time(old.place) == figures
    assert migration.migrate(old.place).sha == ""


@pytest.mark.parametrize("number", [1, 2, 4])
def test_a_cycle_from_before_a_migration_can_be_undone(old, number):
    """An undo takes the page of its cycle along, and those of the cycles slept again tell what they are now."""
    migration.migrate(old.place)
    old.cycle(7)
    undo.undo(old.place, number)
    rows = old.view.cycles
    assert number not in {row.number for row in rows}
    assert old.view.files(fates_page.FOLDER) == tuple(fates_page.path(row.number, row.instance) for row in rows)
    assert old.place.settings.format == FORMAT
    assert cycle_diff.between(old.place, rows[-1].number).steps


def test_a_newer_format_is_refused():
    """A program of today stops at a memory of tomorrow."""
    with pytest.raises(DocumentError, match=f"has format {FORMAT + 1}, and this program reads {FORMAT}"):
        resolve({"format": FORMAT + 1}, environ={})
