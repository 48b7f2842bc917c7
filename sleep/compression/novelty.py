r"""Novelty: names, figures and denials of a text that its source does not have.

Owns the weaker of the gate's two rules, for a compressor that may use words of its own; the strict one (every word
stands in the input) is for extractive text. Ordinary lower-case words are free. What names or counts something must
stand in the source:

- what stands in `code`, whole;
- a token that holds a digit, and a number in words (`seven`), which may stand as digits there;
- a token that holds a capital; where that is only the first letter of a sentence's first word, the word must be
  ordinary: it stands somewhere in the input, begins as a word there does, or is one that sentences often begin with;
- a token formed like a path, an option or an identifier: `/`, `\`, `_`, `@`, `#`, `--`, or a dot or colon inside;
- words of a script without capitals, pair by pair of neighbouring letters, for no name can be told there;
- a denial (`not`, `never`), where the source has nothing of the kind.

The other way round, a sentence that says nearly all of one that denies must deny, too (`lost_denials`). Refuses to
understand: a false sentence of ordinary words passes, and a person reads the commit.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from sleep.language import lexicon, sentences, terms
from sleep.language.acts.forms import form
from sleep.language.tokenizer import has_wide, pairs, surface

if TYPE_CHECKING:
    from collections.abc import Iterator

_CODE = re.compile(r"(?<!`)`+([^`]+)`+")  # looked for once a run of them, however long
_EDGE = ".:'’‘-&~/\\="
_ENDS = (".", ":", "!", "?", "。", "！", "？")
_FORMED = re.compile(r"[/\\_@#]|\w[.:]+\w|^--?\w")
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"[^\W\d_]+")
_POSSESSIVE = re.compile(r"['’]s$")
_STEM, _ENDING = 4, 3
_NEARLY_ALL = 0.8  # of the terms of a sentence
_FREE = frozenset({"i", "i'm", "i've", "i'd", "i'll", "and/or", "e.g", "i.e"})


def is_denial(token: str) -> bool:
    """Return whether a token is a denial (`not`, `never`)."""
    return form("denial.words").fullmatch(token)


def denies(text: str) -> bool:
    """Return whether something in a text says that a thing is not so, in this or another word."""
    return form("denial.words", "denial.others").search(text)


def strange(text: str, source: str, material: str = "") -> list[str]:
    """Return what stands in `text` and may not, since `source` does not have it; each once, in order.

    Args:
        text: one fragment or several lines; a line begins a sentence.
        source: what it was made of.
        material: more of the input, where the ordinary words that begin a sentence may come from.
    """
    there = _folded(source)
    ordinary = set(_WORD.findall(f"{there} {_folded(material)}"))
    novel: dict[str, None] = {}
    for line in text.split("\n"):
        for code in _CODE.finditer(line):
            if not stands(_folded(code[1]), there):
                novel[f"`{code[1]}`"] = None
        for token, opening in _tokens(_CODE.sub(" x ", line)):
            if not is_denial(token) and not _is_fine(token, there, ordinary, opening=opening):  # denials: below
                novel[token] = None
    if (denial := form("denial.words").written().search(text)) and not denies(source):
        novel[denial[0]] = None
    return list(novel)


def lost_denials(text: str, source: str) -> list[str]:
    """Return the sentences of `source` of which `text` says nearly all but the denial; each once, in its order."""
    denial = form("denial.words").written()
    claims = _sentences(source, denial)
    dropped: dict[str, None] = {}
    for _, own, has_denial in _sentences(text, denial) if any(is_denied for *_, is_denied in claims) else ():
        nearest, common, is_denied = max(claims, key=lambda other: (len(own & other[1]), not other[2]))
        if is_denied and not has_denial and len(own & common) >= _NEARLY_ALL * max(1, len(common)):
            dropped[nearest] = None
    return list(dropped)


def _sentences(text: str, denial: re.Pattern[str]) -> list[tuple[str, frozenset[str], bool]]:
    """Return each sentence, what it speaks of beside its denials, and whether it has one."""
    each = (sentence for line in text.split("\n") for sentence in sentences.split(line))
    return [(sentence, terms.light(denial.sub(" ", sentence)), bool(denial.search(sentence))) for sentence in each]


@lru_cache(maxsize=1)
def _numbers() -> dict[str, str]:
    """Return the digits of each number in words."""
    return lexicon.table("numbers")


def _folded(text: str) -> str:
    return _SPACE.sub(" ", text.casefold()).strip()


def _tokens(line: str) -> Iterator[tuple[str, bool]]:
    """Yield each token without the signs around it, and whether it begins a sentence."""
    opening = True
    for match in surface().finditer(line):
        raw = match[0]
        bare = raw.rstrip(_EDGE).lstrip(_EDGE.replace("-", ""))
        bare = bare if bare.startswith("--") else bare.lstrip("-")
        bare = _POSSESSIVE.sub("", bare)
        if bare and bare not in "!?。！？":
            yield bare, opening
            opening = False
        opening = opening or raw.endswith(_ENDS)


def _is_fine(token: str, there: str, ordinary: set[str], *, opening: bool) -> bool:
    folded = token.casefold()
    if folded in _FREE or stands(folded, there):
        return True
    if any(map(str.isdigit, token)) or _FORMED.search(token):
        return False
    if "-" in token:  # a compound of what is fine by itself: Redis-backed
        return all(_is_fine(part, there, ordinary, opening=opening) for part in token.split("-") if part)
    if folded in _numbers():
        return stands(_numbers()[folded], there)
    if any(map(_is_caseless, token)):
        return all(pair in there for pair in pairs(folded))
    return token == folded or (opening and token[1:] == folded[1:] and _is_ordinary(folded, ordinary))


def _is_ordinary(word: str, ordinary: set[str]) -> bool:
    """True for a word that a sentence may begin with: by its capital it could be anybody's name."""
    stem = word[: max(_STEM, len(word) - _ENDING)]
    known = word in lexicon.words("openers") or word in ordinary
    return known or (len(word) > _STEM and any(other.startswith(stem) for other in ordinary))


def _is_caseless(letter: str) -> bool:
    return letter.isalpha() and letter.upper() == letter.lower()


def stands(token: str, there: str) -> bool:
    """True if a folded token stands in a folded text by itself: not within a word, nor within a longer number."""
    at = there.find(token) if token else len(there)
    while 0 <= at < len(there):
        end = at + len(token)
        if _is_edge(there, at - 1, token[0], -1) and _is_edge(there, end, token[-1], 1):
            return True
        at = there.find(token, at + 1)
    return not token


def _is_edge(text: str, at: int, own: str, step: int) -> bool:
    """True if the character at `at` does not carry on the token whose outermost character is `own`."""
    if not 0 <= at < len(text) or not (own.isalnum() or own == "_"):
        return True
    if text[at].isalnum() or text[at] == "_":
        return has_wide(text[at]) != has_wide(own)  # `1` stands by itself in `1锁`
    further = at + step
    return not (own.isdigit() and text[at] in ".," and 0 <= further < len(text) and text[further].isdigit())
