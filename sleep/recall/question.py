"""A question, understood: its terms, whom and which days it names, and whether it asks for a point or for a stretch.

Owns what is told by the question alone. Refuses to look at a memory: what of it is known there, the index says.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from sleep.language import lexicon, stopwords, words
from sleep.language.acts.forms import form
from sleep.language.stems import stem
from sleep.language.tokenizer import SIGNED, fold
from sleep.recall import periods
from sleep.records import address as addressing
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")
_ADDRESS = re.compile(rf"\b{addressing.INSTANCE_ID}\.[0-9]{{1,7}}\b", re.ASCII)
_HYPHENED = re.compile(r"(?<![^\W\d_])[^\W\d_]+(?:-[^\W\d_]+)+")
_INSTANCE = re.compile(rf"\b{addressing.INSTANCE_ID}\b(?!\.[0-9])", re.ASCII)
REASON, COUNT, AMOUNT, MONEY, PERSON, DAY = "reason", "count", "amount", "money", "person", "day"
CHOICE, RESULT = "choice", "result"
# What has to be said; a reason is told in many words. What a day is, is asked with `asks.when` too.
VALUES = (MONEY, COUNT, AMOUNT, PERSON, DAY, CHOICE, RESULT)


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
    asks (`load test` of `what did the load test show`); `is_ahead`: it asks for what is to come, `is_now`: for how
    things are now, the words for which (`at the moment`) are no terms.
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
    is_now: bool = False


def parse(text: str, today: str = "") -> Question:
    """Return a question as understood; `today` is the ISO day that `last week` is told from, "" leaves such words."""
    typed = text.encode("utf-8", "replace").decode().strip()  # an argument may have half a character
    text, mended = periods.correct_months(typed)
    spoken = _WORD.findall(SIGNED.sub(" ", text))  # the C of C++ names nobody
    small = stopwords.small_of_question(map(_bare, spoken))
    handles = _handles(text)
    rest = _rest(text) if handles else []
    left_out = _small_terms(text, spoken, small) | _handle_terms(handles).difference(rest)
    is_now = form("asks.now").search(text)
    about = form("asks.now").written().sub(" ", text) if is_now else text
    terms = _terms(about, left_out) or _terms(text, left_out)  # who looks for `latest` alone means the word
    foreign = (term for word in spoken if _is_foreign(word) for term in words.terms(word))
    return Question(
        typed,
        terms,
        tuple(dict.fromkeys(_bare(word) for word in spoken if len(word) > 1 or word.isupper())),
        _names(spoken, small),
        periods.find_spans(text, today),
        handles,
        tuple((own[0], _bare(word)) for word in spoken if len(own := words.terms(word)) == 1),
        form("asks.broad").search(text),
        form("asks.when").search(text),
        mended,
        handles[0] if len(handles) == 1 and not rest else "",
        _request_terms().union(foreign),
        _asks(text),
        _focus(text, terms),
        form("asks.ahead").search(text),
        _subject(text),
        is_now,
    )


def _terms(text: str, left_out: Collection[str]) -> tuple[str, ...]:
    """Return the terms of a text in order, each once, without its small words and what is left out."""
    return tuple(term for term in dict.fromkeys(words.terms(stopwords.without_small(text))) if term not in left_out)


def _is_foreign(word: str) -> bool:
    """True for a word that is small in some language; of those that English has too a letter alone is: `o`."""
    bare = _bare(word)
    return bare in stopwords.not_missed() or (len(word) == 1 and bare in lexicon.words("shared"))


def _asks(text: str) -> str:
    """Return what is asked: a reason if any is, else by the first sign of the first thing; a price if one is named."""
    if form("asks.reason").search(text):
        return REASON
    first = form("asks.second").written().split(text, maxsplit=1)[0]
    signs = {name: match.start() for name in (*VALUES, "") if (match := _sign(name).search(first))}
    name = min(signs, key=lambda name: (signs[name], not name), default="")
    is_price = MONEY in signs and not form("asks.broad").search(text)
    return MONEY if is_price and name in (AMOUNT, CHOICE, RESULT, "") else name


def _sign(name: str) -> re.Pattern[str]:
    """Return what asks for something, of "" for any other thing: a `when` behind that says in which case."""
    sections = ("asks.when", "asks.day") if name == DAY else (f"asks.{name or 'other'}",)
    return form(*sections).written()


def _focus(text: str, terms: Sequence[str]) -> str:
    """Return the first term behind the first word that asks, where that is of a thing."""
    asks = form("asks.thing", "asks.any").written().search(text)
    if asks is None or not form("asks.thing").written().match(text, asks.start()):
        return ""
    return next((term for term in words.terms(text[asks.end() :]) if term in terms), "")


def _subject(text: str) -> tuple[str, ...]:
    """Return the terms of the first two words that name something behind the word that asks: `load test`.

    A word before an article is what the first one does: `which streams carry the queue`.
    """
    asks = form("asks.subject").written().search(text)
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
    """Return the words with a capital that may name somebody or something, folded, with their terms.

    A capital behind one small letter is of a name that is no two words (`iOS`): its parts are none of its terms.
    """
    capitals = (word for word in spoken if word[0].isalpha() and any(map(str.isupper, word[:2])) and word != "I")
    names = {_bare(word): tuple(words.terms(word)) for word in capitals if _bare(word) not in _nameless() | small}
    whole = {_bare(word): tuple(words.terms(word)[-1:]) for word in spoken if word[0].islower()}
    names |= {name: own for name, own in whole.items() if name in names}
    return tuple((name, own) for name, own in names.items() if own)


def _small_terms(text: str, spoken: Sequence[str], small: frozenset[str]) -> set[str]:
    """Return the terms of the small words of a question, also of those that a hyphen joins (`avons-nous`)."""
    joined = (word for word in _HYPHENED.findall(fold(text)) if set(word.split("-")) <= small | lexicon.words("stop"))
    own = (
        *form("asks.quantity").written().findall(text),
        *(word for word in spoken if _bare(word) in small),
        *(joined if small else ()),
    )
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


def _bare(word: str) -> str:
    return words.without_apostrophe(fold(word))
