"""Quality: how much a line of a journal tells whoever comes next, judged by its form and by the journals around it.

Owns the features of a line and their weights. A feature is a property of any journal (length, place, age, how many
instances speak of its words, whether it is a path, a log line, a row of figures), never of a subject. Refuses to choose
among lines: that is `selection`. Pure.

The weights are the sum of two: what a hand had set from checklists of four projects, and what a regression on the
checklists of twelve found (`benchmarks/lines.py`, ADR 101); that of a record comes from labels of single lines (ADR
116). Where there is room for more, the hand's alone are used.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import lru_cache
from math import fsum, log
from typing import TYPE_CHECKING

from sleep.language import lexicon, tokenizer
from sleep.language.acts.states import JOINT
from sleep.language.stems import light
from sleep.memo import memo
from sleep.records import classification, kinds
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

_DIGIT = re.compile(r"\d+")
_NAME = re.compile(
    r"(?<=[\w,;] )[A-Z][A-Za-z]+"
)  # takes the second word of `the Ledger`, leaves the first of a sentence
_BARE = re.compile(r"[`'\"]?(?:\S*[/\\]\S*|\S+\.\w{1,5}|\S*)[`'\"]?")  # takes `src/a.py`, leaves `src/a.py is new`
_ID = re.compile(r"(?:[\w ]{2,20}: )?`?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`?")  # takes `Session: ` and its id
_LOG = re.compile(r"\[?\d{1,2}:\d\d|\d{4}-\d\d-\d\d[T ]\d\d|\[(?:check|ok|info|x)\]", re.IGNORECASE)  # `08:21 ok`
_LABEL = re.compile(r"[^:：]{2,40}[:：] ?\S")  # takes `host: a.example`
_SHORT, _LONG = 25, 160  # characters below which a line tells little, and from which on more do not tell more
_OPENING = 12  # lines, in which a journal says what it is about
NO_OPENING = 99  # a place behind them, of what stands in no journal
_MANY = 3.0  # instances that repeat a line word for word, from which on it is boilerplate
_NAMES, _CUES = 4.0, 2.0  # names and cues of a line, from which on more do not tell more
_CONTRASTS, _STATES = 3.0, 2.0  # the same of words that set apart, and of words that say what is
_HEADINGS = ("routine", "chores", "weighty")  # words of headings below which stands what was run, was done, holds
_ASKED = 3.0  # what a word of a task is worth at a glance, beside one that binds or gives a reason
_POWER = 2  # of the rank of a line
LENGTH_POWER = 0.3  # of a line's length, that its worth is divided by where lines compete for room
# Takes `Ada` of `Ada wants`, `Ada's directive` and `Ada also approved`.
_ASKS = re.compile(r"\b([^\W\d_a-z][^\W\d_]{2,})(?:['’]s)?(?: \w+ly| also| has| had)? ([^\W\d_]+)")
_ASKED_TIMES = 3  # lines in which somebody asks for something, at the least,
_ASKED_SHARE = 0.1  # and of all lines with the name, by which it is known for that of a person
_DIGITS = "0123456789"
# What a feature weighs, and what it weighs where there is room for more than what is said again and again: what holds,
# and below which heading, tells more then.
_WEIGHTS = {
    "length": (1.66, 0.9),
    "short": (-1.51, -0.5),
    "rare": (-4.72, -1.0),
    "bare": (-1.94, -1.0),
    "new": (2.8, 1.0),
    "topic": (-1.92, 0.9),
    "repeated": (-0.8, -0.8),
    "person": (0.72, 0.45),
    "asker": (0.88, 0.6),
    "names": (0.96, 0.35),
    "figures": (-0.14, -0.4),
    "routine": (-0.27, 0.0),
    "heading": (-1.91, -0.6),
    "cue": (0.85, 0.35),
    "log": (-0.6, -0.6),
    "label": (0.06, 0.1),
    "done": (-1.71, -0.1),
    "binds": (1.13, 0.35),
    "place": (0.13, 0.1),
    "row": (-0.42, -0.3),
    "opening": (0.53, 0.2),
    "chores": (-0.68, -0.6),
    "weighty": (0.29, 0.3),
    "contrast": (0.2, 0.6),
    "states": (0.32, 0.6),
    "record": (0.6, 0.0),
}
WEIGHTS, ROOMY = ({name: weights[at] for name, weights in _WEIGHTS.items()} for at in range(2))


class SourceLine(NamedTuple):
    """A line: its words, the instance (by age: 0 is the oldest), its heading, and where it stands there.

    `form` is `item`, `heading`, `row` (of a table), `done` (an item that is ticked) or "". `mark` is what a picture in
    front says, `done` or `open`, or `prompt` of what a person said in a session, else "". `kind` is that of the record
    it states, or of its entry, "" for none. `about` is the lead of the list it stands in, else the heading.
    """

    text: str
    instance: int
    heading: str = ""
    place: int = 0
    form: str = ""
    mark: str = ""
    kind: str = ""
    about: str = ""


class Quality(NamedTuple):
    """A line's terms, its score (0 to 1, by rank), and whether it tells only of its own time, and names who asks."""

    terms: frozenset[str]
    score: float
    is_volatile: bool
    names_asker: bool = False


class Qualities(NamedTuple):
    """The quality of each line, and by term what it is worth that few lines have it."""

    lines: tuple[Quality, ...]
    rarity: dict[str, float]


class _Words(NamedTuple):
    """The tokens of a text, in lower case, and its terms."""

    tokens: frozenset[str]
    terms: frozenset[str]


def terms(text: str) -> frozenset[str]:
    """Return the words of a text that say something, stemmed; of scripts without spaces, pairs of characters."""
    return _words(text).terms


def tokens(text: str) -> frozenset[str]:
    """Return the words of a text as they are written, in lower case."""
    return _words(text).tokens


@memo(1 << 14, _Words._make)  # a line is asked for its words several times
def _words(text: str) -> _Words:
    tokens: set[str] = set()
    stems: set[str] = set()
    for token in tokenizer.tokenize(text.lower()):
        known = _read(token)
        tokens.update(known.tokens)
        stems.update(known.terms)
    return _Words(frozenset(tokens), frozenset(stems))


def says(text: str, other: str) -> bool:
    """Return whether a text says what another one does: all its terms, each figure, and denied where it is."""
    own, there = _words(other), _words(text)
    if not own.terms or not own.terms <= there.terms:
        return False
    denies = lexicon.all_words("state.denies")
    return not any(map(_DIGIT.search, own.tokens - there.tokens)) and own.tokens & denies == there.tokens & denies


@lru_cache(maxsize=1 << 15)  # most tokens come again
def _read(token: str) -> _Words:
    """Return the parts of a token, and its terms."""
    parts = frozenset(filter(None, JOINT.split(token)))
    stems: set[str] = set()
    for part in parts:
        if tokenizer.has_wide(part[0]):
            stems.update(tokenizer.pairs(part))
        elif len(part) > 1 and part not in lexicon.words("stop"):
            stems.add(light(part))
    return _Words(parts, frozenset(stems))


@lru_cache(maxsize=1 << 3)
def _runs(section: str) -> re.Pattern[str]:
    """Return what finds the words of a section in a script without spaces."""
    words = filter(tokenizer.has_wide, lexicon.all_words(section))
    return re.compile("|".join(sorted(map(re.escape, words), key=len, reverse=True)) or "(?!)")


def _count(section: str, text: str, tokens: frozenset[str]) -> int:
    """Return how many words of a section a text has; of scripts without spaces at most one is counted."""
    count = len(tokens & lexicon.all_words(section))
    return count or int(not text.isascii() and _runs(section).search(text) is not None)


def glance(line: SourceLine, asked: frozenset[str] = frozenset()) -> float:
    """Return what a line seems to be worth by itself, at a hundredth of the cost; `asked` are words of a task."""
    words = frozenset(line.text.lower().split())
    worth = ROOMY["length"] * min(1.0, len(line.text) / _LONG) + ROOMY.get(line.form, 0.0)
    worth += len(words & _glanced()) + _ASKED * len(words & asked)
    return worth + sum(ROOMY[name] for name in _names_of_heading(line.heading)) if line.heading else worth


@lru_cache(maxsize=1)
def _glanced() -> frozenset[str]:
    return lexicon.all_words("cues", "binds", "people", "contrast")


def judge_lines(lines: Sequence[SourceLine], instances: int, weights: Mapping[str, float] = WEIGHTS) -> Qualities:
    """Return what each line is worth beside the others by `weights`; `instances` is how many there are."""
    words = [_words(line.text) for line in lines]
    count = Counter(term for own in words for term in own.terms)
    rarity = {term: log(len(lines) / number) for term, number in count.items()}
    asked = _asked(lines, words)
    worth = weigh(lines, instances, rarity, weights, asked)
    order = sorted(range(len(lines)), key=lambda index: (worth[index], index))
    rank = {index: (place / len(lines)) ** _POWER for place, index in enumerate(order, 1)}
    qualities = (
        Quality(own.terms, rank[index], _is_volatile(line.text, own.tokens), asked[index])
        for index, (line, own) in enumerate(zip(lines, words, strict=True))
    )
    return Qualities(tuple(qualities), rarity)


def weigh(
    lines: Sequence[SourceLine],
    instances: int,
    rarity: Mapping[str, float],
    weights: Mapping[str, float],
    asked: Sequence[bool],
) -> list[float]:
    """Return the sum of the weights of each line.

    Args:
        lines: the lines.
        instances: how many there are.
        rarity: what the terms are worth that few lines have.
        weights: what each feature is worth.
        asked: for each line whether it names who asks for work.
    """
    words = [_words(line.text) for line in lines]
    shapes = [shape(line.text) for line in lines]
    spread = _spread(lines, words, instances)
    repeats = _repeats(lines, shapes)
    most = log(max(2, len(lines)))
    return [
        _worth_of_words(line.text, own.terms, _mean(own.terms, rarity) / most, spread, weights)
        + (weights["asker"] if names_asker else 0.0)
        + _worth_of_place(line, instances, repeats.get(key, 0), weights)
        for line, own, key, names_asker in zip(lines, words, shapes, asked, strict=True)
    ]


def _asked(lines: Sequence[SourceLine], words: Sequence[_Words]) -> list[bool]:
    """Return for each line whether it names who asks for work: the user, the owner, or somebody by name."""
    names = names_of_askers([(line.text, own.tokens) for line, own in zip(lines, words, strict=True)])
    return [
        _count("people.askers", line.text, own.tokens) > 0 or not names.isdisjoint(own.tokens)
        for line, own in zip(lines, words, strict=True)
    ]


def names_of_askers(lines: Sequence[tuple[str, frozenset[str]]]) -> frozenset[str]:
    """Return the names of who wants, approves and corrects, in small letters.

    Of each line its text and its words are given. A name that seldom does so beside all else is a program's.
    """
    verbs, others = lexicon.all_words("people.wishes"), lexicon.all_words("stop", "people.askers")
    asks: Counter[str] = Counter()
    for text, words in lines:
        if not verbs.isdisjoint(words):
            asks.update({name.lower() for name, _ in deeds_of_names(text, verbs)})
    often = {name: count for name, count in asks.items() if count >= _ASKED_TIMES and name not in others}
    mentions = {name: sum(name in words for _, words in lines) for name in often}
    return frozenset(name for name, count in often.items() if count >= mentions[name] * _ASKED_SHARE)


def deeds_of_names(text: str, verbs: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield each name that does something, with the verb in small letters: `Ada`, `wants` of `Ada also wants tests`."""
    return ((match[1], verb) for match in _ASKS.finditer(text) if (verb := match[2].lower()) in verbs)


def _mean(terms: frozenset[str], worths: Mapping[str, float]) -> float:
    return fsum(map(worths.__getitem__, terms)) / max(1, len(terms))  # a sum must not hang on how a set is hashed


def binds(text: str) -> bool:
    """Return whether a line says what always holds."""
    return bool(_count("binds", text, _words(text).tokens))


@lru_cache(maxsize=1 << 12)
def is_lasting(heading: str) -> bool:
    """Return whether what stands below a heading was learnt, chosen or laid down, and is no report of a state."""
    return bool(_count("state.lasting", heading, _words(heading).tokens))


@lru_cache(maxsize=1 << 12)
def is_list_of_open(heading: str) -> bool:
    """Return whether a heading leads to what is open: `Open items`, not `Tasks completed`."""
    own, kind = _words(heading).tokens, classification.heading_kind(heading)
    is_list = kind in kinds.OPEN or bool(_count("state.lists", heading, own))
    return is_list and kind not in kinds.DONE and not _count("state.done", heading, own)


def _is_volatile(text: str, tokens: frozenset[str]) -> bool:
    """Return whether a line tells what is so now, and not what binds."""
    return not _count("binds", text, tokens) and bool(_count("volatile", text, tokens))


def _spread(lines: Sequence[SourceLine], words: Sequence[_Words], instances: int) -> dict[str, float]:
    """Return for each term in how many instances it was said: 0 to 1, on the scale of a logarithm."""
    instances_of: defaultdict[str, set[int]] = defaultdict(set)
    for line, own in zip(lines, words, strict=True):
        for term in own.terms:
            instances_of[term].add(line.instance)
    most = log(1 + max(1, instances))
    return {term: log(1 + len(own)) / most for term, own in instances_of.items()}


@lru_cache(maxsize=1 << 14)
def shape(text: str) -> str:
    """Return a text that others differ from only by figures and case."""
    return _DIGIT.sub("#", text.lower())


def _repeats(lines: Sequence[SourceLine], shapes: Sequence[str]) -> dict[str, int]:
    """Return by shape in how many instances besides its own a line stands; lines of one instance left out."""
    instances: dict[str, set[int]] = {}
    for line, key in zip(lines, shapes, strict=True):
        instances.setdefault(key, set()).add(line.instance)
    return {key: len(own) - 1 for key, own in instances.items() if len(own) > 1}


def _worth_of_place(line: SourceLine, instances: int, repeats: int, weights: Mapping[str, float]) -> float:
    """Return what a line is worth by where it stands, and by whether it states a record."""
    worth = weights["new"] * (line.instance + 1) / max(1, instances)
    worth += weights["repeated"] * min(1.0, repeats / _MANY)
    if line.place < _OPENING:
        worth += weights["opening"]
    if kinds.is_record(line.kind):
        worth += weights["record"]
    if line.heading:
        worth += sum(weights[name] for name in _names_of_heading(line.heading))
    return worth + weights.get(line.form, 0.0)


@lru_cache(maxsize=1 << 12)
def _names_of_heading(heading: str) -> tuple[str, ...]:
    """Return by which weights a line is judged for its heading."""
    tokens = _words(heading).tokens
    return tuple(name for name in _HEADINGS if _count(name, heading, tokens))


# What the form of a text tells, before it is weighed, in the order of the sum.
_FEATURES = (
    *("length", "short", "bare", "person", "names", "figures", "cue", "contrast", "states"),
    *("binds", "log", "label", "place"),
)


@memo(1 << 14, tuple)
def _features(text: str) -> tuple[float, ...]:
    """Return what the form of a text tells: of each feature a share of 1."""
    own = _words(text).tokens
    is_ascii = text.isascii()
    digits = sum(map(text.count, _DIGITS)) if is_ascii else sum(map(str.isdigit, text))
    size = len(text) + tokenizer.count_broad(text)
    shares = {
        "length": min(1.0, size / _LONG),
        "short": float(size < _SHORT),
        "bare": float((_BARE.fullmatch(text) or _ID.fullmatch(text)) is not None),
        "person": float(_count("people", text, own) > 0),
        "names": min(1.0, (len(_NAME.findall(text)) + text.count("`") // 2) / _NAMES),
        "figures": min(1.0, 4 * digits / max(1, len(text))),
        "cue": min(1.0, len(own & lexicon.words("cues")) / _CUES),
        "contrast": min(1.0, _count("contrast", text, own) / _CONTRASTS),
        "states": min(1.0, _count("states", text, own) / _STATES),
        "binds": float(_count("binds", text, own) > 0),
        "log": float(_LOG.match(text) is not None),
        "label": float(_LABEL.match(text) is not None),
        "place": float("http" in text or "@" in text),
    }
    return tuple(shares[name] for name in _FEATURES)


def _worth_of_words(
    text: str, own_terms: frozenset[str], rare: float, spread: dict[str, float], weights: Mapping[str, float]
) -> float:
    """Return what a line is worth by its words; `rare` is the mean rarity of its terms, from 0 to 1."""
    length, *features = _features(text)
    worth: float = weights["length"] * length + weights["rare"] * rare
    worth += weights["topic"] * _mean(own_terms, spread)
    for name, share in zip(_FEATURES[1:], features, strict=True):
        worth += weights[name] * share
    return worth
