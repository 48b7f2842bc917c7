"""Our measures against the shared harness's own, on its data.

Needs the real data and the harness: SLEEP_SHARED names the folder that holds `eval/` and `data/`.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

import pytest

from sleep.evaluation import cases, projects, run
from sleep.evaluation.measures import coverage, readability
from sleep.evaluation.measures.retention import Memory

pytestmark = [
    pytest.mark.real,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # the harness leaves files open
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
SHARED = os.environ.get("SLEEP_SHARED")  # read now: the environment of a test is emptied
NEAR = 1e-9
BUDGETS = (1_000, 2_000, 5_000, 10_000)


@pytest.fixture
def harness(monkeypatch):
    """Return a function that gives a module of the harness."""
    assert SHARED, "SLEEP_SHARED must name the folder of the harness and its data"
    monkeypatch.syspath_prepend(str(Path(SHARED) / "eval"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return importlib.import_module


@pytest.fixture
def data():
    """Return the folder of the harness's data."""
    return Path(SHARED) / "data"


@pytest.mark.parametrize("name", ["locomo/conv-26", "longmemeval_subset/852ce960", "qmsum/ES2006a"])
def test_retention_is_the_harness_s(harness, data, name):
    """Every question has the harness's ev_sup and ans_win, of the whole source, of a part, and of our tiers."""
    memeval = harness("memeval")
    theirs = memeval.Case(str(data / "cases" / name))
    ours = next(one for one in cases.find(str(data / "cases")) if one.id == name)
    turns = cases.turns(ours)
    questions = {one.id: one for one in cases.questions(ours)}
    counted = [one for one in theirs.qa if not one["adversarial"] and one["gold_ok"]]
    assert set(questions) == {one["id"] for one in counted}
    source = cases.source(cases.journals(ours))
    for text in (theirs.source, source[: len(source) // 3], "\n".join(cases.built(ours, None).values())):
        memory, context = Memory(text), memeval.ScoredContext(text)
        for one in counted:
            wanted = memeval.score(context, one, theirs)
            found = memory.score(questions[one["id"]], turns)
            assert found.support == (pytest.approx(wanted["ev_sup"], abs=NEAR) if "ev_sup" in wanted else None)
            assert found.answer == (pytest.approx(wanted["ans_win"], abs=NEAR) if "ans_win" in wanted else None)


def test_the_sample_of_a_case_is_the_harness_s_mean(harness, data):
    """What a case adds to a figure is the harness's sum over its questions, so the figure is its mean."""
    memeval = harness("memeval")
    theirs = memeval.Case(str(data / "cases" / "qmsum" / "ES2006a"))
    ours = next(one for one in cases.find(str(data / "cases")) if one.name == "ES2006a")
    baseline = next(one for one in run.Plan().baselines if one.name == "full journal")
    samples = run.case(ours, run.Plan((baseline,)))
    rows = memeval.evaluate([theirs], lambda _case, _question: theirs.source, budgets=(0,))[0]
    scores = [scored for _, one, scored in rows if not one["adversarial"] and one["gold_ok"]]
    for measure, metric in ((run.SUPPORT, "ev_sup"), (run.ANSWER, "ans_win")):
        (sample,) = [one for one in samples if (one.system, one.point, one.measure) == (baseline.name, "2:1", measure)]
        wanted = [score[metric] for score in scores if metric in score]
        assert (sample.hits, sample.asked) == (pytest.approx(sum(wanted), abs=NEAR), len(wanted))


@pytest.mark.parametrize("name", ["duro", "jarvis-scripts"])
def test_wake_coverage_is_the_harness_s(harness, data, name):
    """The same days are asked about, and a text covers as much of what they refer back to, at every budget."""
    wakecov = harness("wakecov")
    days = wakecov.load(str(data / "journals"), name)
    wanted, _ = wakecov.evaluate(days, {"lead": wakecov.b_lead}, budgets=BUDGETS)
    project = next(one for one in projects.find(str(data / "journals")) if one.name == name)
    assert len(project.days) == len(days)
    for budget in BUDGETS:
        found = []
        for number in sorted(run._left_out(len(days), quick=False)):
            earlier = [line for day in project.days[:number] for line in coverage.lines(day.text)]
            target = coverage.target(earlier, coverage.lines(project.days[number].text))
            if target:
                found.append(coverage.covered(target, wakecov.b_lead(days[:number])[: budget * 4]))
        references = sum(one.references for one in found) / len(found)
        pairs = [one.pairs / one.of for one in found if one.of]
        given = wanted["lead"][budget]
        assert len(found) == given[2]
        assert references == pytest.approx(given[0], abs=NEAR)
        assert sum(pairs) / len(pairs) == pytest.approx(given[1], abs=NEAR)


def test_words_and_pairs_are_the_harness_s(harness, data):
    """Stop words and word pairs of a text without our marks are counted as the harness's guards count them."""
    memeval = harness("memeval")
    source = "".join(one.read_text() for one in sorted((data / "cases/locomo/conv-30/journal").glob("*.md")))
    text = "\n".join(source.split("\n")[::3])
    wanted = memeval.text_quality(text, source)
    found = readability.read(text, source)
    assert round(found.stop / found.words, 3) == wanted["stop_ratio"]
    assert round(found.known / found.pairs, 3) == wanted["bigram_fidelity"]
