"""How well recall finds: the shared harness's cases, its scorer, and a table of shares with intervals by case.

    SLEEP_SHARED=DIRECTORY python benchmarks/recall_quality.py [--dataset locomo] [--misses]

Each case is asked thrice: over its raw journals, after import and sleeps (journals and tiers), and of the tiers alone.
A share is `ev_sup` as the harness's own `memeval.py` scores it, at 1k, 2k, 4k and 8k tokens with headings and addresses
counted. The questions of all other cases of a set tell how often recall says that nothing fits; LoCoMo's adversarial
questions stand apart. Evidence that is not shown is sorted by cause. Sets of fewer than 50 questions are shown and
judged by nothing. Exits with 1 when a bar is missed.
"""

from __future__ import annotations

import argparse
import functools
import importlib.util
import os
import re
import sys
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE)]

from sleep.evaluation import cases, life, pool  # noqa: E402  # the path has to be there first
from sleep.evaluation.reports import figures  # noqa: E402
from sleep.recall import lookup, question, search  # noqa: E402
from sleep.recall.index import access  # noqa: E402
from sleep.recall.postings import ANY, Limits  # noqa: E402
from sleep.store.tree import InMemory  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import ModuleType

    from sleep.recall.index.database import Index

BUDGETS = (1_000, 2_000, 4_000, 8_000)
TIERS = Limits(("hot", "warm", "cold"))
_LEAST = 50  # questions of a set that is judged
_AT = 2_000  # tokens at which what is not shown is sorted, and abstaining is told
_LEXICAL = 1.03  # times the best lexical baseline, where a set has no bar of its own
_ABSTAINS, _WRONGLY = 0.60, 0.05
BARS = {"locomo": (0.831, 0.878, 0.916, 0.957)}
GOALS = {"locomo": (0.86, 0.90, 0.93, 0.96)}
# The best of the harness's lexical baselines (`baselines.py`) on the development half.
BASELINES = {"locomo": (0.807, 0.852, 0.889, 0.929), "qmsum": (0.177, 0.367, 0.564, 0.735)}
_WAYS = (
    ("raw journals, always answers", False, Limits(), False),
    ("after sleeps, always answers", True, Limits(), False),
    ("after sleeps, says when nothing fits", True, Limits(), True),
    ("tiers alone, always answers", True, TIERS, False),
)
_ANCHOR = re.compile(r"\[(D\d+:\d+)\]")
_READ = "read3"  # the answer in the three lines that a fixed reader would take
_WRONG, _OTHER = "abstains wrongly", "abstains on another case's questions"
_WHOLE, _ADVERSARIAL = "abstains where the whole is asked for", "adversarial, abstains"


Record = dict[str, Any]  # a line of qa.jsonl or units.jsonl


class Harnessed(Protocol):
    """A case as the harness reads it: its set, its name, its questions, and its turns by anchor."""

    dataset: str
    id: str
    qa: list[Record]
    by: dict[str, Record]


class Shown(Protocol):
    """A context as the harness reads it: the lines of each anchor."""

    anch: dict[tuple[int, int], list[int]]


class Part(NamedTuple):
    """One case's part of a share."""

    what: str
    at: str
    found: float
    asked: float


class Outcome(NamedTuple):
    """What a case gave: its parts of shares, and how often evidence was not shown for which cause."""

    dataset: str
    name: str
    parts: list[Part]
    causes: Counter[str]
    lines: list[str]


@functools.cache
def scorer(shared: str) -> ModuleType:
    """Return the harness's scorer, a module."""
    spec = importlib.util.spec_from_file_location("memeval", os.path.join(shared, "eval", "memeval.py"))
    if spec is None or spec.loader is None:
        raise SystemExit("SLEEP_SHARED has no eval/memeval.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def measured(shared: str, pair: tuple[cases.Case, tuple[cases.Case, ...]]) -> Outcome:
    """Return what a case gives; the others are those whose questions are asked here too."""
    score = scorer(shared)
    case = score.Case(pair[0].folder)
    texts = cases.journals(pair[0])
    raw = access.index_tree(InMemory({f"journal/instance-{at:03}.md": text for at, text in enumerate(texts, 1)}))
    slept = access.index_tree(life.lived(texts).tree)
    outcome = Outcome(case.dataset, case.id, [], Counter(), [])
    for name, is_slept, limits, strict in _WAYS:
        _way(outcome, score, case, name, slept if is_slept else raw, limits, strict=strict)
    for what, asked in (
        (_WRONG, _counted(case)),
        (_OTHER, [one for other in pair[1] for one in _counted(score.Case(other.folder))]),
        (_WHOLE, [one for one in case.qa if not one["adversarial"] and not one["evidence"]]),
        (_ADVERSARIAL, [one for one in case.qa if one["adversarial"]]),
    ):
        silent = sum(bool(search.recall(slept, one["question"], _AT).nothing) for one in asked)
        outcome.parts.append(Part(what, "", silent, len(asked)))
    for one in _counted(case):
        _missed(outcome, score, case, one, slept)
    return outcome


def _counted(case: Harnessed) -> list[Record]:
    """Return the questions that count: those that have an answer, a right one, at places that are told."""
    return [one for one in case.qa if not one["adversarial"] and one["gold_ok"] and one["evidence"]]


def _way(
    outcome: Outcome, score: ModuleType, case: Harnessed, name: str, asked: Index, limits: Limits, *, strict: bool
) -> None:
    """Add a way's shares: of the questions that count, and of the adversarial ones."""

    def context(_: object, one: Record) -> dict[int, str]:
        found = {at: search.recall(asked, one["question"], at, limits, strict=strict) for at in BUDGETS}
        return {at: answer.text if answer.passages else "" for at, answer in found.items()}

    for at, rows in score.evaluate([case], context, BUDGETS).items():
        for is_adversarial in (False, True):
            values = [
                row["ev_sup"]
                for _, one, row in rows
                if one["adversarial"] == is_adversarial and "ev_sup" in row and (is_adversarial or one["gold_ok"])
            ]
            what = f"adversarial: {name}" if is_adversarial else name
            outcome.parts.append(Part(what, str(at), sum(values), len(values)))
        if name == _WAYS[0][0]:
            read = [
                row["read3"] for _, one, row in rows if not one["adversarial"] and one["gold_ok"] and "read3" in row
            ]
            outcome.parts.append(Part(_READ, str(at), sum(read), len(read)))


def _missed(outcome: Outcome, score: ModuleType, case: Harnessed, one: Record, asked: Index) -> None:
    """Sort what evidence of a question is not shown, by cause."""
    if one.get("granularity") == "session":
        return
    context = score.ScoredContext(search.recall(asked, one["question"], _AT, strict=False).text)
    units = [case.by[anchor] for anchor in one["evidence"]]
    lost = [unit for unit in units if not score._sup(context, unit)]  # noqa: SLF001  # its own rule, not a copy of it
    outcome.causes["evidence that is asked for"] += len(units)
    if not lost:
        return
    read = question.parse(one["question"])
    with asked.reading() as base:
        looked = lookup.find_matches(base, read, ANY, max(lookup.ROOM, _AT // 6))
        numbers = ",".join(str(number) for _, number, _ in looked.rows)
        query = f"SELECT text FROM row WHERE id IN ({numbers})"  # noqa: S608  # numbers
        ranked = {anchor for (text,) in base.execute(query) for anchor in _ANCHOR.findall(text)}
    for unit in lost:
        cause = _cause(score, context, unit, read, ranked)
        outcome.causes[cause] += 1
        outcome.causes["of these, where other evidence of the question is shown"] += len(lost) < len(units)
        outcome.lines.append(f"{cause}: {one['question']} <- [{unit['anchor']}] {unit['text'][:150]}")


def _cause(score: ModuleType, context: Shown, unit: Record, read: question.Question, ranked: set[str]) -> str:
    if score._key(unit) in context.anch:  # noqa: SLF001  # as above
        return "shown in part: the row is split"
    if unit["anchor"] in ranked:
        return "ranked below the budget"
    if set(read.terms) & set(question.parse(unit["text"]).terms):
        return "shares a word, but is not looked at"
    return "shares no word with the question"


def pairs(found: Sequence[cases.Case]) -> Iterator[tuple[cases.Case, tuple[cases.Case, ...]]]:
    """Yield each case with all others of its set."""
    for one in found:
        yield one, tuple(other for other in found if other.dataset == one.dataset and other != one)


def shares(outcomes: Sequence[Outcome]) -> dict[tuple[str, str], tuple[float, float, float, int]]:
    """Return by what and budget the share, its interval by case, and how many questions it is of."""
    by: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    for outcome in outcomes:
        for part in outcome.parts:
            if part.asked:
                by[part.what, part.at].append((part.found, part.asked))
    return {
        key: (figures.share(own), *figures.interval(own), round(sum(asked for _, asked in own)))
        for key, own in by.items()
    }


# (what, its bar, whether that is the most that is right)
_ABSTENTIONS = (
    (_WRONG, _WRONGLY, True),
    (_OTHER, _ABSTAINS, False),
    (_WHOLE, None, True),
    (_ADVERSARIAL, None, False),
)


def _tell_read(known: dict[tuple[str, str], tuple[float, float, float, int]]) -> None:
    for at in BUDGETS:
        if (_READ, str(at)) in known:
            share, low, high, many = known[_READ, str(at)]
            print(f"  {f'{_READ}, {at // 1000}k':52}{share:.3f} ({low:.3f}-{high:.3f}) of {many}")


def told(dataset: str, outcomes: Sequence[Outcome]) -> int:
    """Print a set's table; return how many bars it misses."""
    known = shares(outcomes)
    count = known[_WAYS[0][0], str(BUDGETS[0])][3]
    is_judged = count >= _LEAST
    print(f"\n{dataset}: {count} questions, {len(outcomes)} cases{'' if is_judged else ' (too few to be judged)'}")
    missed = 0
    baseline = BASELINES.get(dataset, ())
    bars = BARS.get(dataset, tuple(_LEXICAL * one for one in baseline))
    for label, row in (("best lexical baseline", baseline), ("bar", bars), ("goal", GOALS.get(dataset, ()))):
        if row:
            print(f"  {label:52}" + "".join(f"{one:<18.3f}" for one in row))
    for prefix in ("", "adversarial: "):
        for name, *_ in _WAYS:
            row = [known[prefix + name, str(at)] for at in BUDGETS if (prefix + name, str(at)) in known]
            if row:
                cells = "".join(f"{one[0]:.3f} {one[1]:.3f}-{one[2]:.3f}  " for one in row)
                print(f"  {prefix + name:52}{cells}")
            if is_judged and not prefix and "alone" not in name:
                missed += sum(one[0] < bar for one, bar in zip(row, bars, strict=False))
    _tell_read(known)
    for what, bar, is_most in _ABSTENTIONS:
        if (what, "") in known:
            share, low, high, many = known[what, ""]
            is_met = bar is None or (share <= bar if is_most else share >= bar)
            missed += is_judged and not is_met
            limit = "" if bar is None else f"  bar {'at most' if is_most else 'at least'} {bar:.0%}"
            note = "" if is_met or not is_judged else "  MISSED"
            print(f"  {what:52}{share:.1%} ({low:.1%}-{high:.1%}) of {many}{limit}{note}")
    causes: Counter[str] = sum((outcome.causes for outcome in outcomes), Counter())
    whole = causes.pop("evidence that is asked for", 0)
    print(f"  not shown within {_AT} tokens, of {whole} turns of evidence:")
    for cause, many in causes.most_common():
        print(f"    {cause:60}{many:6} ({many / max(1, whole):.1%})")
    return missed


def main() -> int:
    """Print the tables; return 1 when a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--dataset", action="append", help="only this set; may be repeated")
    parser.add_argument("--misses", action="store_true", help="also print each piece of evidence that is not shown")
    options = parser.parse_args()
    shared = os.environ.get("SLEEP_SHARED", "")
    if not shared:
        parser.error("SLEEP_SHARED names no folder (with eval/ and data/)")
    found = [
        one
        for one in cases.find(os.path.join(shared, "data", "cases"))
        if not options.dataset or one.dataset in options.dataset
    ]
    by: dict[str, list[Outcome]] = defaultdict(list)
    notice = lambda done, all_: print(f"\r{done} of {all_} cases", end="", file=sys.stderr)  # noqa: E731
    for outcome in pool.each(functools.partial(measured, shared), list(pairs(found)), notice):
        by[outcome.dataset].append(outcome)
    missed = sum(told(dataset, outcomes) for dataset, outcomes in by.items())
    if options.misses:
        for outcomes in by.values():
            for outcome in outcomes:
                print(*(f"{outcome.name} {line}" for line in outcome.lines), sep="\n")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
