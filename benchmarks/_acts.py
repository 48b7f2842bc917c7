"""The labels as rows of features, the fit of the weights, and the score: what `acts.py` prints figures of.

A row is a unit of a message as capture reads it. Weights are fitted a kind at a time: logistic regression with a price
on the square of every weight, so that features that go together share what they tell; for other languages, of which
there are few messages, on its size, so that most features have none. What public dialogues taught, whose texts are not
ours to keep, stands in `labels/dialogues.tsv`: the weights that a fit on them alone gives, from which the fit on the
labels that are here sets out, so that a weight has its price by how far it goes from there. A message is scored like
`acts.py` of the shared harness does: a record that was found stands for a labelled one of its kind when it holds three
fifths of its words.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest import mock
from zlib import crc32

import labels
import numpy as np

from sleep.compression import message_units, recognition
from sleep.evaluation import acts
from sleep.language.acts.likelihood import features, scorer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

KINDS = scorer.KINDS
# Folds by the project that a message comes from.
REAL = ("cli", "agentv", "specstory", "aider", "others")
TALKS = ("talk 0", "talk 1", "talk 2", "talk 3")  # of public dialogues
LANGUAGES = ("de", "zh")
_FIT = frozenset({"cli", "cctrace", "sweagent", "aider"})  # projects of the side that was read while features were made
_HALF = 0.5  # of the weight of a label: weak ones, and the kind that would be as good
_TRANSLATED = 0.4  # of the weight of a message that was written for its language
_INSIDE = 0.85  # of a unit's words that stand in a label which no unit holds
_SMALL = 0.08  # probability that is looked at, at least
_STEPS = 200  # of the fit: no weight moves by a hundredth after them
_LEAST = 3  # projects that have a feature, at least
_WORD = re.compile(r"\w+")


class Case(NamedTuple):
    """A labelled message: `fold` as in `REAL`, or a language; `source` is `ours`, `given` or a file of labels."""

    role: str
    text: str
    records: tuple[Mapping[str, Any], ...]
    fold: str
    project: str
    source: str
    side: str
    is_random: bool


class Row(NamedTuple):
    """A unit: its case's number, its words, its features, and its weight by kind."""

    case: int
    text: str
    features: frozenset[str]
    kinds: Mapping[str, float]


def cases(data: Path) -> list[Case]:
    """Return the labelled messages: ours, those that came with the data, and those made in German and Chinese."""
    found = [_case(row, row["file"], "ours", row["side"]) for row in labels.messages(data)]
    given = {row["id"]: row["records"] for row in _rows(data / "labels" / "labels.jsonl")}
    found += [
        _case(row | {"records": given[row["id"]]}, row["file"], "given", "")
        for row in _rows(data / "labels" / "messages.jsonl")
    ]
    for language in LANGUAGES:
        for name in (f"{language}_fit", language):
            found += [_case(row, language, name, "") for row in labels.labels(name)]
    return found


def dialogues(files: Iterable[Path]) -> list[Case]:
    """Return the messages of files of labelled dialogues: a JSON object a line, `file` the project, with `records`."""
    return [
        _case(row, row["file"], "dialogues", "fit")._replace(
            fold=TALKS[crc32(row["file"].encode()) % len(TALKS)], project=row["file"]
        )
        for path in files
        for row in _rows(path)
    ]


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _case(row: Mapping[str, Any], file: str, source: str, side: str) -> Case:
    project = file.partition("_")[0]
    fold = project if project in (*REAL, *LANGUAGES) else "others"
    records = tuple(
        record | {"kinds": [name.replace("_", " ") for name in (record["kind"], record.get("alt")) if name]}
        for record in row["records"]
    )
    role = "person" if row["role"] == "user" else "agent"
    side = side or ("fit" if project in _FIT else "judge")
    return Case(role, row["text"], records, fold, project, source, side, row.get("stratum", "random") == "random")


def rows(found: Sequence[Case]) -> list[Row]:
    """Return the units of the cases, each with the kinds of the label that it holds, or lies in."""
    made = []
    for number, case in enumerate(found):
        units = list(message_units.read(case.text, case.role))
        read = list(recognition.sentences(units, case.role))
        kinds = _targets([units[index].text for index, _ in read], case.records)
        made += [
            Row(number, units[index].text, features.find(sentence), kinds[place])
            for place, (index, sentence) in enumerate(read)
        ]
    return made


def _targets(texts: Sequence[str], records: Sequence[Mapping[str, Any]]) -> list[dict[str, float]]:
    kinds: list[dict[str, float]] = [{} for _ in texts]
    for record in records:
        wanted = words(record["text"])
        held = [place for place, text in enumerate(texts) if holds(words(text), wanted)]
        if held:
            held = [min(held, key=lambda place: abs(words(texts[place]).total() - wanted.total()))]
        else:
            held = [place for place, text in enumerate(texts) if _lies_in(words(text), wanted)][:2]
        for place in held:
            for nth, kind in enumerate(record["kinds"]):
                weight = (_HALF if record.get("weak") else 1) * (_HALF if nth else 1)
                kinds[place][kind] = max(kinds[place].get(kind, 0), weight)
    return kinds


def words(text: str) -> Counter[str]:
    """Return how often each word stands in a text."""
    return Counter(_WORD.findall(text.lower()))


def holds(text: Counter[str], wanted: Counter[str]) -> bool:
    """Return whether a text holds three fifths of the words that are wanted."""
    return wanted.total() > 0 and (text & wanted).total() >= 0.6 * wanted.total()


def _lies_in(text: Counter[str], whole: Counter[str]) -> bool:
    return text.total() > 3 and (text & whole).total() > _INSIDE * text.total()


class Table:
    """The rows as a matrix of features, for fits on some of them.

    Args:
        found: the cases.
        made: their rows.
        without: features are left out whose name holds one of these.
        prior: rows (kind, feature, weight) that a fit sets out from; their features are had in any case.
    """

    def __init__(
        self,
        found: Sequence[Case],
        made: Sequence[Row],
        without: Iterable[str] = (),
        prior: Iterable[tuple[str, str, float]] = (),
    ) -> None:
        projects = defaultdict(set)
        for row in made:
            for name in row.features:
                projects[name].add(found[row.case].project)
        known = {name for name, own in projects.items() if len(own) >= _LEAST} | {name for _, name, _ in prior}
        self.names = sorted(
            name for name in known - {scorer.BIAS} if not any(re.search(part, name) for part in without)
        )
        column = {name: number for number, name in enumerate(self.names)}
        self.prior = {kind: np.zeros(len(column) + 1, np.float32) for kind in KINDS}
        for kind, name, weight in prior:
            if name in column or name == scorer.BIAS:
                self.prior[kind][column.get(name, -1)] = weight
        self.values = np.zeros((len(made), len(column) + 1), np.float32)
        self.values[:, -1] = 1
        for number, row in enumerate(made):
            self.values[number, [column[name] for name in row.features if name in column]] = 1
        self.made = made
        self.costs = np.array([_TRANSLATED if found[row.case].fold in LANGUAGES else 1 for row in made])

    def fit(self, chosen: np.ndarray, price: float, *, few: bool = False) -> dict[str, np.ndarray]:
        """Return the weights by kind, the last of each the bias, of the chosen rows; `few` of them or many."""
        fitted = {}
        for kind in KINDS:
            marks = np.array([row.kinds.get(kind, 0) for row in self.made])[chosen]
            costs = np.where(marks > 0, marks, 1) * self.costs[chosen]
            fitted[kind] = regression(self.values[chosen], marks > 0, costs, price, self.prior[kind], few=few)
        return fitted

    def probabilities(self, weights: Mapping[str, np.ndarray]) -> np.ndarray:
        """Return the probability of each kind, a row a unit, a column a kind."""
        return np.column_stack([1 / (1 + np.exp(-(self.values @ weights[kind]))) for kind in KINDS])


def regression(
    values: np.ndarray, marks: np.ndarray, costs: np.ndarray, price: float, prior: np.ndarray, *, few: bool
) -> np.ndarray:
    """Return the weights of least logistic loss plus a price for their sizes, or half one for squares (FISTA).

    Sizes and squares are of how far a weight is from its prior one. The bias is free.
    """
    weights = prior.copy()
    costs = costs.astype(np.float32)
    if marks.sum() < _LEAST:
        weights[-1] = -9
        return weights
    if not prior.any():
        share = float(costs[marks].sum() / costs.sum())
        weights[-1] = np.log(share / (1 - share))
    step = np.float32(4) / np.float32(np.linalg.eigvalsh((values * costs[:, None]).T @ values)[-1])
    ahead, pace = weights.copy(), np.float32(1)
    for _ in range(_STEPS):
        slope = values.T @ ((1 / (1 + np.exp(-(values @ ahead))) - marks) * costs).astype(np.float32)
        new = ahead - step * slope
        way = new[:-1] - prior[:-1]
        if few:
            way = np.sign(way) * np.maximum(np.abs(way) - step * price, 0)
        else:
            way /= 1 + step * np.float32(price)
        new[:-1] = prior[:-1] + way
        next_pace = (1 + np.sqrt(1 + 4 * pace * pace)) / 2
        ahead, weights, pace = new + (pace - 1) / next_pace * (new - weights), new, next_pace
    return weights


def write(path: Path, head: str, kinds: Sequence[str], rows: Mapping[str, Sequence[float]]) -> None:
    """Write the weights of each feature, a column a kind, to two digits; a feature with nothing left has no row."""
    table = {name: [round(float(cell), 2) for cell in row] for name, row in rows.items()}
    lines = ["\t".join(("feature", *kinds))]
    lines += [
        "\t".join((name, *(f"{cell:g}" if cell else "" for cell in row))) for name, row in table.items() if any(row)
    ]
    path.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
    print(f"\n{len(lines)} rows in {path}")


class Found(NamedTuple):
    """A record that was found: kind, words, and whether a form states it."""

    kind: str
    text: str
    is_stated: bool


def stated(found: Sequence[Case]) -> list[list[Found]]:
    """Return what capture finds in each case by forms alone."""
    with mock.patch.object(scorer, "guess", return_value=None):
        answers = [acts.records("user" if case.role == "person" else "assistant", case.text) for case in found]
    return [
        [Found(record["kind"].replace("_", " "), record["text"], True) for record in records] for records in answers
    ]


class Scale:
    """Thresholds tried on probabilities: counts hits and errors without matching words twice.

    Args:
        found: the cases.
        made: their rows.
        chances: the probabilities, a row a unit.
        told: what forms state in each case.
    """

    def __init__(
        self, found: Sequence[Case], made: Sequence[Row], chances: np.ndarray, told: Sequence[Sequence[Found]]
    ) -> None:
        self.cases, self.made, self.told = found, made, told
        self.wanted = [[words(record["text"]) for record in case.records] for case in found]
        self.units = [self._held(row.case, row.text) for row in made]
        self.forms = [[self._held(number, record.text) for record in records] for number, records in enumerate(told)]
        self.chances = chances

    def _held(self, case: int, text: str) -> list[int]:
        own = words(text)
        return [place for place, wanted in enumerate(self.wanted[case]) if holds(own, wanted)]

    @property
    def chances(self) -> np.ndarray:
        """The probabilities; those of units that no threshold takes are not looked at again."""
        return self._chances

    @chances.setter
    def chances(self, chances: np.ndarray) -> None:
        self._chances = chances
        self.by_case: list[list[tuple[int, list[float]]]] = [[] for _ in self.cases]
        for number in np.flatnonzero(chances.max(axis=1) >= _SMALL):
            row = self.made[number]
            if not any(told.text in row.text or row.text in told.text for told in self.told[row.case]):
                self.by_case[row.case].append((int(number), chances[number].tolist()))

    def found(self, case: int, least: Sequence[float]) -> list[tuple[Found, list[int]]]:
        """Return what is found in a case, and which labels each holds: what is stated, then the likeliest others."""
        told = list(zip(self.told[case], self.forms[case], strict=True))
        ranked = []
        for number, chances in self.by_case[case]:
            rank, kind = max((chance / low, kind) for kind, chance, low in zip(KINDS, chances, least, strict=True))
            if rank >= 1:
                ranked.append((rank, number, kind))
        ranked.sort(reverse=True)
        return told + [(Found(kind, self.made[number].text, False), self.units[number]) for _, number, kind in ranked]

    def count(self, numbers: Iterable[int], least: Sequence[float]) -> dict[str, Counter[str]]:
        """Return how many records were hit, false and missed, by kind, and of the noticed; the wrong of random ones."""
        counts = {kind: Counter() for kind in (*KINDS, "noticed", "wrong")}
        for number in numbers:
            case, used = self.cases[number], set()
            for record, held in self.found(number, least):
                match = next((p for p in held if p not in used and record.kind in case.records[p]["kinds"]), None)
                told = [counts[record.kind]] if record.is_stated else [counts[record.kind], counts["noticed"]]
                if match is None:
                    for each in told:
                        each["false"] += 1
                    if case.is_random and record.kind in ("constraint", "decision"):
                        counts["wrong"]["stated" if record.is_stated else "noticed"] += 1
                else:
                    used.add(match)
                    for each in told:
                        each["weak" if case.records[match].get("weak") else "hit"] += 1
            counts["wrong"]["messages"] += case.is_random
            for place, label in enumerate(case.records):
                if place not in used and not label.get("weak"):
                    counts[label["kinds"][0]]["missed"] += 1
        return counts


def rates(counts: Iterable[Counter[str]]) -> tuple[float, float, float]:
    """Return precision, recall and F1 of some counts together."""
    total = sum(counts, Counter())
    hit, false, missed = total["hit"], total["false"], total["missed"]
    precision, recall = hit / max(1, hit + false), hit / max(1, hit + missed)
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)
