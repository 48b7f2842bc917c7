"""Likeness: which texts say the same in other words, and which say what another said until something changed.

Owns both relations, and finding them among many in linear time: by a text's longest words for the first, by the text
with its measures masked for the second. Refuses to choose what becomes of either. Precision comes before recall: a
merge that was wrong loses something, one that was missed costs a line.

What decides is told by form: figures, names, signs of state, and the words that turn a statement (not, without, from,
failed, pending) have to be the same in the same order. Of other words one text may have a few that the other lacks,
but not each some of its own: `enabled` for `disabled` is never a repetition.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from sleep.language import lexicon
from sleep.language.stems import singular
from sleep.language.tokenizer import has_wide, surface
from sleep.memo import memo
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LACKS = 5  # one in so many terms of a text may be missing in one that repeats it
_LEAST = 4  # terms that two texts have in common at least
_EDGE = ".:'’-–/&\\~_"
_FIGURE = re.compile(r"[~≈+$€£¥<>-]{0,2}\d[\d.,]*(?:[a-zµ%°★+]{0,3}|/\d+)", re.IGNORECASE)
_VERSION = re.compile(r"v?\d+(?:\.\d+){1,3}", re.IGNORECASE)
_BARE = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_HUMP = re.compile(r"[a-z][A-Z]")
_SILENT = "!！。:："  # signs that tell nothing


class _Sense(NamedTuple):
    """What a text says: what has to be the same, in order; its other words; and it with its measures masked.

    `masked` is "" for a text of which nothing can be told anew; `rare` are the words that lead to it (`leads`).
    """

    exact: tuple[str, ...]
    plain: frozenset[str]
    masked: str
    rare: tuple[str, ...]


def _made(plain: tuple[tuple[str, ...], tuple[str, ...], str, tuple[str, ...]]) -> _Sense:
    exact, words, masked, rare = plain
    return _Sense(exact, frozenset(words), masked, rare)


def _strip(sense: _Sense) -> tuple[object, ...]:
    return sense.exact, tuple(sense.plain), sense.masked, sense.rare


@memo(1 << 11, _made, _strip)
def _sense(text: str) -> _Sense:
    exact: list[str] = []
    plain: list[str] = []
    masked: list[str] = []
    measures = 0
    before = ""
    for token in _tokens(text):
        known = _known(token)
        if known is None:
            continue
        if known.singular:
            plain.append(known.singular)
        else:
            exact.append(known.folded)
        is_measure = known.is_figure and bool(masked) and before not in lexicon.words("ordinal")
        measures += is_measure
        masked.append("\0" if is_measure else known.folded)
        before = known.folded
    is_anew = len(set(masked) - {"\0"} - lexicon.words("turns")) >= _LEAST and measures
    words = frozenset(plain)
    rare = sorted(words.union(exact), key=_rank)[: (len(set(exact)) + len(words)) // _LACKS + 1]
    return _Sense(tuple(exact), words, " ".join(masked) if is_anew else "", tuple(rare))


def _tokens(text: str) -> Iterator[str]:
    """Yield runs as they are written, of a script without spaces each character."""
    is_wide = has_wide(text)
    for token in surface().findall(text):
        if is_wide and has_wide(token[0]):
            yield from token
        elif token not in _SILENT:
            yield token


class _Token(NamedTuple):
    """What is known of a token by itself: folded, in the singular if it is a plain word ("" else), whether a figure."""

    folded: str
    singular: str
    is_figure: bool


@lru_cache(maxsize=1 << 14)  # most tokens come again
def _known(token: str) -> _Token | None:
    bare = token.strip(_EDGE) if len(token) > 1 else token
    folded = bare.casefold()
    if not bare or folded in lexicon.words("silent"):
        return None
    word = _BARE.fullmatch(bare) is not None
    formed = not word or len(bare) < 3 or bare.isupper() or bool(_HUMP.search(bare))  # noqa: PLR2004
    exact = formed or folded in lexicon.words("turns") or folded.endswith(("n't", "n’t"))
    return _Token(
        folded,
        "" if exact else singular(folded),
        not word and bool(_FIGURE.fullmatch(bare) or _VERSION.fullmatch(bare)),
    )


def fixed(text: str) -> tuple[str, ...]:
    """Return what a text and one that repeats it have the same, in order: figures, names, words that turn it."""
    return _sense(text).exact


def repeats(text: str, other: str) -> bool:
    """True if a text says nearly what another says, and no word that the other has not."""
    sense, whole = _sense(text), _sense(other)
    if sense.exact != whole.exact or not sense.plain <= whole.plain:
        return False
    common = len(set(sense.exact)) + len(sense.plain)
    return common >= _LEAST and (len(whole.plain) - len(sense.plain)) * _LACKS <= len(set(whole.exact)) + len(
        whole.plain
    )


def masked(text: str) -> str:
    """Return a text with its measures masked: what another tells anew has the same. "" where nothing can be."""
    return _sense(text).masked


def tells_anew(text: str, other: str) -> bool:
    """True if a text says what another says, word for word, with other measures: figures or versions."""
    masked = _sense(text).masked
    return bool(masked) and masked == _sense(other).masked and _sense(text).exact != _sense(other).exact


def leads(text: str) -> tuple[tuple[tuple[str, ...], str], ...]:
    """Return what leads to a text from one that repeats it, or that it repeats: both have one of these.

    Where one repeats another, the first of its words, in an order that is the same for all texts, is among the first of
    the other, of which it lacks only so many. Long words come first, for they are rare.
    """
    sense = _sense(text)
    return tuple([(sense.exact, term) for term in sense.rare])


def _rank(term: str) -> tuple[int, str]:
    return -len(term), term


def single(texts: Sequence[str]) -> dict[int, str]:
    """Return by index each text with its measures masked, where something can be told anew and no other has the same.

    Two of a kind in one place (`Port of A: 1`, `Port of B: 2` cut alike; a table's rows) are a list, not a change.
    """
    all_masked = list(map(masked, texts))
    counts = Counter(all_masked)
    return {index: own for index, own in enumerate(all_masked) if own and counts[own] == 1}
