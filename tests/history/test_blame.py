"""Who said each line of a document, as its marks and git's blame have it."""

from __future__ import annotations

import re

import pytest

from sleep.documents import paths
from sleep.errors import UsageError
from sleep.history import blame

NOW = "2026-11-24T12:00:00Z"
MARK = re.compile(r"\[(i[0-9]+[a-z]{3}\.[0-9]+)[^\]]*\]$")


def read(scene, file, now=NOW):
    """Return who said each line."""
    return blame.read(scene.place, file, now, str(scene.home))


def _live(scene):
    scene.open()
    scene.add("decision", "Use flock", why="it ends with its holder", alternatives="none", confidence="high")
    scene.add("question", "Who owns the lock?")
    scene.sleep()


@pytest.fixture
def slept(scene):
    """Return a scene with one instance slept on."""
    return scene.grow(_live)


@pytest.mark.parametrize("path", [paths.DECISIONS, paths.CONTEXT, "journal/instance-1.md", "main.md"])
def test_every_line_is_told_as_git_blames_it(slept, path):
    """Each line has the commit that `git blame -s` names, its words, and the address in its mark."""
    found, rows = read(slept, path)
    assert found == path
    text = slept.text(path)
    assert [one.text for one in rows] == text.split("\n")[:-1]
    for row, said in zip(rows, slept.git("blame", "-sl", "--root", path).splitlines(), strict=True):
        assert said.startswith(row.commit)
        assert row.author == "Ada Example <ada@example.org>"
    marked = {number: mark[1] for number, row in enumerate(text.split("\n"), 1) if (mark := MARK.search(row))}
    assert {number: rows[number - 1].addresses[0] for number in marked} == marked
    assert marked


def test_the_lines_of_a_record_are_its_own(slept):
    """The fields of a decision have its address, its number, its confidence and its age in days."""
    _, rows = read(slept, paths.DECISIONS)
    own = [one for one in rows if one.number == "D-001"]
    assert [one.text.strip().partition(":")[0] for one in own][1:] == ["- why", "- alternatives", "- confidence"]
    assert {(one.confidence, one.instance, one.age, one.day) for one in own} == {("high", 1, 3, "2026-11-21")}
    heading = next(one for one in rows if one.text.startswith("## "))
    assert (heading.addresses, heading.instance, heading.day) == ((), None, "")


def test_cold_memory_asks_the_journal_how_sure_it_was(slept):
    """The confidence that a tier has left out is that of the entry."""
    text = slept.text(paths.DECISIONS)
    slept.write(paths.DECISIONS, text.replace("  - confidence: high\n", ""))
    _, rows = read(slept, paths.DECISIONS)
    assert {one.confidence for one in rows if one.number == "D-001"} == {"high"}


def test_what_is_not_committed_has_no_commit(slept):
    """A line that was just written, and every line of a new document, is told without a commit or an author."""
    slept.write("main.md", slept.text("main.md") + "Mine.\n")
    slept.write("memory/core/9.mine.md", "# Mine\n")
    _, rows = read(slept, "main.md")
    assert (rows[-1].text, rows[-1].commit, rows[-1].author) == ("Mine.", "", "")
    assert rows[0].commit
    assert [(one.text, one.commit) for one in read(slept, "memory/core/9.mine.md")[1]] == [("# Mine", "")]


def test_paths_from_where_one_stands(slept):
    """A path may be relative to the folder that the command runs in; what is no document of the memory is refused."""
    where = slept.place
    assert blame.read(where, "hot/decisions.md", NOW, str(slept.home / "memory"))[0] == paths.DECISIONS
    assert blame.read(where, str(slept.home / "main.md"), NOW, "/")[0] == "main.md"
    for name in ("staged.txt", "memory/warm/none.md", "../x", "memory/state/.sleep.json"):
        with pytest.raises(UsageError, match="no document of this memory"):
            read(slept, name)
