"""A wake of a memory of several projects."""

from __future__ import annotations

import re

import pytest
from scene import repository
from several import SHIP, TOWER, live, monorepo, two_logs

from sleep.errors import UsageError
from sleep.language import tokens
from sleep.settings import Settings
from sleep.wake import assembly, checks


def _woken(memory, budget, task=""):
    return assembly.assemble(memory.view, memory.settings, budget=budget, task=task)


def _sections(text):
    names = ["", *re.findall(r"^# Project (.*)$", text, re.MULTILINE)]
    return dict(zip(names, re.split(r"^# Project .*$", text, flags=re.MULTILINE), strict=True))


def test_the_newest_plan_of_one_leaves_that_of_the_other():
    """Each project's newest log says what is next in it, and no line stands below the name of another project."""
    parts = _sections(_woken(two_logs(), 1_000).text)
    assert "## Tasks\n- Ship: paint plank 3\n" in parts["ship"]
    assert "## Tasks\n- Tower: plaster storey 3\n" in parts["tower"]
    assert "storey" not in parts["ship"]
    assert "plank" not in parts["tower"]


def test_an_older_plan_of_the_same_project_is_still_old():
    """Within a project an older log's plan is told as of its time."""
    assert "Ship: paint plank 1 (as of 1 Mar)" in _sections(_woken(two_logs(), 1_000).text)["ship"]


def test_a_version_of_one_project_ends_none_of_another():
    """A newer version in one project does not take the place of the older one in another."""
    state = "## State\n\n- Current version: app v{{number}}.{}.0\n\n## Next"
    memory = two_logs(forms=(SHIP.replace("## Next", state.format(4)), TOWER.replace("## Next", state.format(7))))
    parts = _sections(_woken(memory, 1_000).text)
    assert "app v3.4.0" in parts["ship"]
    assert "app v3.7.0" in parts["tower"]


@pytest.mark.parametrize("budget", [200, 300, 500, 1_000, 4_000, 20_000])
def test_the_budget_holds(budget):
    """The text never costs more than the budget, and its ledger adds up."""
    for memory in (two_logs(), monorepo()):
        woken = _woken(memory, budget)
        assert woken.cost <= budget
        assert tokens.count(woken.text) == int(re.search(r"Ledger: +(\d+) of", woken.text)[1])


def test_each_project_hands_over_its_own_plan():
    """The last instance of each project says what is next there, also where one of another came after it."""
    parts = _sections(_woken(monorepo(), 1_000).text)
    assert "- next_priority: Log each audit [i5abc.3]\n" in parts["api"]
    assert "- next_priority: Draw page 4 [i6abc.2]\n" in parts["web"]
    assert "certificate" not in parts["web"]


def test_a_task_that_names_a_project_tells_it_first():
    """The project that a task names comes first, and only there stands what is about the task."""
    woken = _woken(monorepo(), 1_000, "go on with api: the login certificate").text
    assert [*_sections(woken)] == ["", "api", "web"]
    assert "# About the task" in _sections(woken)["api"]
    assert "# About the task" not in _sections(woken)["web"]


def test_those_without_room_are_named():
    """Where there is room for one, the newest is told, and the others are named with what is next and the command."""
    text = _woken(monorepo(), 200).text
    assert [*_sections(text)] == ["", "web"]
    others = "# Also here, and not told (`sleepwake wake --project NAME`)\n- api: next: Log each audit [i5abc.3]\n"
    assert others in text


def test_whoever_works_in_one_is_told_that_one():
    """Whoever works in a project is told that one, also where it is the older; the others have what room is left."""
    text = assembly.assemble(monorepo().view, Settings(), budget=300, own="api").text
    assert [*_sections(text)] == ["", "api"]
    assert "- web: next: Draw page 4 [i6abc.2]\n" in text
    assert [*_sections(assembly.assemble(monorepo().view, Settings(), budget=4_000, own="api").text)] == [
        "",
        "api",
        "web",
    ]
    task = assembly.assemble(monorepo().view, Settings(), budget=4_000, own="api", task="go on with web").text
    assert [*_sections(task)] == ["", "web", "api"]


def test_what_is_of_no_project_stands_before_all():
    """The purpose and entries of no project stand above the first project."""
    memory = monorepo()
    live(memory, ("constraint", "Never deploy on a Friday", {}), ended="2026-11-22T10:00:00Z")
    before = _sections(_woken(memory, 2_000).text)[""]
    assert "A project." in before
    assert "Never deploy on a Friday" in before


def test_a_check_needs_no_phase_of_hot_memory():
    """`wake.check` goes through a memory of several projects whose hot memory is larger than its share."""
    memory = monorepo()
    small = Settings()._replace(wake_hot=1)
    assert [each for each in checks.check(memory.view, small, "2026-11-22T00:00:00Z") if each.level == "fail"] == []


def test_a_wake_tells_the_repository_it_is_asked_in(scene, monkeypatch):
    """A wake in a repository tells that project first, and `--project` another; a name of none opens no journal."""
    for name in ("feedbox", "blog"):
        repository(scene.home / name)
        monkeypatch.chdir(scene.home / name)
        scene.add("decision", f"Keep {name} small")
        scene.add("handoff", f"{name} works", **{"next priority": f"Test {name}"})
        scene.sleep()
    monkeypatch.chdir(scene.home / "feedbox")
    assert [*_sections(assembly.peek(scene.place, budget=260).text)] == ["", "feedbox"]
    assert [*_sections(assembly.peek(scene.place, budget=260, project="Blog").text)] == ["", "blog"]
    before = scene.owned()
    with pytest.raises(UsageError, match="no project 'boat'"):
        assembly.wake(scene.place, scene.now(), project="boat")
    assert scene.owned() == before
    assert "# Project blog" in assembly.wake(scene.place, scene.now(), project="blog").text
