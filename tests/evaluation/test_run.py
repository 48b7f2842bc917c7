"""The evaluation on a project and a case made by hand."""

from __future__ import annotations

import pytest
from made import journal, said

from sleep.errors import GateError, UsageError
from sleep.evaluation import ablation, cases, pool, projects, run, study, summarisers
from sleep.evaluation.baselines import BASELINES, FULL, NONE, OURS, Line
from sleep.evaluation.life import Life
from sleep.evaluation.projects import Day, Project
from sleep.evaluation.reports import figures, report, svg


def quiet(_done, _all):
    """Take no notice."""


def by(samples, measure):
    """Return the share of each system and point by one measure."""
    return {(one.system, one.point): one.value for one in figures.figures(samples) if one.measure == measure}


def test_a_life_is_the_same_twice():
    """The same journals leave the same memory, byte for byte."""
    lives = [Life(), Life()]
    for one in lives:
        for number in range(4):
            one.live(journal(number))
    assert lives[0].tiers() == lives[1].tiers()
    assert lives[0].woken(1_000) == lives[1].woken(1_000)
    assert set(lives[0].tiers()) > {"hot/context.md", "hot/decisions.md", "hot/threads.md"}  # and something cooled


def test_the_ends_of_the_scale(logs):
    """The whole journal holds all that is referred back to, no memory none of it, and ours something."""
    (one,) = projects.find(str(logs))
    pairs = by(run.project(one, run.Plan()), run.PAIRS)
    for point in run.WAKE:
        assert pairs[FULL, point] == 1
        assert pairs[NONE, point] == 0
    assert pairs[OURS, "10k"] > 0


def test_a_journal_is_measured_by_those_before_it(logs):
    """What only a journal itself says is never asked of the memory before it."""
    (one,) = projects.find(str(logs))
    strange = "\n".join(f"`only_{number}` and `here_{number}`" for number in range(20))
    changed = one._replace(days=(*one.days[:-1], Day(strange, strange)))
    for project, last in ((one, 8), (changed, 7)):
        asked = {sample.case for sample in run.project(project, run.Plan(())) if sample.measure == run.PAIRS}
        assert asked == {f"project/{number}" for number in range(4, last + 1)}


def test_facts_are_counted_once_by_their_first_third(logs):
    """Facts of all thirds together are all facts, and a fact is kept in all tiers at least as often as in one."""
    (one,) = projects.find(str(logs))
    samples = [sample for sample in run.project(one, run.Plan()) if sample.measure == run.FACTS]
    asked = {}
    for sample in samples:
        if sample.system == OURS:
            asked[sample.point] = asked.get(sample.point, 0) + sample.asked
    assert asked["all"] == asked["old"] + asked["middle"] + asked["recent"] > 0
    kept = by(samples, run.FACTS)
    assert kept[OURS, "all"] >= max(kept[f"{OURS}: {tier}", "all"] for tier in ("hot", "warm", "cold"))


def test_a_case_counts_the_questions_that_count(conversations):
    """Questions without an answer to find, or with a wrong one, are left out; sizes are those that were asked for."""
    (one,) = cases.find(str(conversations))
    samples = run.case(one, run.Plan())
    assert {sample.asked for sample in samples if sample.measure == run.SUPPORT} == {4}
    kept = by(samples, run.SUPPORT)
    assert kept[FULL, "6:1"] == 1
    assert kept[NONE, "2:1"] == 0
    sizes = by(samples, run.RATIO)
    assert sizes[OURS, "2:1"] >= 2
    assert sizes[OURS, "6:1"] >= 6


def test_a_case_is_read_in_the_order_of_its_journals(conversations, tmp_path):
    """A case has its journals oldest first; a folder without any is refused."""
    (one,) = cases.find(str(conversations))
    assert one.id == "made/up"
    assert [said(session, 2) in text for session, text in enumerate(cases.journals(one), 1)] == [True] * 4
    with pytest.raises(UsageError):
        cases.find(str(tmp_path / "none"))


def test_projects_by_manifest_are_days(tmp_path):
    """With a manifest, files of one date are one journal, and what is no log is left out."""
    (tmp_path / "a").mkdir()
    for name in "xyz":
        (tmp_path / "a" / f"{name}.md").write_text(f"said {name}")
    rows = [("x", "2026-01-02", "log"), ("y", "2026-01-01", "log"), ("z", "2026-01-01", "ADR")]
    listed = ", ".join(
        f'{{"file": "dev/a/{name}.md", "project": "a", "date": "{date}", "kind": "{kind}"}}'
        for name, date, kind in rows
    )
    (tmp_path / "manifest.json").write_text(f"[{listed}]")
    assert [[day.text for day in one.days] for one in projects.find(str(tmp_path))] == [["said y", "said x"]]


def test_a_study_says_what_it_left_out(logs):
    """A project that is too short is named, not measured; a study of nothing is refused."""
    (one,) = projects.find(str(logs))
    short = Project("short", one.days[:2])
    found = study.study([one, short], run.Plan(BASELINES[:2], quick=True), quiet)
    assert found.notes == ("short: 2 journals are too few to leave one out",)
    assert {figure.system for figure in found.figures} >= {OURS, "lead"}
    with pytest.raises(UsageError, match="too few"):
        study.study([short], run.Plan(), quiet)


def test_a_case_that_fails_is_said(logs, monkeypatch):
    """Where the gate refuses a sleep the others are measured, and the refusal is in the study."""
    (one,) = projects.find(str(logs))
    worse = one._replace(name="worse")
    really = run.project

    def measured(project, plan):
        if project is worse:
            raise GateError("the step was not taken")
        return really(project, plan)

    monkeypatch.setattr(run, "project", measured)
    monkeypatch.setattr(pool.os, "cpu_count", lambda: 1)  # in this process, where the failure is planted
    found = study.study([worse, one], run.Plan(()), quiet)
    assert found.faults == ("worse is not measured: the step was not taken",)
    assert found.figures


def test_baselines_are_chosen_by_name():
    """A comma separates names, a comma in a name is left out; a name that none has is refused with those there are."""
    chosen, _ = study.chosen("lead, submodular recency,idf-density", quick=False)
    assert [one.name for one in chosen] == ["lead", "submodular, recency", "idf density"]
    with pytest.raises(UsageError, match="keywords"):
        study.chosen("leed", quick=False)


def test_without_sumy_the_rest_goes_on(monkeypatch):
    """Where sumy is missing its baselines are left out, and it is said how to get them."""
    monkeypatch.setattr(summarisers, "available", lambda: False)
    for names in ("", "lead,lexrank"):
        chosen, notes = study.chosen(names, quick=False)
        assert chosen
        assert set(chosen) <= set(BASELINES)
        assert notes == (summarisers.missing(),)


@pytest.mark.skipif(not summarisers.available(), reason="sumy is not installed")
@pytest.mark.parametrize("name", summarisers.NAMES)
def test_sumy_ranks_every_line_of_a_long_history(name):
    """Over several blocks no line with words is lost, and none comes twice."""
    one = next(one for one in summarisers.baselines() if one.name == name)
    found = [Line(0, f"the parrot number {number} saw ship {number * 7 % 31}") for number in range(600)]
    assert sorted(one.rank(found, frozenset)) == list(range(600))


def test_an_engine_without_an_idea_is_another(logs):
    """A study with ablation has a difference for each idea, and says what could not be ablated."""
    (one,) = projects.find(str(logs))
    short = one._replace(days=one.days[:5])  # it is lived once for each idea
    found = study.study([short], run.Plan((), quick=True), quiet, ablate=True)
    assert {one.system for one in found.differences} == {f"without {idea}" for idea in ablation.ideas()}
    assert {one.measure for one in found.differences} == {run.PAIRS}
    assert (ablation.ONLY_TIERS in found.notes) != ablation.can_do_at_once()
    assert len(report.ablated(found.differences).rows) == len(ablation.ideas())


def test_an_idea_reaches_the_sleeps(monkeypatch):
    """Every step of a life without an idea is told to do without it, and none of another life."""
    told = []
    really = ablation.extractive.compress

    def compress(request, without=frozenset()):
        told.append(without)
        return really(request, without)

    monkeypatch.setattr(ablation.extractive, "compress", compress)
    for idea in ("merging", ""):
        told.clear()
        Life(pick=ablation.pick(idea)).live(journal(1))
        assert set(told) == {frozenset({idea} if idea else ())}


def test_a_report_shows_every_system(logs):
    """Each grid has a row for each system and one for how we stand to the best; the picture is well-formed."""
    found = study.study(projects.find(str(logs)), run.Plan(BASELINES[:5]), quiet).figures
    grids = report.grids(found)
    assert [grid.title.partition(":")[0] for grid in grids][:2] == [run.PAIRS, run.REFERENCES]
    for grid in grids[:2]:
        assert {row[0] for row in grid.rows} == {OURS, "  to the best", *(one.name for one in BASELINES[:5])}
        assert all(len(row) == len(grid.heads) for row in grid.rows)
    assert f"{run.PAIRS} at 5k" in report.bars(found)
    drawn = svg.draw(found)
    assert drawn == svg.draw(found)
    assert drawn.startswith("<svg ")
    assert drawn.count("<svg") == drawn.count("</svg>") == 1


def test_a_project_that_refers_to_nothing_is_named():
    """Where no pair of names recurs, the study says that what is needed next was not measured, and why."""
    days = [Day(text, text) for text in (f"# Day {number}\n\n- step `only_{number}` is done\n" for number in range(9))]
    found = study.study([Project("strange", tuple(days))], run.Plan((), quick=True), quiet)
    assert [note.partition(":")[0] for note in found.notes] == ["strange"]
    assert "needed next" in found.notes[0]
