"""Noun phrases without a tagger: what a text names, as far as the small words around a word tell.

Owns reading them off a text: a word is a noun where an article or a preposition opens and a sign or a small word closes
(`the relay is`), where it is written as names are (a path's parts, `code`, a capital inside a sentence), and no verb
where a pronoun or `to` leads it. Which word is a noun is told over many texts together: one says little. Scripts
without spaces give runs between their small words. Refuses to say which of them matter.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from sleep.language import lexicon, stopwords
from sleep.language.stems import singular
from sleep.language.tokenizer import by_script, fold, has_wide, surface
from sleep.memo import memo
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

Phrase = tuple[str, ...]  # words in the singular, folded
_EDGE = ".:'’-–—/&\\~*_#"
_LABEL = re.compile(  # who speaks, or what kind of line it is
    r"^(?:\[[^\]\n]{1,24}\] *)?\*\*[^*\n]{1,40}(?::\*\*|\*\*:)"
    r"|^(?:\[\w+:\d+\] )?[A-Z][\w .-]{0,24}: |^\[\w+:\d+\] [\w .-]{1,24}: ",
    re.MULTILINE,
)
_PLAIN = re.compile(r"[^\W\d_]{2,}(?:['’-][^\W\d_]{2,})*[0-9]?")
_CODE = re.compile(r"[^\W\d_]{3,}[0-9]{0,2}")
_ACRONYM = re.compile(r"[A-Z][A-Z0-9]+s?")
_SUFFIXED = re.compile(r"[\w-]+\.[a-z]{1,4}")
_LEAST, _MOST = 3, 24  # letters of a word that names something
_NO_PLURAL = ("as", "is", "os", "us")  # with these an English word is one thing: `a corpus`
_SHORT = 5  # letters of a word that no ending tells
_NOUN, _VERB = "noun", "verb"
_WORDS = 3  # of a phrase, at most
_RUN = (2, 6)  # characters of a phrase in a script without spaces


class Reading(NamedTuple):
    """What a text names: `phrases` with how each is written, words that are `nouns` here, and those that are `verbs`.

    A word of `sure` is a name by its form. A phrase is a noun's only if its last word is one.
    """

    phrases: dict[Phrase, str]
    nouns: frozenset[str]
    verbs: frozenset[str]
    sure: frozenset[str]


class _Token(NamedTuple):
    folded: str
    bare: str
    starts: bool  # a sentence or a part of one begins here
    ends: bool


def _made(plain: Sequence[Any]) -> Reading:
    phrases, *words = plain
    return Reading(phrases, *map(frozenset, words))


def _strip(reading: Reading) -> tuple[object, ...]:
    return (reading.phrases, *map(tuple, reading[1:]))


@memo(1 << 12, _made, _strip)
def read(text: str) -> Reading:
    """Return what a text names."""
    phrases: dict[Phrase, str] = {}
    nouns: set[str] = set()
    verbs: set[str] = set()
    sure: set[str] = set()
    for line in _LABEL.sub("", text).split("\n"):
        row = _tokens(line)
        small = stopwords.small([token.folded for token in row])
        is_wide = has_wide(line)
        for at, token in enumerate(row):
            if names := _runs(token.bare) if is_wide and has_wide(token.bare) else _names(token.bare):
                phrases.update({(singular(name),): name for name in names})
                sure.update(map(singular, names))
            elif is_content(token.folded, small):
                phrases[(singular(token.folded),)] = token.folded
                phrases.update({tuple(map(singular, words)): " ".join(words) for words in _led(row[: at + 1], small)})
                if side := _side(row, at, small):
                    (nouns if side == _NOUN else verbs).add(singular(token.folded))
    return Reading(phrases, frozenset(nouns), frozenset(verbs), frozenset(sure))


def _led(row: list[_Token], small: frozenset[str]) -> Iterator[list[str]]:
    """Yield the phrases of two and three words that end with the last of a row."""
    phrase = [row[-1].folded]
    for at in range(len(row) - 1, max(0, len(row) - _WORDS), -1):
        if row[at].starts or not is_content(row[at - 1].folded, small):
            return
        phrase = [row[at - 1].folded, *phrase]
        yield phrase


def is_content(folded: str, small: frozenset[str] = frozenset()) -> bool:
    """True for a word that can stand in the name of something: no function word, and none that says nothing."""
    return folded not in small and _is_word(folded)


@lru_cache(maxsize=1 << 14)
def _is_word(folded: str) -> bool:
    return _LEAST <= len(folded) <= _MOST and _PLAIN.fullmatch(folded) is not None and not _is_empty(folded)


@lru_cache(maxsize=1 << 14)
def _is_empty(folded: str) -> bool:
    """True for a word of any text (`common`), of headings that name no topic, and for adverbs and the like."""
    word = singular(folded)
    return (
        folded in _stop()
        or any(form in listed for form in (folded, word) for listed in map(_listed, ("generic", "topic.empty")))
        or (len(folded) > _SHORT and folded.endswith(tuple(_listed("topic.endings"))))
        or "'" in folded
        or "’" in folded
    )


@lru_cache(maxsize=1)
def _stop() -> frozenset[str]:
    words = lexicon.words("stop").union(*(lexicon.words(name) for name in ("common", "light", "topic.verbal")))
    return words | stopwords.not_missed() | lexicon.all_words("topic.determiners", "topic.opens", "topic.objects")


@lru_cache(maxsize=16)
def _listed(section: str) -> frozenset[str]:
    return lexicon.all_words(section)


def _side(row: list[_Token], at: int, small: frozenset[str]) -> str:
    """Return whether the words beside one say that it is a noun or a verb, "" where they do not."""
    token = row[at]
    if len(row) == 1 or (_has_capital_nouns(small) and not token.bare[0].isupper()):
        return _NOUN if len(row) == 1 else ""  # a heading of one word
    before = None if token.starts else row[at - 1]
    after = None if token.ends else row[at + 1]
    if _is_verb(row, at, small):
        return _VERB
    if before is None:
        return ""
    return _NOUN if _is_capital(before, token) or _opens(before, token, after, small) else ""


def _is_verb(row: list[_Token], at: int, small: frozenset[str]) -> bool:
    """True for what a pronoun or `to` leads, what has an object behind it, and what opens before an article."""
    token = row[at]
    behind = "" if token.ends else row[at + 1].folded
    if token.starts and behind in _listed("topic.determiners"):
        return True
    if not token.starts and row[at - 1].folded in _listed("topic.verbal"):
        return True
    return behind in _listed("topic.objects") or (not small and _does(row, at))


def _does(row: list[_Token], at: int) -> bool:
    """True in English for what stands before an article, and for a word with an `s` behind one who does.

    `take the key`, `it takes`, `a page takes`, not `a corpus`.
    """
    token = row[at]
    if not token.ends and row[at + 1].folded in _listed("topic.follows"):
        return True
    if token.starts or singular(token.folded) == token.folded or token.folded.endswith(_NO_PLURAL):
        return False
    before = row[at - 1]
    if before.folded in _listed("topic.subjects"):
        return True
    is_one = not before.starts and is_content(before.folded) and singular(before.folded) == before.folded
    return is_one and row[at - 2].folded in _listed("topic.singular")


def _opens(before: _Token, token: _Token, after: _Token | None, small: frozenset[str]) -> bool:
    """True for what closes a phrase that an article, a preposition or the first of two opens (`the debt ledger.`)."""
    if after and is_content(after.folded, small):
        return False
    if before.folded in _listed("topic.determiners") or is_content(before.folded, small):
        return True
    # `By building` is none, `the building` may be.
    return before.folded in _listed("topic.opens") and not token.folded.endswith(tuple(_listed("topic.gerunds")))


def _is_capital(before: _Token, token: _Token) -> bool:
    return token.bare[0].isupper() and before.bare[0].islower()


def _has_capital_nouns(small: frozenset[str]) -> bool:
    """Return whether the language of these small words writes nouns with a capital."""
    return bool(small) and any(small == lexicon.words("stop", name) for name in lexicon.by_language("topic.nouns"))


def _tokens(line: str) -> list[_Token]:
    parts: list[tuple[str, bool]] = []  # each with whether a sentence or a part of one begins there
    end = -1
    broken = True
    for match in surface().finditer(line):
        word = match[0]
        bare = word.strip(_EDGE)
        if not bare:
            broken = True
            continue
        parts.append((bare, broken or line[end : match.start()] != " " or word[0] != bare[0]))
        broken = word[-1] != bare[-1]
        end = match.end()
    ends = [*(starts for _, starts in parts[1:]), True][: len(parts)]
    return [_Token(_fold(bare), bare, starts, last) for (bare, starts), last in zip(parts, ends, strict=True)]


_fold = lru_cache(maxsize=1 << 14)(fold)


@lru_cache(maxsize=1 << 14)
def _names(bare: str) -> tuple[str, ...]:
    """Return the words of what is written as a name: of a path its parts, of `CamelCase` it as a whole, `MCP`."""
    if bare.isalpha() and bare[1:].islower():
        return ()
    if _ACRONYM.fullmatch(bare):
        word = _fold(bare)
        return (word,) if not _is_empty(word) and len(word) > 1 else ()
    if "/" in bare or "_" in bare or _SUFFIXED.fullmatch(bare):
        parts = [part for part in re.split(r"[/._-]+", bare.rpartition(".")[0] or bare) if _CODE.fullmatch(part)]
        return tuple(fold(part) for part in parts if not _is_empty(fold(part)) and len(part) <= _MOST)
    return ()


def _runs(run: str) -> list[str]:
    """Return what a run of a script without spaces names: the pieces between its small words, and their parts.

    No part begins or ends within a word that is known: of `保质期管理` `保质期` is one, and `保质期管` none.
    """
    pieces = _wide_small().sub(" ", run).split()
    least, most = _RUN
    runs: list[str] = []
    for piece in pieces:
        if len(piece) <= most:
            runs += [piece] if len(piece) >= least else []
        within = {at for word in _wide_vague().finditer(piece) for at in range(word.start() + 1, word.end())}
        for size in range(least, min(len(piece), 5)):
            starts = (at for at in range(len(piece) - size + 1) if within.isdisjoint((at, at + size)))
            runs += [piece[at : at + size] for at in starts]
    edges = _listed("topic.edges")
    return [part for part in dict.fromkeys(runs) if part[0] not in edges and part[-1] not in edges]


@lru_cache(maxsize=1)
def _wide_vague() -> re.Pattern[str]:
    """Return the words of a script without spaces that name something only with another."""
    return re.compile("|".join(map(re.escape, by_script(lexicon.all_words("topic.vague"))[1])))


@lru_cache(maxsize=1)
def _wide_small() -> re.Pattern[str]:
    """Return what parts a run: small words, kana that no noun is written with, words that name nothing."""
    words = by_script(lexicon.all_words("stop", "topic.empty", "generic"))[1]
    return re.compile("|".join([r"[\u3040-\u309f]+", *map(re.escape, words)]))
