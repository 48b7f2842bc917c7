"""The named features of a sentence: what it says by its words, and where it stands.

Owns the words that hint at an act, by language (sections `acts.NAME` of the data files: words and phrases apart by
commas, `*` for any ending, `^` for the beginning of the sentence), the shape of a sentence, its place in the message,
and which of these are looked at together (`data/features.txt`). A feature is there or not. Refuses to weigh them: that
is `scorer`'s.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from sleep.language import lexicon
from sleep.language.acts import grammar

if TYPE_CHECKING:
    from collections.abc import Iterator

    _Phrases = dict[str, tuple[tuple[tuple[str, ...], str], ...]]  # by its first word: the words of each, and the name

_LANGUAGES = ("en", "de", "zh")
_FEATURES = "features"  # the data file of what is of no language


def _sections(prefix: str) -> tuple[str, ...]:
    return tuple(name.removeprefix(prefix) for name in lexicon.names(prefix, *_LANGUAGES))


HEADINGS = _sections("acts.under.")
NAMES = tuple(name for name in _sections("acts.") if not name.startswith("under.") and name != "openers")
SHAPES = {
    name: re.compile(form) for name, _, form in (row.partition(": ") for row in lexicon.rows("shapes", _FEATURES))
}
BEFORE, AFTER = (lexicon.phrases(section, _FEATURES) for section in ("before", "after"))  # of its neighbours
PAIRS = tuple(tuple(pair.split(" & ")) for pair in lexicon.phrases("pairs", _FEATURES))
_LENGTHS = (4, 7, 11, 17, 26, 46)  # words from which a sentence is as long
_SIZES = (3, 7, 16, 41)  # sentences from which a message is as long
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?\*?")  # the star stands in the data files
_HAN = re.compile(r"[\u3400-\u9fff]")
_OPENINGS = 5  # words, at most, of which the last begins what the sentence says
_MOST = 400  # characters of a neighbour that are looked at


class Sentence(NamedTuple):
    """A sentence with what stands around it.

    `text` has quotations blanked. `role` is `person`, `agent` or "". `sort` is `sentence`, `item` or `row` of a table.
    `above` are the headings it stands under, outermost first, `lead` the line that introduces its list or heads its
    table. `before` and `after` are its neighbours, "" for none. `place` of `size` is where in the message it stands,
    from 0; `begins` is true for the first of its paragraph. `states` is the kind that a form gives it. `around` are the
    features that it has by its message (`message_features`).
    """

    text: str
    role: str = ""
    sort: str = "sentence"
    above: tuple[str, ...] = ()
    lead: str = ""
    before: str = ""
    after: str = ""
    place: int = 0
    size: int = 1
    begins: bool = True
    states: str = ""
    around: frozenset[str] = frozenset()


def find(sentence: Sentence) -> frozenset[str]:
    """Return the names of the features of a sentence."""
    own = says(sentence.text)
    own.update(_standing(sentence))
    own.update(_around(sentence))
    if sentence.role == grammar.PERSON:
        own.update([f"person: {name}" for name in own], ("person",))
    return frozenset(own | sentence.around)


def says(text: str) -> set[str]:
    """Return what a text says by its words and its shape, and which of these it says together."""
    own = set(hints(text))
    own.update(f"{first} & {second}" for first, second in PAIRS if first in own and second in own)
    return own


def is_english(text: str) -> bool:
    """Return whether a text is English, as far as its small words tell; Chinese and German are not."""
    if _HAN.search(text):
        return False
    words = _WORD.findall(text.lower())
    english, german = lexicon.words("stop"), lexicon.words("stop", "de")
    return sum(word in german and word not in english for word in words) <= sum(word in english for word in words)


def _standing(sentence: Sentence) -> Iterator[str]:
    words = len(sentence.text.split()) if not _HAN.search(sentence.text) else len(sentence.text) // 2
    yield f"length {sum(words >= least for least in _LENGTHS)}"
    yield f"message {sum(sentence.size >= least for least in _SIZES)}"
    yield f"quarter {1 + min(3, 4 * sentence.place // max(1, sentence.size))}"
    yield f"a {sentence.sort}"
    if sentence.states:
        yield f"states {sentence.states}"
    flags = {
        "first": sentence.place == 0,
        "last": sentence.place == sentence.size - 1,
        "alone": sentence.size == 1,
        "begins": sentence.begins,
        "under a heading": bool(sentence.above),
        "led": bool(sentence.lead),
    }
    yield from (name for name, is_there in flags.items() if is_there)


def _around(sentence: Sentence) -> Iterator[str]:
    if sentence.above:
        yield from (f"under {name}" for name in named(sentence.above[-1]))
        yield from (f"deep under {name}" for title in sentence.above[:-1] for name in named(title))
    yield from (f"led by {name}" for name in named(sentence.lead))
    before, after = hints(sentence.before), hints(sentence.after)
    yield from (f"before: {name}" for name in BEFORE if name in before)
    yield from (f"after: {name}" for name in AFTER if name in after)


@lru_cache(maxsize=1 << 7)  # a sentence is looked at as the neighbour of two
def hints(text: str) -> frozenset[str]:
    """Return what a text says by its words and its shape."""
    text = text[:_MOST]
    shapes = {name for name, form in SHAPES.items() if form.search(text)}
    return frozenset(shapes | _words_of("acts.", NAMES).of(text))


@lru_cache(maxsize=1 << 6)
def named(title: str) -> tuple[str, ...]:
    """Return what a heading, or a line that leads a list, speaks of."""
    return tuple(sorted(_words_of("acts.under.", HEADINGS).of(title[:_MOST]))) if title else ()


class _Hints(NamedTuple):
    """Names by the words that hint at them: whole words, beginnings of words, phrases by their first word, Chinese."""

    words: dict[str, tuple[str, ...]]
    stems: dict[str, tuple[str, ...]]
    phrases: _Phrases
    openings: _Phrases
    signs: tuple[tuple[str, str], ...]

    def of(self, text: str) -> set[str]:
        """Return the names that the words of a text hint at."""
        names: set[str] = set()
        if _HAN.search(text):
            bare = text.lstrip('*_`"“”「『 ，,')
            names.update(
                name for sign, name in self.signs if (bare.startswith(sign[1:]) if sign[0] == "^" else sign in text)
            )
        tokens = _WORD.findall(text.lower().replace("’", "'").replace("*", " "))
        for at, token in enumerate(tokens):
            names.update(self.words.get(token, ()))
            for end in range(3, len(token) + 1):
                names.update(self.stems.get(token[:end], ()))
            for phrase, name in self.phrases.get(token, ()):
                if _goes_on(tokens, at, phrase):
                    names.add(name)
        for at, token in enumerate(tokens[:_OPENINGS]):
            names.update(name for phrase, name in self.openings.get(token, ()) if _goes_on(tokens, at, phrase))
            if token not in _openers():
                break
        return names


@cache
def _openers() -> frozenset[str]:
    """Return the words that only lead to what a sentence says: `ok, so`."""
    return frozenset(lexicon.phrases("acts.openers", *_LANGUAGES))


def _goes_on(tokens: list[str], at: int, phrase: tuple[str, ...]) -> bool:
    last = phrase[-1]
    *run, end = tokens[at : at + len(phrase)]
    if at + len(phrase) > len(tokens) or tuple(run) != phrase[:-1]:
        return False
    return end.startswith(last[:-1]) if last.endswith("*") else end == last


@cache
def _words_of(prefix: str, names: tuple[str, ...]) -> _Hints:
    """Return the hints of the sections with this prefix."""
    words: dict[str, list[str]] = {}
    stems: dict[str, list[str]] = {}
    phrases: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    openings: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    signs: list[tuple[str, str]] = []
    for name in names:
        for entry in lexicon.phrases(f"{prefix}{name}", *_LANGUAGES):
            first, *rest = _WORD.findall(entry.removeprefix("^")) or [entry]
            if _HAN.search(entry):
                signs.append((entry, name))
            elif entry.startswith("^"):
                openings.setdefault(first.rstrip("*"), []).append(((first, *rest), name))
            elif rest:
                phrases.setdefault(first, []).append(((first, *rest), name))
            elif first.endswith("*"):
                stems.setdefault(first[:-1], []).append(name)
            else:
                words.setdefault(first, []).append(name)
    return _Hints(_frozen(words), _frozen(stems), _frozen(phrases), _frozen(openings), tuple(signs))


def _frozen(lists: dict[str, list[Any]]) -> dict[str, tuple[Any, ...]]:
    return {key: tuple(values) for key, values in lists.items()}
