"""Which project each journal and entry is of."""

from __future__ import annotations

import pytest
from scene import Memory
from several import SHIP, live, monorepo, take_log, two_logs

from sleep.documents import paths
from sleep.memory.by_project import project_names


@pytest.mark.parametrize(
    ("origin", "name"),
    [
        ({"path": "ship/2026-03-01.md"}, "ship"),
        ({"path": "Ship/docs/adr/0001-a.md"}, "ship"),
        ({"path": "packages/api/logs/2026-03-01.md"}, "api"),
        ({"path": "clients/acme/2026-03-01.md"}, "acme"),
        ({"path": "docs/log/2026-03-01.md"}, ""),
        ({"path": "memory/2026/03/01.md"}, ""),
        ({"path": "2026-03/2026-03-01.md"}, ""),
        ({"path": "week-12/2026-03-01.md"}, ""),
        ({"path": "march/2026-03-01.md"}, ""),
        ({"path": "03-march/2026-03-01.md"}, ""),
        ({"path": "2026-Q1/2026-03-01.md"}, ""),
        ({"path": "3月/2026-03-01.md"}, ""),
        ({"path": "web3d/2026-03-01.md"}, "web3d"),
        ({"path": "10-acme/2026-03-01.md"}, "10-acme"),
        ({"path": "Daily Notes/2026-03-01.md"}, ""),
        ({"path": "standups/2026-03-01.md"}, ""),
        ({"path": "team/alice/2026-03-01.md"}, ""),
        ({"path": "workspace/memory/2026-03-01.md"}, ""),
        ({"path": "workspace/acme/2026-03-01.md"}, "acme"),
        ({"path": "Tagebuch/2026-03-01.md"}, ""),
        ({"path": "日记/2026-03-01.md"}, ""),
        ({"path": ".planning/STATE.md"}, ""),
        ({"path": "2026-03-01.md"}, ""),
        ({"path": "docs/log/2026-03-01.md", "repository": "Ship"}, "ship"),
        ({}, ""),
    ],
)
def test_an_import_is_of_its_repository_or_top_folder(origin, name):
    """A document is of its repository, else of its top folder, unless that is one for logs, pages or a time."""
    assert project_names.of_import(origin) == name


def test_logs_of_two_folders_are_of_two_projects():
    """Where two folders have logs of three days each, each journal is of its folder's project."""
    memory = two_logs()
    known = project_names.read(memory.view)
    assert known.names == ("tower", "ship")
    assert [known.instances[memory.view.instance_of(path)] for path in memory.view.journals] == ["ship", "tower"] * 3


def test_pages_make_no_project():
    """Folders of pages, and a folder with two logs, are subjects of one project."""
    memory = two_logs(days=2)
    for number in range(3):
        take_log(memory, f"# Page {number}\n\nText {number}.\n", path=f"design/{number}.md", **{"from": "journal"})
        take_log(memory, SHIP.format(day="1 May", number=number), path=f"ship/{number}.md")
    assert project_names.read(memory.view) == project_names.Projects()


def test_a_page_beside_logs_is_of_their_project():
    """A page that was taken in from the folder of a project that has logs is of that project."""
    memory = two_logs()
    page = take_log(memory, "# Plan\n\nText.\n", path="ship/docs/plan.md", **{"from": "journal"})
    assert project_names.read(memory.view).instances[page] == "ship"


def test_topics_name_projects():
    """What stands before the slash of topics names projects, and an entry without one is of its instance's."""
    memory = monorepo()
    known = project_names.read(memory.view)
    assert known.names == ("web", "api")
    assert [known.instances[memory.view.instance_of(path)] for path in memory.view.journals] == ["api", "web"] * 3
    assert known.entries == {}


def test_an_instance_may_work_on_two():
    """Of an instance whose topics name two projects each entry is of the one that it names, others are of none."""
    memory = monorepo()
    both = live(
        memory, ("note", "One", {"topic": "api"}), ("note", "Two", {"topic": "web/page"}), ("note", "Three", {})
    )
    known = project_names.read(memory.view)
    assert [known.of(both.entry(ordinal)) for ordinal in (1, 2, 3)] == ["api", "web", ""]


def test_sessions_name_projects():
    """Two repositories that sessions worked in are two projects, from the first session on; one alone is none."""
    memory = Memory()
    live(memory, ("note", "One", {}), project="Feedbox")
    live(memory, ("note", "Two", {"topic": "src/a.py"}), project="feedbox")
    assert project_names.read(memory.view) == project_names.Projects()
    other, home = live(memory, ("note", "Three", {}), project="blog"), live(memory, ("note", "Four", {}))
    known = project_names.read(memory.view)
    assert known.names == ("blog", "feedbox")
    assert [known.of(instance.entry(1)) for instance in (other, home)] == ["blog", ""]


def test_topics_that_few_journals_have_name_none():
    """Where most journals have no topic of two parts, a slash in a topic names a part of one project."""
    memory = monorepo()
    for number in range(7):
        live(memory, ("note", f"Plain {number}", {"topic": "lock"}))
    assert project_names.read(memory.view) == project_names.Projects()


def test_parts_that_each_session_goes_through_are_of_one_project():
    """Where most journals have topics of several first parts, these are parts of one project."""
    memory = Memory()
    for number in range(4):
        live(memory, *(("note", f"{part} {number}", {"topic": f"{part}/{number}"}) for part in ("api", "web")))
    assert project_names.read(memory.view) == project_names.Projects()


def test_folders_of_code_in_topics_are_no_projects():
    """Topics that are paths of files (`src/a.py`, `tests/a.py`) name folders of one project."""
    memory = Memory()
    for number in range(4):
        live(memory, ("note", f"One {number}", {"topic": f"src/a{number}.py"}))
        live(memory, ("note", f"Two {number}", {"topic": f"tests/a{number}.py"}))
    assert project_names.read(memory.view) == project_names.Projects()


def test_a_plain_memory_has_no_projects():
    """A memory that nothing was taken into, and whose topics have one part, has no names of projects."""
    memory = Memory()
    live(memory, ("note", "Plain", {"topic": "lock"}))
    assert project_names.read(memory.view) == project_names.Projects()


def test_a_setting_says_what_is_no_project():
    """Where the setting is `off` nothing is a project of its own, whatever folders, topics and sessions say."""
    for memory in (two_logs(), monorepo()):
        live(memory, ("note", "One", {}), project="feedbox")
        memory.texts[paths.SETTINGS] = "projects: off\n"
        assert project_names.read(memory.view) == project_names.Projects()


def test_a_setting_says_what_is_one():
    """Where the setting lists names these are the projects, from the first page on, and no others are."""
    memory = two_logs(days=1, folders=("team/ana", "team/ben"))
    live(memory, ("note", "One", {}), project="feedbox")
    assert project_names.read(memory.view) == project_names.Projects()
    memory.texts[paths.SETTINGS] = "projects: Ana, docs\n"
    known = project_names.read(memory.view)
    assert known.names == ("ana",)
    assert sorted(known.instances.values()) == ["ana"]
    memory.texts[paths.SETTINGS] = "projects: ana\nno_setting: 1\n"
    assert project_names.read(memory.view) == project_names.Projects()
