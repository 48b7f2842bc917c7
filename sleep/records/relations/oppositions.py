"""Oppositions: whether a newer record says something else of the subject of an older one, and how plainly.

Owns the relation between two texts, by form alone. What is said in so many words (`instead of X`, `no longer`, `from X
to Y`, `X is dropped`) has to name what the older one says, and its subject. What is not said has to be one sentence
but for what stands in one place, where only one thing can stand: behind a verb that takes (`use X as the store`), or
behind `is`, `as`, `at`, `with` (`errors are returned as X`); a figure; or a denial. Another file, person, scope or
purpose is another subject. Refuses to say which of the two is right: precision comes before recall. Pure.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from sleep.language import lexicon, similarity, tokenizer
from sleep.language.acts.forms import form
from sleep.language.stems import light
from sleep.memo import memo
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

REVERSAL, CONTRARY, VALUE, CHOICE = "said in so many words", "one says no", "another value", "another choice"
_NAME = re.compile(r"`?[\w-]+(?:/[\w.-]+|\.[a-z]{1,4})`?$")  # a file
_FIGURE = re.compile(r"\d[\d.,]*[a-zµ%]{0,3}$")
_LEAST = 2  # words of a subject that two texts have in common
_MOST = 5  # words of what stands in the one place that differs
APART = 2 * _MOST  # words of two subjects that differ in one place alone
_HALF, _FEW = 0.5, 0.25  # of the words of a subject; `leads` goes by the half


class _Words(NamedTuple):
    """The words of a text in their order, folded and without endings, and those of them that belong to its subject."""

    words: tuple[str, ...]
    tells: tuple[bool, ...]
    subject: frozenset[str]


class _Drop(NamedTuple):
    """What a text says holds no more, and its other words."""

    gone: frozenset[str]
    rest: frozenset[str]


class Signs(NamedTuple):
    """What tells without a comparison that two texts are at odds in no way: see `opposition_index`.

    `drops` are what a text says holds no more, each with its other words, `affirmed` its subject without what denies,
    `masked` the text with its measures masked, "" where nothing can be told anew.
    """

    first: str
    denies: bool
    drops: tuple[tuple[frozenset[str], frozenset[str]], ...]
    masked: str
    subject: frozenset[str]
    affirmed: frozenset[str]


def _made(plain: Sequence[Any]) -> Signs:
    first, denies, drops, masked, subject, affirmed = plain
    pairs = tuple((frozenset(gone), frozenset(rest)) for gone, rest in drops)
    return Signs(first, denies, pairs, masked, frozenset(subject), frozenset(affirmed))


def _strip(signs: Signs) -> tuple[object, ...]:
    drops = tuple((tuple(gone), tuple(rest)) for gone, rest in signs.drops)
    return signs.first, signs.denies, drops, signs.masked, tuple(signs.subject), tuple(signs.affirmed)


@memo(1 << 6, _made, _strip)  # who compares many keeps them
def signs(text: str) -> Signs:
    """Return the signs of a text."""
    words = _words(text)
    drops = tuple((drop.gone, drop.rest) for drop in _dropped(text))
    first = words.words[0] if words.words else ""
    return Signs(first, _denies(text), drops, similarity.masked(text), words.subject, _affirmed(text))


def leads(gone: frozenset[str]) -> list[str]:
    """Return words of what is dropped of which a text that says it has one: the longest, as few texts have them."""
    return sorted(gone, key=lambda word: (-len(word), word))[: len(gone) // 2 + 1]


def compare(older: str, newer: str) -> str:
    """Return how a newer text is at odds with an older one: `REVERSAL`, `CONTRARY`, `VALUE` or `CHOICE`; "" for not."""
    old, new = _words(older), _words(newer)
    if old.subject.isdisjoint(new.subject):
        return ""
    if _dropped(newer) and supersedes(older, newer):
        return REVERSAL
    if _denies(older) != _denies(newer):
        return CONTRARY if _is_denial(_affirmed(older), _affirmed(newer)) else ""
    return _other(old, new) or (VALUE if similarity.tells_anew(newer, older) else "")


def supersedes(older: str, newer: str) -> bool:
    """Return whether a newer text says in so many words that something else holds in the place of an older one."""
    whole = _words(older).subject
    return any(is_gone(whole, *drop) and not _is_dropped(older, drop) for drop in _dropped(newer))


def _is_dropped(older: str, drop: _Drop) -> bool:
    """True where the older text drops the same itself."""
    return any(len(before.gone & drop.gone) >= len(drop.gone) * _HALF for before in _dropped(older))


def reverses(text: str) -> bool:
    """Return whether a text says of anything that it holds no more: few do."""
    return bool(_dropped(text))


def is_gone(whole: frozenset[str], gone: frozenset[str], rest: frozenset[str]) -> bool:
    """True where what is dropped is what a text says, and what else it says is spoken of; or all that it says."""
    both = gone & whole
    if not gone or len(both) < max(1, len(gone) * _HALF):
        return False
    left = whole - gone
    shared = left & rest
    if shared and len(shared) >= len(left) * _HALF:
        return True
    is_all = len(left) <= len(whole) * _FEW and len(gone - whole) <= len(gone) * _FEW
    return len(both) >= _LEAST and is_all


# What was compared is not compared again: these are asked of texts whose `signs` are new, and again soon or never.
@lru_cache(maxsize=1 << 8)
def _dropped(text: str) -> tuple[_Drop, ...]:
    return tuple(_Drop(_words_of(gone).subject, _words_of(rest).subject) for gone, rest in _drops(text))


def _drops(text: str) -> Iterator[tuple[str, str]]:
    """Yield what a text says holds no more, and its other words."""
    for match in form("changes.drops").written().finditer(text):
        rest = text[match.end() :]
        end = form("changes.end").written().search(rest)
        stop = end.start() if end else len(rest)
        yield rest[:stop], f"{text[: match.start()]} {rest[stop:]}"
    for match in form("changes.from").written().finditer(text):
        rest = text[match.end() :]
        to = form("changes.to").written().search(rest)
        dropped, _, chosen = rest.partition(to[0] if to else "\n")
        yield dropped, f"{text[: match.end()]} {chosen}"
    for match in form("changes.gives way").written().finditer(text):
        yield text[: match.start()], text[match.end() :]
    for match in form("changes.ends").written().finditer(text):
        clause = _clause(text, match.start(), match.end())
        yield clause, clause


def _clause(text: str, start: int, end: int) -> str:
    """Return the clause that a span stands in, without the span."""
    begin = max(text.rfind(sign, 0, start) for sign in ",;，；—") + 1
    after = [at for sign in ",;，；—" if (at := text.find(sign, end)) >= 0]
    return f"{text[begin:start]} {text[end : min(after, default=len(text))]}"


@lru_cache(maxsize=1 << 8)
def _denies(text: str) -> bool:
    return form("changes.denies").search(text)


@lru_cache(maxsize=1 << 8)
def _affirmed(text: str) -> frozenset[str]:
    """Return the subject of a text without what denies."""
    bare = form("changes.denies").written().sub(" ", text)
    return _words(text).subject if bare == text else _words_of(bare).subject  # most deny nothing: one set for both


def _is_denial(first: frozenset[str], second: frozenset[str]) -> bool:
    """True where one text says all that the other says, with a word more at most."""
    both = first & second
    return len(both) >= _LEAST and (first <= second or second <= first) and len(first ^ second) <= 1


def _other(older: _Words, newer: _Words) -> str:
    """Return how two texts differ in one place, if it is one where only one thing can stand."""
    if len(older.subject ^ newer.subject) > APART:
        return ""
    first, last, end = _place(older.words, newer.words)
    old, new = older.words[first:last], newer.words[first:end]
    if not (old and new) or max(len(old), len(new)) > _MOST or not set(old).isdisjoint(new):
        return ""
    if any(map(_NAME.match, (*old, *new))):
        return ""
    same = sum(older.tells) - sum(older.tells[first:last])
    if all(map(_is_figure, (*old, *new))):
        return VALUE if same >= _LEAST and first else ""
    before = older.words[:first]
    if same < 1 or not before or not _is_single(before, older.words[last:]):
        return ""
    return CHOICE


def _place(older: Sequence[str], newer: Sequence[str]) -> tuple[int, int, int]:
    """Return how many words two texts begin with alike, and where in each the words begin that they end with alike."""
    shorter = min(len(older), len(newer))
    first = next((at for at in range(shorter) if older[at] != newer[at]), shorter)
    rest = range(1, shorter - first + 1)
    alike = next((back - 1 for back in rest if older[-back] != newer[-back]), shorter - first)
    return first, len(older) - alike, len(newer) - alike


def _is_single(before: Sequence[str], after: Sequence[str]) -> bool:
    """Return whether only one thing can stand behind these words."""
    lead = " ".join(before)
    if form("changes.takes").search(f"{lead} "):
        return form("changes.role").written().match(" ".join(after)) is not None
    return form("changes.holds").search(f"{lead} ")


def _is_figure(word: str) -> bool:
    return bool(_FIGURE.match(word)) or word in _counts()


@lru_cache(maxsize=1)
def _counts() -> frozenset[str]:
    return frozenset(light(word) for word in lexicon.all_words("changes.counts"))


@lru_cache(maxsize=1 << 8)
def _words(text: str) -> _Words:
    return _words_of(text)


def _words_of(text: str) -> _Words:
    """Return the words of a text without those that only lead to what is said (`we decided to`), articles and signs."""
    bare = form("changes.frame").written().sub(" ", text)
    read = [known for token in tokenizer.surface().findall(bare) for known in _read(token)]
    subject = frozenset(word for word, tells in read if tells)
    return _Words(tuple(word for word, _ in read), tuple(tells for _, tells in read), subject)


@lru_cache(maxsize=1 << 14)  # most tokens come again
def _read(token: str) -> tuple[tuple[str, bool], ...]:
    """Return the words of a token without endings, each with whether it belongs to a subject."""
    little = lexicon.all_words("stop", "changes.little")
    stems = [light(word) for word in _split(token) if word and word not in lexicon.all_words("changes.empty")]
    return tuple((word, word not in little and any(map(str.isalnum, word))) for word in stems)


def _split(token: str) -> Sequence[str]:
    if tokenizer.has_wide(token[0]):
        return tuple(token)
    return (token.strip("`*_.,;:!?\"'()[]").casefold(),)
