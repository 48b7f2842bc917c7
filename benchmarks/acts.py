"""The model of speech acts: fitted, judged by cross-validation over source projects, and written down.

    SLEEP_SHARED=DIRECTORY python benchmarks/acts.py [--write] [--elsewhere] [--ablation] [--errors KIND]
    python benchmarks/acts.py --dialogues FILE [FILE ...] [--write]

Reads the labels of `benchmarks/labels/` and those that came with the data, and has capture cut their messages into
units (`_acts.py`). Each table tells of projects that the fit did not see: precision, recall and F1 by kind, of what
forms state together with what the model notices. The least probability of each kind is chosen so that F1 is best where
at least two in five of what is noticed are right and at most five decisions or constraints are wrong in 100 random
messages; the best F1 without that stands beside it. `--write` fits on all and writes
`sleep/language/data/weights.tsv`, `--elsewhere` `weights_elsewhere.tsv` (other languages): a row a feature and a column
a kind, which a person can read and change.
`--ablation` fits without one group of features after another. `--errors KIND` prints what was found wrongly and what
was missed, of the projects that were read while features were made. Nothing else writes.

A fit sets out from `benchmarks/labels/dialogues.tsv`, what labelled dialogues of public repositories taught. With
`--dialogues` and their files that fit is made, judged in four folds of their projects, and with `--write` written: the
texts are others', and need not be had for the rest.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

import _acts  # noqa: E402  # the path has to be there first
import numpy as np  # noqa: E402
from _acts import KINDS, LANGUAGES, REAL, TALKS, write  # noqa: E402

from sleep.language.acts.likelihood import features, scorer  # noqa: E402

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Sequence

    from _acts import Case, Row, Scale, Table

DIALOGUES = str(Path(__file__).parent / "labels/dialogues.tsv")
PRICE = 20.0  # of the square of a weight: the higher, the more of a feature's worth others share
SIZE_PRICE = 3.3  # of the size of a weight, in other languages: the higher, the fewer features have one
_ENGLISH = r"^message|^again |^(?:characters|headings|gaps|items|rows|paragraphs) \d|denies|goes on"  # features
GRID = (0.03, 0.05, 0.08, 0.1, 0.12, 0.15, 0.18, 0.21, 0.25, 0.28, 0.3, 0.32, 0.35, 0.4, 0.45, 0.5, 0.6)
_PRECISION, _WRONG = 0.40, 5.0  # the least of what is noticed; the most in 100 random messages
_BEGINNINGS = (0.2, 0.35, 0.5)  # of the ascent to the least probabilities
# A wrong one is believed: of decisions from .28 on five of 14 are right, from .40 one of two.
_BINDING = {"decision": 0.4, "constraint": 0.35}
# No more is asked: an insight binds nobody, and of constraints, whose labels are few, .46 of the dialogues' are right.
_LOOSE = {"insight": 0.33, "constraint": 0.35}
_FEW, _SURE = 15, 0.35  # labels of a kind below which nothing is chosen for it under this probability
GROUPS = {
    "words of the sentence": r"^(?:person: )?(?:{names})$",
    "its shape": r"^(?:person: )?(?:{shapes})$",
    "two features together": " & ",
    "place, length and sort": r"^(?:person: )?(?:length|message|quarter|a |first$|last$|alone$|begins$)",
    "headings and lead": r"under|led",
    "neighbours": r"before: |after: ",
    "what kind of message": r"^(?:characters|headings|gaps|items|rows|paragraphs) \d|^message (?:introduces|asks)",
    "what else the message says": r"^message: |^again ",
    "explicit forms": r"states (?:constraint|decision|question|task|blocker|dead end|insight)",
    "who speaks": r"^person",
}
_HEAD = """\
# What each named feature of a sentence adds to the log-odds that it is a record of a kind: a row a feature, a column a
# kind, nothing in an empty cell. (bias) is what every sentence has, (least) the probability from which it is taken for
# the kind. docs/language.md says more. Made by `benchmarks/acts.py --write{}`.
"""


class Lab(NamedTuple):
    """The labelled cases, their rows, the matrix of these, what forms state, and the matrix for other languages."""

    cases: Sequence[Case]
    rows: Sequence[Row]
    table: Table
    told: Sequence[Sequence[_acts.Found]]
    elsewhere: Table

    def chosen(self, wanted: Callable[[Case], bool]) -> np.ndarray:
        """Return which rows are of cases that are wanted."""
        return np.array([wanted(self.cases[row.case]) for row in self.rows])

    def numbers(self, wanted: Callable[[Case], bool]) -> list[int]:
        """Return the numbers of the cases that are wanted."""
        return [number for number, case in enumerate(self.cases) if wanted(case)]


def crossed(lab: Lab) -> np.ndarray:
    """Return probabilities of each unit by a model that saw no message of its project."""
    chances = np.zeros((len(lab.rows), len(KINDS)))
    for fold in (*REAL, *TALKS, *LANGUAGES):
        seen = lab.chosen(lambda case, fold=fold: case.fold != fold and case.source not in LANGUAGES)
        here = lab.chosen(lambda case, fold=fold: case.fold == fold)
        if not here.any():
            continue
        if fold in LANGUAGES:
            chances[here] = lab.elsewhere.probabilities(lab.elsewhere.fit(seen, SIZE_PRICE, few=True))[here]
        else:
            chances[here] = lab.table.probabilities(lab.table.fit(seen, PRICE))[here]
    return chances


def choose(scale: Scale, numbers: Sequence[int], *, precise: bool) -> list[float]:
    """Return the least probability of each kind that is best over some cases, by ascent from three beginnings."""
    cases = [
        scale.cases[number] for number in numbers if scale.cases[number].fold in REAL
    ]  # half of the others hold one
    labels = _acts.Counter(record["kinds"][0] for case in cases for record in case.records)
    lowest = [_SURE if cases and labels[kind] < _FEW else _BINDING.get(kind, 0.0) for kind in KINDS]
    ascents = [
        _ascent(scale, [max(low, own) for own in lowest], lowest, numbers, precise=precise) for low in _BEGINNINGS
    ]
    least = max(ascents)[1]
    if not (precise and cases):
        return least
    return [min(low, _LOOSE.get(kind, low)) for kind, low in zip(KINDS, least, strict=True)]


def _ascent(
    scale: Scale, least: list[float], lowest: Sequence[float], numbers: Sequence[int], *, precise: bool
) -> tuple[float, list[float]]:
    best = _worth(scale, least, numbers, precise=precise)
    for _ in range(2):
        for place in range(len(KINDS)):
            for value in filter(lambda value, low=lowest[place]: value >= low, GRID):
                tried = [*least[:place], value, *least[place + 1 :]]
                if (worth := _worth(scale, tried, numbers, precise=precise)) > best:
                    least, best = tried, worth
    return best, least


def _worth(scale: Scale, least: Sequence[float], numbers: Sequence[int], *, precise: bool) -> float:
    counts = scale.count(numbers, least)
    worth = _all(counts)[2]
    if precise:
        wrong = counts["wrong"]
        worth -= 4 * max(0, _PRECISION - _acts.rates([counts["noticed"]])[0])
        worth -= max(0, 100 * wrong["noticed"] / max(1, wrong["messages"]) - _WRONG)
    return worth


def _all(counts: dict[str, Counter[str]]) -> tuple[float, float, float]:
    return _acts.rates(counts[kind] for kind in KINDS)


def table(title: str, counts: dict[str, Counter[str]]) -> None:
    """Print precision, recall and F1 by kind."""
    print(f"\n{title}\n{'':4}{'kind':12}{'labels':>7}{'found':>7}{'precision':>10}{'recall':>8}{'F1':>6}")
    for kind in (*KINDS, "all"):
        own = [counts[name] for name in (KINDS if kind == "all" else (kind,))]
        hit, false, missed = (sum(each[name] for each in own) for name in ("hit", "false", "missed"))
        precision, recall, f1 = _acts.rates(own)
        print(f"{'':4}{kind:12}{hit + missed:7}{hit + false:7}{precision:10.2f}{recall:8.2f}{f1:6.2f}")
    print(f"{'':4}what was only noticed: precision {_acts.rates([counts['noticed']])[0]:.2f}")
    if messages := counts["wrong"]["messages"]:
        wrong = [f"{name} {100 * counts['wrong'][name] / messages:.1f}" for name in ("stated", "noticed")]
        print(f"{'':4}wrong constraints and decisions in 100 random messages: {', '.join(wrong)}")


def judge(lab: Lab) -> tuple[list[float], list[float]]:
    """Print the tables, and return the least probability of each kind, in English and elsewhere."""
    chances = crossed(lab)
    scale = _acts.Scale(lab.cases, lab.rows, chances, lab.told)
    real = lab.numbers(lambda case: case.fold in REAL)
    made = lab.numbers(lambda case: case.source.endswith("_fit"))
    off = [9.0] * len(KINDS)
    table("explicit forms alone, all labels", scale.count(real, off))
    table("the best F1, all labels", scale.count(real, choose(scale, real, precise=False)))
    least = choose(scale, real, precise=True)
    elsewhere = choose(scale, made, precise=True)
    table("as chosen, all labels", scale.count(real, least))
    table(
        "as chosen, the labels that came with the data", scale.count(lab.numbers(lambda c: c.source == "given"), least)
    )
    nested = {kind: _acts.Counter() for kind in (*KINDS, "noticed", "wrong")}
    for fold in REAL:
        others = [number for number in real if lab.cases[number].fold != fold]
        own = scale.count([n for n in real if lab.cases[n].fold == fold], choose(scale, others, precise=True))
        for kind, counts in own.items():
            nested[kind] += counts
    table("least probabilities chosen without the project, too", nested)
    for language in LANGUAGES:
        numbers = lab.numbers(lambda case, name=language: case.source == f"{name}_fit")
        table(f"{language}: the 100 messages to fit on, by a fit on the others", scale.count(numbers, elsewhere))
    _judge_side(lab, scale)
    scale.chances = lab.elsewhere.probabilities(whole(lab, is_english=False))
    for language in LANGUAGES:
        numbers = lab.numbers(lambda case, name=language: case.source == name)
        table(f"{language}: 100 messages that no fit saw", scale.count(numbers, elsewhere))
    return least, elsewhere


def whole(lab: Lab, *, is_english: bool) -> dict[str, np.ndarray]:
    """Return the weights of a fit on all labels but those that judge a language."""
    chosen = lab.chosen(lambda case: case.source not in LANGUAGES)
    return lab.table.fit(chosen, PRICE) if is_english else lab.elsewhere.fit(chosen, SIZE_PRICE, few=True)


def _judge_side(lab: Lab, scale: Scale) -> None:
    """Print the side that nobody read, by a fit and a choice on the other side alone."""
    read = lab.numbers(lambda case: case.side == "fit" and case.fold in REAL)
    least = choose(scale, read, precise=True)
    fit = lab.chosen(lambda case: case.side == "fit" and case.source not in LANGUAGES)
    scale.chances = lab.table.probabilities(lab.table.fit(fit, PRICE))
    judged = lab.numbers(lambda case: case.side == "judge" and case.fold in REAL)
    table("the side that was not read, fitted on the other", scale.count(judged, least))


def ablation(lab: Lab, prior: Sequence[tuple[str, str, float]]) -> None:
    """Print F1 and precision without each group of features."""
    print(f"\n{'without':28}{'features':>9}{'precision':>10}{'recall':>8}{'F1':>6}")
    real = lab.numbers(lambda case: case.fold in REAL)
    for group, form in {"nothing": r"^$", **GROUPS}.items():
        names = {"names": "|".join(features.NAMES), "shapes": "|".join(map(_escaped, features.SHAPES))}
        own = form.format(**names) if "{" in form else form
        tried = lab._replace(table=_acts.Table(lab.cases, lab.rows, [own], prior))
        scale = _acts.Scale(lab.cases, lab.rows, crossed(tried), lab.told)
        precision, recall, f1 = _all(scale.count(real, choose(scale, real, precise=False)))
        print(f"{group:28}{len(tried.table.names):9}{precision:10.2f}{recall:8.2f}{f1:6.3f}")


def _escaped(name: str) -> str:
    return name.replace("!", r"\!")


def errors(lab: Lab, least: Sequence[float], kind: str) -> None:
    """Print what was found wrongly and missed of a kind, of the side that may be read."""
    scale = _acts.Scale(lab.cases, lab.rows, crossed(lab), lab.told)
    for number in lab.numbers(lambda case: case.side == "fit" and case.fold in REAL):
        case, used = lab.cases[number], set()
        for record, held in scale.found(number, least):
            match = next((p for p in held if p not in used and record.kind in case.records[p]["kinds"]), None)
            used.add(match)
            if match is None and record.kind == kind:
                print("FALSE ", "stated" if record.is_stated else "noticed", "|", " ".join(record.text.split())[:200])
        for place, label in enumerate(case.records):
            if place not in used and label["kinds"][0] == kind and not label.get("weak"):
                print("MISSED", "|", " ".join(label["text"].split())[:200])


def _write(path: str, names: Sequence[str], fitted: dict[str, np.ndarray], least: Sequence[float] = ()) -> None:
    rows = {scorer.LEAST: least, scorer.BIAS: [fitted[kind][-1] for kind in KINDS]}
    rows |= {name: [fitted[kind][at] for kind in KINDS] for at, name in enumerate(names)}
    write(Path(path), _HEAD.format("" if least else " --dialogues"), KINDS, rows)


def dialogues(files: Sequence[Path], *, is_written: bool) -> None:
    """Fit on labelled dialogues, print what it finds in those of projects that it did not see, and write its weights.

    The least probabilities are those of `weights.tsv`: half of these messages hold a record, of real sessions few.
    """
    cases = _acts.dialogues(files)
    rows = _acts.rows(cases)
    lab = Lab(cases, rows, _acts.Table(cases, rows), _acts.stated(cases), _acts.Table([], []))
    print(f"{len(cases)} messages, {len(rows)} units, {len(lab.table.names)} features")
    numbers, known = range(len(cases)), scorer.model(scorer.ENGLISH).least
    scale = _acts.Scale(cases, rows, crossed(lab), lab.told)
    table("explicit forms alone", scale.count(numbers, [9.0] * len(KINDS)))
    table("with what the model notices", scale.count(numbers, [known[kind] for kind in KINDS]))
    if is_written:
        _write(DIALOGUES, lab.table.names, lab.table.fit(np.ones(len(rows), bool), PRICE))


def main() -> None:
    """Fit, judge, and do what was asked for."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--write", action="store_true", help="fit on all labels and write the weights of English")
    options.add_argument("--elsewhere", action="store_true", help="write those of other languages")
    options.add_argument("--ablation", action="store_true", help="fit without one group of features after another")
    options.add_argument("--errors", choices=KINDS, help="print what is left wrong of a kind")
    options.add_argument("--dialogues", nargs="+", type=Path, metavar="FILE", help="fit on labelled dialogues instead")
    asked = options.parse_args()
    if asked.dialogues:
        dialogues(asked.dialogues, is_written=asked.write)
        return
    cases = _acts.cases(Path(os.environ["SLEEP_SHARED"]) / "data")
    rows, prior = _acts.rows(cases), scorer.rows(DIALOGUES)
    lab = Lab(
        cases, rows, _acts.Table(cases, rows, (), prior), _acts.stated(cases), _acts.Table(cases, rows, [_ENGLISH])
    )
    print(f"{len(cases)} messages, {len(rows)} units, {len(lab.table.names)} features")
    least, elsewhere = judge(lab)
    if asked.write:
        _write(scorer.ENGLISH, lab.table.names, whole(lab, is_english=True), least)
    if asked.elsewhere:
        _write(scorer.ELSEWHERE, lab.elsewhere.names, whole(lab, is_english=False), elsewhere)
    if asked.errors:
        errors(lab, least, asked.errors)
    if asked.ablation:
        ablation(lab, prior)


if __name__ == "__main__":
    main()
