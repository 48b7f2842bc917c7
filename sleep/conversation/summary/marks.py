"""Marks: words that hint at a constraint, a decision, a question, a to-do or an error, each with its weight.

Owns finding them in millions of characters: a text is made plain once, by a table, and its lines are asked in one step
whether any of their words is a mark; only those in which one is are looked at. The words are the sections `marks.*` of
`lexicon`. Refuses to understand: a mark says that its sentence is looked at, and what it is worth at the most.
"""

from __future__ import annotations

import functools

from sleep.language import lexicon
from sleep.language.acts.forms import Phrase
from sleep.tuples import NamedTuple

CONSTRAINT, DECISION, QUESTION, TODO, ERROR, FACT = "constraint", "decision", "question", "todo", "error", "fact"
# What a word tells by its section, 1 to 4; where a word stands in two, the first holds.
_WEIGHTS = {
    "constraint.strong": 3,
    "constraint.fair": 2.2,
    "constraint.slight": 1.4,
    "decision.firm": 3,
    "decision.strong": 3,
    "decision.fair": 2,
    "decision.slight": 1.2,
    "question.strong": 2.2,
    "question.fair": 1.5,
    "todo.strong": 3,
    "todo.fair": 1.5,
    "error.strong": 2.2,
    "error.fair": 1.4,
}
# Of other languages, looked for only in text that is not ASCII: the phrases of the grammar, and words of their own.
_ELSEWHERE = {CONSTRAINT: 3, DECISION: 3, QUESTION: 2, TODO: 2, ERROR: 2}
_FORMS = {CONSTRAINT: "constraint", DECISION: "decision", QUESTION: "question", TODO: "task"}
_LABELLED = 4  # the weight of a label; of a fact's one less


class Mark(NamedTuple):
    """What a word tells: the kind of its sentence, and how strongly, 1 to 4."""

    kind: str
    weight: float


_SIGNS = "\n'_"  # that stay; others are spaces
_PLAIN = bytes(
    ord(sign.lower()) if sign.isascii() and (sign.isalnum() or sign in _SIGNS) else 32 for sign in map(chr, range(256))
)
# The least that a word must tell for an agent's sentence to be looked at; of a person every sentence is.
_CLEAR = {CONSTRAINT: 2.0, DECISION: 1.5, QUESTION: 2.0, TODO: 2.0, ERROR: 1.3, FACT: 9.0}
_STRONG = 2.2


@functools.cache
def labels() -> dict[str, Mark]:
    """Return what labels (`Decision: ...`) tell by their last word."""
    return {
        word: Mark(kind, _LABELLED - (kind == FACT))
        for kind in (DECISION, CONSTRAINT, QUESTION, TODO, ERROR, FACT)
        for word in lexicon.words(f"marks.label.{kind}")
    }


def keywords() -> frozenset[str]:
    """Return the words that tell a fact with a colon behind them: `created: ...`."""
    return lexicon.words("marks.keywords")


@functools.cache
def broken() -> tuple[str, ...]:
    """Return what tells in a tool's output that something went wrong."""
    return lexicon.phrases("marks.broken")


def _rarest(words: list[str]) -> str:
    """Return the word of a phrase that is looked for: the one that texts have least."""
    rank = {word: number for number, word in enumerate(lexicon.by_language("marks.frequent")["en"])}
    return max(words, key=lambda word: rank.get(word, len(rank) + len(word)))


class _Table(NamedTuple):
    """Words that are marks by themselves, and by one word of theirs the phrases, padded with spaces, and stems.

    `heads` are all of these words, `clear` those that tell enough in an agent's speech, `strong` the strongest.
    """

    entries: dict[bytes, tuple[Mark | None, tuple[tuple[bytes, Mark], ...]]]
    heads: frozenset[bytes]
    clear: frozenset[bytes]
    strong: frozenset[bytes]


@functools.cache
def _table() -> _Table:
    words, phrases = _hints()
    best = dict(words)
    for head, own in phrases.items():
        mark = max((mark for _, mark in own), key=lambda mark: mark.weight)
        if head not in best or best[head].weight < mark.weight:
            best[head] = mark
    clear = frozenset(word for word, mark in best.items() if mark.weight >= _CLEAR[mark.kind] or not mark.weight)
    strong = frozenset(word for word, mark in best.items() if mark.weight >= _STRONG)
    entries = {word: (words.get(word), tuple(phrases.get(word, ()))) for word in best}
    return _Table(entries, frozenset(best), clear, strong)


def _hints() -> tuple[dict[bytes, Mark], dict[bytes, list[tuple[bytes, Mark]]]]:
    """Return the words that are marks, and by the word that they are looked for by, the phrases and stems."""
    words: dict[bytes, Mark] = {}
    phrases: dict[bytes, list[tuple[bytes, Mark]]] = {}
    endings = ["", *lexicon.phrases("marks.endings")]
    for section, weight in _WEIGHTS.items():
        mark = Mark(section.partition(".")[0], weight)
        for entry in lexicon.phrases(f"marks.{section}"):
            stem, is_open, _ = " ".join(entry.replace("-", " ").split()).partition("*")
            if " " in stem:
                head = max(stem.split()[:-1], key=len) if is_open else _rarest(stem.split())
                padded = f" {stem}" if is_open else f" {stem} "
                phrases.setdefault(head.encode(), []).append((padded.encode(), mark))
                continue
            for ending in endings if is_open else [""]:
                words.setdefault(f"{stem}{ending}".encode(), mark)
    for keyword in sorted(keywords()):
        words.setdefault(keyword.encode(), Mark(FACT, 0.0))  # counts with its colon: see `facts`
    return words, phrases


def plain(text: str) -> bytes:
    """Return a text as it is compared: one byte a character, in lower case, signs as spaces, lines kept."""
    if not text.isascii():
        text = text.replace("’", "'")
    return text.encode("ascii", "replace").translate(_PLAIN)


def marked(lines: list[bytes], *, strongly: bool = False, longest: int = 1 << 30) -> list[int]:
    """Return the indexes of the plain lines in which a word stands that may be a mark, in an agent's speech.

    Those that are longer than `longest` are returned unasked: who cuts them into sentences asks these.
    """
    clean = (_table().strong if strongly else _table().clear).isdisjoint
    return [index for index, line in enumerate(lines) if len(line) > longest or not clean(line.split())]


def clear() -> frozenset[bytes]:
    """Return the words that may be marks in an agent's speech."""
    return _table().clear


def marks(line: bytes, words: list[bytes]) -> list[Mark]:
    """Return the marks of a plain line of these words."""
    entries, heads, _, _ = _table()
    hints = []
    padded = b""
    for word in sorted(heads.intersection(words)):  # a set has another order in each process
        mark, phrases = entries[word]
        if mark is not None:
            hints.append(mark)
        if phrases:
            padded = padded or b" %b " % line
            for phrase, mark in phrases:
                if phrase in padded:
                    hints.append(mark)
    return hints


@functools.cache
def _others() -> list[tuple[Phrase, Mark]]:
    """Return what finds the marks of other languages, by kind."""
    languages = lexicon.LANGUAGES[1:]
    patterns = []
    for kind, weight in _ELSEWHERE.items():
        forms = lexicon.rows(f"phrases.{_FORMS[kind]}", *languages) if kind in _FORMS else ()
        words = (*lexicon.phrases(f"marks.{kind}", *languages), *forms)
        patterns.append((Phrase("|".join(words)), Mark(kind, weight)))
    return patterns


@functools.cache
def _any_other() -> Phrase:
    """Return what finds any of these marks: most texts that are not ASCII are English with a dash."""
    return Phrase("|".join(pattern.source for pattern, _ in _others()))


def others(text: str) -> list[Mark]:
    """Return the marks of other languages in a text that is not ASCII."""
    lower = text.lower()
    return [mark for pattern, mark in _others() if pattern.search(lower)] if _any_other().search(lower) else []
