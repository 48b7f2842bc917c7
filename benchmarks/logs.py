"""What a model notices in daily logs: fitted on logs that were read line by line, judged by projects left out.

    python benchmarks/logs.py DIRECTORY [--write]

DIRECTORY has for each project NAME its pages, NAME/PAGE.md, and NAME.tsv with a line for each of their lines that a
colleague would have put into a register: page, line, kind, `firm` or `weak`. The fifteen projects of which the weights
in use come are public, but not ours to keep (ADR 102). Printed is for each kind how many of the pieces that forms state
are right, and what the model notices among all others, at most two a page, by a fit without the project; beside it what
forms alone would notice. `--write` makes `sleep/language/data/weights_documents.tsv` of a fit on all.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest import mock

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

import numpy as np  # noqa: E402  # the path has to be there first
from _acts import regression, write  # noqa: E402

from sleep.documents.hand import annotation, insertions, noticed_forms  # noqa: E402
from sleep.evaluation import life  # noqa: E402
from sleep.language.acts.likelihood import piece_features, scorer  # noqa: E402
from sleep.records.kinds import is_record  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sleep.language.acts.likelihood.log_piece import LogPiece

KINDS = ("constraint", "decision", "task", "blocker")  # of the others are too few labels, or forms do as well
_PROJECTS, _TIMES = 4, 8  # that have a feature, and times that it is there, at least
_SIZE, _SQUARE = 2.0, 10.0  # price of the size of a weight, by which features are chosen, and of its square
LEAST = 0.4  # probability that is asked
_HEAD = """\
# What each named feature of a piece of an English document adds to the log-odds that it is a record of a kind: a row a
# feature, a column a kind, nothing in an empty cell. (bias) is what every piece has, (least) the probability from which
# it is noticed. docs/language.md says more. Made by `benchmarks/logs.py --write`.
"""
_NO_LETTER = re.compile(r"[\W_]+")


class Piece(NamedTuple):
    """A piece of a page, its features, whether its form states its kind, and the kinds that its reader gave it."""

    project: str
    page: str
    seen: LogPiece
    names: frozenset[str]
    is_stated: bool
    firm: frozenset[str]
    weak: frozenset[str]


def read(folder: Path) -> Iterator[Piece]:
    """Yield the pieces of all pages."""
    for table in sorted(folder.glob("*.tsv")):
        labels: dict[str, dict[int, tuple[str, str]]] = defaultdict(dict)
        for row in filter(str.strip, table.read_text(encoding="utf-8").splitlines()):
            name, number, kind, firmness = row.split("\t")
            labels[name][int(number)] = (kind.replace("_", " "), firmness)
        for page in sorted((folder / table.stem).glob("*.md")):
            text = page.read_text(encoding="utf-8")
            yield from _labelled(table.stem, page.name, text, labels[page.name])


def _labelled(project: str, page: str, text: str, labels: dict[int, tuple[str, str]]) -> Iterator[Piece]:
    """Yield the pieces of a page; a label is that of the piece with the words of its line, the closest in length."""
    seen = _pieces(text)
    bare = [_NO_LETTER.sub("", piece.text.lower()) for piece, _ in seen]
    rows = text.split("\n")
    given: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for number, label in sorted(labels.items()):
        words = _NO_LETTER.sub("", rows[number - 1].lower()) if number <= len(rows) else ""
        fits = [at for at, own in enumerate(bare) if words and own and (words in own or own in words)]
        if fits:
            fits.sort(key=lambda at: (at in given, abs(len(bare[at]) - len(words))))
            given[fits[0]].append(label)
    for at, (piece, is_stated) in enumerate(seen):
        told = noticed_forms.notice(piece, by_model=False)[0] != "note"
        names = piece_features.find(piece._replace(noticed=told and not is_stated))
        if is_stated and piece.kind != "note":
            names |= {f"states {piece.kind}"}
        kinds = {each: frozenset(kind for kind, sort in given[at] if sort == each) for each in ("firm", "weak")}
        yield Piece(project, page, piece, names, is_stated, kinds["firm"], kinds["weak"])


def _pieces(text: str) -> list[tuple[LogPiece, bool]]:
    """Return the pieces of a page as marking sees them, and whether their form states a kind."""
    seen: list[tuple[LogPiece, bool]] = []
    formal = annotation._Marker._is_formal  # noqa: SLF001  # where marking knows all of a piece

    def ask(marker: Any, piece: Any, kind: str) -> bool:  # noqa: ANN401
        is_formal = formal(marker, piece, kind)
        seen.append((marker._log_piece(piece, kind), is_formal))  # noqa: SLF001
        return is_formal

    nothing = mock.patch.object(scorer, "guess_piece", return_value=None)
    with mock.patch.object(annotation._Marker, "_is_formal", ask), nothing:  # noqa: SLF001
        life.lived([text])
    return seen


def fit(pieces: Sequence[Piece]) -> list[tuple[str, str, float]]:
    """Return the rows (kind, feature, weight) of a model: sizes are fitted first, then the squares of what is left."""
    times: Counter[str] = Counter(name for piece in pieces for name in piece.names)
    projects: dict[str, set[str]] = defaultdict(set)
    for piece in pieces:
        for name in piece.names:
            projects[name].add(piece.project)
    names = sorted(name for name in times if times[name] >= _TIMES and len(projects[name]) >= _PROJECTS)
    place = {name: at for at, name in enumerate(names)}
    values = np.zeros((len(pieces), len(names) + 1), np.float32)
    values[:, -1] = 1
    for row, piece in enumerate(pieces):
        values[row, [place[name] for name in piece.names if name in place]] = 1
    rows: list[tuple[str, str, float]] = []
    for kind in KINDS:
        marks = np.array([kind in piece.firm for piece in pieces])
        costs = np.array([float(kind not in piece.weak) for piece in pieces], np.float32)
        first = regression(values, marks, costs, _SIZE, np.zeros(len(names) + 1, np.float32), few=True)
        left = [*np.flatnonzero(np.abs(first[:-1]) > 1e-6), len(names)]
        own = regression(values[:, left], marks, costs, _SQUARE, np.zeros(len(left), np.float32), few=False)
        rows += [(kind, names[at], float(weight)) for at, weight in zip(left[:-1], own[:-1], strict=True)]
        rows += [(kind, scorer.BIAS, float(own[-1])), (kind, scorer.LEAST, LEAST)]
    return rows


def notice(pieces: Sequence[Piece], model: scorer.Model | None) -> list[tuple[Piece, str]]:
    """Return what is noticed in pieces that state nothing, of the kinds of a model: of each page the likeliest few.

    Without a model forms notice, and all that they do.
    """
    by_page: dict[tuple[str, str], list[tuple[float, int, str]]] = defaultdict(list)
    with mock.patch.object(scorer, "model", return_value=model):
        for at, piece in enumerate(pieces):
            if not piece.is_stated:
                kind, rank = noticed_forms.notice(piece.seen, by_model=model is not None)
                by_page[piece.project, piece.page] += [(-rank, at, kind)] if is_record(kind) else []
    most = insertions.MOST_NOTICED if model else None
    return [(pieces[at], kind) for found in by_page.values() for _, at, kind in sorted(found)[:most] if kind in KINDS]


def line(name: str, found: Sequence[tuple[Piece, str]], pieces: Sequence[Piece]) -> str:
    """Return a row of the table: how many are found, right, weak, and of another kind, and of what labels there are."""
    right = sum(kind in piece.firm for piece, kind in found)
    weak = sum(kind in piece.weak for piece, kind in found)
    other = sum(bool(piece.firm | piece.weak) and kind not in piece.firm | piece.weak for piece, kind in found)
    kinds = {kind for _, kind in found}
    labels = sum(len(piece.firm & kinds) for piece in pieces)
    count = max(1, len(found))
    return f"{name:34}{len(found):6}{right / count:8.2f}{weak / count:7.2f}{other / count:12.2f}{labels:9}"


def main() -> int:
    """Print what is right of what forms state, of what they notice, and of what the model notices."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true", help="make the weights that are in use of a fit on all")
    asked = parser.parse_args()
    pieces = list(read(asked.folder))
    projects = sorted({piece.project for piece in pieces})
    print(f"{len(projects)} projects, {len({(p.project, p.page) for p in pieces})} pages, {len(pieces)} pieces")
    print(f"{'':34}{'found':>6}{'right':>8}{'weak':>7}{'other kind':>12}{'labels':>9}")
    for kind in (*KINDS, "question", "dead end"):
        own = [(piece, kind) for piece in pieces if piece.is_stated and piece.seen.kind == kind]
        print(line(f"stated: {kind}", own, pieces))
    print(line("noticed by forms", notice(pieces, None), pieces))
    found: list[tuple[Piece, str]] = []
    for project in projects:
        model = scorer.of(fit([piece for piece in pieces if piece.project != project]))
        found += notice([piece for piece in pieces if piece.project == project], model)
    print(line("noticed by the model", found, pieces))
    for kind in KINDS:
        print(line(f"  {kind}", [each for each in found if each[1] == kind], pieces))
    if asked.write:
        weights: dict[str, list[float]] = defaultdict(lambda: [0.0] * len(KINDS))
        for kind, name, weight in fit(pieces):
            weights[name][KINDS.index(kind)] = weight
        first = {name: weights.pop(name) for name in (scorer.LEAST, scorer.BIAS)}
        write(Path(scorer.DOCUMENTS), _HEAD, KINDS, {**first, **dict(sorted(weights.items()))})
    return 0


if __name__ == "__main__":
    sys.exit(main())
