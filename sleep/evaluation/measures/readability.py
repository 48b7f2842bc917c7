"""Guards against a memory that scores and cannot be read: rare words strung together, or sentences cut in pieces.

Owns three shares: of stop words (prose has 35 to 50 %, a list of words next to none), of word pairs that stand so in
the source, and of sentences and list items that stand whole in the source. Our own marks are not counted as words.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.evaluation.measures.words import STOP, WORD
from sleep.records import address as addressing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_ANCHOR = re.compile(r"\[[^\]]*D\d+:\d+[^\]]*\]")
_ITEM = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)]|#{1,6}|>|\|)\s+")
_OURS = re.compile(r"^(?:\*\*[DTQ]-\d+\*\* *|[a-z][a-z ]{2,20}: )")  # what a tier writes before a record or its field
_END = re.compile(r"(?<=[.!?])[\"')\]*`]*\s+|(?<=[。！？])")
_SIGNS = re.compile(r"[\W_]+")


class Readability(NamedTuple):
    """Counts: words and stop words, word pairs and those of the source, pieces and those whole in the source."""

    words: int
    stop: int
    pairs: int
    known: int
    pieces: int
    whole: int


def read(memory: str, source: str) -> Readability:
    """Return how a memory reads beside the journals it was made from."""
    memory = addressing.MARK.sub(" ", memory)
    own, there = _words(memory), _words(source)
    in_source = set(itertools.pairwise(there))
    pieces = [piece for piece in _pieces(memory.split("\n")) if _plain(piece)]
    source = addressing.MARK.sub(" ", source)
    whole = {_plain(piece) for piece in (*_pieces(_runs(source)), *_pieces(source.split("\n")))}
    return Readability(
        len(own),
        sum(word.partition("'")[0] in STOP for word in own),
        max(0, len(own) - 1),
        sum(pair in in_source for pair in itertools.pairwise(own)),
        len(pieces),
        sum(_plain(piece) in whole or _plain(_OURS.sub("", piece)) in whole for piece in pieces),
    )


def _words(text: str) -> list[str]:
    return [word.lower() for word in WORD.findall(_ANCHOR.sub(" ", text))]


def _pieces(runs: Iterable[str]) -> Iterator[str]:
    """Yield the sentences of paragraphs and items; headings are no sentences."""
    for run in runs:
        if not run.lstrip().startswith("#"):
            yield from _END.split(_ITEM.sub("", run, count=1))


def _plain(piece: str) -> str:
    """Return the words of a piece alone, folded."""
    return _SIGNS.sub(" ", piece.casefold()).strip()


def _runs(text: str) -> Iterator[str]:
    """Yield paragraphs and items, each on one line: a paragraph of a source may go over several."""
    run = ""
    for line in text.split("\n"):
        if run and (_ITEM.match(line) or not line.strip() or run.lstrip().startswith("#")):
            yield run
            run = ""
        run = f"{run} {line.strip()}".strip()
    if run:
        yield run
