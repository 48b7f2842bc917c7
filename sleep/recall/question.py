"""A question, understood: its terms, whom and which days it names, and whether it asks for a point or for a stretch.

Owns what is told by the question alone. Refuses to look at a memory: what of it is known there, the index says.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sleep.memory import address as addressing
from sleep.recall import when, words
from sleep.recall.stems import stem

_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")
_WHEN = re.compile(r"\bwhen\b|\bwhat (?:date|day|month|year|time)\b|\bhow long ago\b|什么时候|何时|いつ", re.IGNORECASE)
# What asks for a stretch of talk, not for one thing that was said.
_BROAD = re.compile(
    r"\b(?:summari[sz]e\w*|summary|overview|recap\w*|discuss\w*|think (?:about|of)|thoughts?|opinions?|"
    r"(?:talk|said?|say|conclu\w+|agreed?|decid\w+|learn) (?:up)?(?:about|on)|(?:dis)?agreed?|conclusions?|attitudes?|"
    r"debate\w*|describe|description|status)\b|总结|概述|讨论|まとめ",
    re.IGNORECASE,
)
# Words that say what is asked for, not what it is about: that a memory lacks one is no sign that it lacks the answer.
ASKING = frozenset(
    map(
        stem,
        """
        summarize summarise summary overview recap describe description discuss discussion conclude conclusion opinion
        thought think agree disagree talk say tell explain attitude debate whole meeting conversation happen
        """.split(),  # noqa: SIM905  # a list of words reads better as words
    )
)
_NO_NAME = frozenset(
    """
    what when where who which how why whose did does do is are was were will would could can should has have had the a
    an in on at of if according around please summarize describe i tell give list find show name monday tuesday
    wednesday thursday friday saturday sunday january february march april may june july august september october
    november december
    """.split()  # noqa: SIM905  # a list of words reads better as words
)


class Question(NamedTuple):
    """A question as read.

    `terms` in order, once each; `words` as written, folded; `names` are words
    that may name somebody or something (folded, with their terms);
    `handles` are addresses and record numbers, which are looked up before anything is searched. `spelled` has the word
    as written of each term that is a plain word's stem.
    """

    text: str
    terms: tuple[str, ...]
    words: tuple[str, ...]
    names: tuple[tuple[str, tuple[str, ...]], ...]
    days: tuple[when.Span, ...]
    handles: tuple[str, ...]
    spelled: tuple[tuple[str, str], ...]
    is_broad: bool
    asks_when: bool


def read(text: str, today: str = "") -> Question:
    """Return a question as understood; `today` is the ISO day that `last week` is told from, "" leaves such words."""
    text = text.encode("utf-8", "replace").decode().strip()  # an argument may have half a character
    capitals = [word for word in _WORD.findall(text) if word[0].isupper() and word != "I"]
    names = {_bare(word): tuple(words.terms(word)) for word in capitals if _bare(word) not in _NO_NAME}
    numbers = [addressing.number(*known) for one in addressing.NUMBER.finditer(text) if (known := _record(one[0]))]
    return Question(
        text,
        tuple(dict.fromkeys(words.terms(text))),
        tuple(dict.fromkeys(_bare(word) for word in _WORD.findall(text) if len(word) > 1 or word.isupper())),
        tuple((name, found) for name, found in names.items() if found),
        when.spans(text, today),
        (*map(str, addressing.addresses(text)), *numbers),
        tuple((own[0], _bare(word)) for word in _WORD.findall(text) if len(own := words.terms(word)) == 1),
        bool(_BROAD.search(text)),
        bool(_WHEN.search(text)),
    )


def _record(text: str) -> tuple[str, int] | None:
    return addressing.number_of(text)


def _bare(word: str) -> str:
    return re.sub(r"['’].*", "", words.folded(word))
