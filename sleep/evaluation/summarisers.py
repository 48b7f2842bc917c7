"""The summarisers of sumy as baselines: LexRank, TextRank, LSA, Luhn, SumBasic.

Owns the only door to sumy, which is an extra (`bench`) and need not be there. Long histories are ranked in blocks
first, since the graph of LexRank and TextRank grows with the square of the lines.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import re
import warnings
from typing import TYPE_CHECKING, Any

from sleep import extra_install
from sleep.evaluation.baselines import Baseline
from sleep.evaluation.measures import words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sleep.evaluation.baselines import Features, Line, Ranked

_NAMED = {
    "lexrank": "lex_rank:LexRankSummarizer",
    "textrank": "text_rank:TextRankSummarizer",
    "lsa": "lsa:LsaSummarizer",
    "luhn": "luhn:LuhnSummarizer",
    "sumbasic": "sum_basic:SumBasicSummarizer",
}
NAMES = tuple(_NAMED)
_BLOCK = 250  # lines that are ranked at once
_WORD = re.compile(r"[^\W_]+")


def missing() -> str:
    """Return what is said where sumy is not installed."""
    names = "LexRank, TextRank, LSA, Luhn and SumBasic"
    return f"sumy is not installed, so {names} are left out: {extra_install.command('bench')}"


def available() -> bool:
    """Return whether sumy and numpy are installed."""
    return all(importlib.util.find_spec(name) for name in ("sumy", "numpy"))


def baselines() -> list[Baseline]:
    """Return the summarisers as baselines; none when sumy is not there."""
    return [Baseline(name, functools.partial(_rank, name)) for name in _NAMED] if available() else []


def _rank(name: str, lines: Sequence[Line], _features: Features) -> Ranked:
    """Rank block by block; the upper half of each goes on to the next round, until one block holds what is left."""
    ranked: Ranked = []  # from the last on
    left = [index for index, line in enumerate(lines) if words.distinct(line.text)]
    while True:
        blocks = [left[start : start + _BLOCK] for start in range(0, len(left), _BLOCK)]
        orders = [_order(name, tuple(lines[index].text for index in block)) for block in blocks]
        by_block = [[block[index] for index in order] for block, order in zip(blocks, orders, strict=True)]
        if len(blocks) <= 1:
            return [*(by_block[0] if by_block else []), *reversed(ranked)]
        going = [order[: (len(order) + 1) // 2] for order in by_block]
        rest = [order[len(chosen) :] for order, chosen in zip(by_block, going, strict=True)]
        ranked += reversed(list(_in_turn(rest)))
        left = sorted(index for chosen in going for index in chosen)


def _in_turn(orders: Iterable[Sequence[int]]) -> Iterable[int]:
    """Yield the best of every block, then the second best of every block, and so on."""
    known = list(orders)
    for place in range(max(map(len, known), default=0)):
        yield from (order[place] for order in known if place < len(order))


@functools.lru_cache(maxsize=4_096)
def _order(name: str, texts: tuple[str, ...]) -> tuple[int, ...]:
    """Return the lines of one block, best first. A history that grows has the same first blocks, which are kept."""
    from sumy.models import dom  # late: an extra  # noqa: PLC0415

    splitter = _Words()
    sentences = [dom.Sentence(" ".join(text.split()), splitter) for text in texts]
    document = dom.ObjectDocumentModel([dom.Paragraph(sentences)])
    ranked: list[int] = []

    def all_of(infos: Sequence[Any]) -> Sequence[Any]:
        # sumy asks how many of the rated sentences to take; this takes all, and keeps their order.
        ranked.extend(info.order for info in infos)
        return infos

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # LSA warns of blocks with few words, which does not matter to a ranking
        _summariser(name)(document, all_of)
    return tuple(ranked) or tuple(range(len(texts)))


@functools.cache
def _summariser(name: str) -> Callable[[Any, Any], object]:
    from sumy.nlp.stemmers import Stemmer  # late: an extra  # noqa: PLC0415

    module, _, kind = _NAMED[name].partition(":")
    made = getattr(importlib.import_module(f"sumy.summarizers.{module}"), kind)(Stemmer("english"))
    if hasattr(made, "stop_words"):
        made.stop_words = words.STOP
    stem: Callable[[Any, Any], object] = made
    return stem


class _Words:
    """A tokenizer for sumy that needs no downloaded models."""

    def to_sentences(self, text: str) -> tuple[str, ...]:
        return (text,)

    def to_words(self, text: str) -> tuple[str, ...]:
        return tuple(_WORD.findall(text.lower()))
