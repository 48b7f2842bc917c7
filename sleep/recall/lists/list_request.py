"""Which records a question asks for: those of a kind (`open questions on the parser`), of a day, of a session.

Owns telling it by the forms `asks.kind.*`, `asks.session` and their like. Pure; refuses to look at a memory.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.language import lexicon, stopwords, words
from sleep.language.acts.forms import form
from sleep.language.tokenizer import fold
from sleep.recall import periods
from sleep.records.kinds import KINDS

if TYPE_CHECKING:
    from sleep.recall.question import Question
    from sleep.records.kinds import Kind

_WORD = re.compile(r"[^\s?!,;:？！，。、]+")
_FORMS = "asks.kind."
_LONGEST = 200  # characters of a question; what is longer is a task or a paste
_OPEN, _NEXT = "open", "next"  # forms that ask for several kinds
_HANDOFF = "handoff"
_NUMBER = re.compile("[0-9]+")
LAST = "last"  # the instance of the last session


class ListRequest(NamedTuple):
    """What a question asks of the records.

    `kinds` are those it asks for, none where it asks for whatever happened; `terms` what it asks about, in order, none
    where it asks for all of them; `is_closed`: it asks for those that no longer bind; `instance` is whose it asks for:
    a number, `LAST`, or "" for those of all; `is_purpose`: it asks what the project is for.
    """

    kinds: tuple[str, ...]
    terms: tuple[str, ...] = ()
    is_closed: bool = False
    instance: str = ""
    is_purpose: bool = False

    @property
    def label(self) -> str:
        """The records as a person names them: `open questions, open doubts of instance 29`."""
        labels = ", ".join(_label(KINDS[kind], is_closed=self.is_closed) for kind in self.kinds)
        return f"{labels} of {self.session}" if self.instance else labels

    @property
    def session(self) -> str:
        """The session that is asked for, as a person names it."""
        return "the last session" if self.instance == LAST else f"instance {self.instance}"


def parse(asked: Question) -> ListRequest | None:
    """Return what a question asks of the records, None where it asks for no list of them."""
    rest = asked.text
    if len(rest) > _LONGEST:
        return None
    if form("asks.purpose").search(rest):
        return ListRequest((), is_purpose=True)
    asks = [name for name in names() if _is_asked_by(name, rest)]
    instance = _instance(rest)
    if not (asks or instance or asked.days):
        return None
    for section in (*(_FORMS + name for name in asks), "asks.session", "asks.instance"):
        rest = form(section).written().sub(" ", rest)
    is_closed = form("asks.closed").search(rest)
    rest = form("asks.closed").written().sub(" ", rest)
    small = lexicon.all_words("asks.anything") if asks else lexicon.all_words("asks.anything", "asks.happened")
    terms = _terms(asked, rest, small)
    if asks:
        return ListRequest(kinds(asks[0]), terms, is_closed, "" if asks[0] == _NEXT else instance)
    return None if terms else ListRequest((), instance=instance)


def _instance(text: str) -> str:
    """Return the number of the instance that a question names, `LAST` for the last session, "" for none."""
    span = form("asks.instance").span(text)
    if span and (number := _NUMBER.search(text, *span)):
        return number[0].lstrip("0")
    return LAST if form("asks.session").search(text) else ""


def _is_asked_by(name: str, text: str) -> bool:
    """Return whether a form finds its records in a question that does not ask for a fact about them before.

    `where did we leave off` asks for what is next by its `where`, `where is the todo list` for a place.
    """
    span = form(_FORMS + name).span(text)
    if span is None:
        return False
    fact = form("asks.fact").span(text)
    return fact is None or (span[0] < fact[1] and fact[0] < span[1])


def names() -> tuple[str, ...]:
    """Return the names of the forms: kinds, and those that ask for several. The first that a question has counts."""
    return tuple(name.removeprefix(_FORMS) for name in lexicon.names(_FORMS, "en"))


def kinds(name: str) -> tuple[str, ...]:
    """Return the kinds that a form asks for: its own, and those that share its heading."""
    if name == _OPEN:
        return tuple(kind for kind, known in KINDS.items() if known.unsettled)
    if name == _NEXT:
        return (_HANDOFF, *(kind for kind, known in KINDS.items() if known.part == _NEXT))
    own = KINDS[name]
    beside = (kind for kind, known in KINDS.items() if own.section and known.section == own.section and kind != name)
    return (name, *beside) if own.heads_section else (name,)


def _terms(asked: Question, rest: str, small: frozenset[str]) -> tuple[str, ...]:
    """Return the terms of a question that stand in what is left of it, without words that narrow nothing down."""
    if asked.days:
        rest = periods.without_named(form("periods.since").written().sub(" ", rest))
        small |= lexicon.all_words("months")
    spoken = (word for word in _WORD.findall(stopwords.without_small(rest)) if fold(word) not in small)
    left = {term for word in spoken if not (asked.days and word[:1].isdigit()) for term in words.terms(word)}
    return tuple(term for term in asked.terms if term in left and term not in asked.unmissed)


def _label(kind: Kind, *, is_closed: bool) -> str:
    state = ("closed " if is_closed else f"{kind.states[0]} ") if kind.states else ""
    return f"{state}{kind.plural.lower()}"
