"""The evaluation itself: every system on the same cases, at the same budgets, in the same run.

Owns what is measured on what. A case is asked its questions; of a project every journal is left out in turn, and what
it refers back to is looked for in what a wake before it would have read. Gives samples, and no figures.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from sleep.errors import SleepError
from sleep.evaluation import ablation, baselines, cases
from sleep.evaluation.baselines import FULL, OURS, Baseline
from sleep.evaluation.life import TIERS, Life, lived
from sleep.evaluation.measures import coverage, readability, retention, words
from sleep.evaluation.measures.retention import Memory, Score, third
from sleep.evaluation.projects import Project
from sleep.evaluation.reports.figures import Sample
from sleep.language import tokens
from sleep.store import files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sleep.evaluation.cases import Case
    from sleep.evaluation.measures.coverage import Pair

WAKE = {"1k": 1_000, "2k": 2_000, "5k": 5_000, "10k": 10_000}
RATIOS = {"2:1": 2, "6:1": 6, "60:1": 60}
AFTER = "tiers"
ALL = "all"
SUPPORT, ANSWER, PAIRS, REFERENCES = "support", "answer", "pairs", "references"
BY_AGE, FACTS = "support by age", "facts by age"
RATIO, STOP_WORDS, KNOWN_PAIRS, WHOLE, SPEED = "ratio", "stop words", "word pairs kept", "whole sentences", "speed"
_WARM_UP, _LONG, _LEAST = 4, 7, 3  # journals before the first that is asked about, of so many; and at all
_MOST, _FEW = 40, 8  # journals of a project that are asked about; in a quick run
_MEGA = 1e6


class Plan(NamedTuple):
    """What to measure beside the product: baselines; whether a few journals do; an idea that the engine forgoes."""

    baselines: tuple[Baseline, ...] = baselines.BASELINES
    quick: bool = False
    without: str = ""


class Measured(NamedTuple):
    """What was measured, or why nothing could be: a case that fails is said, and costs nobody the others."""

    samples: tuple[Sample, ...]
    fault: str = ""


def measure(piece: Case | Project, plan: Plan) -> Measured:
    """Measure a case or a project."""
    try:
        return Measured(tuple(project(piece, plan) if isinstance(piece, Project) else case(piece, plan)))
    except SleepError as error:
        return Measured((), f"{piece.name} is not measured: {error.what}")


def is_short(project: Project) -> bool:
    """True for a project with too few journals to leave one out after a warm-up."""
    return len(project.days) < _LEAST


def case(piece: Case, plan: Plan) -> list[Sample]:
    """Measure a case: what questions need, at each ratio and in the tiers."""
    asked = _Asked(piece)
    lines = baselines.lines(asked.journals)
    begun = time.process_time()
    documents = lived(asked.journals, ablation.pick(plan.without)).tiers()
    spent = time.process_time() - begun
    samples = [Sample(OURS, AFTER, SPEED, piece.id, len(asked.source.encode()) / _MEGA, spent)]
    tiers = "\n".join(documents.values())
    for system, text in [(OURS, tiers), *_in_tiers(documents)]:
        samples += asked.by_age(system, text)
    samples += asked.whole(OURS, AFTER, tiers)
    for point, ratio in RATIOS.items() if not plan.without or ablation.can_do_at_once() else ():
        text = ablation.at_once(asked.source, int(len(asked.source) / ratio), plan.without)
        samples += asked.whole(OURS, point, text)
    for baseline in plan.baselines:
        ranked = baseline.rank(lines, words.distinct)
        for point, size in [
            *((point, len(asked.source) // ratio) for point, ratio in RATIOS.items()),
            (AFTER, len(tiers)),
        ]:
            text = _filled(baseline, lines, ranked, size, asked.source)
            samples += asked.whole(baseline.name, point, text)
            if point == AFTER:
                samples += asked.by_age(baseline.name, text)
    return samples


class _Asked:
    """A case with its questions read."""

    def __init__(self, piece: Case) -> None:
        self.id = piece.id
        self.journals = cases.journals(piece)
        self.source = cases.source(self.journals)
        self._turns = cases.turns(piece)
        self._questions = cases.questions(piece)
        sessions = sorted({turn.session for turn in self._turns.values()})
        self._ages = [retention.age(question, self._turns, sessions) for question in self._questions]
        self._known: dict[str, list[Score]] = {}

    def _scores(self, text: str) -> list[Score]:
        if text not in self._known:
            memory = Memory(text)
            self._known[text] = [memory.score(question, self._turns) for question in self._questions]
        return self._known[text]

    def whole(self, system: str, point: str, text: str) -> Iterator[Sample]:
        """Yield what a text keeps of all questions, its size, and how it reads."""
        scores = self._scores(text)
        for name, values in (
            (SUPPORT, [score.support for score in scores if score.support is not None]),
            (ANSWER, [score.answer for score in scores if score.answer is not None]),
        ):
            yield Sample(system, point, name, self.id, sum(values), len(values))
        if system in (OURS, FULL):
            yield from _reads(system, point, self.id, text, self.source)

    def by_age(self, system: str, text: str) -> Iterator[Sample]:
        """Yield what a text keeps of the questions of each age."""
        for age, score in zip(self._ages, self._scores(text), strict=True):
            if score.support is not None:
                yield Sample(system, ALL, BY_AGE, self.id, score.support, 1)
                yield Sample(system, age, BY_AGE, self.id, score.support, 1)


def _in_tiers(documents: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each tier's name as a system, and its text."""
    for tier in TIERS:
        yield f"{OURS}: {tier}", "\n".join(text for path, text in documents.items() if path.startswith(f"{tier}/"))


def _reads(system: str, point: str, case: str, text: str, source: str) -> Iterator[Sample]:
    if not text:
        return
    yield Sample(system, point, RATIO, case, len(source), len(text))
    reading = readability.read(text, source)
    yield Sample(system, point, STOP_WORDS, case, reading.stop, reading.words)
    yield Sample(system, point, KNOWN_PAIRS, case, reading.known, reading.pairs)
    yield Sample(system, point, WHOLE, case, reading.whole, reading.pieces)


def _filled(baseline: Baseline, lines: Sequence[baselines.Line], ranked: Sequence[int], size: int, source: str) -> str:
    if baseline.name == FULL:
        return source
    return baselines.fill(lines, ranked, size, prefix=baseline.prefix)


def project(piece: Project, plan: Plan) -> list[Sample]:
    """Measure a project: each journal after a warm-up against the memory of those before it; then what all became."""
    samples: list[Sample] = []
    living = Life(piece.settings, ablation.pick(plan.without))
    spent = 0.0
    asked = _left_out(len(piece.days), quick=plan.quick)
    for number, day in enumerate(piece.days):
        if number in asked:
            samples += _next(piece, number, living, plan)
        begun = time.process_time()
        if day.path:
            living.sleep(day.path, day.journal)
        else:
            living.live(day.journal)
        spent += time.process_time() - begun
    size = sum(len(files.encode(day.journal)) for day in piece.days)
    samples.append(Sample(OURS, AFTER, SPEED, piece.name, size / _MEGA, spent))
    return [*samples, *_remains(piece, living.tiers(), plan)]


def _left_out(many: int, *, quick: bool) -> frozenset[int]:
    warm = _WARM_UP if many >= _LONG else max(1, many // 2)
    asked = range(warm, many)
    most = _FEW if quick else _MOST
    return frozenset(asked[:: -(-len(asked) // most)] if len(asked) > most else asked)


def _next(piece: Project, number: int, living: Life, plan: Plan) -> Iterator[Sample]:
    """Yield how much of what a journal refers back to each system would have shown before it."""
    earlier = [day.text for day in piece.days[:number]]
    known = [line for text in earlier for line in coverage.lines(text)]
    target = coverage.target(known, coverage.lines(piece.days[number].text))
    if target is None:
        return
    texts = {(OURS, point): living.woken(budget) for point, budget in WAKE.items()}
    lines = baselines.lines(earlier)
    whole = "\n".join(earlier)
    for baseline in plan.baselines:
        ranked = baseline.rank(lines, coverage.identifiers)
        for point, budget in WAKE.items():
            texts[baseline.name, point] = _filled(baseline, lines, ranked, budget * tokens.CHARACTERS, whole)
    case = f"{piece.name}/{number}"
    for (system, point), text in texts.items():
        seen = coverage.covered(target, text)
        yield Sample(system, point, REFERENCES, case, seen.references, 1)
        yield Sample(system, point, PAIRS, case, seen.pairs, seen.of)


def _remains(piece: Project, documents: Mapping[str, str], plan: Plan) -> Iterator[Sample]:
    """Yield what is left of each journal's facts, and how the memory reads."""
    first: dict[Pair, int] = {}
    for number, day in enumerate(piece.days):
        for pair in sorted(coverage.pairs(coverage.lines(day.text))):
            first.setdefault(pair, number)
    facts: dict[int, set[Pair]] = {}
    for pair, number in first.items():
        facts.setdefault(number, set()).add(pair)
    tiers = "\n".join(documents.values())
    source = "\n".join(day.text for day in piece.days)
    texts = {OURS: tiers, **dict(_in_tiers(documents))}
    lines = baselines.lines(day.text for day in piece.days)
    for baseline in plan.baselines:
        ranked = baseline.rank(lines, coverage.identifiers)
        texts[baseline.name] = _filled(baseline, lines, ranked, len(tiers), source)
    for system, text in texts.items():
        there = coverage.pairs(coverage.lines(text))
        for number, pairs in facts.items():
            for point in (ALL, third(number, len(piece.days))):
                yield Sample(system, point, FACTS, f"{piece.name}/{number}", len(pairs & there), len(pairs))
        if system in (OURS, FULL):
            yield from _reads(system, AFTER, piece.name, text, source)
