"""A question, understood: its terms, whom and which days it names, and whether it asks for a point or for a stretch.

Owns what is told by the question alone. Refuses to look at a memory: what of it is known there, the index says.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from sleep.language import lexicon, stopwords, words
from sleep.language.stems import stem
from sleep.language.tokenizer import SIGNED, fold
from sleep.recall import periods
from sleep.records import address as addressing

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")
_ADDRESS = re.compile(rf"\b{addressing.INSTANCE_ID}\.[0-9]{{1,7}}\b", re.ASCII)
_HYPHENED = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_INSTANCE = re.compile(rf"\b{addressing.INSTANCE_ID}\b(?!\.[0-9])", re.ASCII)
_WHEN = re.compile(r"\bwhen\b|\bwhat (?:date|day|month|year|time)\b|\bhow long ago\b|什么时候|何时|いつ", re.IGNORECASE)
# What asks for a stretch of talk, not for one thing that was said.
_BROAD = re.compile(
    r"\b(?:summari[sz]e\w*|summary|overview|recap\w*|discuss\w*|think (?:about|of)|thoughts?|opinions?|"
    r"(?:talk|said?|say|conclu\w+|agreed?|decid\w+|learn) (?:up)?(?:about|on)|(?:dis)?agreed?|conclusions?|attitudes?|"
    r"debate\w*|describe|description|status)\b|总结|概述|讨论|まとめ",
    re.IGNORECASE,
)
REASON, COUNT, AMOUNT, MONEY, PERSON, DAY = "reason", "count", "amount", "money", "person", "day"
CHOICE, RESULT = "choice", "result"
# What has to be said; a reason is told in many words.
VALUES = frozenset((COUNT, AMOUNT, MONEY, PERSON, DAY, CHOICE, RESULT))
_MUCH = "many|much|old|large|big|often|long|far"  # behind `how`
_TELL = "show|find|say|reveal|complain|report|conclude|answer|reply|write|recommend|come to|turn up"
_CAME = r"what (?:was|were|is|are) the (?:results?|outcome|findings?)\b"  # of something
_STATE = "do|does|must|should|shall|may|can|might"  # behind `when`: in which case, not on which day
# What is asked for, by the first sign of the first thing that is asked.
_ASKS = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        (REASON, rf"\bwhy\b|\bhow (?!{_MUCH})|(?<!by )\bwhen (?:{_STATE})\b|\bwarum\b|为什么|怎么|如何|なぜ"),
        (MONEY, r"\b(?:costs?|price|salary|fees?|bill|pays?|dollars|euros?|kostet|gehalt)\b|多少钱"),
        (COUNT, r"\bhow many\b|\bwie ?viele\b|几个|多少个"),
        (AMOUNT, rf"\bhow (?:{_MUCH})\b|\bwie ?(?:viel|alt|oft|lange)\b|多少"),
        (PERSON, r"\b(?:who|whose|whom|wer|wessen)\b|谁"),
        (DAY, rf"{_WHEN.pattern}|\b(?:birthday|wann)\b|哪天|几号"),
        (CHOICE, r"\b(?:which|welche[rsnm]?)\b|哪个|哪些"),
        (RESULT, rf"\bwhat (?:did|does) .{{1,80}}\b(?:{_TELL})\b|\b{_CAME}"),
        ("", r"\b(?:what|where)\b"),  # any other thing: a `when` behind it says in which case
    )
)
_SECOND = re.compile(
    r",? (?:and|und) (?=(?:what|wh[oy]|when|where|how|which|w[aeo]r?|wann|warum|wie|was)\b)", re.IGNORECASE
)
_AHEAD = re.compile(r"\b(?:will|going to|due|wird|werden)\b|会|将", re.IGNORECASE)
_QUANTITY = re.compile(r"\bhow (many|much)\b", re.IGNORECASE)  # takes `how many`, leaves `many ways`
_OF_A_THING = rf"\b(?:which|what|whose|how (?:{_MUCH})|welche[rsnm]?|wie ?viele?)\b"
_FOCUS = re.compile(_OF_A_THING, re.IGNORECASE)
_ANY = re.compile(rf"{_OF_A_THING}|\b(?:who|when|where|why|how)\b", re.IGNORECASE)
_SUBJECT = re.compile(rf"\b(?:{_CAME} of\b|what (?:did|does|do)\b|who\b|which\b)", re.IGNORECASE)
_PLAIN = 7  # letters from which a word with one letter off is a slip, not another word


class Question(NamedTuple):
    """A question as read.

    `terms` in order, once each; `words` as written, folded; `names` are words
    that may name somebody or something (folded, with their terms);
    `handles` are addresses and record numbers, which are looked up before anything is searched. `spelled` has the word
    as written of each term that is a plain word's stem. `mended` says which slipped month was read as which. `called`
    is the one address, record or instance that is all of the question, "" where it asks more; it is one of `handles`.
    `unmissed` are the terms of which it is no sign that a memory lacks one: they ask, or are small in some language.
    `asks` is what is asked for: `REASON`, one of `VALUES`, or ""; `focus` is the term of the thing that is asked for
    (`licence` of `under which licence`), "" where none is named; `subject` has the first terms behind the word that
    asks (`load test` of `what did the load test show`); `is_ahead`: it asks for what is to come.
    """

    text: str
    terms: tuple[str, ...]
    words: tuple[str, ...]
    names: tuple[tuple[str, tuple[str, ...]], ...]
    days: tuple[periods.Span, ...]
    handles: tuple[str, ...]
    spelled: tuple[tuple[str, str], ...]
    is_broad: bool
    asks_when: bool
    mended: tuple[tuple[str, str], ...] = ()
    called: str = ""
    unmissed: frozenset[str] = frozenset()
    asks: str = ""
    focus: str = ""
    is_ahead: bool = False
    subject: tuple[str, ...] = ()


def parse(text: str, today: str = "") -> Question:
    """Return a question as understood; `today` is the ISO day that `last week` is told from, "" leaves such words."""
    typed = text.encode("utf-8", "replace").decode().strip()  # an argument may have half a character
    text, mended = periods.correct_months(typed)
    spoken = _WORD.findall(SIGNED.sub(" ", text))  # the C of C++ names nobody
    small = stopwords.small(map(_bare, spoken))
    handles = _handles(text)
    rest = _rest(text) if handles else []
    left_out = _small_terms(text, spoken, small) | _handle_terms(handles).difference(rest)
    terms = tuple(term for term in dict.fromkeys(words.terms(stopwords.without_small(text))) if term not in left_out)
    foreign = (term for word in spoken if _bare(word) in stopwords.not_missed() for term in words.terms(word))
    return Question(
        typed,
        terms,
        tuple(dict.fromkeys(_bare(word) for word in spoken if len(word) > 1 or word.isupper())),
        _names(spoken, small),
        periods.find_spans(text, today),
        handles,
        tuple((own[0], _bare(word)) for word in spoken if len(own := words.terms(word)) == 1),
        bool(_BROAD.search(text)),
        bool(_WHEN.search(text)),
        mended,
        handles[0] if len(handles) == 1 and not rest else "",
        _request_terms().union(foreign),
        _asks(text),
        _focus(text, terms),
        bool(_AHEAD.search(text)),
        _subject(text),
    )


def _asks(text: str) -> str:
    """Return what is asked: a reason if any is, else by the first sign of the first thing; a price if one is named."""
    if _ASKS[0][1].search(text):
        return REASON
    first = _SECOND.split(text, maxsplit=1)[0]
    signs = {name: match.start() for name, sign in _ASKS if (match := sign.search(first))}
    name = min(signs, key=lambda name: (signs[name], not name), default="")
    is_price = MONEY in signs and not _BROAD.search(text)
    return MONEY if is_price and name in (AMOUNT, CHOICE, RESULT, "") else name


def _focus(text: str, terms: Sequence[str]) -> str:
    """Return the first term behind the first word that asks, where that is of a thing."""
    asks = _ANY.search(text)
    if asks is None or not _FOCUS.match(text, asks.start()):
        return ""
    return next((term for term in words.terms(text[asks.end() :]) if term in terms), "")


def _subject(text: str) -> tuple[str, ...]:
    """Return the terms of the first two words that name something behind the word that asks: `load test`.

    A word before an article is what the first one does: `which streams carry the queue`.
    """
    asks = _SUBJECT.search(text)
    own: list[str] = []
    spoken = _WORD.findall(text[asks.end() :]) if asks else []
    for word, after in pairwise([*spoken, ""]):
        terms = words.terms(word) if _bare(word) not in lexicon.words("stop") else []
        is_verb = word.endswith(("ed", "ing")) or _bare(after) in lexicon.all_words("topic.determiners")
        if own and (is_verb or not terms):
            break
        own += terms[:1]
    return tuple(own[:2])


def _names(spoken: Sequence[str], small: frozenset[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the words with a capital that may name somebody or something, folded, with their terms."""
    capitals = (word for word in spoken if word[0].isupper() and word != "I")
    names = {_bare(word): tuple(words.terms(word)) for word in capitals if _bare(word) not in _nameless() | small}
    return tuple((name, own) for name, own in names.items() if own)


def _small_terms(text: str, spoken: Sequence[str], small: frozenset[str]) -> set[str]:
    """Return the terms of the small words of a question, also of those that a hyphen joins (`avons-nous`)."""
    joined = (word for word in _HYPHENED.findall(fold(text)) if set(word.split("-")) <= small | lexicon.words("stop"))
    own = (*_QUANTITY.findall(text), *(word for word in spoken if _bare(word) in small), *(joined if small else ()))
    return {term for word in own for term in words.terms(word)}


def _handle_terms(handles: Sequence[str]) -> set[str]:
    """Return the terms of the parts of handles: an id that has 9999 somewhere is not D-9999."""
    return {term for handle in handles for term in words.terms(handle) if term != handle.lower()}


@lru_cache(maxsize=1)
def _request_terms() -> frozenset[str]:
    """Return the terms that say what is asked for, not what it is about: a memory may well lack them."""
    return frozenset(map(stem, lexicon.words("asking")))


@lru_cache(maxsize=1)
def _nameless() -> frozenset[str]:
    """Return the folded words of a question that name nobody, whatever their first letter."""
    return lexicon.words("stop") | lexicon.words("when") | lexicon.words("request")


def _handles(text: str) -> tuple[str, ...]:
    """Return the addresses, records and instances that a text calls, in their one form."""
    numbers = [known for match in addressing.NUMBER.finditer(text) if (known := addressing.number_of(match[0]))]
    instances = [instance[0] for instance in _INSTANCE.finditer(text)]
    return (*map(str, addressing.addresses(text)), *(addressing.number(*match) for match in numbers), *instances)


def _rest(text: str) -> list[str]:
    """Return the terms of a text besides what it calls."""
    for handle in (_ADDRESS, addressing.NUMBER, _INSTANCE):
        text = handle.sub(" ", text)
    return words.terms(text)


def is_slip_of_asking(word: str) -> bool:
    """Return whether a folded word is one that only asks but for a letter: that a memory lacks it is no sign either."""
    return len(word) >= _PLAIN and any(
        known[0] == word[0] and words.apart(word, known, 1) == 1 for known in lexicon.words("asking")
    )


def _bare(word: str) -> str:
    return words.without_apostrophe(fold(word))
