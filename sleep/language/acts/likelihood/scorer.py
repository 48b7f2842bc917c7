"""The model of speech acts: how likely a sentence is a record of each kind, by the sum of what its features weigh.

Owns `data/weights.tsv` for English and `data/weights_elsewhere.tsv` for other languages, of whose words fewer are known
and whose messages were made for the fit (both by `benchmarks/acts.py`), and `data/weights_documents.tsv` for pieces of
English documents (by `benchmarks/logs.py`): a row a feature and a column a kind, apart by tabs, what the feature adds
to the log-odds, an empty cell nothing. `(bias)` is what every sentence has, `(least)` the probability from which it is
taken for that kind. Read when the first sentence is scored; no hook scores any.
Refuses to say what is stated: that is `statements`'.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from sleep.language.acts.likelihood import features, piece_features

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sleep.language.acts.likelihood.features import Sentence
    from sleep.language.acts.likelihood.log_piece import LogPiece

BIAS, LEAST = "(bias)", "(least)"
KINDS = ("constraint", "decision", "question", "task", "blocker", "dead end", "insight", "fix")
_DATA = f"{__file__.removesuffix('acts/likelihood/scorer.py')}data/"
ENGLISH, ELSEWHERE, DOCUMENTS = (f"{_DATA}weights{name}.tsv" for name in ("", "_elsewhere", "_documents"))


class Guess(NamedTuple):
    """What a sentence may be: the kind, and how many times the least probability that is asked of the kind."""

    kind: str
    rank: float


class Model(NamedTuple):
    """Weights by feature and kind; biases and least probabilities by kind."""

    weights: dict[str, tuple[tuple[str, float], ...]]
    biases: dict[str, float]
    least: dict[str, float]


def of(rows: Iterable[tuple[str, str, float]]) -> Model:
    """Return the model of rows (kind, feature, weight)."""
    weights: dict[str, list[tuple[str, float]]] = {}
    special: dict[str, dict[str, float]] = {BIAS: {}, LEAST: {}}
    for kind, feature, weight in rows:
        if feature in special:
            special[feature][kind] = weight
        else:
            weights.setdefault(feature, []).append((kind, weight))
    by_feature = {name: tuple(pairs) for name, pairs in weights.items()}
    return Model(by_feature, special[BIAS], special[LEAST])


def rows(path: str) -> list[tuple[str, str, float]]:
    """Return the rows (kind, feature, weight) of a data file."""
    with open(path, encoding="utf-8") as file:
        (_, *kinds), *table = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return [
        (kind, feature, float(cell))
        for feature, *cells in table
        for kind, cell in zip(kinds, cells, strict=True)
        if cell
    ]


@cache
def model(path: str) -> Model:
    """Return the model of a data file."""
    return of(rows(path))


def probabilities(names: Iterable[str], model: Model) -> dict[str, float]:
    """Return how likely a sentence with these features is of each kind, 0 to 1."""
    odds = dict(model.biases)
    for name in sorted(names):  # a set has another order in each process, and a sum another last digit
        for kind, weight in model.weights.get(name, ()):
            odds[kind] += weight
    return {kind: 1 / (1 + math.exp(-value)) for kind, value in odds.items()}


def guess(sentence: Sentence) -> Guess | None:
    """Return the kind that a sentence most likely is, None where it is none likely enough."""
    known = model(ENGLISH if features.is_english(sentence.text) else ELSEWHERE)
    return _likeliest(features.find(sentence), known)


def guess_piece(piece: LogPiece) -> Guess | None:
    """Return the kind that a piece of an English document most likely is, None where it is none likely enough."""
    return _likeliest(piece_features.find(piece), model(DOCUMENTS))


def _likeliest(names: Iterable[str], known: Model) -> Guess | None:
    odds = probabilities(names, known)
    guesses = [Guess(kind, odds[kind] / least) for kind, least in known.least.items()]
    best = max(guesses, key=lambda guess: guess.rank, default=None)
    return best if best and best.rank >= 1 else None
