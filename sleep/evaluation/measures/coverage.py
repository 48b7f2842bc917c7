"""Wake coverage, as the shared harness measures it: does a wake hold what the next journal refers back to.

Owns the identifiers of a line (paths, code, names, versions, hashes, abbreviations) and their pairs. A pair is a fact
in its smallest form: two identifiers that stand on one line. It is asked of a line too, so that a list of names earns
nothing.
"""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    Pair = tuple[str, str]

_FORMS = tuple(
    re.compile(form)
    for form in (
        r"`([^`\n]{2,60})`",  # code
        r"(?<![\w/])((?:[\w.-]+/)+[\w.-]+)",  # a path
        r"\b([a-z]+[A-Z][A-Za-z0-9]+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+)\b",  # camelCase
        r"\b([a-z0-9]+(?:_[a-z0-9]+)+)\b",  # snake_case
        r"(?<!\w)(#\d{1,6})\b",  # an issue
        r"\b(v?\d+\.\d+(?:\.\d+)+)\b",  # a version
        r"\b([0-9a-f]{7,40})\b",  # a hash
        r"\b([A-Z][a-zA-Z]+(?: [A-Z][a-zA-Z]+){1,3})\b",  # a name of several words
        r"\b([A-Z]{2,}[A-Z0-9-]*)\b",  # an abbreviation
    )
)
_GENERAL = frozenset(
    """
    todo done note notes status summary update updates daily log memory session today next steps key lessons learned
    active projects action items context technical details issues fixed
    """.split()  # noqa: SIM905  # a list of words reads better as words
)
_DATE = re.compile(r"20\d\d[-/.]\d\d[-/.]\d\d.*")
_FIGURE = re.compile(r"[0-9.]+")
_LETTERS = re.compile(r"[a-f]+")
_SHORT, _HASH = 3, 7
_LINE = 400  # characters of a line that a pair stands within
_MOST = 14  # identifiers of a line that are paired
_SAYS = 3  # characters above which a line says something
_ENOUGH = 5  # identifiers that a journal must refer back to, to be asked about


class Target(NamedTuple):
    """What a journal refers back to: identifiers with their weights, the rarer the heavier, and pairs."""

    weights: Mapping[str, float]
    pairs: frozenset[Pair]


class Covered(NamedTuple):
    """What a text holds of a target: the weighted share of identifiers, and how many of how many pairs."""

    references: float
    pairs: int
    of: int


def lines(text: str) -> list[str]:
    """Return the lines of a text that say something."""
    return [line for line in map(str.strip, text.split("\n")) if len(line) > _SAYS]


@functools.lru_cache(maxsize=400_000)
def identifiers(line: str) -> frozenset[str]:
    """Return the identifiers of a line, folded."""
    names = (name.strip().strip(".,:;").lower() for form in _FORMS for name in form.findall(line))
    return frozenset(name for name in names if _tells(name))


def _tells(name: str) -> bool:
    if len(name) < _SHORT or name in _GENERAL or name.isdigit() or _DATE.fullmatch(name):
        return False
    if _FIGURE.fullmatch(name) and name.count(".") < 2:  # noqa: PLR2004  # a number, where a version has two points
        return False
    return not (len(name) >= _HASH and _LETTERS.fullmatch(name))  # a word of the letters a to f


def pairs(sentences: Iterable[str]) -> frozenset[Pair]:
    """Return the pairs of identifiers that stand together on one of these lines, neither a part of the other."""
    return frozenset(pair for line in sentences for piece in _pieces(line) for pair in _paired(piece))


def _pieces(line: str) -> Iterator[str]:
    for start in range(0, len(line), _LINE):
        yield line[start : start + _LINE]


@functools.lru_cache(maxsize=200_000)
def _paired(piece: str) -> tuple[Pair, ...]:
    known = sorted(identifiers(piece))[:_MOST]
    return tuple(
        (line, other)
        for index, line in enumerate(known)
        for other in known[index + 1 :]
        if line not in other and other not in line
    )


def target(earlier: Iterable[str], journal: Iterable[str]) -> Target | None:
    """Return what a journal's lines refer back to in earlier lines; None when it is too little to ask about."""
    earlier, journal = list(earlier), list(journal)
    known = Counter(name for line in earlier for name in identifiers(line))
    used = sorted({name for line in journal for name in identifiers(line)} & set(known))
    if len(used) < _ENOUGH:
        return None
    weights = {name: 1 / (1 + math.log(known[name])) for name in used}
    return Target(weights, pairs(journal) & pairs(earlier))


def covered(wanted: Target, text: str) -> Covered:
    """Return what a text holds of a target."""
    sentences = lines(text)
    names = {name for line in sentences for name in identifiers(line)}
    share = sum(weight for name, weight in wanted.weights.items() if name in names) / sum(wanted.weights.values())
    return Covered(share, len(wanted.pairs & pairs(sentences)), len(wanted.pairs))
