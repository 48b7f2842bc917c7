"""The named features of a piece of a document: an item, a paragraph or a row of labels, with the headings above it.

Owns what is looked at besides what `features` sees of any sentence: the stems of the words, the first one, those of the
label and of the heading above, pictures, how it is written, and what the forms of speech make of it. Refuses to weigh
them: that is `scorer`'s, by `data/weights_documents.tsv`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.language import stems
from sleep.language.acts import first_words, states
from sleep.language.acts.likelihood import features

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sleep.language.acts.likelihood.log_piece import LogPiece

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_PICTURE = re.compile("[✅❌⚠⏳🔴🟢🟡🚫🎯💡🔥⭐📌✓✗☑]")
_FRONT = 80  # characters in which a picture is one of the piece, and not of a part of it
_MOST = 60  # words that are looked at
_SHORT, _STEP, _STEPS = 4, 6, 6  # words of a short piece; of a step of length, and how many of these there are
_LOOK = 300  # characters in which a state is said
_SIGNS = {
    "capitals": re.compile(r"\b[A-Z]{4,}\b"),
    "bold": re.compile(r"\*\*[^*]+\*\*"),
    "all bold": re.compile(r"^\*\*.*\*\*\s*$", re.DOTALL),
    "digit": re.compile(r"\d"),
    "code": re.compile("`"),
    "link": re.compile("https?:"),
    "colon": re.compile(r"[:：]\s*$"),
    "question mark": re.compile(r"[?？]"),
}


def find(piece: LogPiece) -> frozenset[str]:
    """Return the names of the features of a piece."""
    above = [title for title in piece.above if title]
    own = features.says(piece.text)
    own.update(f"under {name}" for name in (features.named(above[-1]) if above else ()))
    own.update(f"deep under {name}" for title in above[-3:-1] for name in features.named(title))
    own.update(_words(piece.text))
    if above:
        own.update(f"heading: {word}" for word in _stems(above[-1]))
    own.update(_form(piece))
    return frozenset(own)


def _words(text: str) -> Iterator[str]:
    bare = first_words.bare(text)
    label = first_words.LABEL.match(bare)
    words = _WORD.findall(first_words.behind_label(bare).lower())[:_MOST]
    yield from (f"word: {word}" for word in map(_stem, words))
    if words:
        yield f"first: {words[0]}"
    yield f"length {min(_STEPS, len(words) // _STEP)}"
    yield "short" if len(words) < _SHORT else "no short one"
    if label:
        yield "labelled"
        yield from (f"label: {word}" for word in _stems(label[1]))


def _form(piece: LogPiece) -> Iterator[str]:
    yield from (f"picture {sign}" for sign in _PICTURE.findall(piece.text[:_FRONT]))
    yield from (f"later picture {sign}" for sign in _PICTURE.findall(piece.text[_FRONT:]))
    yield from (name for name, sign in _SIGNS.items() if sign.search(piece.text))
    yield from (f"state {name}" for name in states.of(piece.text[:_LOOK]))
    yield "an item" if piece.in_list else "a paragraph"
    yield f"box {piece.box}"
    if piece.introduces:
        yield "introduces"
    if piece.section:
        yield f"section {piece.section}"
    if piece.kind != "note":
        yield f"says {piece.kind}"
    if piece.noticed:
        yield f"forms notice {piece.kind}"


def _stems(title: str) -> Iterator[str]:
    return map(_stem, _WORD.findall(title.lower()))


def _stem(word: str) -> str:
    return stems.light(word.replace("’", "'"))
