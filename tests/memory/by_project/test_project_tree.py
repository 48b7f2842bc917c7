"""The memory of one of several projects."""

from __future__ import annotations

import pytest
from several import live, monorepo, two_logs

from sleep.documents import main_page, paths
from sleep.errors import UsageError
from sleep.memory.by_project import project_names, project_tree
from sleep.memory.by_project.project_tree import ProjectTree
from sleep.memory.view import View


def _parts(memory, *names):
    projects = project_names.read(memory.view)
    return [View(ProjectTree(memory.view, projects, name)) for name in names]


def test_each_journal_and_fragment_is_in_one_memory():
    """The memories of the projects together have every journal and every fragment of the whole, each once."""
    memory = two_logs()
    whole, parts = memory.view, _parts(memory, "ship", "tower", "")
    assert sorted(path for part in parts for path in part.journals) == sorted(whole.journals)
    assert sorted(each.identity for part in parts for _, each in part.placed()) == sorted(
        each.identity for _, each in whole.placed()
    )
    assert "plank" in (parts[0].read(parts[0].journals[0]) or "")
    assert not any("storey" in (parts[0].read(path) or "") for path in (*parts[0].journals, *paths.HOT))


def test_a_journal_of_two_projects_is_parted_by_its_entries():
    """Of a journal whose entries are of two projects each memory has its own, and that of none the others."""
    memory = monorepo()
    live(memory, ("note", "One", {"topic": "api"}), ("note", "Two", {"topic": "web/page"}), ("note", "Three", {}))
    last = memory.view.journals[-1]
    titles = [[entry.title for entry in part.journal(last).entries] for part in _parts(memory, "api", "web", "")]
    assert titles == [["One"], ["Two"], ["Three"]]


def test_each_project_has_its_own_handoff():
    """The main page of each project has the handoff of its last instance, and that of the whole has none."""
    memory = monorepo()
    parts = _parts(memory, "api", "web", "")
    pages = [part.read(paths.MAIN) or "" for part in parts]
    plans = [main_page.handoff(page).get("next_priority", "") for page in pages]
    assert [plan.partition(" [")[0] for plan in plans] == ["Log each audit", "Draw page 4", ""]
    assert main_page.purpose(pages[2]) == "A project."
    assert [part.read("README.md") for part in parts] == [None] * 3


def test_a_handoff_quotes_no_other_project():
    """A field of the handoff that quotes an entry of another project is left out."""
    memory = monorepo()
    risk = "\n- open_risk: A fire [i1abc.2] (derived)\n- next_priority"
    memory.texts[paths.MAIN] = memory.texts[paths.MAIN].replace("\n- next_priority", risk)
    assert "A fire" in memory.texts[paths.MAIN]
    assert "A fire" not in (_parts(memory, "web")[0].read(paths.MAIN) or "")


def test_an_instance_without_such_a_topic_has_the_whole():
    """The memory of an instance is that of the project that its topics name, else the whole one."""
    memory = monorepo()
    plain = live(memory, ("note", "Plain", {}))
    view = memory.view
    known = project_names.near(view, view.read(view.path_of(plain)))
    assert project_tree.of_instance(view, known, plain) is view.tree
    own = View(project_tree.of_instance(view, known, view.instance_of(view.journals[0])))
    assert len(own.journals) == 3


def test_a_name_that_is_none_is_refused():
    """A name in any case of letters is that of its project; one that is none is refused, with those that are."""
    memory = two_logs()
    assert len(View(project_tree.of_name(memory, "SHIP")).journals) == 3
    with pytest.raises(UsageError, match=r"no project 'boat' \(would be right: ship, tower"):
        project_tree.of_name(memory, "boat")
    with pytest.raises(UsageError, match="it is of one project"):
        project_tree.of_name(two_logs(days=1), "ship")
