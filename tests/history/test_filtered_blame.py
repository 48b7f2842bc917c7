"""Lines of files that git keeps in another form are blamed as they stand, whatever attributes are set."""

from __future__ import annotations

import pytest
from scene import Scene

from sleep.history import blame, filtered_blame
from sleep.store import history

_PAGE = "memory/hot/decisions.md"


def _locked(tmp_path, attributes):
    """Return a memory with two cycles below which a filter packs what git stores."""
    made = Scene(tmp_path / "project")
    for verb, program in (("clean", "gzip -nc"), ("smudge", "gzip -dcf")):
        made.git("config", f"filter.pack.{verb}", program)
    (made.top / ".gitattributes").write_text(f"memory/** {attributes}\njournal/** {attributes}\n")
    made.git("add", "--renormalize", ".")
    made.git("add", ".gitattributes")
    made.git("commit", "--quiet", "--message=lock it")
    for name in ("alpha", "beta"):
        made.add("decision", f"Use {name} for the cache", why=f"{name} is quick")
        made.sleep()
    assert made.git("cat-file", "blob", f"HEAD:{_PAGE}").startswith("\x1f")
    return made


@pytest.mark.parametrize("attributes", ["filter=pack", "filter=pack diff=pack"])
def test_each_line_has_the_commit_that_wrote_it(tmp_path, attributes):
    """Without a program that makes text of what git stores, the filter itself is it, and each line has its commit."""
    scene = _locked(tmp_path, attributes)
    lines = scene.text(_PAGE).splitlines()
    commits = [written.sha for written in filtered_blame.blame(scene.place.root, _PAGE)]
    assert len(commits) == len(lines)
    subjects = {
        name: scene.git("log", "-1", "--format=%s", commits[at]).strip()
        for name in ("alpha", "beta")
        for at, line in enumerate(lines)
        if f"Use {name}" in line
    }
    assert subjects == {
        "alpha": "sleep: journal to hot, 1 decision of instance 1",
        "beta": "sleep: journal to hot, 1 decision of instance 2",
    }
    _, rows = blame.read(scene.place, _PAGE, scene.now(), str(scene.home))
    assert [row.text for row in rows] == lines
    scene.write(_PAGE, scene.text(_PAGE).replace("# Decisions\n", "# Decisions\n\nMine.\n", 1))
    now = [written.sha for written in filtered_blame.blame(scene.place.root, _PAGE)]
    assert now == [commits[0], "", "", *commits[1:]]


def test_without_a_filter_git_is_asked_as_ever(tmp_path):
    """A file that git stores as it stands is blamed by git alone, and one whose attribute says that it is text, too."""
    scene = Scene(tmp_path / "project").lived()
    assert filtered_blame.blame(scene.place.root, _PAGE) == history.blame(scene.place.root, _PAGE) != ()
    (scene.top / ".gitattributes").write_text("memory/** filter=none diff\n")
    assert filtered_blame.blame(scene.place.root, _PAGE) == history.blame(scene.place.root, _PAGE)
